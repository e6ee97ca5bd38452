/** Clients that public generators make of the served document do forty calls each, in order, and get what they expect. */
import { join } from 'node:path'
import createFetchClient from 'openapi-fetch'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type OwnDatabase, openOwnDatabase } from './own-database.ts'
import { type Clients, writeClientsOf } from './spec-clients.ts'

vi.setConfig({ testTimeout: 120_000 })

const tables = `create table authors (id serial primary key, name text not null);
  create table articles (id serial primary key, title text not null, status text not null default 'draft', author int references authors);
  insert into platform_relations (many_collection, many_field, one_collection, one_field) values ('articles', 'author', 'authors', 'articles')`

let own: OwnDatabase
let clients: Clients
let operations: ReadonlyMap<string, Operation>
beforeAll(async () => {
  own = await openOwnDatabase(tables)
  const document = (await own.ask('GET /server/specs/oas')).body as Document
  operations = operationsOf(document)
  clients = await writeClientsOf(document, own.url)
}, 120_000)
afterAll(async () => {
  clients.remove()
  await own.close()
})

type Input = { readonly path?: object; readonly query?: object; readonly body?: unknown }
type Answer = { readonly status: number; readonly data: unknown }
/** Calls a function of a client by its name. */
type Caller = (name: string, input: Input) => Promise<Answer>

type Document = {
  readonly paths: { readonly [path: string]: { readonly [method: string]: { readonly operationId: string } } }
}
type Operation = readonly [method: string, path: string]

/** The operations of a document by their ids, in camel case as generators write them. */
const operationsOf = ({ paths }: Document): ReadonlyMap<string, Operation> =>
  new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => [toCamelCase(operationId), [method, path]] as const),
    ),
  )

const toCamelCase = (name: string): string => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

function operationOf(name: string): Operation {
  const found = operations.get(name)
  if (found === undefined) throw new Error(`The document has no ${name}.`)
  return found
}

const openHeyApi = async (): Promise<Caller> => {
  const sdk = await import(join(clients.heyApi, 'sdk.gen.ts'))
  const common = { baseUrl: own.url, headers: { authorization: `Bearer ${own.adminToken}` } }
  return async (name, input) => {
    const { data, error, response } = await sdk[name]({ ...common, ...input })
    return { status: response.status, data: data ?? error }
  }
}

const openOazapfts = async (): Promise<Caller> => {
  const sdk = await import(join(clients.oazapfts, 'client.ts'))
  Object.assign(sdk.defaults, { baseUrl: own.url, headers: { authorization: `Bearer ${own.adminToken}` } })
  return (name, { path = {}, query, body }) =>
    sdk[name](...Object.values(path), ...(body === undefined ? [] : [body]), ...(query === undefined ? [] : [query]))
}

// What is generated for it are the types only: it is called by method and path.
const openOpenapiFetch = async (): Promise<Caller> => {
  const client = createFetchClient<never>({
    baseUrl: own.url,
    headers: { authorization: `Bearer ${own.adminToken}` },
  }) as unknown as { readonly request: (method: string, path: string, init: object) => Promise<FetchAnswer> }
  return async (name, { path, query, body }) => {
    const { data, error, response } = await client.request(...operationOf(name), { params: { path, query }, body })
    return { status: response.status, data: data ?? error }
  }
}
type FetchAnswer = { readonly data?: unknown; readonly error?: unknown; readonly response: Response }

const openOrval = async (): Promise<Caller> => {
  const sdk = await import(join(clients.orval, 'client.ts'))
  const options = { headers: { authorization: `Bearer ${own.adminToken}` } }
  return (name, { path = {}, query, body }) => {
    const call = sdk[name]
    const given = [
      ...Object.values(path),
      ...(body === undefined ? [] : [body]),
      ...(query === undefined ? [] : [query]),
    ]
    // The options come last, after parameters that may be left out.
    return call(...Array.from({ length: call.length - 1 }, (_, at) => given[at]), options)
  }
}

/** A call with the status and the data that it gets; `keep` remembers the id for `$name`. */
type Call = readonly [name: string, input: Input, status: number, data?: object, keep?: string]

const filter = (value: object) => JSON.stringify(value)

