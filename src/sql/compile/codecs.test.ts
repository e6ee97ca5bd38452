import { afterAll, describe, expect, test } from 'vitest'
import { jsonOf } from '../../domain/ports/row-store.ts'
import type { OperatorName } from '../../domain/query/operators.ts'
import type { Selected } from '../../domain/query/query.ts'
import type { Codec, View } from '../../domain/schema/view.ts'
import { runQuery } from '../run/read.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { compare, field, noon, queryOf, someUser, viewOf } from '../testing/test-query.ts'
import { perVendor } from '../testing/test-vendors.ts'
import { worldSql } from '../testing/test-world.ts'

const database = await createTestDatabase({ sql: worldSql })
await database.db.run({
  text: `insert into platform_users (id, status, email, number) values ($1, 'active', 'some@example.com', 7)`,
  values: [someUser.user],
})
await database.db.run({ text: 'update articles set user_created = $1 where id in (1, 2)', values: [someUser.user] })
const schema = await database.loadSchema()
afterAll(() => database.close())

async function read(query: Parameters<typeof queryOf>[0], { view }: { readonly view: View }): Promise<unknown> {
  const ctx = { db: database.db, view, actor: someUser, schema, clock: noon }
  return JSON.parse(jsonOf(await runQuery(ctx, queryOf(query))))
}

describe('a key that is shown as its number', () => {
  const collection = 'platform_roles'
  const shown = { kind: 'number-of', collection } as const
  const view = viewOf({ [collection]: { id: shown }, platform_access: { role: shown } })
  const selection = [field('id')]

  test('is ordered by it', async () => {
    const sort = [{ kind: 'field', path: [], field: 'id', descending: true }] as const
    expect(await read({ collection, selection, sort }, { view })).toEqual([{ id: 2 }, { id: 1 }])
    expect(await read({ collection, selection }, { view })).toEqual([{ id: 1 }, { id: 2 }])
  })

  test.each<[OperatorName, readonly number[], readonly number[]]>([
    ['eq', [2], [2]],
    ['neq', [2], [1]],
    ['neq', [99], [1, 2]],
    ['gt', [1], [2]],
    ['in', [2, 99], [2]],
    ['nin', [2, 99], [1]],
    ['between', [1, 2], [1, 2]],
  ])('is compared by it: %s %j', async (operator, numbers, ids) => {
    const values = numbers.map((number) => ({ kind: 'numbered', collection, number }) as const)
    const filter = compare('id', operator, ...values)
    expect(await read({ collection, selection, filter }, { view })).toEqual(ids.map((id) => ({ id })))
  })

  test('is a number where another row refers to it', async () => {
    const filter = compare('role', 'eq', { kind: 'numbered', collection, number: 1 })
    expect(await read({ collection: 'platform_access', selection: [field('role')], filter }, { view })).toEqual([
      { role: 1 },
    ])
  })
})

