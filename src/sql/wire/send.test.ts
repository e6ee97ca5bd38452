import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import type { Database, Rows } from '../../domain/ports/context.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'

describe('a compiled statement', () => {
  let test: TestDatabase
  let db: Database
  beforeAll(async () => {
    test = await createTestDatabase()
    db = test.db
  })
  afterAll(() => test.close())

  const texts = (text: string, values: readonly unknown[] = [], name?: string) =>
    db.run({ text, values, rows: 'array', ...(name === undefined ? {} : { name }) })

  it('gives each column as the database writes it', async () => {
    const { rows, count } = await texts(
      `select 1, 'é"', null, true, '{"a":[1]}'::json union all select 2, '', null, false, null`,
    )
    expect(rows).toEqual([
      ['1', 'é"', null, 't', '{"a":[1]}'],
      ['2', '', null, 'f', null],
    ])
    expect(count).toBe(2)
  })

  it('binds numbers, booleans, lists, objects, bytes, dates and nothing', async () => {
    const at = new Date('2026-01-31T10:00:00.250Z')
    const { rows } = await texts(
      'select $1::integer, $2::boolean, $3::text[], $4::json, $5::bytea, $6::timestamptz, $7::text',
      [7, false, ['a', 'b,c'], { b: 1 }, Buffer.from([0, 255]), at, null],
    )
    expect(rows).toEqual([['7', 'f', '{a,"b,c"}', '{"b":1}', '\\x00ff', '2026-01-31 10:00:00.25+00', null]])
  })

  it('prepares a named statement once per connection', async () => {
    for (const n of [1, 2, 3]) {
      expect((await texts('select $1::integer + 1', [n], 'text query one')).rows).toEqual([[String(n + 1)]])
    }
    await db.transaction(async (inner) => {
      await inner.run({ text: 'select $1::integer + 1', values: [1], rows: 'array', name: 'text query one' })
      const { rows } = await inner.run({
        text: `select count(*)::text as known from pg_prepared_statements where name = 'text query one'`,
        values: [],
      })
      expect(rows).toEqual([{ known: '1' }])
    })
  })

  it('gives objects of wire forms, described once per connection and anew after a change', async () => {
    await db.run({ text: makeDescribed('integer', '2'), values: [] })
    const first = { n: 1, T: 'x', b: true, at: '2026-01-31T10:00:00.250Z', nothing: null }
    const second = { n: 2, T: null, b: false, at: null, nothing: 'y' }
    await db.transaction(async (inner) => {
      expect((await askDescribed(inner, 1)).rows).toEqual([first, second])
      expect((await askDescribed(inner, 2)).rows).toEqual([second])
      expect(Object.keys((await askDescribed(inner, 2)).rows[0] as object)).toEqual(['n', 'T', 'b', 'at', 'nothing'])
      expect((await askDescribed(inner, 3)).rows).toEqual([])
    })
    await db.run({ text: `drop table described; ${makeDescribed('bigint', '9007199254740993')}`, values: [] })
    expect((await askDescribed(db, 1)).rows).toEqual([
      { ...first, n: '1' },
      { ...second, n: '9007199254740993' },
    ])
    await db.run({ text: 'drop table described', values: [] })
  })

  it('counts the rows that a statement changed', async () => {
    await db.transaction(async (inner) => {
      await inner.run({ text: 'create temporary table changed (n integer) on commit drop', values: [], rows: 'array' })
      const run = (text: string) => inner.run({ text, values: [], rows: 'array' })
      expect(await run('insert into changed select generate_series(1, 3)')).toEqual({ rows: [], count: 3 })
      expect(await run('delete from changed where n > 1 returning n')).toEqual({ rows: [['2'], ['3']], count: 2 })
    })
  })

  it('fails like any statement and leaves the connection in order', async () => {
    await expect(texts('select 1 / $1::integer', [0], 'text query two')).rejects.toThrow('invalid-payload')
    await expect(texts('select nonsense')).rejects.toThrow('unavailable')
    // The second row already exists, so it fails.
    await expect(texts('select 1 / n from (values (1), (0)) v (n)')).rejects.toThrow('invalid-payload')
    const circle: { self?: unknown } = {}
    circle.self = circle
    await expect(texts('select $1::json', [circle])).rejects.toThrow('circular')
    expect((await texts('select 1 / $1::integer', [1], 'text query two')).rows).toEqual([['1']])
  })
})

