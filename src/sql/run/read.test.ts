import { assert, asyncProperty, string } from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../domain/ports/context.ts'
import { jsonOf } from '../../domain/ports/row-store.ts'
import type { Filter, Value } from '../../domain/query/filter.ts'
import type { OperatorName } from '../../domain/query/operators.ts'
import type { Query, Selected } from '../../domain/query/query.ts'
import type { Actor } from '../../domain/rights/actor.ts'
import type { Collection, Field, Relation, Schema } from '../../domain/schema/schema.ts'
import { createTestDatabase, type TestDatabase, textFor } from '../testing/test-database.ts'
import { compare, field, noon, queryOf, somebody, someUser, viewOf } from '../testing/test-query.ts'
import { worldSql } from '../testing/test-world.ts'
import { readRowBeside, readRows, runQuery } from './read.ts'

let database: TestDatabase
let schema: Schema

beforeAll(async () => {
  database = await createTestDatabase({ sql: worldSql })
  await database.db.run({
    text: `insert into platform_users (id, status, email) values ($1, 'active', 'some@example.com')`,
    values: [someUser.user],
  })
  await database.db.run({ text: 'update articles set user_created = $1 where id in (1, 2)', values: [someUser.user] })
  schema = await database.loadSchema()
})
afterAll(() => database.close())

type Options = { readonly actor?: Actor; readonly view?: ReturnType<typeof viewOf>; readonly db?: Database }

async function read(query: Parameters<typeof queryOf>[0], options: Options = {}): Promise<unknown> {
  const ctx = { db: database.db, view: viewOf(), actor: someUser, ...options, schema, clock: noon }
  return JSON.parse(jsonOf(await runQuery(ctx, queryOf(query))))
}

async function idsOf(filter: Filter, options: Options = {}): Promise<readonly number[]> {
  const sort = [{ kind: 'field', path: [], field: 'id', descending: false }] as const
  const rows = await read({ collection: 'articles', selection: [field('id')], filter, sort }, options)
  return (rows as readonly { readonly id: number }[]).map(({ id }) => id)
}

test.each([
  { rows: 1000, isQuick: true },
  { rows: 1_000_000, isQuick: false },
])('others may wait for a list of a table of $rows rows: $isQuick', async ({ rows, isQuick }) => {
  const sent: (boolean | undefined)[] = []
  const db: Database = { ...database.db, run: (each) => (sent.push(each.isQuick), database.db.run(each)) }
  const latest = () => new Map([['articles', { rows, columns: new Map() }]])
  const filter = compare('views', 'gt', 42)
  const query = { collection: 'articles', selection: [field('id')], filter, page: { limit: 25, offset: 0 } }
  const ctx = { db, view: viewOf(), actor: someUser, schema: { ...schema, sizes: { latest } }, clock: noon }
  await runQuery(ctx, queryOf(query))
  expect(sent).toEqual([isQuick])
})

test('rows of which no field is read are empty objects', async () => {
  expect(await read({ collection: 'articles', selection: [], filter: compare('id', 'in', 1, 2) })).toEqual([{}, {}])
})

