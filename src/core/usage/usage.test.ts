import { afterAll, beforeEach, expect, test } from 'vitest'
import { mostPaths } from '../../domain/query/field-paths.ts'
import { matchAll } from '../../domain/query/filter.ts'
import type { Query, Selection } from '../../domain/query/query.ts'
import { addUsage, deleteUsage, readUsageCounts } from '../../sql/statements/operation/usage.ts'
import { createTestDatabase, silentLog } from '../../sql/testing/test-database.ts'
import { createUsage, usageLimits } from './usage.ts'

const database = await createTestDatabase()
afterAll(() => database.close())
beforeEach(async () => {
  await database.db.run({ text: 'delete from platform_usage', values: [] })
  now = new Date('2026-01-01T00:00:00Z')
})

let now = new Date()
const open = (db: Parameters<typeof createUsage>[0] = database.db, retention: number | null = null) =>
  createUsage(db, { log: silentLog, clock: () => now, retention })

const used = (client: string, operation = 'readItems') => ({
  client,
  key: null,
  userAgent: null,
  generation: 'current',
  operation,
})

const queryOf = (collection: string, fields: readonly string[]): Query => ({
  collection,
  selection: fields.map((field) => ({ kind: 'field', key: field, field })) as Selection,
  filter: matchAll,
  search: null,
  sort: [],
  page: { limit: 1, offset: 0 },
  aggregation: null,
  archive: { kind: 'all' },
  counts: [],
})

const all = { client: null, generation: null, operation: null, limit: usageLimits.rows }
const counts = async () =>
  (await readUsageCounts(database.db, all)).map(({ client, operation, access, path, calls }) =>
    [client, operation, access, path, calls].join(' '),
  )

test('replicas add to the same rows', async () => {
  const query = queryOf('notes', ['title'])
  const replicas = [open(), open()]
  for (const each of replicas) {
    each.begin(used('shop/1')).read(query)
    each.begin(used('shop/1')).read(query)
    now = new Date(now.getTime() + 60_000)
  }
  await Promise.all(replicas.map((each) => each.close()))
  expect((await counts()).toSorted()).toEqual([
    'shop 1 readItems call  4',
    'shop 1 readItems read notes 4',
    'shop 1 readItems read notes.title 4',
  ])
  const [first] = await readUsageCounts(database.db, all)
  expect([first?.first, first?.last]).toEqual(['2026-01-01T00:00:00Z', '2026-01-01T00:01:00Z'])
})

test('an unavailable database loses nothing', async () => {
  let isDown = true
  const run: typeof database.db.run = (statement) =>
    isDown ? Promise.reject(new Error('down')) : database.db.run(statement)
  const usage = open({ run })
  usage.begin(used('shop'))
  await usage.flush()
  usage.begin(used('shop'))
  isDown = false
  await usage.close()
  expect(await counts()).toEqual(['shop readItems call  2'])
})

test('what the database refuses is left out, and the rest is counted', async () => {
  const usage = open()
  usage.begin({ ...used('odd'), operation: undefined as never })
  await usage.flush()
  usage.begin(used('shop'))
  await usage.close()
  expect(await counts()).toEqual(['shop readItems call  1'])
})

test('clients, lists of fields and fields beyond the bounds are added up', async () => {
  const usage = open()
  const many = Array.from({ length: mostPaths + 50 }, (_, at) => `f${at}`)
  const one = usage.begin(used('wide'))
  one.read(queryOf('notes', many))
  for (let at = 0; at < usageLimits.lists + 20; at += 1) one.read(queryOf('notes', [`f${at}`, 'g']))
  for (let at = 0; at < usageLimits.operations + 50; at += 1) usage.begin(used(`c${at}`))
  await usage.close()
  const found = await counts()
  expect(found).toContain('other other call  51')
  expect(found).toContain('wide readItems read notes.* 22')
  expect(found.filter((each) => each.startsWith('wide')).length).toBeLessThan(usageLimits.lists + mostPaths + 10)
})

const countOf = (path: string) => ({
  client: 'shop',
  generation: 'current',
  operation: 'readItems',
  access: 'read' as const,
  path,
  calls: 1,
  first: now.toISOString(),
  last: now.toISOString(),
})

test('a full table still counts what it has, and the rest in one row', async () => {
  await addUsage(database.db, [countOf('a'), countOf('b')], 3)
  await addUsage(database.db, [countOf('a'), countOf('c'), countOf('d'), countOf('e')], 3)
  const found = await counts()
  expect(found).toContain('shop readItems read a 2')
  expect(found.filter((each) => each.startsWith('other'))).toEqual(['other other call  2'])
  expect(found).toHaveLength(4)
})

test('old uses are deleted', async () => {
  const usage = open()
  usage.begin(used('old'))
  await usage.flush()
  now = new Date('2026-06-01T00:00:00Z')
  usage.begin(used('new'))
  await usage.close()
  await deleteUsage(database.db, new Date('2026-03-01T00:00:00Z'))
  expect(await counts()).toEqual(['new readItems call  1'])
})
