/** The data provider of refine and the composables of `nuxt-directus`, as npm has them, against a server with the prefix of their platform. */
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { createDirectus, dataProvider, rest, staticToken } from '@tspvivek/refine-directus'
import { afterAll, expect, test } from 'vitest'
import { openOwnDatabase } from './own-database.ts'

const sql = `
create table posts (id serial primary key, title text not null, status text, author integer);
insert into platform_collections (collection, archive_field, archive_value) values ('posts', 'status', 'archived')`
const own = await openOwnDatabase(sql, { SYSTEM_COLLECTION_PREFIX: 'directus_' })
const reader = await own.addUser([{ collection: 'posts', action: 'read', fields: 'id,title,status' }])
afterAll(() => own.close())

const posts = () => own.rows('select id, title, status from posts order by id')

test('refine: lists with pages, sorters and filters count all items', async () => {
  await own.rows('truncate posts restart identity')
  const provider = dataProvider(createDirectus(own.url).with(staticToken(own.adminToken)).with(rest()))
  const resource = 'posts'
  for (const [title, status] of Object.entries({ one: 'draft', two: 'published', three: 'archived' })) {
    expect(await provider.create({ resource, variables: { title, status } })).toMatchObject({ data: { title, status } })
  }
  const listed = await provider.getList({
    resource,
    pagination: { current: 2, pageSize: 1 },
    sorters: [{ field: 'title', order: 'desc' }],
    filters: [
      {
        operator: 'or',
        value: [
          { field: 'title', operator: 'in', value: ['one', 'two', 'three'] },
          { field: 'title', operator: 'startswith', value: 'x' },
        ],
      },
    ],
  })
  expect(listed).toEqual({ data: [{ id: 1, title: 'one', status: 'draft', author: null }], total: 2 })
  const found = { resource, filters: [{ field: 'search', operator: 'eq' as const, value: 'TWO' }] }
  expect(await provider.getList({ ...found, meta: { fields: ['id'], noStatus: true } })).toEqual({
    data: [{ id: 2 }],
    total: 1,
  })
  expect(await provider.getOne({ resource, id: 3, meta: { fields: ['title'] } })).toEqual({ data: { title: 'three' } })
  expect(await provider.getMany?.({ resource, ids: [3, 1], meta: { fields: ['id'] } })).toMatchObject({
    data: [{ id: 1 }, { id: 3 }],
  })
  await provider.update({ resource, id: 1, variables: { title: 'uno' } })
  await provider.updateMany?.({ resource, ids: [1, 2], variables: { status: 'published' } })
  await provider.deleteOne({ resource, id: 2 })
  expect(await posts()).toEqual([
    { id: 1, title: 'uno', status: 'published' },
    { id: 3, title: 'three', status: 'archived' },
  ])
  await provider.deleteMany?.({ resource, ids: [1, 3] })
  expect(await posts()).toEqual([])
})

test('refine: system collections by the names of the platform', async () => {
  const provider = dataProvider(createDirectus(own.url).with(staticToken(own.adminToken)).with(rest()))
  const meta = { fields: ['email'], noStatus: true }
  const sorters = [{ field: 'email', order: 'asc' as const }]
  expect(await provider.getList({ resource: 'directus_users', sorters, pagination: { pageSize: 1 }, meta })).toEqual({
    data: [{ email: 'admin@example.com' }],
    total: 2,
  })
  const { data } = await provider.create({ resource: 'directus_roles', variables: { name: 'Writers' } })
  expect(
    await provider.update({ resource: 'directus_roles', id: String(data.id), variables: { name: 'W' } }),
  ).toMatchObject({ data: { name: 'W' } })
})