describe('a codec', () => {
  test.each<[string, Codec, unknown]>([
    ['views', { kind: 'literal' }, 120],
    ['title', { kind: 'text' }, 'Glaciers melt'],
    ['reads', { kind: 'number-text' }, '9007199254740993'],
    ['price', { kind: 'number' }, 12.5],
    ['date_created', { kind: 'iso-instant' }, '2024-01-30T10:15:30.123Z'],
    ['embargo', { kind: 'iso-datetime' }, '2024-02-01T09:00:00'],
    ['date_created', { kind: 'plain-datetime' }, '2024-01-30 10:15:30'],
    ['date_created', { kind: 'offset-datetime' }, '2024-01-30T10:15:30+00:00'],
    ['published_on', { kind: 'date' }, '2024-01-31'],
    ['published_at', { kind: 'time' }, '08:30:00'],
    ['metadata', { kind: 'json' }, { pages: 3, tags: ['ice', 'sea'] }],
    ['options', { kind: 'json' }, { a: [1, 2] }],
    ['keywords', { kind: 'csv', nullAs: 'null' }, ['ice', 'water']],
    ['featured', { kind: 'boolean', nullAs: 'null' }, true],
    ['views', { kind: 'boolean', nullAs: 'false' }, perVendor({ postgres: false, mariadb: true })],
    ['title', { kind: 'mask' }, '**********'],
    ['date_updated', { kind: 'mask' }, null],
    ['payload', { kind: 'base64' }, 'aGkK'],
    ['status', { kind: 'words', words: { published: 'live' } }, 'live'],
    ['title', { kind: 'words', words: { published: 'live' } }, 'Glaciers melt'],
    ['languages', { kind: 'text' }, perVendor<unknown>({ postgres: ['en', 'is'], mariadb: '["en","is"]' })],
    ['address', { kind: 'text' }, '10.0.0.1'],
    ['token', { kind: 'text' }, '33333333-3333-4333-8333-333333333333'],
    ['user_created', { kind: 'number-of', collection: 'platform_users' }, 7],
  ])('shows %s as %j alike at the root, nested and in wide rows', async (name, codec, shown) => {
    const view = viewOf({ articles: { [name]: codec } })
    const selection = [field(name)]
    const filter = compare('id', 'eq', 1)
    const root = await read({ collection: 'articles', selection, filter }, { view })
    expect(root).toEqual([{ [name]: shown }])
    const query = queryOf({ collection: 'articles', selection, filter })
    const many: Selected = { kind: 'many', key: 'articles', field: 'articles', query }
    const ann = compare('id', 'eq', 1)
    expect(await read({ collection: 'authors', selection: [many], filter: ann }, { view })).toEqual([
      { articles: root },
    ])
    const page = { limit: null, offset: 0 }
    const wide = { collection: 'articles', selection: [...selection, field('body')], filter, page }
    expect(await read(wide, { view })).toEqual([{ [name]: shown, body: 'Ice turns to water.' }])
  })

  test('of a null is null, or what the codec says', async () => {
    const view = viewOf({
      articles: { keywords: { kind: 'csv', nullAs: 'empty' }, featured: { kind: 'boolean', nullAs: 'false' } },
    })
    const selection = ['keywords', 'body', 'author', 'metadata', 'user_updated'].map(field)
    const filter = compare('id', 'in', 3)
    const answer = [{ keywords: [], body: null, author: 1, metadata: null, user_updated: null }]
    expect(await read({ collection: 'articles', selection, filter }, { view })).toEqual(answer)
  })

  test.each([
    ['sea', ['sea']],
    [',sea,sky,', ['sea', 'sky']],
    [',say "hi",,b\\c,', ['say "hi"', '', 'b\\c']],
    [',,sea,,', ['', 'sea', '']],
    [',,', []],
    [',', ['', '']],
    [',sea', ['', 'sea']],
    ['sea,', ['sea', '']],
    ['', []],
  ])('shows the list %j, with or without outer commas, as %j', async (stored, shown) => {
    const view = viewOf({ articles: { keywords: { kind: 'csv', nullAs: 'null' } } })
    const answer = await database.db.transaction(async (db) => {
      await db.run({ text: 'update articles set keywords = $1 where id = 5', values: [stored] })
      const query = queryOf({ collection: 'articles', selection: [field('keywords')], filter: compare('id', 'eq', 5) })
      const text = jsonOf(await runQuery({ db, view, actor: someUser, schema, clock: noon }, query))
      await db.run({ text: "update articles set keywords = 'a,b,c' where id = 5", values: [] })
      return JSON.parse(text)
    })
    expect(answer).toEqual([{ keywords: shown }])
  })

  test('never shows a concealed value, whatever the view says', async () => {
    const view = viewOf({ authors: { secret: { kind: 'text' } } })
    const selection: Selected[] = [field('id'), { kind: 'field', key: 'x', field: 'secret' }]
    const page = { limit: 2, offset: 0 }
    expect(await read({ collection: 'authors', selection, page }, { view })).toEqual([
      { id: 1, x: '**********' },
      { id: 2, x: null },
    ])
  })
})
