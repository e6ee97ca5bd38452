/** Callers who may use a collection, and nothing that its fields lead to, are told no name of a table or column beyond. */
import { afterAll, expect, test } from 'vitest'
import { openOwnDatabase } from './own-database.ts'

const sql = `
create table hidden_writers (id serial primary key, hidden_name text);
create table posts (id serial primary key, title text, writer integer references hidden_writers);
create table hidden_remarks (id serial primary key, hidden_text text, hidden_post integer references posts);
create table hidden_tags (id serial primary key, hidden_word text);
create table hidden_links (id serial primary key, hidden_post integer references posts, hidden_tag integer references hidden_tags);
create table hidden_blocks (id serial primary key, hidden_post integer references posts, hidden_kind text, hidden_item text);
create table anys (id serial primary key, post integer references posts, kind text, item text);
insert into anys (post) values (null);
insert into hidden_writers (hidden_name) values ('Ann');
insert into posts (title, writer) values ('One', 1);
insert into hidden_remarks (hidden_text, hidden_post) values ('Yes', 1);
insert into platform_relations (many_collection, many_field, one_collection, one_field, junction_field) values
  ('hidden_remarks', 'hidden_post', 'posts', 'remarks', null),
  ('hidden_links', 'hidden_post', 'posts', 'tags', 'hidden_tag'),
  ('hidden_links', 'hidden_tag', 'hidden_tags', null, 'hidden_post'),
  ('anys', 'post', 'posts', 'anys', null);
insert into platform_relations (many_collection, many_field, one_collection_field, one_allowed_collections) values
  ('anys', 'item', 'kind', 'hidden_writers,hidden_tags');
insert into platform_fields (collection, field, special) values ('posts', 'tags', 'm2m'), ('posts', 'anys', 'o2m'), ('anys', 'item', 'm2a')`
const own = await openOwnDatabase(sql)
const all = ['create', 'read', 'update', 'delete']
const caller = await own.addUser(
  ['posts', 'anys'].flatMap((collection) => all.map((action) => ({ collection, action }))),
)
afterAll(() => own.close())

const reads = [
  'fields=writer.hidden_name',
  'fields=writer.*.hidden_name',
  'fields=remarks.hidden_text',
  'fields=remarks',
  'fields=count(remarks)',
  'fields=tags.hidden_tag.hidden_word',
  'alias[r]=remarks&fields=r.hidden_text',
  'deep[remarks][_filter][hidden_text][_eq]=Yes&fields=remarks.id',
  'filter[writer][hidden_name][_eq]=Ann',
  'filter[writer][id][_eq]=1',
  'filter[remarks][_null]=true',
  'filter[remarks][_some][hidden_text][_eq]=Yes',
  'filter[remarks][_none][id][_eq]=1',
  'filter[remarks][hidden_text][_eq]=Yes',
  'filter[remarks][_eq]=1',
  'filter[remarks]=1',
  'filter[count(remarks)][_gt]=0',
  'filter[tags][hidden_tag][hidden_word][_eq]=x',
  'sort=writer.hidden_name',
  'sort=count(remarks)',
  'groupBy=count(remarks)',
  'groupBy=writer.hidden_name',
  'aggregate[count]=writer.hidden_name',
]
const legacyReads = [
  'filter[writer.hidden_name][eq]=Ann',
  'filter[writer.id][eq]=1',
  'filter[remarks.hidden_text][eq]=Yes',
  'filter[remarks][has]=1',
  'filter[remarks][nhas]=1',
  'filter[remarks][all]=1',
  'filter[remarks][eq]=1',
  'filter[remarks][null]=',
  'filter[remarks][nempty]=',
  'filter[remarks][contains]=x',
  'sort=writer.hidden_name',
  'groups=writer.hidden_name',
]
const writes = [
  { remarks: [{ hidden_text: 'x' }] },
  { remarks: [{ nothing: 'x' }] },
  { remarks: [{}] },
  { remarks: [1] },
  { remarks: [{ id: 1, hidden_text: 'x' }] },
  { remarks: [{ id: 1, $delete: true }] },
  { remarks: { create: [{ hidden_text: 'x' }], update: [], delete: [] } },
  { remarks: { create: [], update: [{ id: 1, hidden_text: 'x' }], delete: [] } },
  { remarks: { create: [], update: [], delete: [1] } },
  { writer: { hidden_name: 'x' } },
  { writer: { id: 1, hidden_name: 'x' } },
  { writer: { id: 1, $delete: true } },
  { writer: { id: 7 } },
  { writer: {} },
  { writer: 7 },
  { tags: [{ hidden_tag: { hidden_word: 'x' } }] },
  { tags: [{ hidden_tag: 1 }] },
]

