import { expect, test } from 'vitest'
import { is, userWith } from '../../core/testing/test-context.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Access, Rule } from '../../domain/rights/actor.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import { withViewedWorld } from '../testing/test-view.ts'
import { toErrorBody } from '../wire/errors.ts'
import { items } from './items.ts'
import { users } from './system/users.ts'

let ctx: Context

withViewedWorld((_world, viewed) => (ctx = viewed))

type Call = {
  readonly id?: string
  readonly query?: object
  readonly body?: unknown
  readonly keys?: readonly number[]
}

/** Status and body of the answer as sent. */
async function ask(
  operation: keyof typeof items,
  collection: string,
  { id = '', query = {}, ...rest }: Call = {},
  asker: Context = ctx,
): Promise<readonly [status: number, body: unknown]> {
  const request = { path: `/items/${collection}`, headers: {} } as HttpRequest
  const input = { path: { collection, id }, query, headers: {}, request, ...rest }
  try {
    const reply = await (
      items[operation] as (ctx: Context, input: unknown) => Promise<Awaited<ReturnType<(typeof items)['createItems']>>>
    )(asker, input)
    return [reply.status, reply.body === null ? null : JSON.parse([reply.body.text].flat().join(''))]
  } catch (error) {
    if (!(error instanceof TandemError)) throw error
    const { status, body } = toErrorBody(error)
    return [status, body]
  }
}

const as = (...rules: readonly Partial<Rule>[]): Context => ({ ...ctx, actor: userWith(rules) })

const message = ([, body]: readonly [number, unknown]): string => (body as { error: { message: string } }).error.message

test('a list, a list with counts, the items of some keys, one item', async () => {
  const query = { fields: 'id,title', sort: 'id', limit: 1, meta: '*' }
  expect(await ask('readItems', 'articles', { query })).toEqual([
    200,
    { meta: { total_count: 5, filter_count: 5 }, data: [{ id: 1, title: 'Glaciers melt' }] },
  ])
  const keys = { query: { fields: 'id', sort: 'id' }, keys: [3, 1] }
  expect(await ask('readItems', 'articles', keys)).toEqual([200, { data: [{ id: 1 }, { id: 3 }] }])
  expect(await ask('readItems', 'articles', { keys: [] })).toEqual([200, { data: [] }])
  expect(await ask('readItem', 'articles', { id: '2', query: { fields: 'title' } })).toEqual([
    200,
    { data: { title: 'Cup final' } },
  ])
})

test('a list with outer commas shows its entries, and is found by its text', async () => {
  const body = { title: 'x', keywords: ',sea,,sky,' }
  const [, made] = await ask('createItems', 'articles', { body, query: { fields: 'id,keywords' } })
  const { id } = (made as { readonly data: { readonly id: number } }).data
  expect(made).toEqual({ data: { id, keywords: ['sea', '', 'sky'] } })
  const found = async (operator: string, text: string) =>
    (await ask('readItems', 'articles', { query: { fields: 'id', filter: { keywords: { [operator]: text } } } }))[1]
  expect(await found('_contains', ',sea,')).toEqual({ data: [{ id }] })
  expect(await found('_eq', ',sea,,sky,')).toEqual({ data: [{ id }] })
  expect(await found('_eq', 'sea,,sky')).toEqual({ data: [] })
  expect((await ask('deleteItem', 'articles', { id: String(id) }))[0]).toBe(204)
})

test('computed numbers are strings, stored ones keep their type', async () => {
  const query = { aggregate: { count: '*', sum: 'views', max: 'views' }, filter: { author: { name: 'Ann' } } }
  expect(await ask('readItems', 'articles', { query })).toEqual([
    200,
    { data: [{ count: '2', sum: { views: '120' }, max: { views: 120 } }] },
  ])
})

test('missing and unreadable items get identical answers', async () => {
  const reader = as({ collection: 'articles', fields: ['id', 'title'], filter: is('status', 'published') })
  const missing = await ask('readItem', 'articles', { id: '999' }, reader)
  expect(missing[0]).toBe(403)
  expect(await ask('readItem', 'articles', { id: '3' }, reader)).toEqual(missing)
  expect(await ask('readItem', 'articles', { id: 'abc' }, reader)).toEqual(missing)
  const unknown = await ask('readItems', 'nowhere', {}, reader)
  for (const name of ['authors', 'platform_users']) {
    const answer = await ask('readItems', name, { query: { fields: 'id', filter: { id: { _nope: 1 } } } }, reader)
    expect(JSON.stringify(answer).replaceAll(name, 'nowhere')).toBe(JSON.stringify(unknown))
  }
})

const hiddenField: readonly object[] = [
  { fields: '?' },
  { fields: '?.name' },
  { fields: 'count(?)' },
  { fields: 'x', alias: { x: '?' } },
  { filter: { '?': { _nope: 'x' } } },
  { filter: { _or: [{ id: 1 }, { 'year(?)': 1 }] } },
  { sort: '?' },
  { sort: '?.name' },
  { aggregate: { max: '?' } },
  { groupBy: '?' },
  { groupBy: 'year(?)' },
]