const ofItems: readonly Call[] = [
  ['createItemsAuthors', { body: { name: 'Ann' } }, 200, { name: 'Ann' }, 'ann'],
  ['createItemsAuthors', { body: { name: 'Bob' } }, 200, { name: 'Bob' }, 'bob'],
  ['readItemAuthors', { path: { id: '$ann' } }, 200, { name: 'Ann', articles: [] }],
  ['updateItemAuthors', { path: { id: '$ann' }, body: { name: 'Anna' } }, 200, { name: 'Anna' }],
  ['createItemsArticles', { body: { title: 'One', author: '$ann' } }, 200, { title: 'One', status: 'draft' }, 'one'],
  ['createItemsArticles', { body: { title: 'Two', author: '$ann' } }, 200, { title: 'Two' }, 'two'],
  ['createItemsArticles', { body: { title: 'Three', author: { name: 'Cid' } } }, 200, { title: 'Three' }, 'three'],
  [
    'readItemsArticles',
    { query: { fields: 'title,author.name', sort: 'title', filter: filter({ author: { name: { _eq: 'Anna' } } }) } },
    200,
    [
      { title: 'One', author: { name: 'Anna' } },
      { title: 'Two', author: { name: 'Anna' } },
    ],
  ],
  ['readItemsArticles', { query: { fields: 'title', sort: '-title', limit: 1 } }, 200, [{ title: 'Two' }]],
  ['readItemsArticles', { query: { fields: 'title', sort: 'title', limit: 1, page: 2 } }, 200, [{ title: 'Three' }]],
  ['readItemsArticles', { query: { fields: 'title', search: 'thr' } }, 200, [{ title: 'Three' }]],
  ['readItemsArticles', { query: { aggregate: filter({ count: '*' }) } }, 200, [{ count: '3' }]],
  [
    'readItemsAuthors',
    { query: { fields: 'articles.title', deep: filter({ articles: { _limit: 1 } }), limit: 1 } },
    200,
    [{ articles: [{ title: 'One' }] }],
  ],
  ['readItemsArticles', { query: { limit: -5 } }, 400],
  ['readItemArticles', { path: { id: '999999' } }, 403],
  ['updateItemArticles', { path: { id: '$one' }, body: { status: 'published' } }, 200, { status: 'published' }],
  ['deleteItemArticles', { path: { id: '$two' } }, 204],
  ['deleteItemsArticles', { body: ['$three'] }, 204],
  ['readItemsArticles', { query: { fields: 'title' } }, 200, [{ title: 'One' }]],
  ['createItemsArticles', { body: { title: 'Lost', author: 999_999 } }, 400],
]

const ofSystem: readonly Call[] = [
  ['createRoles', { body: { name: 'Editor' } }, 200, { name: 'Editor' }, 'role'],
  ['readRole', { path: { id: '$role' }, query: { fields: 'name' } }, 200, { name: 'Editor' }],
  ['updateRole', { path: { id: '$role' }, body: { name: 'Editors' } }, 200, { name: 'Editors' }],
  ['createPolicies', { body: { name: 'Editing' } }, 200, { name: 'Editing' }, 'policy'],
  ['createAccesses', { body: { role: '$role', policy: '$policy' } }, 200, {}, 'access'],
  [
    'createPermissions',
    { body: { policy: '$policy', collection: 'articles', action: 'read', fields: ['title'] } },
    200,
    { collection: 'articles', fields: ['title'] },
  ],
  ['createUsers', { body: { email: 'ed@example.com', role: '$role' } }, 200, { email: 'ed@example.com' }, 'user'],
  ['readUser', { path: { id: '$user' }, query: { fields: 'email,role.name' } }, 200, { role: { name: 'Editors' } }],
  ['updateUser', { path: { id: '$user' }, body: { first_name: 'Ed' } }, 200, { first_name: 'Ed' }],
  ['readMe', { query: { fields: 'email' } }, 200, { email: 'admin@example.com' }],
  ['createFolders', { body: { name: 'Covers' } }, 200, { name: 'Covers' }, 'folder'],
  ['updateFolder', { path: { id: '$folder' }, body: { name: 'Pictures' } }, 200, { name: 'Pictures' }],
  ['deleteFolder', { path: { id: '$folder' } }, 204],
  ['readCollection', { path: { collection: 'articles' } }, 200, { collection: 'articles' }],
  ['readField', { path: { collection: 'articles', field: 'title' } }, 200, { field: 'title', type: 'text' }],
  ['readRelation', { path: { collection: 'articles', field: 'author' } }, 200, { related_collection: 'authors' }],
  ['updateSettings', { body: { project_name: 'Calls' } }, 200, { project_name: 'Calls' }],
  ['readServerInfo', {}, 200, {}],
  ['deleteUser', { path: { id: '$user' } }, 204],
  ['deleteItemsAuthors', { body: ['$bob'] }, 204],
]

const calls = [...ofItems, ...ofSystem]

/** The input with remembered ids in place of `$name`. */
const filled = (input: Input, kept: ReadonlyMap<string, unknown>): Input =>
  JSON.parse(JSON.stringify(input), (_key, value) =>
    typeof value === 'string' && kept.has(value) ? kept.get(value) : value,
  ) as Input

test.each([
  ['hey-api', openHeyApi],
  ['oazapfts', openOazapfts],
  ['openapi-fetch', openOpenapiFetch],
  ['orval', openOrval],
])('the client of %s does forty calls', async (_name, open) => {
  const call = await open()
  const kept = new Map<string, unknown>()
  await own.rows('delete from articles')
  await own.rows('delete from authors')
  expect(calls).toHaveLength(40)
  for (const [name, input, status, expected, keep] of calls) {
    const answer = await call(name, filled(input, kept))
    expect([name, answer.status, answer.status === status ? null : answer.data]).toEqual([name, status, null])
    const data = (answer.data as { readonly data?: { readonly id?: unknown } } | undefined)?.data
    if (expected !== undefined) expect(data).toMatchObject(expected)
    if (keep !== undefined) kept.set(`$${keep}`, data?.id)
  }
})