/** The answer, which must be a refusal that names none of the tables and columns beyond, but for what was asked. */
async function refusal(request: string, body?: object): Promise<unknown> {
  const answer = await own.ask(request, { token: caller, ...(body === undefined ? {} : { body }) })
  const asked = decodeURIComponent(request) + JSON.stringify(body ?? {})
  const told = JSON.stringify(answer.body).match(/hidden_\w+/g) ?? []
  expect({ status: answer.status, told: told.filter((name) => !asked.includes(name) || name.endsWith('s')) }).toEqual({
    status: expect.toSatisfy((status: number) => status >= 400 && status < 500),
    told: [],
  })
  return answer.body
}

test.each(reads)('GET /items/posts?%s', async (query) => {
  const answer = await refusal(`GET /items/posts?${query}`)
  expect(answer).toMatchObject({ error: { code: expect.stringMatching(/^(FORBIDDEN|INVALID_QUERY)$/) } })
})

test.each(legacyReads)('GET /_/items/posts?%s', async (query) => {
  const answer = await refusal(`GET /_/items/posts?${query}`)
  expect([202, 209, 215, 304]).toContain((answer as { error: { code: number } }).error.code)
})

test.each([
  ['writer.hidden_name', { writer: { id: 1 } }],
  ['writer.nothing', { writer: { id: 1 } }],
  ['remarks.hidden_text', {}],
  ['remarks', {}],
])('GET /_/items/posts?fields=%s shows the key alone', async (fields, shown) => {
  const { status, body } = await own.ask(`GET /_/items/posts?fields=id,${fields}`, { token: caller })
  const [field = ''] = fields.split('.')
  const message = `Can't read \`${field}\`: read access to its collection denied`
  expect([status, body]).toEqual([
    200,
    { data: [{ id: 1, ...shown }], messages: [{ type: 'warning', message, code: 18, fields: [field] }] },
  ])
})

test('GET /_/items/posts?fields=*.* and paths through a junction tell none of the hidden names', async () => {
  for (const fields of ['*.*', '*.*.*', 'tags.hidden_tag.nothing', 'tags.hidden_tag.*']) {
    const { status, body } = await own.ask(`GET /_/items/posts?fields=${fields}`, { token: caller })
    expect([status, JSON.stringify(body).match(/hidden_(?!tag\b)\w+/g)]).toEqual([200, null])
  }
})

test.each(['posts', '_/posts'])('writes by %s', async (place) => {
  const path = place === 'posts' ? '/items/posts' : '/_/items/posts'
  for (const body of writes) {
    // In version 8 an object with nothing but a key is a link.
    const isLink = place !== 'posts' && JSON.stringify(body) === '{"writer":{"id":7}}'
    if (isLink) continue
    await refusal(`POST ${path}`, body)
    await refusal(`PATCH ${path}/1`, body)
  }
  expect(await own.rows('select id, title, writer from posts')).toEqual([{ id: 1, title: 'One', writer: 1 }])
})

test('the field that leads to a hidden collection is named in its place', async () => {
  const message = `You don't have permission to access field "remarks" in collection "posts" or it does not exist.`
  for (const query of ['filter[remarks][hidden_text][_eq]=Yes', 'fields=remarks.hidden_text', 'sort=count(remarks)'])
    expect(await refusal(`GET /items/posts?${query}`)).toMatchObject({ error: { code: 'FORBIDDEN', message } })
  const body = { remarks: [{ hidden_text: 'x' }] }
  expect(await refusal('POST /items/posts', body)).toMatchObject({ error: { code: 'FORBIDDEN', message } })
  expect(await refusal('POST /_/items/posts', body)).toMatchObject({
    error: { code: 305, message: 'Write access to "remarks" field in "posts" collection was denied' },
  })
  expect(await refusal('POST /_/items/posts', { remarks: null })).toMatchObject({ error: { code: 12 } })
  expect(await refusal('GET /_/items/posts?filter[remarks][has]=1')).toMatchObject({
    error: { code: 215, message: 'Unable to access "remarks" related data' },
  })
})

