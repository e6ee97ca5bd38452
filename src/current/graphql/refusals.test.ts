/** What is refused before the database is asked anything. */
import { afterAll, expect, test } from 'vitest'
import type { Database } from '../../domain/ports/context.ts'
import { defaultLimits } from '../../graphql/limits.ts'
import { openGraphqlWorld } from '../testing/test-graphql.ts'

const world = await openGraphqlWorld()

afterAll(() => world.close())

/** Every statement is a failure of the test. */
const noDatabase: Database = {
  dialect: 'postgres',
  run: ({ text }) => Promise.reject(new Error(`The database was asked ${text}`)),
  runLast: ({ text }) => Promise.reject(new Error(`The database was asked ${text}`)),
  transaction: () => Promise.reject(new Error('A transaction was begun')),
}

const repeat = (times: number, text: (at: number) => string): string =>
  Array.from({ length: times }, (_, at) => text(at)).join(' ')

const nested = (depth: number): string =>
  depth === 0
    ? 'id'
    : `author { articles(limit: 100000) { comments(limit: 100000) { article { ${nested(depth - 1)} } } } }`

const hostile: readonly (readonly [name: string, query: string, code: string])[] = [
  ['10,000 aliases', `{ ${repeat(10_000, (at) => `a${at}: articles { id }`)} }`, 'GRAPHQL_VALIDATION'],
  ['500 fields in each other', `${'{ author '.repeat(500)}${'}'.repeat(500)}`, 'GRAPHQL_VALIDATION'],
  [
    'fragments that lead to each other',
    '{ articles { ...a } } fragment a on articles { author { articles { ...b } } } fragment b on articles { ...a }',
    'GRAPHQL_VALIDATION',
  ],
  ['a query of a megabyte', `{ articles { ${'id '.repeat(350_000)} } }`, 'GRAPHQL_VALIDATION'],
  [
    'a string of a megabyte and many brackets',
    `{ articles(search: "${'x'.repeat(1_000_000)}") ${'{ a '.repeat(300)}`,
    'GRAPHQL_VALIDATION',
  ],
  ['huge limits at every level', `{ articles(limit: 100000) { ${nested(2)} } }`, 'INVALID_QUERY'],
]

test.each(hostile)('%s', async (_name, query, code) => {
  const { data, errors } = await world.ask(query, { changes: { db: noDatabase } })
  expect(data ?? null).toBeNull()
  expect(errors?.[0]?.extensions.code).toBe(code)
})

const refusalAt = (path: string) => ({
  path: [path],
  message: expect.stringContaining('QUERY_MAX_ROWS') as string,
  extensions: { code: 'INVALID_QUERY' },
})

test('fields that together ask for too many rows are refused, though each alone is not', async () => {
  const limits = { ...world.current.limits, cost: { repeats: 2, rows: 3000 } }
  const one = 'articles(limit: 100) { comments(limit: 10) { id } }'
  expect((await world.ask(`{ one: ${one} two: ${one} }`, { changes: { limits } })).errors).toBeUndefined()
  const refused = await world.ask(`{ one: ${one} two: ${one} three: ${one} four: ${one} }`, { changes: { limits } })
  expect(refused.errors).toMatchObject([refusalAt('three'), refusalAt('four')])
})

test('a field that cannot be asked says so itself, beside those that can', async () => {
  const { data, errors } = await world.ask('{ a: articles_by_id(id: 1) { id } b: articles_by_id(id: "x") { id } }')
  expect(data).toEqual({ a: { id: '1' }, b: null })
  expect(errors).toMatchObject([{ path: ['b'] }])
})

test('only documents that the server knows, if the operator wants it so', async () => {
  const texts = new Map([['0', '{ articles(limit: 1) { id } }']])
  const only = { ...world.current.limits, documents: { ...defaultLimits, persisted: { texts, isOnly: true } } }
  expect(await world.ask('{ articles(limit: 1) { id } }', { changes: { limits: only } })).toEqual({
    data: { articles: [{ id: '2' }] },
  })
  const refused = await world.ask('{ articles(limit: 2) { id } }', { changes: { limits: only, db: noDatabase } })
  expect(refused.errors).toMatchObject([{ extensions: { code: 'PERSISTED_QUERY_ONLY' } }])
})
