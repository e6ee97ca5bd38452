/** What requests leave in the memory of the process. */

import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actor } from '../../domain/rights/actor.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import { createItems, deleteItems, updateItem } from '../items/items.ts'
import { adminUser, is, openTestWorld, queryOf, type TestWorld, userWith } from '../testing/test-context.ts'
import { readItemRows } from './read-items.ts'

let world: TestWorld

beforeAll(async () => {
  world = await openTestWorld()
})

afterAll(() => world.close())

const rule = { collection: 'tags', filter: is('name', 'held') }
const limited = userWith([
  rule,
  { ...rule, action: 'create' },
  { ...rule, action: 'update' },
  { ...rule, action: 'delete' },
])

async function useTags(actor: Actor, schema: Schema): Promise<void> {
  const ctx = { ...world.ctx, actor, schema }
  await createItems(ctx, 'tags', [{ name: 'held', color: 'red' }])
  await updateItem(ctx, 'tags', 'held', { color: 'blue' })
  expect(await readItemRows(ctx, queryOf('tags', { filter: rule.filter }))).toEqual([{ name: 'held', color: 'blue' }])
  await deleteItems(ctx, 'tags', ['held'])
}

/** A schema that both actors used; without the object itself. */
async function usedSchema(): Promise<WeakRef<Schema>> {
  const schema = await world.loadSchema()
  for (const actor of [adminUser, limited]) await useTags(actor, schema)
  return new WeakRef(schema)
}

/** A value and the connection by which it was written. */
async function written(): Promise<readonly WeakRef<object>[]> {
  const db = { ...world.ctx.db }
  const options = { text: 'long' }
  await updateItem({ ...world.ctx, db }, 'articles', 1, { options })
  return [new WeakRef(options), new WeakRef(db)]
}

async function collectGarbage(): Promise<void> {
  await setImmediate()
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
}

test('a schema that is served no more is freed, while the rights that were used with it live on', async () => {
  const schemas = [await usedSchema(), await usedSchema()]
  await collectGarbage()
  expect(schemas.map((schema) => schema.deref()?.version)).toEqual([undefined, undefined])
})

test('a written value and its connection are freed, while the statement lives on', async () => {
  const [value, db] = await written()
  await collectGarbage()
  expect(value?.deref()).toBeUndefined()
  expect(db?.deref()).toBeUndefined()
})