test('a many-to-any names none of its collections', async () => {
  await refusal('POST /items/anys', { item: { hidden_name: 'x' } })
  await refusal('POST /items/anys', { kind: 'nothing', item: { hidden_name: 'x' } })
  await refusal('POST /items/anys', { kind: 'nothing', item: '1' })
  await refusal('POST /items/anys', { kind: 'posts', item: '1' })
  await refusal('GET /items/anys?filter[item:posts][title][_eq]=x')
  await refusal('GET /items/anys?fields=item:posts.title')
  await refusal('GET /items/anys?sort=item.title')
})

const many = (item: unknown) =>
  [
    [`POST /items/anys`, item],
    [`PATCH /items/anys/1`, item],
    [`POST /items/posts`, { anys: [item] }],
    [`PATCH /items/posts/1`, { anys: { create: [item], update: [], delete: [] } }],
    [`PATCH /items/posts/1`, { anys: { create: [], update: [{ id: 1, ...(item as object) }], delete: [] } }],
    [`POST /_/items/anys`, item],
    [`PATCH /_/items/anys/1`, item],
    [`POST /_/items/posts`, { anys: [item] }],
    [`PATCH /_/items/posts/1`, { anys: [{ id: 1, ...(item as object) }] }],
    [
      'POST /graphql',
      {
        query: 'mutation ($data: create_anys_input!) { create_anys_item(data: $data) { id } }',
        variables: { data: item },
      },
    ],
    [
      'POST /graphql',
      {
        query: 'mutation ($data: update_anys_input!) { update_anys_item(id: 1, data: $data) { id } }',
        variables: { data: item },
      },
    ],
    [
      'POST /graphql',
      {
        query: 'mutation ($data: create_posts_input!) { create_posts_item(data: $data) { id } }',
        variables: { data: { anys: [item] } },
      },
    ],
    ['POST /utils/import/anys', item],
    ['POST /batch', { operations: [{ operation: 'createItems', parameters: { collection: 'anys' }, body: item }] }],
  ] as const

const items = [
  { item: '1' },
  { item: 1 },
  { item: { hidden_name: 'x' } },
  { item: { id: 1, hidden_name: 'x' } },
  { item: { id: 7 } },
  { item: {} },
  {},
]

test.each(items)(
  'a many-to-any with %j does not tell a hidden collection that it leads to from one that there is not',
  async (item) => {
    const before = await own.rows('select * from anys order by id')
    const said = async (kind: string): Promise<unknown> => {
      const answers: unknown[] = []
      for (const [request, body] of many({ kind, ...item })) {
        const answer = await own.ask(request, { token: caller, ...sent(request, body) })
        answers.push([request, answer.status, JSON.stringify(answer.body).replaceAll(kind, 'KIND')])
      }
      return answers
    }
    const [hidden, missing] = [await said('hidden_writers'), await said('nothing_such')]
    expect(hidden).toEqual(missing)
    expect(JSON.stringify(hidden)).not.toContain('hidden_')
    expect(await own.rows('select * from anys order by id')).toEqual(before)
  },
)

/** Rows to import come as a file. */
function sent(request: string, body: unknown): { readonly body: unknown; readonly headers?: HeadersInit } {
  if (!request.includes('/import/')) return { body }
  const part = 'content-disposition: form-data; name="file"; filename="a.json"\r\ncontent-type: application/json'
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  return { body: `--b\r\n${part}\r\n\r\n${JSON.stringify([body])}\r\n--b--\r\n`, headers }
}

test('a nested denial names what the caller may read', async () => {
  const reader = await own.addUser([
    { collection: 'posts', action: 'update' },
    { collection: 'posts', action: 'read' },
    { collection: 'hidden_remarks', action: 'read' },
  ])
  const { body } = await own.ask('PATCH /items/posts/1', { token: reader, body: { remarks: [{ hidden_text: 'x' }] } })
  expect(JSON.stringify(body)).toContain('hidden_remarks')
})
