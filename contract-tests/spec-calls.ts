/** Forty calls of the API that generated clients do in order, with what they get. */
import { expect } from 'vitest'
import type { OwnDatabase } from './own-database.ts'

export const callTables = `create table authors (id serial primary key, name text not null);
  create table articles (id serial primary key, title text not null, status text not null default 'draft', author int references authors);
  insert into platform_relations (many_collection, many_field, one_collection, one_field) values ('articles', 'author', 'authors', 'articles')`

export type Input = { readonly path?: object; readonly query?: object; readonly body?: unknown }
export type Answer = { readonly status: number; readonly data: unknown }
export type Caller = (name: string, input: Input) => Promise<Answer>

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

/** Records of classes have no aggregates, and those of Go no empty lists. */
export const inClasses = (expected: object): object =>
  JSON.parse(JSON.stringify(expected), (key, value) =>
    key === 'count' || (Array.isArray(value) && value.length === 0) ? undefined : value,
  ) as object

/** Does the calls, in order. Fails at the first whose answer is another than what the client `sees` of the expected one. */
export async function doCalls(own: OwnDatabase, call: Caller, sees = (expected: object) => expected): Promise<void> {
  const kept = new Map<string, unknown>()
  await own.rows('delete from articles')
  await own.rows('delete from authors')
  expect(calls).toHaveLength(40)
  for (const [name, input, status, expected, keep] of calls) {
    const answer = await call(name, filled(input, kept))
    expect([name, answer.status, answer.status === status ? null : answer.data]).toEqual([name, status, null])
    const data = (answer.data as { readonly data?: { readonly id?: unknown } } | undefined)?.data
    if (expected !== undefined) expect(data).toMatchObject(sees(expected))
    if (keep !== undefined) kept.set(`$${keep}`, data?.id)
  }
}
