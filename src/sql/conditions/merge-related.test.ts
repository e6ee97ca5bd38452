import { afterAll, beforeAll, expect, test } from 'vitest'
import { jsonOf } from '../../domain/ports/row-store.ts'
import type { Filter, RelatedFilter } from '../../domain/query/filter.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import { prepare } from '../run/prepare.ts'
import { runQuery } from '../run/read.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { compare, field, noon, queryOf, someUser, viewOf } from '../testing/test-query.ts'
import { worldSql } from '../testing/test-world.ts'

let database: TestDatabase
let schema: Schema

beforeAll(async () => {
  database = await createTestDatabase({ sql: worldSql })
  schema = await database.loadSchema()
})
afterAll(() => database.close())

const related = (name: string, collection: string, filter: Filter): RelatedFilter => ({
  kind: 'related',
  field: name,
  collection,
  quantifier: 'some',
  filter,
})

/** Conditions on some comment, each on its own. */
const some = (count: number): readonly Filter[] =>
  Array.from({ length: count }, (_, n) => related('comments', 'comments', compare('body', 'eq', `${n}`)))

/** The same condition in a form that is not merged. */
const apart = (filter: Filter): Filter => ({ kind: 'not', filter: { kind: 'not', filter } })

const pairs = {
  'a to-one field': [
    related('author', 'authors', compare('name', 'contains', 'n')),
    related('author', 'authors', compare('age', 'gt', 30)),
  ],
  'a to-many field': [
    related('comments', 'comments', compare('approved', 'eq', true)),
    related('comments', 'comments', compare('approved', 'eq', false)),
  ],
} as const

const queryFor = (filter: Filter, collection = 'articles') =>
  queryOf({
    collection,
    selection: [field('id')],
    filter,
    sort: [{ kind: 'field', path: [], field: 'id', descending: false }],
  })

async function idsOf(filter: Filter, collection?: string): Promise<string> {
  const ctx = { db: database.db, view: viewOf(), actor: someUser, schema, clock: noon }
  return jsonOf(await runQuery(ctx, queryFor(filter, collection)))
}

function subqueriesOf(filter: Filter, collection?: string): number {
  const at = { schema, view: viewOf(), actor: someUser, clock: noon, dialect: database.db.dialect }
  return prepare(queryFor(filter, collection), at).statement.text.split('exists (').length - 1
}

test.each([
  ['a to-one field', 'and', 'some', 1],
  ['a to-one field', 'or', 'some', 1],
  ['a to-one field', 'and', 'none', 1],
  ['a to-one field', 'or', 'none', 1],
  ['a to-many field', 'and', 'some', 2],
  ['a to-many field', 'or', 'some', 1],
  ['a to-many field', 'and', 'none', 1],
  ['a to-many field', 'or', 'none', 2],
] as const)(
  'conditions on %s joined by %s, %s: the same rows by %i subqueries',
  async (name, kind, quantifier, count) => {
    const filters = pairs[name].map((each) => ({ ...each, quantifier }))
    expect(subqueriesOf({ kind, filters })).toBe(count)
    const rows = await idsOf({ kind, filters })
    expect(rows).toBe(await idsOf({ kind, filters: filters.map(apart) }))
  },
)

test.each<[what: string, collection: string, filters: readonly Filter[], ids: readonly number[]]>([
  [
    'different fields',
    'articles',
    [
      related('author', 'authors', compare('name', 'eq', 'Bob')),
      related('category', 'categories', compare('name', 'eq', 'Iceland')),
    ],
    [1, 2],
  ],
  [
    'some row and on no row',
    'articles',
    [
      related('author', 'authors', compare('name', 'eq', 'Bob')),
      { ...related('author', 'authors', compare('age', 'gt', 30)), quantifier: 'none' },
    ],
    [2, 4, 5],
  ],
  [
    'different collections of a many-to-any',
    'pages_blocks',
    [
      related('item', 'headings', compare('text', 'eq', 'Welcome')),
      related('item', 'paragraphs', compare('text', 'startsWith', 'Once')),
    ],
    [1, 2],
  ],
])('conditions on %s are not merged', async (_what, collection, filters, ids) => {
  const filter: Filter = { kind: 'or', filters }
  expect(subqueriesOf(filter, collection)).toBe(2)
  expect(JSON.parse(await idsOf(filter, collection))).toEqual(ids.map((id) => ({ id })))
})

test('groups in groups of their kind are one group', () => {
  const [first, second] = pairs['a to-one field']
  expect(
    subqueriesOf({ kind: 'and', filters: [first, { kind: 'and', filters: [compare('id', 'gt', 0), second] }] }),
  ).toBe(1)
})

test('unmerged conditions have a limit', () => {
  expect(subqueriesOf({ kind: 'and', filters: some(30) })).toBe(30)
  expect(subqueriesOf({ kind: 'or', filters: some(1000) })).toBe(1)
  const reason = 'Expected at most 30 conditions on different related items side by side but received 31'
  expect(() => subqueriesOf({ kind: 'and', filters: some(31) })).toThrow(
    expect.objectContaining({ failures: [{ kind: 'invalid-query', name: 'filter', reason }] }) as Error,
  )
})

test('conditions on columns have no such bound', () => {
  const columns = Array.from({ length: 40 }, (_, n) => compare('id', 'neq', n))
  expect(subqueriesOf({ kind: 'and', filters: [...some(30), ...columns] })).toBe(30)
})