test('refine: a user without rights gets the message of the server', async () => {
  await own.rows('truncate posts restart identity')
  const provider = dataProvider(createDirectus(own.url).with(staticToken(reader)).with(rest()))
  const refused = provider.getList({ resource: 'posts', meta: { fields: ['author'] } })
  await expect(refused).rejects.toThrow(`You don't have permission to access field "author" in collection "posts"`)
  const sorters = [{ field: 'author', order: 'asc' as const }]
  await expect(provider.getList({ resource: 'posts', sorters })).rejects.toThrow('permission')
  expect(await provider.getList({ resource: 'posts', sorters: [{ field: 'title', order: 'asc' }] })).toMatchObject({
    total: 0,
  })
})

/** What Nuxt gives to its modules, as far as the composables ask for it. */
type Nuxt = {
  /** Of Vue: what it gives is reactive, as the cells of Nuxt are. */
  ref: () => { value: unknown }
  config: object
  cookies: { [name: string]: { value: unknown } }
  states: { [name: string]: { value: unknown } }
}

const nuxtSource = `
const cell = (cells, name) => (cells[name] ??= globalThis.nuxt.ref())
export const useRuntimeConfig = () => globalThis.nuxt.config
export const useNuxtApp = () => ({})
export const useCookie = (name) => cell(globalThis.nuxt.cookies, name)
export const useState = (name) => cell(globalThis.nuxt.states, name)
export const createError = (error) => Object.assign(new Error(error.statusMessage), error)
export const useRoute = () => ({ fullPath: '/' })
export const navigateTo = () => {}`

type Asked = { method?: string; baseURL?: string; params?: object; body?: unknown; headers?: HeadersInit }

