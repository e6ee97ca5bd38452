/** Limits of MariaDB: texts of one packet, the time of a statement, and moments without zones. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { jsonOf } from '../../domain/ports/row-store.ts'
import type { Selected } from '../../domain/query/query.ts'
import { firstRow } from '../../sql/statements/answers.ts'
import { limitStatements } from '../../sql/statements/batch/transactions.ts'
import { readItems } from '../rows/read-items.ts'
import { failuresOf, openTestWorld, queryOf, type TestWorld } from '../testing/test-context.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openTestWorld()
})
afterAll(() => world.close())

const field = (name: string): Selected => ({ kind: 'field', key: name, field: name })
const comments: Selected = {
  kind: 'many',
  key: 'comments',
  field: 'comments',
  query: queryOf('comments', { selection: [field('body')], page: { limit: null, offset: 0 } }),
}

test('a list of related items that is longer than a packet is refused, and never empty', async () => {
  const { ctx } = world
  const { db } = ctx
  await db.run({ text: 'delete from comments', values: [] })
  const text = `insert into comments (article, body) select 1, repeat('x', floor(@@max_allowed_packet / 5)) from seq_1_to_4`
  await db.run({ text, values: [] })
  const selection = [field('id'), comments]
  const ask = (counts: readonly ('total' | 'filtered')[] = []) =>
    readItems(ctx, queryOf('articles', { selection, counts }))
  const rows = JSON.parse(jsonOf(await ask())) as readonly { id: number; comments: readonly unknown[] }[]
  expect(rows.find(({ id }) => id === 1)?.comments).toHaveLength(4)
  await db.run({ text: text.replace('seq_1_to_4', 'seq_1_to_2'), values: [] })
  const refused = [{ kind: 'unprocessable', reason: 'The request is too large for the database' }]
  expect(await failuresOf(ask())).toEqual(refused)
  expect(await failuresOf(ask(['filtered']))).toEqual(refused)
  const inner: Selected = {
    kind: 'many',
    key: 'articles',
    field: 'articles',
    query: queryOf('articles', { selection }),
  }
  expect(await failuresOf(readItems(ctx, queryOf('authors', { selection: [inner] })))).toEqual(refused)
})

test('the time of the statements of a transaction is limited, and that of later ones is the usual one', async () => {
  const { db } = world.ctx
  const slow = db.transaction(async (inner) => {
    await limitStatements(inner, 50)
    await inner.run({
      text: 'select count(*) from seq_1_to_100000 a join seq_1_to_100000 b where a.seq + b.seq = 3',
      values: [],
    })
  })
  expect(await failuresOf(slow)).toMatchObject([
    { kind: 'unavailable', reason: 'The database took too long to answer' },
  ])
  const sessions = await Promise.all(
    Array.from({ length: 8 }, () =>
      firstRow<{ readonly time: unknown }>(db, {
        text: 'select cast(@@max_statement_time as char) as time, sleep(0.02)',
        values: [],
      }),
    ),
  )
  expect(sessions.map((row) => Number(row?.time))).toEqual(sessions.map(() => 30))
})

test('moments with zones are those of UTC, and texts that look like moments stay as they are', async () => {
  const { db } = world.ctx
  const text = `select cast($1::timestamptz as char) as zoned, cast($2::timestamptz as char) as utc,
    cast($3::timestamptz as char) as moment, concat($4, '') as title`
  const moments = ['2026-03-01T01:30:00.25+02:00', '2026-03-01T01:30:00Z', new Date('2026-03-01T01:30:00.123Z')]
  const row = await firstRow(db, { text, values: [...moments, '2026-03-01T01:30:00Z'] })
  expect(row).toEqual({
    zoned: '2026-02-28 23:30:00.250000',
    utc: '2026-03-01 01:30:00.000000',
    moment: '2026-03-01 01:30:00.123000',
    title: '2026-03-01T01:30:00Z',
  })
})