describe('an operator', () => {
  test.each<[string, OperatorName, readonly Value[], readonly number[]]>([
    ['title', 'eq', ['Cup final'], [2]],
    ['title', 'neq', ['Cup final'], [1, 3, 4, 5]],
    ['author', 'neq', [1], [2, 4]],
    ['views', 'lt', [42], [3, 4]],
    ['views', 'lte', [42], [3, 4, 5]],
    ['reads', 'gt', ['12'], [1]],
    ['reads', 'gte', ['9007199254740993'], [1]],
    ['price', 'eq', ['0.1'], [2]],
    ['rating', 'between', [3, 4.5], [1, 2]],
    ['rating', 'nbetween', [3, 4.5], [4, 5]],
    ['published_on', 'gt', ['2024-03-14'], [2, 5]],
    ['published_at', 'eq', ['08:30:00'], [1]],
    ['embargo', 'lt', ['2000-01-01T00:00:00'], [4]],
    ['date_created', 'gte', ['2024-05-01T00:00:00.000Z'], [3, 5]],
    ['featured', 'eq', [true], [1, 5]],
    ['token', 'eq', ['33333333-3333-4333-8333-333333333333'], [1]],
    ['address', 'eq', ['10.0.0.1'], [1]],
    ['id', 'in', [1, 3, 99], [1, 3]],
    ['id', 'in', [], []],
    ['id', 'nin', [], []],
    ['id', 'eq', ['99999999999'], []],
    ['status', 'nin', ['published'], [3, 4]],
    ['body', 'null', [], [3]],
    ['body', 'nnull', [], [1, 2, 4, 5]],
    ['keywords', 'empty', [], [3, 4]],
    ['keywords', 'nempty', [], [1, 2, 5]],
    ['date_updated', 'empty', [], [1, 2, 3, 4, 5]],
    ['metadata', 'null', [], [3, 5]],
    ['title', 'contains', ['final'], [2]],
    ['title', 'contains', ['FINAL'], []],
    ['title', 'ncontains', ['e'], [2, 3]],
    ['title', 'icontains', ['FINAL'], [2]],
    ['title', 'nicontains', ['N'], [1]],
    ['title', 'contains', ['100%'], [4]],
    ['title', 'contains', ['s_'], [4]],
    ['body', 'contains', ['\\'], [4]],
    ['title', 'contains', ['"'], [3]],
    ['title', 'startsWith', ['Cup'], [2]],
    ['title', 'nstartsWith', ['Cup'], [1, 3, 4, 5]],
    ['title', 'istartsWith', ['cup'], [2]],
    ['title', 'nistartsWith', ['cup'], [1, 3, 4, 5]],
    ['title', 'endsWith', ['this'], [5]],
    ['title', 'nendsWith', ['this'], [1, 2, 3, 4]],
    ['title', 'iendsWith', ['THIS'], [5]],
    ['title', 'niendsWith', ['THIS'], [1, 2, 3, 4]],
    ['title', 'like', ['c_p%'], [2]],
    ['title', 'nlike', ['c_p%'], [1, 3, 4, 5]],
    ['title', 'like', ['c_p\\'], []],
    ['body', 'like', ['%\\\\%'], [4]],
    ['date_created', 'contains', ['1999-'], [4]],
    ['comments', 'null', [], [3, 4]],
    ['comments', 'nempty', [], [1, 2, 5]],
    ['comments', 'eq', [4], [2]],
    ['tags', 'in', [1, 4], [1, 4]],
  ])('%s %s %j', async (name, operator, values, ids) => {
    expect(await idsOf(compare(name, operator, ...values))).toEqual(ids)
  })
})

describe('a value that hangs on the actor', () => {
  const mine = compare('user_created', 'eq', { kind: 'current-user', path: [] })
  test('is the actor’s own', async () => {
    expect(await idsOf(mine)).toEqual([1, 2])
  })

  test.each<[string, Filter]>([
    ['eq', mine],
    ['neq', compare('user_created', 'neq', { kind: 'current-user', path: [] })],
    ['in', compare('user_created', 'in', { kind: 'current-user', path: [] })],
    ['nin', compare('user_created', 'nin', { kind: 'current-user', path: [] })],
    ['not', { kind: 'not', filter: mine }],
    ['a path', compare('user_created', 'eq', { kind: 'current-user', path: ['id'] })],
    ['no path', compare('user_created', 'neq', { kind: 'current-user', path: ['id'] })],
    ['no listed path', compare('user_created', 'nin', { kind: 'current-user', path: ['role', 'users'] })],
    ['roles', compare('user_created', 'in', { kind: 'current-roles' })],
    ['no roles', compare('user_created', 'nin', { kind: 'current-roles' })],
    ['no policies', compare('user_created', 'nin', { kind: 'current-policies' })],
    ['one of no policies', compare('user_created', 'neq', { kind: 'current-policies' })],
    ['not between', compare('views', 'nbetween', 1000, { kind: 'current-user', path: ['number'] })],
  ])('matches nothing for a visitor, under %s', async (_name, filter) => {
    expect(await idsOf(filter, { actor: somebody })).toEqual([])
  })

  test('follows a path of the user’s row', async () => {
    const filter = compare('user_created', 'eq', { kind: 'current-user', path: ['id'] })
    expect(await idsOf(filter)).toEqual([1, 2])
  })
})