/** The global \`$fetch\` of Nuxt: lists become repeated parameters, bodies JSON unless they are forms. */
async function nuxtFetch(
  path: string,
  { method = 'GET', baseURL = '', params = {}, body, headers }: Asked,
): Promise<unknown> {
  const url = new URL(baseURL + path)
  for (const [name, value] of Object.entries(params)) {
    for (const each of [value].flat()) url.searchParams.append(name, String(each))
  }
  const isForm = body instanceof FormData || body === undefined
  const sent = new Headers(headers)
  if (!isForm) sent.set('content-type', 'application/json')
  const response = await fetch(url, {
    method,
    headers: sent,
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const data: unknown = text === '' ? undefined : JSON.parse(text)
  if (response.ok) return data
  throw Object.assign(new Error(text), {
    response: { status: response.status, statusText: response.statusText, _data: data },
  })
}

type Use = <T = unknown>(composable: string, name: string, data?: unknown) => Promise<T>

async function openNuxt(): Promise<Use> {
  const directus = {
    url: `${own.url}/`,
    autoRefresh: true,
    cookieNameToken: 'directus_token',
    cookieNameRefreshToken: 'directus_refresh_token',
    fetchUserParams: { fields: ['email', 'role.name'] },
  }
  const vue = (await import(pathToFileURL('node_modules/vue/index.mjs').href)) as Pick<Nuxt, 'ref'>
  const nuxt: Nuxt = { ref: vue.ref, config: { public: { directus } }, cookies: {}, states: {} }
  Object.assign(globalThis, { nuxt, $fetch: nuxtFetch })
  const app = `data:text/javascript,${encodeURIComponent(nuxtSource)}`
  registerHooks({
    resolve: (name, context, next) => (name === '#app' ? { url: app, shortCircuit: true } : next(name, context)),
  })
  const folder = pathToFileURL('node_modules/nuxt-directus/dist/runtime/composables/')
  return async <T>(composable: string, name: string, data: unknown = {}) => {
    const module = (await import(/* @vite-ignore */ new URL(`${composable}.mjs`, folder).href)) as {
      readonly [name: string]: () => { readonly [name: string]: (data: unknown) => unknown }
    }
    const call = module[composable]?.()[name]
    if (call === undefined) throw new Error(`Expected ${composable} to have ${name}`)
    return call(data) as T
  }
}

test('nuxt-directus: log in, refresh, items, files, users, collections, notifications, revisions', async () => {
  await own.rows('truncate posts, platform_revisions, platform_activity restart identity cascade')
  const password = 'a long password'
  await own.ask('PATCH /users/me', { body: { password } })
  const use = await openNuxt()
  const { user } = await use<{ user: unknown }>('useDirectusAuth', 'login', { email: 'admin@example.com', password })
  expect(user).toEqual({ email: 'admin@example.com', role: { name: 'Administrator' } })
  // The token counts as expired, so that each call refreshes it first.
  const { nuxt } = globalThis as unknown as { nuxt: Nuxt }
  const before = nuxt.cookies['directus_refresh_token']?.value
  Object.assign(nuxt.cookies['directus_token_expired_at'] ?? {}, { value: 1 })

  const collection = 'posts'
  expect(
    await use('useDirectusItems', 'createItems', {
      collection,
      items: [{ title: 'one' }, { title: 'two' }],
      params: { fields: ['id', 'title'] },
    }),
  ).toEqual([
    { id: 1, title: 'one' },
    { id: 2, title: 'two' },
  ])
  expect(nuxt.cookies['directus_refresh_token']?.value).not.toBe(before)
  const params = { filter: { title: { _contains: 'o' } }, deep: {}, sort: ['-id'], limit: 1, meta: '*', fields: ['id'] }
  expect(await use('useDirectusItems', 'getItems', { collection, params })).toEqual({
    data: [{ id: 2 }],
    meta: { total_count: 2, filter_count: 2 },
  })
  expect(await use('useDirectusItems', 'updateItem', { collection, id: 1, item: { title: 'uno' } })).toMatchObject({
    title: 'uno',
  })
  expect(await use('useDirectusItems', 'getItemById', { collection, id: 1, params: { fields: ['title'] } })).toEqual({
    title: 'uno',
  })
  await use('useDirectusItems', 'deleteItems', { collection, items: ['1'] })
  expect(await posts()).toEqual([{ id: 2, title: 'two', status: null }])

  const text = new File(['hello'], 'a.txt', { type: 'text/plain' })
  const file = await use<{ id: string }>('useDirectusFiles', 'uploadFiles', text)
  expect(await (await fetch(await use<string>('useDirectusFiles', 'getThumbnail', file.id))).text()).toBe('hello')
  const pair = await use<readonly { id: string }[]>('useDirectusFiles', 'uploadFiles', [text, text])
  expect(
    await use('useDirectusFiles', 'getFiles', {
      params: { filter: { type: { _eq: 'text/plain' } }, fields: ['title'] },
    }),
  ).toHaveLength(3)
  await use('useDirectusFiles', 'deleteFiles', [file.id, ...pair.map(({ id }) => id)])

  const [made] = await use<readonly { id: string }[]>('useDirectusUsers', 'createUsers', {
    users: [{ email: 'new@example.com' }],
  })
  expect(await use('useDirectusUsers', 'updateUser', { id: made?.id, user: { first_name: 'New' } })).toMatchObject({
    first_name: 'New',
  })
  await use('useDirectusUsers', 'deleteUsers', { users: [made?.id] })
  expect(await use('useDirectusCollections', 'getCollections')).toContainEqual(
    expect.objectContaining({ collection: 'directus_users' }),
  )
  expect(await use('useDirectusCollections', 'updateCollection', { collection, meta: { note: 'News' } })).toMatchObject(
    {
      collection,
      meta: { note: 'News' },
    },
  )
  expect(await use('useDirectusNotifications', 'getNotifications', { params: { limit: 1 } })).toEqual([])
  expect(
    await use('useDirectusRevisions', 'getRevisions', {
      params: { filter: { collection: { _eq: collection } }, fields: ['item'], sort: ['id'] },
    }),
  ).toEqual([{ item: '1' }, { item: '2' }, { item: '1' }])
  await use('useDirectusAuth', 'logout')
  expect(nuxt.cookies['directus_token']?.value).toBe(null)
}, 60_000)