test.each(hiddenField)('an unreadable field is treated as missing: %j', async (query) => {
  const reader = as({ collection: 'articles', fields: ['id', 'title'] })
  const withName = (name: string): object => JSON.parse(JSON.stringify(query).replaceAll('?', name)) as object
  const missing = await ask('readItems', 'articles', { query: withName('nope') }, reader)
  for (const name of ['author', 'date_created', 'body']) {
    const answer = await ask('readItems', 'articles', { query: withName(name) }, reader)
    expect(JSON.stringify(answer).replaceAll(`"${name}`, '"nope')).toBe(
      JSON.stringify(missing).replaceAll(`"${name}`, '"nope'),
    )
    expect(message(answer).replaceAll(name, 'nope')).toBe(message(missing))
  }
})

test('a row rule limits lists, counts and aggregates', async () => {
  const reader = as({ collection: 'articles', filter: is('status', 'published') })
  const query = { fields: 'id', sort: 'id', meta: '*' }
  expect(await ask('readItems', 'articles', { query }, reader)).toEqual([
    200,
    { meta: { total_count: 3, filter_count: 3 }, data: [{ id: 1 }, { id: 2 }, { id: 5 }] },
  ])
  const counted = await ask('readItems', 'articles', { query: { aggregate: { count: '*' } } }, reader)
  expect(counted).toEqual([200, { data: [{ count: '3' }] }])
})

test('a singleton is one object, written by PATCH, and has no items', async () => {
  const query = { fields: 'headline' }
  expect(await ask('readItems', 'homepage', { query })).toEqual([200, { data: { headline: 'Hello' } }])
  expect(await ask('updateItems', 'homepage', { query, body: { headline: 'Hi' } })).toEqual([
    200,
    { data: { headline: 'Hi' } },
  ])
  expect((await ask('createItems', 'homepage', { body: {} }))[0]).toBe(404)
  expect((await ask('readItem', 'homepage', { id: '1' }))[0]).toBe(404)
})

test('groups and an order of groups mean nothing for one item', async () => {
  const query = { fields: 'title', aggregate: { count: 'id' }, groupBy: 'title', sort: '-count.id' }
  expect(await ask('readItem', 'articles', { id: '2', query })).toEqual([200, { data: { title: 'Cup final' } }])
  expect((await ask('readItems', 'homepage', { query: { ...query, fields: 'headline' } }))[0]).toBe(200)
})

test('a path below a plain field is refused', async () => {
  expect((await ask('readItem', 'articles', { id: '2', query: { fields: 'id.x' } }))[0]).toBe(403)
})

test('an object is answered with an object, a list with a list', async () => {
  const query = { fields: 'title' }
  expect(await ask('createItems', 'articles', { query, body: { title: 'One' } })).toEqual([
    200,
    { data: { title: 'One' } },
  ])
  expect(await ask('createItems', 'articles', { query, body: [{ title: 'One' }] })).toEqual([
    200,
    { data: [{ title: 'One' }] },
  ])
  expect(await ask('createItems', 'articles', { body: [] })).toEqual([200, { data: [] }])
})

test('a caller that may write and not read gets 204 and learns no field names', async () => {
  const writer = as({ collection: 'articles', action: 'create', fields: ['title'] })
  expect(await ask('createItems', 'articles', { body: { title: 'Blind' } }, writer)).toEqual([204, null])
  const refused = await ask('createItems', 'articles', { body: { title: 'x', nope: 1 } }, writer)
  const hidden = await ask('createItems', 'articles', { body: { title: 'x', body: {} } }, writer)
  expect(message(hidden).replace('"body"', '"nope"')).toBe(message(refused))
})

test('a successful write without a connection to read the result is no error', async () => {
  let written = false
  const run: Context['db']['run'] = async (statement) => {
    if (written)
      throw new TandemError({ kind: 'unavailable', service: 'database', reason: 'none is free', retryAfter: 1 })
    written = statement.text.includes('insert into')
    return ctx.db.run(statement)
  }
  const transaction: Context['db']['transaction'] = async (work) => {
    const result = await ctx.db.transaction(work)
    written = true
    return result
  }
  const busy: Context = { ...ctx, db: { ...ctx.db, run, transaction } }
  expect(await ask('createItems', 'articles', { body: { title: 'Done all the same' } }, busy)).toEqual([204, null])
  const query = { filter: { title: 'Done all the same' }, fields: 'title' }
  expect(await ask('readItems', 'articles', { query })).toEqual([200, { data: [{ title: 'Done all the same' }] }])
})

test('an invalid query refuses a write before it happens', async () => {
  const body = { title: 'Never' }
  expect((await ask('createItems', 'articles', { body, query: { fields: 'nope' } }))[0]).toBe(403)
  const found = await ask('readItems', 'articles', { query: { filter: { title: 'Never' }, fields: 'id' } })
  expect(found).toEqual([200, { data: [] }])
})

const both = (views: readonly number[]): unknown => [200, { data: views.map((v, i) => ({ id: i + 1, views: v })) }]