describe('an aggregate', () => {
  test.each<[Query['aggregation'] extends infer A ? NonNullable<A> : never, unknown]>([
    [{ group: [], values: [{ aggregate: 'countAll', field: null, key: '*' }] }, [{ countAll: 5 }]],
    [{ group: [], values: [{ aggregate: 'count', field: 'author', key: 'author' }] }, [{ count: { author: 4 } }]],
    [{ group: [], values: [{ aggregate: 'countDistinct', field: 'author', key: 'a' }] }, [{ countDistinct: { a: 3 } }]],
    [
      { group: [], values: [{ aggregate: 'countDistinct', field: 'metadata', key: 'm' }] },
      [{ countDistinct: { m: 3 } }],
    ],
    [{ group: [], values: [{ aggregate: 'sum', field: 'views', key: 'v' }] }, [{ sum: { v: 469 } }]],
    [{ group: [], values: [{ aggregate: 'sumDistinct', field: 'author', key: 'a' }] }, [{ sumDistinct: { a: 6 } }]],
    [{ group: [], values: [{ aggregate: 'avg', field: 'rating', key: 'r' }] }, [{ avg: { r: 3.4375 } }]],
    [{ group: [], values: [{ aggregate: 'avgDistinct', field: 'author', key: 'a' }] }, [{ avgDistinct: { a: 2 } }]],
    [{ group: [], values: [{ aggregate: 'min', field: 'published_on', key: 'p' }] }, [{ min: { p: '1999-12-31' } }]],
    [{ group: [], values: [{ aggregate: 'max', field: 'featured', key: 'f' }] }, [{ max: { f: true } }]],
    [{ group: [], values: [{ aggregate: 'max', field: 'price', key: 'p' }] }, [{ max: { p: '99999.99999' } }]],
    [{ group: [{ kind: 'field', key: 'f', field: 'featured' }], values: [] }, [{ f: false }, { f: true }]],
    [
      {
        group: [{ kind: 'field', key: 'm', field: 'metadata' }],
        values: [{ aggregate: 'count', field: null, key: '*' }],
      },
      [
        { m: [1, 2, 3], count: 1 },
        { m: { pages: 3, tags: ['ice', 'sea'] }, count: 1 },
        { m: {}, count: 1 },
        { m: null, count: 2 },
      ],
    ],
  ])('%j', async (aggregation, answer) => {
    expect(await read({ collection: 'articles', aggregation })).toEqual(answer)
  })
})

const many = (name: string, collection: string, selection: readonly Selected[]): Selected => ({
  kind: 'many',
  key: name,
  field: name,
  query: queryOf({ collection, selection }),
})

test('groups cannot be ordered by what they are not grouped by', async () => {
  const sort = [{ kind: 'field', path: [], field: 'title', descending: false }] as const
  const aggregation = { group: [{ kind: 'field', key: 's', field: 'status' }], values: [] } as const
  await expect(read({ collection: 'articles', aggregation, sort })).rejects.toMatchObject({
    failures: [{ kind: 'invalid-query', name: 'sort' }],
  })
})

