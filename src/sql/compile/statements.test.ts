/**
 * Statements of queries that no golden case has: other views, keys of several columns or of none, and what only the
 * server asks. After a deliberate change run `npx vitest run src/sql/compile/statements.test.ts -u`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Comparison, type Filter, matchAll, type Value } from '../../domain/query/filter.ts'
import type { Aggregation, Query, Sort, SortStep } from '../../domain/query/query.ts'
import type { Collection, Field, FieldRelation, Relation, Schema } from '../../domain/schema/schema.ts'
import type { View } from '../../domain/schema/view.ts'
import { caught } from '../../domain/testing/test-failures.ts'
import { relation } from '../../domain/testing/test-schema.ts'
import { prepare } from '../run/prepare.ts'
import { worldSchema } from '../testing/test-database.ts'
import { compare, field, layOut, noon, queryOf, someUser, viewOf } from '../testing/test-query.ts'

let world: Schema

/**
 * The world with keys of several columns, one of which a foreign key refers to, and without a key; with columns of listed
 * values, and a geometry.
 */
let other: Schema

/** The foreign key of several columns: a homepage picks one of the `articles_tags`. */
const pick: Relation = {
  ...relation,
  manyCollection: 'homepage',
  manyField: 'pick',
  manyColumns: ['featured_article', 'headline'],
  oneCollection: 'articles_tags',
  oneField: 'picked_by',
}

beforeAll(async () => {
  world = await worldSchema()
  const changed = (name: string, fields: readonly Field[], more: Partial<Collection> = {}) => {
    const found = world.collections.get(name) as Collection
    const all = new Map([...found.fields, ...fields.map((each) => [each.name, each] as const)])
    return [name, { ...found, fields: all, ...more }] as const
  }
  const changedField = (collection: string, name: string, more: Partial<Field>, column: object = {}): Field => {
    const found = world.collections.get(collection)?.fields.get(name) as Field
    return { ...found, column: { ...(found.column as NonNullable<Field['column']>), ...column }, ...more }
  }
  const listed = { values: ['draft', 'published'] }
  const title = world.collections.get('articles')?.fields.get('title') as Field
  const reference = {
    ...title,
    name: 'pick',
    column: null,
    relation: { kind: 'many-to-one', collection: 'articles_tags', relation: pick },
  } as const
  const picking: FieldRelation = {
    kind: 'one-to-many',
    collection: 'homepage',
    foreignKey: 'pick',
    sortField: null,
    junctionField: null,
    relation: pick,
  }
  const pickedBy: Field = { ...reference, name: 'picked_by', type: 'alias', relation: picking }
  const collections = [
    changed('articles_tags', [pickedBy], { keyColumns: ['article', 'tag'] }),
    changed('homepage', [reference, changedField('homepage', 'featured_article', {}, { nullable: false })]),
    changed(
      'comments',
      [
        changedField('comments', 'approved', { type: 'geometry' }),
        changedField('comments', 'author', { column: null }),
      ],
      {
        keyColumns: [],
      },
    ),
    changed('platform_users', [
      changedField('platform_users', 'location', { type: 'geometry' }, { dataType: 'geometry' }),
    ]),
    changed('headings', [], { keyColumns: ['id', 'text'] }),
    changed('articles', [
      changedField('articles', 'status', {}, { ...listed, ordered: true }),
      changedField('articles', 'title', {}, listed),
    ]),
  ]
  other = { ...world, version: 'other', collections: new Map([...world.collections, ...collections]) }
})

type QueryParts = Partial<Query> & Pick<Query, 'collection'>
type More = { readonly view?: View; readonly isOther?: true }

const preparedFor = (query: QueryParts, { view = viewOf(), isOther }: More = {}) => {
  const schema = isOther === true ? other : world
  return prepare(queryOf(query), { schema, view, actor: someUser, clock: noon, dialect: 'postgres' })
}

const by = (name: string, more: object = {}): Sort => ({
  kind: 'field',
  path: [],
  field: name,
  descending: false,
  ...more,
})
const step = (name: string, collection: string, more: Partial<SortStep> = {}): SortStep => ({
  field: name,
  collection,
  ...more,
})
const related = (name: string, collection: string, filter: Filter = matchAll): Filter => ({
  kind: 'related',
  field: name,
  collection,
  quantifier: 'some',
  filter,
})
const reached = (
  collection: string,
  ...path: readonly (readonly [name: string, to: string, guard?: Filter])[]
): Value => ({
  kind: 'reached',
  collection,
  path: path.map(([name, to, guard = matchAll]) => ({ field: name, collection: to, guard })),
})
const me = (...path: readonly string[]): Value => ({ kind: 'current-user', path })
const function_ = (name: string, of: string, operator: Comparison['operator'], value: Value): Comparison => ({
  ...compare(of, operator, value),
  operand: { kind: 'function', function: name, field: of } as Comparison['operand'],
})
const id = [field('id')]
const articles = { collection: 'articles', selection: id } as const
const aggregation = (changes: Partial<Aggregation>): Aggregation => ({ values: [], group: [], ...changes })
const published = compare('status', 'eq', 'published')

