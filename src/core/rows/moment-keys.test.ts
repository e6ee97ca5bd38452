/** Rows with a date or time as key: the key in a response finds the row again. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '../../domain/ports/context.ts'
import { jsonOf } from '../../domain/ports/row-store.ts'
import { createTestDatabase } from '../../sql/testing/test-database.ts'
import { perVendor } from '../../sql/testing/test-vendors.ts'
import { writeItems } from '../items/items.ts'
import { changesOf, createTestContext, failuresOf, queryOf } from '../testing/test-context.ts'
import { readItem, readItems } from './read-items.ts'

const sql = ['timestamptz', 'timestamp', 'time', 'date']
  .map(
    (type) =>
      `create table by_${type} (moment ${type} primary key, word text, next ${type} references by_${type} (moment) on delete cascade);`,
  )
  .join('\n')

let database: Awaited<ReturnType<typeof createTestDatabase>>
let ctx: Context

beforeAll(async () => {
  database = await createTestDatabase({ sql })
  ctx = createTestContext(database.db, await database.loadSchema())
})

afterAll(() => database.close())

const run = (text: string) => database.db.run({ text, values: [] })

const day = '2024-01-30'

const cases: readonly (readonly [type: string, stored: string, shown: string])[] = [
  ['timestamptz', `${day} 10:15:30.123456Z`, `${day}T10:15:30.123456Z`],
  ['timestamptz', `${day} 10:15:30.000001+02`, `${day}T08:15:30.000001Z`],
  ['timestamptz', `${day} 10:15:30.12Z`, `${day}T10:15:30.120Z`],
  ['timestamptz', `${day} 10:15:00Z`, `${day}T10:15:00.000Z`],
  ['timestamp', `${day} 10:15:30.123456`, `${day}T10:15:30.123456`],
  ['timestamp', `${day} 10:15:30.5`, `${day}T10:15:30.5`],
  ['timestamp', `${day} 10:00:00`, `${day}T10:00:00`],
  ['time', '10:15:30.000100', '10:15:30.0001'],
  ['time', '00:00:00', '00:00:00'],
  ['date', day, day],
]

test.each(cases)('a %s %s is read, changed and deleted as %s', async (type, stored, shown) => {
  const collection = `by_${type}`
  await run(`delete from ${collection}`)
  const there = perVendor({
    postgres: stored,
    mariadb: (/^(.*)\+02$/.exec(stored)?.[1] ?? stored.replace('Z', '')).replace('10:15:30.000001', '08:15:30.000001'),
  })
  await run(`insert into ${collection} values ('${there}', 'old', '${there}')`)
  const list = JSON.parse(jsonOf(await readItems(ctx, queryOf(collection)))) as readonly object[]
  expect(list).toEqual([{ moment: shown, word: 'old', next: shown }])
  const read = async () => JSON.parse(await readItem(ctx, queryOf(collection), shown))
  expect([await read()].flat()).toEqual(list)
  const target = { kind: 'keys', keys: [shown] } as const
  await writeItems(ctx, { kind: 'update', collection, target, changes: changesOf({ word: 'new', next: shown }) })
  expect([await read()].flat()).toEqual([{ moment: shown, word: 'new', next: shown }])
  await writeItems(ctx, { kind: 'delete', collection, target })
  expect((await run(`select 1 from ${collection}`)).count).toBe(0)
  expect(await failuresOf(read())).toEqual([{ kind: 'item-not-found', collection }])
})

test('a new row is named as it is shown', async () => {
  const collection = 'by_timestamptz'
  const moment = `${day}T10:15:30.654321Z`
  const [key] = await writeItems(ctx, { kind: 'create', collection, items: [changesOf({ moment, word: 'new' })] })
  const shown = JSON.parse(await readItem(ctx, queryOf(collection), String(key)))
  expect([shown].flat()).toEqual([{ moment, word: 'new', next: null }])
})