describe('a read', () => {
  test.each([
    [10, 0, [{ id: 2 }]],
    [10, 1, []],
    [0, 0, []],
    [null, 0, [{ id: 2 }]],
    [null, 1, []],
  ])('by a key has pages as any other: limit %s, offset %s', async (limit, offset, rows) => {
    const filter = compare('id', 'eq', 2)
    const found = await read({ collection: 'articles', selection: [field('id')], filter, page: { limit, offset } })
    expect(found).toEqual(rows)
  })

  test('of four levels is one statement', async () => {
    const texts: string[] = []
    const db: Database = {
      ...database.db,
      run: (statement) => {
        texts.push(statement.text)
        return database.db.run(statement)
      },
    }
    const tags = many('tags', 'articles_tags', [field('tag')])
    const authors = many('authors', 'authors', [many('articles', 'articles', [field('id'), tags])])
    const answer = await read({ collection: 'regions', selection: [field('name'), authors] }, { db })
    expect(texts).toHaveLength(1)
    expect(JSON.stringify(answer)).toContain('"tags":[{"tag":"ice"},{"tag":"sea"}]')
  })

  test('follows a relation between columns of different types by their texts', async () => {
    const blocks = schema.collections.get('pages_blocks') as Collection
    const item = blocks.fields.get('item') as Field
    const relation = {
      kind: 'many-to-one',
      collection: 'headings',
      relation: item.relation?.relation as Relation,
    } as const
    const fields = new Map([...blocks.fields, ['item', { ...item, relation }]])
    const at = { ...schema, collections: new Map([...schema.collections, ['pages_blocks', { ...blocks, fields }]]) }
    const one: Selected = {
      kind: 'one',
      key: 'item',
      field: 'item',
      selection: [field('text')],
      filter: { kind: 'all' },
    }
    const query = queryOf({ collection: 'pages_blocks', selection: [one], page: { limit: 1, offset: 0 } })
    const ctx = { db: database.db, schema: at, view: viewOf(), actor: someUser, clock: noon }
    expect(jsonOf(await runQuery(ctx, query))).toBe('[{"item":{"text":"Welcome"}}]')
  })

  test('in random order holds every row', async () => {
    const sort = [{ kind: 'random', descending: false }] as const
    const rows = await read({ collection: 'tags', selection: [field('name')], sort })
    expect((rows as readonly { name: string }[]).map(({ name }) => name).toSorted()).toEqual([
      'ice',
      'sea',
      'sport',
      'unused',
    ])
  })

  test('of no rows is an empty list with its counts', async () => {
    const page = { limit: 10, offset: 100 }
    const ctx = { db: database.db, schema, view: viewOf(), actor: someUser, clock: noon }
    const query = queryOf({ collection: 'articles', selection: [field('id')], page, counts: ['filtered', 'total'] })
    expect(await runQuery(ctx, query)).toEqual({ pieces: ['[]'], rowCount: 0, counts: { filtered: 5, total: 5 } })
  })

  test('of a key that no row has is an empty list', async () => {
    const ctx = { db: database.db, schema, view: viewOf(), actor: someUser, clock: noon }
    const query = queryOf({ collection: 'articles', selection: [field('id')], filter: compare('id', 'eq', 99) })
    expect(await runQuery(ctx, query)).toEqual({ pieces: ['[]'], rowCount: 0, counts: {} })
    const found = queryOf({ collection: 'articles', selection: [], filter: compare('id', 'eq', 5) })
    expect(await runQuery(ctx, found)).toEqual({ pieces: ['[{}]'], rowCount: 1, counts: {} })
  })

  test.each([
    ['objects', [field('id'), field('text')]],
    ['texts', [field('id'), field('text'), field('words')]],
  ])('of many long rows comes in pieces that make one array (%s)', async (_form, selection) => {
    await database.db.run({
      text: 'create table if not exists pamphlets (id integer primary key, text text, words json)',
      values: [],
    })
    await database.db.run({
      text: textFor(
        database.db,
        `insert into pamphlets select n, repeat('"é', n * 3), '[1, 2]' from generate_series(1, 300) n on conflict do nothing`,
      ),
      values: [],
    })
    const ctx = { db: database.db, schema: await database.loadSchema(), view: viewOf(), actor: someUser, clock: noon }
    const sort = [{ kind: 'field', path: [], field: 'id', descending: false }] as const
    const all = await runQuery(
      ctx,
      queryOf({ collection: 'pamphlets', selection, sort, page: { limit: null, offset: 0 } }),
    )
    const rows = JSON.parse(jsonOf(all)) as readonly { readonly id: number; readonly text: string }[]
    expect(rows.map(({ id, text }) => id === text.length / 6)).toEqual(Array.from({ length: 300 }, () => true))
    expect(all.rowCount).toBe(300)
    expect(all.pieces.length).toBeGreaterThan(3)
    expect(Math.max(...all.pieces.map(({ length }) => length))).toBeLessThan(200_000)
  })

  test('comes as objects that say the same as its JSON text, whichever way its rows come back', async () => {
    const ctx = { db: database.db, schema, view: viewOf(), actor: someUser, clock: noon }
    const forms: readonly Partial<Query>[] = [
      { selection: [field('id'), field('title')], filter: compare('id', 'eq', 2) },
      { selection: [field('id'), field('metadata')], filter: compare('id', 'eq', 2) },
      { selection: [field('id'), field('title'), field('metadata')], page: { limit: 25, offset: 0 } },
      { selection: [field('id'), field('body')], page: { limit: null, offset: 0 } },
      { selection: [field('id')], filter: compare('id', 'eq', 99) },
    ]
    for (const form of forms) {
      const query = queryOf({ collection: 'articles', ...form })
      const text: unknown = JSON.parse(jsonOf(await runQuery(ctx, query)))
      expect(await readRows(ctx, query)).toEqual(text)
    }
    const [second] = await readRows(ctx, queryOf({ collection: 'articles', ...forms[0] }))
    expect(second).toEqual({ id: 2, title: 'Cup final' })
  })

  test('is answered with expressions beside it, whichever way its row comes back', async () => {
    const sent: (boolean | undefined)[] = []
    const db: Database = { ...database.db, run: (each) => (sent.push(each.isQuick), database.db.run(each)) }
    const ctx = { db, schema, view: viewOf(), actor: someUser, clock: noon }
    const expressions = [`'one'::text`, `(select '{"two": 2}'::json)`, 'null::text']
    const beside = { expressions, read: () => Promise.reject(new Error('The rows are in SQL')) }
    const ask = (id: number, selection: readonly Selected[]) =>
      readRowBeside(ctx, queryOf({ collection: 'articles', selection, filter: compare('id', 'eq', id) }), beside)
    expect(await ask(2, [field('id'), field('title')])).toMatchObject({
      row: { id: 2, title: 'Cup final' },
      beside: ['one', '{"two": 2}', null],
    })
    expect(await ask(2, [field('id'), field('metadata')])).toEqual({
      row: { id: 2, metadata: expect.anything() as unknown },
      beside: ['one', '{"two": 2}', null],
    })
    expect(await ask(99, [field('id')])).toBe(null)
    expect(await ask(99, [field('id'), field('metadata')])).toBe(null)
    expect(new Set(sent)).toEqual(new Set([true]))
  })

  test('with a limit of 0 is empty', async () => {
    expect(await read({ collection: 'articles', selection: [field('id')], page: { limit: 0, offset: 0 } })).toEqual([])
  })

  test.each([
    'a"b',
    "a'b",
    'select',
    '__proto__',
    '1',
    'r',
    't0',
    'ü'.repeat(60),
    `long ${'x'.repeat(80)}`,
    'a\\nb',
    '$1',
  ])('answers under the alias %j, whatever it holds', async (key) => {
    const selection: Selected[] = [{ kind: 'field', key, field: 'title' }, field('body')]
    const filter = compare('id', 'eq', 1)
    const answer = JSON.parse(`[{${JSON.stringify(key)}:"Glaciers melt","body":"Ice turns to water."}]`) as unknown
    expect(await read({ collection: 'articles', selection, filter })).toEqual(answer)
    expect(await read({ collection: 'articles', selection, filter, page: { limit: null, offset: 0 } })).toEqual(answer)
  })

  test('refuses an alias and a value with a NUL character', async () => {
    const alias = read({ collection: 'articles', selection: [{ kind: 'field', key: 'a\0b', field: 'title' }] })
    await expect(alias).rejects.toMatchObject({ failures: [{ kind: 'invalid-query', name: 'alias' }] })
    await expect(idsOf(compare('title', 'eq', 'a\0b'))).rejects.toMatchObject({
      failures: [{ kind: 'invalid-query', name: 'filter' }],
    })
  })

  test('of one key twice keeps the first place and the last value', async () => {
    const selection: Selected[] = [
      { kind: 'field', key: 'x', field: 'title', guard: compare('title', 'eq', 'never') },
      field('id'),
      { kind: 'field', key: 'x', field: 'status' },
    ]
    const rows = await read({ collection: 'articles', selection, filter: compare('id', 'eq', 1) })
    expect(JSON.stringify(rows)).toBe('[{"x":"published","id":1}]')
  })

  test('finds a hostile string as it finds any other', async () => {
    await assert(
      asyncProperty(
        string({ unit: 'binary' }).filter((text) => !text.includes('\0')),
        async (text) => {
          expect(await idsOf(compare('title', 'eq', text))).toEqual([])
          expect(await idsOf({ kind: 'not', filter: compare('title', 'contains', `${text}~`) })).toEqual([
            1, 2, 3, 4, 5,
          ])
        },
      ),
      { numRuns: 60 },
    )
  })
})
