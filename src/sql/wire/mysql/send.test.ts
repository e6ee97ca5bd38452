import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '../../../domain/ports/context.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'

let database: TestDatabase
let db: Database
beforeAll(async () => {
  database = await createTestDatabase({ sql: 'create table words (n integer primary key, word varchar(20))' })
  db = database.db
})
beforeEach(async () => {
  await db.run({ text: 'delete from words', values: [] })
  await db.run({ text: `insert into words values (1, 'first')`, values: [] })
})
afterAll(() => database.close())

const run = (text: string, values: readonly unknown[] = [], asker = { isGone: false }) =>
  db.run({ text, name: text, values, rows: 'array', asker })
const first = async (text: string, values: readonly unknown[] = []): Promise<unknown> =>
  ((await run(text, values)).rows as readonly unknown[][])[0]?.[0]

const division = 'select 12 div $1'

test('each column comes as the database writes it', async () => {
  expect(
    await run(`select 1, 'é"', null, 9007199254740993, 1.50, '{"a":[1]}' union all select 2, '', null, 0, 0, null`),
  ).toEqual({
    rows: [
      ['1', 'é"', null, '9007199254740993', '1.50', '{"a":[1]}'],
      ['2', '', null, '0', '0.00', null],
    ],
    count: 2,
  })
})

test('numbers, booleans, lists, objects, bytes, dates and nothing are bound', async () => {
  const at = new Date('2026-01-31T10:00:00.250Z')
  const values = [7, false, ['a', 'b,c'], { b: 1 }, Buffer.from([0, 255]), at, null]
  const texts = 'cast($1 as char), cast($2 as char), cast($3 as char), cast($4 as char), hex($5), cast($6 as char), $7'
  expect((await run(`select ${texts}`, values)).rows).toEqual([
    ['7', '0', '["a","b,c"]', '{"b":1}', '00FF', '2026-01-31 10:00:00.250', null],
  ])
})

test('a statement counts the rows that it changed', async () => {
  expect(await run(`insert into words values (2, 'b'), (3, 'c')`)).toEqual({ rows: [], count: 2 })
  expect(await run(`update words set word = 'd' where n > 1`)).toEqual({ rows: [], count: 2 })
  expect(await run('delete from words')).toEqual({ rows: [], count: 3 })
})

test('a failing statement leaves the connection in order, and others of its turn their answers', async () => {
  const circle: { self?: unknown } = {}
  circle.self = circle
  const texts = [run(division, [1]), run('select nonsense'), run('select $1', [circle]), run(division, [3])]
  expect(await Promise.allSettled(texts)).toMatchObject([
    { value: { rows: [['12']] } },
    { reason: { failures: [{ kind: 'unavailable' }] } },
    { reason: { message: expect.stringContaining('circular') as string } },
    { value: { rows: [['4']] } },
  ])
  await expect(run(`insert into words values (2, $1)`, ['a word that is too long'])).rejects.toThrow('value-too-long')
  await expect(run('insert into words values (1, null)')).rejects.toThrow('not-unique')
  await db.transaction(async (inner) => {
    await expect(inner.run({ text: 'select nonsense', values: [] })).rejects.toThrow('unavailable')
    expect((await inner.run({ text: division, values: [6], rows: 'array' })).rows).toEqual([['2']])
  })
})

test('a statement that was prepared before a change of the tables sees the new ones', async () => {
  const words = 'select * from words'
  await run(words)
  await run(`alter table words add again varchar(20) default 'second'`)
  const answers = await Promise.all([run(words), run(words), run(words)])
  expect(answers.map(({ rows }) => rows)).toEqual(Array.from(answers, () => [['1', 'first', 'second']]))
  await run('alter table words drop again')
})

test('statements of clients that left before are not sent', async () => {
  const sent = run(`insert into words values (2, 'late')`, [], { isGone: true })
  await expect(sent).rejects.toMatchObject({ failures: [{ kind: 'unavailable', service: 'api' }] })
  expect(await first('select count(*) from words')).toBe('1')
})

test('a connection that the server closes harms its own statement only, and reads are sent again', async () => {
  const kill = 'kill connection_id()'
  const asked = [run(division, [1]), run(kill), run(division, [2]), run(division, [3])]
  expect(await Promise.allSettled(asked)).toMatchObject([
    { value: { rows: [['12']] } },
    { reason: { failures: [{ kind: 'unavailable', service: 'database' }] } },
    { value: { rows: [['6']] } },
    { value: { rows: [['4']] } },
  ])
})