const askDescribed = (inner: Database, n: number) =>
  inner.run({
    text: 'select n, t as "T", b, at, nothing from described where n >= $1 order by n',
    values: [n],
    rows: 'plain',
    name: 'text query three',
  })

const makeDescribed = (type: string, value: string) => `create table described as
  select 1::${type} as n, 'x'::text as t, true as b, '2026-01-31 10:00:00.25+00'::timestamptz as at, null::text as nothing
  union all select ${value}, null, false, null, 'y'`

const server = await createTestDatabase({ sql: "create table words (word text); insert into words values ('first')" })
const { db, openAgain } = server
afterAll(() => server.close())

const somebody = { isGone: false }

const read = (on: Pick<Database, 'run'>, text: string, values: readonly unknown[] = [], asker = somebody) =>
  on.run({ text, name: text, values, rows: 'array', asker })

const texts = async (reads: readonly Promise<Rows>[]): Promise<readonly unknown[]> =>
  (await Promise.all(reads)).map(({ rows }) => (rows as readonly string[][])[0]?.[0])

const division = 'select 12 / $1::integer'

test('reads of one turn are answered each with its own rows, also before anything is known of them', async () => {
  const numbers = Array.from({ length: 40 }, (_, index) => index + 1)
  for (const _ of ['unknown', 'prepared', 'known']) {
    expect(await texts(numbers.map((n) => read(db, 'select $1::integer * 2', [n])))).toEqual(
      numbers.map((n) => String(n * 2)),
    )
  }
})

test('a failing statement does not affect others of its message, whether refused or not serialisable', async () => {
  await read(db, division, [1])
  await read(db, 'select $1::json', ['[]'])
  const circle: { self?: unknown } = {}
  circle.self = circle
  const reads = [
    read(db, division, [1]),
    read(db, division, [0]),
    read(db, 'select $1::json', [circle]),
    read(db, division, [3]),
    read(db, 'select nonsense'),
    read(db, division, [4]),
  ]
  expect(await Promise.allSettled(reads)).toMatchObject([
    { value: { rows: [['12']] } },
    { reason: { failures: [{ kind: 'invalid-payload' }] } },
    { reason: { message: expect.stringContaining('circular') as string } },
    { value: { rows: [['4']] } },
    { reason: { failures: [{ kind: 'unavailable' }] } },
    { value: { rows: [['3']] } },
  ])
  expect(await texts([read(db, division, [6])])).toEqual(['2'])
})

test('a change of the tables is nothing to the reads that had been prepared before it', async () => {
  const words = 'select * from words'
  await read(db, words)
  await db.run({ text: "alter table words add again text default 'second'", values: [] })
  const answers = await Promise.all([read(db, words), read(db, words), read(db, words)])
  expect(answers.map(({ rows }) => rows)).toEqual(Array.from(answers, () => [['first', 'second']]))
})

test('reads of clients that left before are not sent', async () => {
  const gone = { isGone: false }
  await read(db, division, [1])
  const reads = [read(db, division, [1]), read(db, division, [2], gone), read(db, division, [3])]
  gone.isGone = true
  expect(await Promise.allSettled(reads)).toMatchObject([
    { status: 'fulfilled' },
    { reason: { failures: [{ kind: 'unavailable', service: 'api' }] } },
    { value: { rows: [['4']] } },
  ])
})

// The embedded database has only one connection, which cannot be broken from outside.
if (openAgain !== null) testServer()

function testServer(): void {
  test('reads on a connection that the server closes are repeated on another', async () => {
    const kill = 'select pg_terminate_backend(pg_backend_pid())::text'
    await Promise.allSettled([read(db, kill), read(db, division, [1])])
    const reads = [read(db, division, [1]), read(db, kill), read(db, division, [2]), read(db, division, [3])]
    expect(await Promise.allSettled(reads)).toMatchObject([
      { value: { rows: [['12']] } },
      { reason: { failures: [{ kind: 'unavailable', service: 'database' }] } },
      { value: { rows: [['6']] } },
      { value: { rows: [['4']] } },
    ])
  })
}