const folder = join(import.meta.dirname, 'statements')
const names = readdirSync(folder).flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -5)] : []))

/** `keys`: whether the schema has keys of several columns. */
type Written = {
  readonly query: QueryParts
  readonly view?: { readonly codecs?: Parameters<typeof viewOf>[0]; readonly computed?: 'text' } & Pick<
    View,
    'computedExtremes'
  >
  readonly keys?: 'other'
}

test.each(names)('the query %s compiles to its statement', async (name) => {
  const { query, view = {}, keys } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Written
  const { codecs, computed, ...more } = view
  const shown = { ...viewOf(codecs, computed), ...more, name: JSON.stringify(view) }
  const { statement, values } = preparedFor(query, { view: shown, ...(keys === 'other' ? { isOther: true } : {}) })
  const text = `${layOut(statement.text)}\n-- ${JSON.stringify([statement.rows.kind, ...values])}\n`
  await expect(text).toMatchFileSnapshot(join(folder, `${name}.sql`))
})

const searched = (searchFields: Query['searchFields']): string | undefined => {
  const query = {
    collection: 'authors',
    selection: id,
    search: 'x',
    ...(searchFields === undefined ? {} : { searchFields }),
  }
  return / where (.*?) order by/.exec(preparedFor(query).statement.text)?.[1]
}

describe('a search', () => {
  const types = ['title', 'views', 'reads', 'rating', 'price', 'token', 'secret', 'comments'] as const
  const found = (search: string) => {
    const searchFields = types.map((name) => ({ field: name, ...(name === 'views' ? { guard: published } : {}) }))
    const readable = searchFields.filter(({ field: name }) => name !== 'secret')
    return preparedFor({ ...articles, search, searchFields: readable }).values
  }
  const uuid = '3333333A-3333-4333-8333-333333333333'
  test.each<[text: string, values: readonly unknown[]]>([
    ['2147483647', ['%2147483647%', '2147483647', 'published', '2147483647', '2147483647', '2147483647', null]],
    [
      '9223372036854775807',
      [
        '%9223372036854775807%',
        null,
        'published',
        '9223372036854775807',
        '9223372036854775807',
        '9223372036854775807',
        null,
      ],
    ],
    [' 5 ', ['%5%', '5', 'published', '5', '5', '5', null]],
    ['+5', ['%+5%', '5', 'published', '5', '+5', '+5', null]],
    ['-2147483648', ['%-2147483648%', '-2147483648', 'published', '-2147483648', '-2147483648', '-2147483648', null]],
    ['2147483648', ['%2147483648%', null, 'published', '2147483648', '2147483648', '2147483648', null]],
    ['-2147483649', ['%-2147483649%', null, 'published', '-2147483649', '-2147483649', '-2147483649', null]],
    [
      '9223372036854775808',
      ['%9223372036854775808%', null, 'published', null, '9223372036854775808', '9223372036854775808', null],
    ],
    [
      '12345678901234567890',
      ['%12345678901234567890%', null, 'published', null, '12345678901234567890', '12345678901234567890', null],
    ],
    ['1.50', ['%1.50%', null, 'published', null, '1.50', '1.50', null]],
    ['1.', ['%1.%', null, 'published', null, null, null, null]],
    ['x1', ['%x1%', null, 'published', null, null, null, null]],
    ['1x', ['%1x%', null, 'published', null, null, null, null]],
    [uuid, [`%${uuid}%`, null, 'published', null, null, null, uuid]],
    [`${uuid}0`, [`%${uuid}0%`, null, 'published', null, null, null, null]],
    [`0${uuid}`, [`%0${uuid}%`, null, 'published', null, null, null, null]],
  ])('for %j asks for these values', (text, values) => {
    expect(found(text)).toEqual(values)
  })

  test('of no field finds nothing, and never of a concealed one', () => {
    expect([searched(undefined), searched([]), searched([{ field: 'secret' }, { field: 'articles' }])]).toEqual([
      'false',
      'false',
      'false',
    ])
    expect(searched([{ field: 'name' }, { field: 'secret' }])).toBe(`(t0."name" ilike $1::text)`)
  })

  test('refuses a text that no database takes', () => {
    expect(caught(() => found('a\0')).failures).toMatchObject([{ kind: 'invalid-query', name: 'filter' }])
  })
})

