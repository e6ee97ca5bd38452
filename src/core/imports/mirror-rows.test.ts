/** Rows of a source that name what is not there. */
import { afterAll, expect, test } from 'vitest'
import type { Database } from '../../domain/ports/context.ts'
import type { Mirror, MirrorRow } from '../../domain/ports/table-source.ts'
import { createTestDatabase } from '../../sql/testing/test-database.ts'
import { checksumHere } from './mirror-checksums.ts'
import { mirrorRows } from './mirror-rows.ts'

const database = await createTestDatabase()
const text = `insert into platform_activity (id, action, collection, item, "timestamp")
    values (1, 'create', 'notes', '1', '2020-01-01 00:00:00'), (2, 'update', 'notes', '1', '2020-01-01 00:00:01')`
await database.db.run({ text, values: [] })
afterAll(() => database.close())

const mirror: Mirror = {
  table: 'platform_revisions',
  key: ['id'],
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'activity', type: 'integer' },
    { name: 'collection', type: 'varchar(64)' },
    { name: 'item', type: 'varchar(255)' },
  ],
}

/** Every second one is of an entry that is gone; one has no entry, and another no collection. */
const rows: readonly MirrorRow[] = Array.from({ length: 3000 }, (_, at) => {
  const activity = at === 10 ? null : at % 2 === 0 ? String(1 + (at % 4) / 2) : String(100_000 + at)
  return [String(at + 1), activity, at === 20 ? null : 'notes', '1']
})

async function* source() {
  yield rows
}

test('rows that name what is not there are refused together, and the others are taken', async () => {
  let statements = 0
  const counting: Database = {
    ...database.db,
    run: (statement) => {
      statements += 1
      return database.db.run(statement)
    },
  }
  const references = [{ column: 'activity', table: 'platform_activity', target: 'id' }]
  const done = await mirrorRows(counting, mirror, source, { references })
  expect([done.source, done.created, done.refused.length]).toEqual([3000, 1498, 1502])
  const byKey = new Map(done.refused.map(({ key, reason }) => [key, reason]))
  expect(byKey.get('2')).toBe('"activity" is 100001, and platform_activity has no such row')
  expect(byKey.get('11')).toMatch(/activity/)
  expect(byKey.get('21')).toMatch(/collection/)
  const found = await database.db.run({
    text: 'select count(*)::int as n, sum(activity)::int as s from platform_revisions',
    values: [],
  })
  expect(found.rows).toEqual([{ n: 1498, s: 2247 }])
  expect(statements).toBeLessThan(70)
})

test('of rows without a key those that differ are counted, and all are written', async () => {
  await database.db.run({ text: 'create table words (word text, n integer)', values: [] })
  const words: Mirror = {
    table: 'words',
    key: [],
    columns: [
      { name: 'word', type: 'text' },
      { name: 'n', type: 'integer' },
    ],
  }
  const take = async (given: readonly MirrorRow[], dry = false) => {
    async function* pages() {
      yield given
    }
    const { source: count, created, updated, deleted } = await mirrorRows(database.db, words, pages, { dry })
    return [count, created, updated, deleted]
  }
  const [a, b, c]: readonly MirrorRow[] = [
    ['a', '1'],
    ['a', '1'],
    ['b', null],
  ]
  if (a === undefined || b === undefined || c === undefined) throw new Error('There are three rows')
  expect(await take([a, b, c])).toEqual([3, 3, 0, 0])
  expect(await take([c, b, a])).toEqual([3, 0, 0, 0])
  const changed = [a, c, ['b', '2'], ['c', '3']]
  expect(await take(changed, true)).toEqual([4, 2, 0, 1])
  expect(await take(changed)).toEqual([4, 2, 0, 1])
  const found = await database.db.run({ text: 'select word, n from words order by word, n nulls first', values: [] })
  expect(found.rows).toEqual([
    { word: 'a', n: 1 },
    { word: 'b', n: null },
    { word: 'b', n: 2 },
    { word: 'c', n: 3 },
  ])
})

test('JSON is the same on any server, though MySQL stores it in other letters', async () => {
  await database.db.run({ text: 'create table papers (id integer primary key, page json)', values: [] })
  const papers: Mirror = {
    table: 'papers',
    key: ['id'],
    columns: [
      { name: 'id', type: 'integer' },
      { name: 'page', type: 'json' },
    ],
  }
  const take = async (page: string) => {
    async function* pages() {
      yield [['1', page]]
    }
    const { created, updated, checksum } = await mirrorRows(database.db, papers, pages, {})
    return [created, updated, (await checksumHere(database.db, papers, {})).checksum === checksum]
  }
  expect(await take('{"b": 1, "a": [2.50, null]}')).toEqual([1, 0, true])
  expect(await take('{"b": 1, "a": [2.50, null]}')).toEqual([0, 0, true])
  expect(await take('{"b": 1, "a": [2.5, 3]}')).toEqual([0, 1, true])
})
