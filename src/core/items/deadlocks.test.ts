/** Work that meets a deadlock is done again, and leaves what it would have left alone. */

import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Context, Database } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { repeatedTransaction } from '../../sql/errors/conflicts.ts'
import { isOnMariaDb, testOnPostgres } from '../../sql/testing/test-vendors.ts'
import { onceByKey } from '../batch/once-by-key.ts'
import { createFields } from '../model/fields.ts'
import { changeSchema } from '../model/schema-change.ts'
import { changesOf, createTestContext, openTestWorld } from '../testing/test-context.ts'
import { receiveItems } from './import-items.ts'

const world = await openTestWorld()
afterAll(() => world.close())
const { db } = world.ctx
const run = (text: string, at: Pick<Database, 'run'> = db) => at.run({ text, values: [] })
const valuesOf = async (text: string) => (await db.run({ text, values: [], rows: 'array' })).rows.flat()

for (const text of [
  'create table owners (id integer primary key, seen integer)',
  'create table seats (id integer primary key, owner integer, foreign key (owner) references owners (id))',
  'create table weights (id integer primary key)',
])
  await run(text)
const ctx = createTestContext(db, await world.loadSchema())
beforeEach(async () => {
  for (const name of ['seats', 'owners', 'weights']) await run(`delete from ${name}`)
  await run('insert into owners values (1, 0), (2, 0), (3, 0)')
  await run('insert into seats values (1, 1)')
})

/**
 * Starts the work while another transaction has done `first`, and does `then`, for which that one waits for the work. The
 * work loses: it has written less, and waits longer.
 */
async function beaten<T>(work: () => Promise<T>, first: string, then: string): Promise<T> {
  let result: Promise<T> | undefined
  await db.transaction(async (inner) => {
    await run(first, inner)
    await run('insert into weights values (1), (2), (3), (4), (5), (6), (7), (8)', inner)
    result = work()
    result.catch(() => undefined)
    await sleep(500)
    await run(then, inner)
  })
  return result as Promise<T>
}

test('a statement alone', async () => {
  await beaten(
    () => run('update owners set seen = 1 where id < 3'),
    'update owners set seen = 2 where id = 2',
    'update owners set seen = 2 where id = 1',
  )
  expect(await valuesOf('select seen from owners order by id')).toEqual(['1', '1', '0'])
})

async function seeTwo(inner: Database): Promise<void> {
  for (const id of [1, 2]) await run(`update owners set seen = seen + 1 where id = ${id}`, inner)
}

test('a transaction, from its begin', async () => {
  await beaten(
    () => repeatedTransaction(db, seeTwo),
    'update owners set seen = 5 where id = 2',
    'update owners set seen = 5 where id = 1',
  )
  expect(await valuesOf('select seen from owners order by id')).toEqual(['6', '6', '0'])
})

test('an import that is only tried: the rows are not to blame', async () => {
  const received = await receiveItems(
    ctx,
    { stream: Readable.from([Buffer.from('id,owner\n1,2\n')]), format: 'csv' },
    { collection: ctx.schema.collections.get('seats') as Collection, parse: changesOf },
  )
  const report = await beaten(() => received.try(ctx), 'update owners set seen = 1', 'update seats set owner = 3')
  await received.end(true)
  expect(report).toEqual({ created: 0, updated: 1, refused: 0, rows: [{ row: 1, action: 'update' }] })
})

async function addRowAndAge(inner: Context): Promise<void> {
  await createFields(inner, 'seats', [{ name: 'row', type: 'integer' }])
  await createFields(inner, 'owners', [{ name: 'age', type: 'integer' }])
}

testOnPostgres('Changes of tables are no part of a transaction on MariaDB')(
  'a change of the data model, as a whole',
  async () => {
    const { schema } = await beaten(
      () => changeSchema(ctx, addRowAndAge),
      'update owners set seen = 1 where id = 1',
      'update seats set owner = 3',
    )
    const typeOf = (collection: string, field: string) => schema.collections.get(collection)?.fields.get(field)?.type
    expect([typeOf('seats', 'row'), typeOf('owners', 'age')]).toEqual(['integer', 'integer'])
    expect(await valuesOf('select owner from seats')).toEqual(['3'])
  },
)

test('a change of the data model under an Idempotency-Key is not done again where it was committed apart', async () => {
  const cause = Object.assign(new Error('Deadlock'), { code: '40P01' })
  let begun = 0
  const transaction: Database['transaction'] = (work) =>
    db.transaction(async (inner) => {
      const done = await work(inner)
      begun += 1
      if (begun > 1) return done
      throw new TandemError({ kind: 'unavailable', service: 'database', reason: 'met', retryAfter: 1 }, { cause })
    })
  let worked = 0
  const work = async () => {
    worked += 1
    return { answer: worked, stored: { status: 200, body: '{}', headers: {} } }
  }
  const at: Context = { ...ctx, db: { ...db, transaction } }
  const keyed = { key: 'k', request: 'r', changesModel: true }
  const times = isOnMariaDb ? 1 : 2
  expect(await onceByKey(at, keyed, work)).toEqual({ answer: times })
  expect([worked, begun]).toEqual([times, 2])
  expect(await onceByKey(at, keyed, work)).toEqual({ stored: { status: 200, body: '{}', headers: {} } })
})