test('groups by distinct fields need a key of one column', () => {
  for (const collection of ['articles_tags', 'comments']) {
    const query = { collection, selection: [], distinct: ['id'] }
    expect(caught(() => preparedFor(query, { isOther: true })).failures).toEqual([
      {
        kind: 'invalid-query',
        name: 'groups',
        reason: `Expected a collection with a key of one column for the groups of "${collection}"`,
      },
    ])
  }
})

test('groups are sorted by what they have', () => {
  const group: Aggregation['group'] = [
    { kind: 'field', key: 's', field: 'status' },
    { kind: 'function', key: 'y', function: 'year', field: 'date_created' },
  ]
  const sorted = (...sort: readonly Sort[]) =>
    preparedFor({ collection: 'articles', aggregation: aggregation({ group }), sort })
  const wrong: readonly Sort[] = [
    by('title'),
    by('status', { path: [step('author', 'authors')] }),
    by('date_created'),
    { kind: 'function', function: 'month', field: 'date_created', path: [], descending: false },
    { kind: 'function', function: 'year', field: 'status', path: [], descending: false },
  ]
  for (const sort of wrong) {
    expect(caught(() => sorted(sort)).failures).toEqual([
      { kind: 'invalid-query', name: 'sort', reason: 'Expected a grouped field or an aggregate for sort' },
    ])
  }
})

describe('a bug of the program', () => {
  const bugs: readonly (readonly [message: string, query: QueryParts])[] = [
    ['No collection is named gone', { collection: 'gone' }],
    ['Collection articles has no field gone', { collection: 'articles', selection: [field('gone')] }],
    [
      'Field title is not a many-to-one',
      {
        collection: 'articles',
        selection: [{ kind: 'one', key: 'k', field: 'title', selection: [], filter: matchAll }],
      },
    ],
    [
      'Field title is not a one-to-many',
      {
        collection: 'articles',
        selection: [{ kind: 'many', key: 'k', field: 'title', query: queryOf({ collection: 'authors' }) }],
      },
    ],
    [
      'Field title is not a many-to-any',
      {
        collection: 'articles',
        selection: [
          {
            kind: 'any',
            key: 'k',
            field: 'title',
            options: [{ collection: 'tags', selection: [], filter: matchAll }],
          },
        ],
      },
    ],
    ['Field articles.title is not a relation', { ...articles, filter: related('title', 'tags') }],
    ['Field articles.title is not a relation', { ...articles, sort: [by('id', { path: [step('title', 'tags')] })] }],
    ['title is not a relation', { ...articles, filter: compare('id', 'in', reached('articles', ['title', 'tags'])) }],
    ['email is not a relation', { ...articles, filter: compare('id', 'in', me('email', 'x')) }],
    ['regex is for validation and has no SQL', { ...articles, filter: compare('title', 'regex', 'x') }],
    ['submitted is for validation and has no SQL', { ...articles, filter: compare('title', 'submitted') }],
    [
      'Operator gt takes no multi-valued operand',
      { ...articles, filter: compare('user_created', 'gt', { kind: 'current-roles' }) },
    ],
    [
      'Expected a sort key other than an aggregate: the rows are not grouped',
      { ...articles, sort: [{ kind: 'aggregate', aggregate: 'count', field: null, descending: false }] },
    ],
    [
      'Expected groups without a list of keys',
      {
        collection: 'articles',
        aggregation: aggregation({}),
        sort: [{ kind: 'listed', keys: [1], descending: false }],
      },
    ],
    ['Only a read of one row by its key has an overlay', { ...articles, overlay: { key: 1, row: {} } }],
    [
      'The layout of an aggregation names a result that it lacks',
      { collection: 'articles', aggregation: aggregation({ layout: [{ kind: 'value', key: 'v', value: 0 }] }) },
    ],
    ['Field divider is not a one-to-many', { ...articles, filter: function_('count', 'divider', 'eq', 1) }],
    ['Field articles.divider has no column', { ...articles, filter: compare('divider', 'eq', 1) }],
  ]
  test.each(bugs)('is told as one: %s', (message, query) => {
    expect(() => preparedFor(query)).toThrow(message)
  })
})