test('updates: one, several by key, several by query, each with its own changes', async () => {
  const query = { fields: 'id,views', sort: 'id' }
  expect(await ask('updateItem', 'articles', { id: '1', query, body: { views: 1 } })).toEqual([
    200,
    { data: { id: 1, views: 1 } },
  ])
  const keys = { keys: [1, 2], data: { views: 2 } }
  expect(await ask('updateItems', 'articles', { query, body: keys })).toEqual(both([2, 2]))
  const target = { query: { filter: { id: { _in: [1, 2] } } }, data: { views: 3 } }
  expect(await ask('updateItems', 'articles', { query, body: target })).toEqual(both([3, 3]))
  const each = [
    { id: 1, views: 4 },
    { id: 2, views: 5 },
  ]
  expect(await ask('updateItems', 'articles', { query, body: each })).toEqual(both([4, 5]))
})

test('deletes: one, a list, by keys, by query; a missing item refuses all', async () => {
  const create = await ask('createItems', 'tags', { body: ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name })) })
  expect(create[0]).toBe(200)
  expect(await ask('deleteItem', 'tags', { id: 'a' })).toEqual([204, null])
  expect(await ask('deleteItems', 'tags', { body: ['b'] })).toEqual([204, null])
  expect(await ask('deleteItems', 'tags', { body: { keys: ['c'] } })).toEqual([204, null])
  expect((await ask('deleteItems', 'tags', { body: ['d', 'nowhere'] }))[0]).toBe(403)
  const target = { query: { filter: { name: { _in: ['d', 'e'] } } } }
  expect(await ask('deleteItems', 'tags', { body: target })).toEqual([204, null])
  const left = await ask('readItems', 'tags', { query: { filter: { color: { _null: true } }, fields: 'name' } })
  expect(left).toEqual([200, { data: [{ name: 'unused' }] }])
})

const boundless = 'Expected "filter", "search" or "limit" in "query" but received none; "limit": -1 means all items'

const badBodies: readonly (readonly [operation: keyof typeof items, body: unknown, text: string])[] = [
  ['createItems', 5, 'Expected an object for each item'],
  ['createItems', [[]], 'Expected an object for each item'],
  ['updateItems', { views: 1 }, 'Expected an object for "data" but received nothing'],
  ['updateItems', { data: {} }, 'Expected either "keys" or "query" but received neither'],
  ['updateItems', { data: {}, keys: [1], query: {} }, 'Expected either "keys" or "query" but received "keys", "query"'],
  ['updateItems', { data: [], keys: [1] }, 'Expected an object for "data"'],
  ['updateItems', { data: {}, keys: [null] }, 'Expected a list of primary keys for "keys"'],
  ['updateItems', { data: {}, query: 'x' }, 'Expected an object for "query"'],
  ['updateItems', [{ views: 1 }], 'Expected the primary key "id" in each item'],
  ['updateItems', { data: { views: 1 }, query: { filter: null } }, boundless],
  ['deleteItems', {}, 'Expected either "keys" or "query" but received neither'],
  ['deleteItems', { query: {} }, boundless],
  ['deleteItems', [{}], 'Expected a list of primary keys for "keys"'],
]

test.each(badBodies)('%s refuses the body %j', async (operation, body, text) => {
  const answer = await ask(operation, 'articles', { body })
  expect(answer[0]).toBe(400)
  expect(message(answer)).toBe(`Invalid payload. ${text}.`)
})

const me = async (asker: Context, query: object = {}): Promise<unknown> =>
  JSON.parse(
    (await users.readMe(asker, { path: {}, query, body: undefined, request: {} as HttpRequest })).body.text as string,
  )

test('a user reads its own user, or at least its id; the public has none', async () => {
  const { user } = ctx.actor as { user: string }
  expect(await me(ctx, { fields: 'id,email' })).toEqual({ data: { id: user, email: 'test@example.com' } })
  expect(await me(as())).toEqual({ data: { id: user } })
  expect(await me(as({ collection: 'platform_users', filter: is('email', 'x') }))).toEqual({ data: { id: user } })
  const nothing: Access = { admin: false, app: false, policies: [], rules: [], fingerprint: '' }
  const anonymous: Context = { ...ctx, actor: { kind: 'public', access: nothing } }
  await expect(me(anonymous)).rejects.toMatchObject({ failures: [{ kind: 'unauthenticated' }] })
})

test.each([{}, { x: 1 }, [[1]], { create: 1 }, { create: [{ x: 1 }] }, 'x'])(
  'a field that no rule speaks of is refused with %j like one that is not there',
  async (given) => {
    const writer = as({ collection: 'articles', action: 'create', fields: ['title'] })
    const [, expected] = await ask('createItems', 'articles', { body: { no_such: given } }, writer)
    for (const name of ['views', 'author', 'comments', 'tags', 'blocks']) {
      const [status, body] = await ask('createItems', 'articles', { body: { [name]: given } }, writer)
      expect([status, JSON.stringify(body).replaceAll(name, 'no_such')]).toEqual([403, JSON.stringify(expected)])
    }
  },
)
