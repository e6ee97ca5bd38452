import { afterAll, expect, test } from 'vitest'
import type { Context } from '../../domain/ports/context.ts'
import { jsonOf } from '../../domain/ports/row-store.ts'
import type { Query } from '../../domain/query/query.ts'
import type { RowFormat } from '../../exchange/formats.ts'
import { testOnPostgres } from '../../sql/testing/test-vendors.ts'
import { readItems } from '../rows/read-items.ts'
import { failuresOf, is, openTestWorld, queryOf, userWith } from '../testing/test-context.ts'
import { openExport } from './export-items.ts'

const world = await openTestWorld()
const ctx = world.ctx
await world.rowsOf(`insert into tags (name) select 'bulk ' || n from generate_series(1, 5000) n`)
afterAll(() => world.close())

async function exported(query: Query, format: RowFormat, asker: Context = ctx): Promise<string> {
  const parts: string[] = []
  await openExport(asker, query, format).produce(async (piece) => void parts.push(piece))
  return parts.join('')
}

const author = {
  kind: 'one',
  key: 'author',
  field: 'author',
  selection: [{ kind: 'field', key: 'name', field: 'name' }],
  filter: { kind: 'all' },
} as const

test.for([
  ['all fields', queryOf('articles')],
  ['one row by key', queryOf('articles', { filter: is('id', 1) })],
  ['a relation', queryOf('articles', { selection: [{ kind: 'field', key: 'id', field: 'id' }, author] })],
  ['no rows', queryOf('articles', { filter: { kind: 'none' } })],
  ['more rows than a page holds', queryOf('tags', { page: { limit: null, offset: 3 } })],
  [
    'groups',
    queryOf('articles', {
      aggregation: {
        group: [{ kind: 'field', key: 'status', field: 'status' }],
        values: [
          { aggregate: 'count', field: null, key: 'count' },
          { aggregate: 'max', field: 'id', key: 'id' },
        ],
      },
    }),
  ],
] as const)('%s: an export holds what a read answers with', async ([, query]) => {
  const json = jsonOf(await readItems(ctx, query))
  expect(JSON.parse(await exported(query, 'json'))).toEqual(JSON.parse(json))
})

test('csv has the columns of the selection, also of related items that are not there', async () => {
  const query = queryOf('articles', {
    selection: [{ kind: 'field', key: 'id', field: 'id' }, author],
    filter: { kind: 'none' },
  })
  expect(await exported(query, 'csv')).toBe('"id","author.name"\r\n')
})

test('csv has a column per group and result', async () => {
  const query = queryOf('articles', {
    aggregation: {
      group: [{ kind: 'field', key: 'status', field: 'status' }],
      values: [
        { aggregate: 'count', field: null, key: 'count' },
        { aggregate: 'max', field: 'id', key: 'id' },
      ],
    },
  })
  const [head = ''] = (await exported(query, 'csv')).split('\r\n')
  expect(head).toBe('"status","count","max.id"')
})

test('rights are decided before anything is written', async () => {
  const asker = { ...ctx, actor: userWith([{ collection: 'articles', fields: ['id'], filter: is('id', 2) }]) }
  expect(JSON.parse(await exported(queryOf('articles'), 'json', asker))).toEqual([{ id: 2 }])
  expect(() => openExport(asker, queryOf('authors'), 'csv')).toThrow('forbidden')
})

test('rows that are written meanwhile are not in it', async () => {
  let pieces = 0
  let text = ''
  const query = queryOf('tags', { page: { limit: null, offset: 0 } })
  const before = await world.rowsOf('select count(*)::int as count from tags')
  await openExport(ctx, query, 'json').produce(async (piece) => {
    text += piece
    pieces += 1
    if (pieces === 1) await world.rowsOf(`insert into tags (name) values ('late')`)
  })
  expect(pieces).toBeGreaterThan(2)
  expect([{ count: (JSON.parse(text) as unknown[]).length }]).toEqual(before)
})

testOnPostgres('MariaDB sends a list without a cursor of the session')(
  'a client that goes away leaves no cursor and no transaction behind',
  async () => {
    const gone = new Error('gone')
    const query = queryOf('tags', { page: { limit: null, offset: 0 } })
    const work = openExport(ctx, query, 'csv').produce(() => Promise.reject(gone))
    await expect(work).rejects.toBe(gone)
    expect(await world.rowsOf('select name from pg_cursors')).toEqual([])
  },
)

test('only so many are written at a time', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const query = queryOf('articles')
  const running = Array.from({ length: 4 }, () => openExport(ctx, query, 'csv').produce(() => promise))
  expect(await failuresOf(exported(query, 'csv'))).toMatchObject([{ kind: 'unavailable', service: 'export' }])
  resolve()
  await Promise.all(running)
  expect(await exported(query, 'csv')).toContain('"id"')
})
