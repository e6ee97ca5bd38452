/** `POST /utils/import`: rows of several collections that refer to each other, in one transaction; and files of one. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type OwnDatabase, openOwnDatabase } from './own-database.ts'

const tables = `
  create table authors (id serial primary key, name text not null);
  create table articles (id serial primary key, title text, author integer references authors, parent integer references articles);
  create table tags (code varchar(20) primary key, label text);
  create table notes (id uuid primary key, body text);
  create table pairs (a integer, b integer, body text, primary key (a, b));
  create table hens (id uuid primary key, egg uuid not null);
  create table eggs (id uuid primary key, hen uuid not null references hens);
  alter table hens add foreign key (egg) references eggs deferrable initially deferred;
  create table sites (id serial primary key, title text);
  create table blocks (id serial primary key, kind text, item text);
  insert into platform_collections (collection, singleton) values ('sites', true), ('blocks', false);
  insert into platform_relations (many_collection, many_field, one_collection_field, one_allowed_collections)
    values ('blocks', 'item', 'kind', 'authors,articles');
  insert into authors (name) values ('Old'), ('Spare')`

let own: OwnDatabase

beforeAll(async () => {
  own = await openOwnDatabase(tables)
})
afterAll(() => own.close())
beforeEach(() =>
  own
    .rows('truncate articles, tags, notes, pairs, blocks, sites; delete from authors where id > 2')
    .then(() => undefined),
)

type Result = { existing: unknown[]; new: (number | string)[]; deleted: unknown[]; mapped: Record<string, number> }

async function bring(body: unknown, query = '', token: string | null = own.adminToken) {
  const reply = await own.ask(`POST /utils/import${query}`, { body, token })
  const { data, errors } = reply.body as {
    data: { applied: boolean; mode: string; collections: Record<string, Result> }
    errors?: readonly { message: string; extensions: Record<string, unknown> }[]
  }
  return { status: reply.status, data, error: errors?.[0], headers: reply.headers }
}

const related = [
  {
    collection: 'articles',
    items: [
      { id: 11, title: 'Child', author: 1, parent: 12 },
      { id: 12, title: 'Parent', author: 77 },
    ],
  },
  { collection: 'authors', items: [{ id: 77, name: 'Ann' }] },
]

test('rows get new keys, and references follow whatever the order', async () => {
  const { status, data } = await bring(related)
  expect([status, data.applied, data.mode]).toEqual([200, true, 'add'])
  const { authors, articles } = data.collections
  const ann = authors?.mapped['77'] as number
  expect(authors).toEqual({ existing: [], new: [ann], deleted: [], mapped: { 77: ann } })
  const [child, parent] = (articles?.new ?? []) as [number, number]
  expect(articles?.mapped).toEqual({ 11: child, 12: parent })
  expect(await own.rows('select * from articles order by id')).toEqual([
    { id: child, title: 'Child', author: 1, parent },
    { id: parent, title: 'Parent', author: ann, parent: null },
  ])
})

test('a dry run says the same and changes nothing', async () => {
  const { data } = await bring(related, '?dryRun=true')
  expect([data.applied, Object.keys(data.collections['articles']?.mapped ?? {})]).toEqual([false, ['11', '12']])
  expect(await own.rows('select count(*)::int as count from articles')).toEqual([{ count: 0 }])
})

test('merge updates rows that are there, and add gives them other keys', async () => {
  const uuid = '00000000-0000-4000-8000-0000000000a1'
  const body = [
    { collection: 'notes', items: [{ id: uuid, body: 'first' }] },
    { collection: 'authors', items: [{ id: 1, name: 'Older' }] },
    { collection: 'tags', items: [{ code: 'x', label: 'X' }] },
    { collection: 'pairs', items: [{ a: 1, b: 2, body: 'p' }] },
  ]
  const first = await bring(body, '?mode=merge')
  expect(first.data.collections).toEqual({
    notes: { existing: [], new: [uuid], deleted: [], mapped: {} },
    authors: { existing: [1], new: [], deleted: [], mapped: {} },
    tags: { existing: [], new: ['x'], deleted: [], mapped: {} },
    pairs: { existing: [], new: ['1;2'], deleted: [], mapped: {} },
  })
  const again = await bring(body, '?mode=merge')
  expect(Object.values(again.data.collections).map((each) => [each.existing, each.new])).toEqual([
    [[uuid], []],
    [[1], []],
    [['x'], []],
    [['1;2'], []],
  ])
  expect(await own.rows('select name from authors where id = 1')).toEqual([{ name: 'Older' }])
  const added = await bring([body[0]])
  const [other] = added.data.collections['notes']?.new ?? []
  expect(added.data.collections['notes']?.mapped).toEqual({ [uuid]: other })
  expect(await own.rows('select count(*)::int as count from notes')).toEqual([{ count: 2 }])
  for (const each of [body[2], body[3]]) {
    const { status, error } = await bring([each])
    expect([status, error?.message]).toEqual([400, expect.stringContaining('Expected a key that no row has')])
  }
})

test('what is not in the batch is deleted where that is asked, children first', async () => {
  await own.rows(`insert into articles (id, title, author) values (500, 'Gone', 2)`)
  const body = [
    { collection: 'authors', items: [{ id: 1, name: 'Only' }] },
    { collection: 'articles', items: [] },
  ]
  const refused = await bring(body, '?dangerouslyAllowDelete=true')
  expect([refused.status, refused.error?.extensions['code']]).toEqual([400, 'INVALID_QUERY'])
  const { data } = await bring(body, '?mode=merge&dangerouslyAllowDelete=true')
  expect(data.collections).toMatchObject({ authors: { deleted: [2] }, articles: { deleted: [500] } })
  expect(await own.rows('select id, name from authors')).toEqual([{ id: 1, name: 'Only' }])
  await own.rows(`insert into authors (id, name) values (2, 'Spare')`)
})

test('a many-to-any follows the collection that its row names, and a singleton has one row', async () => {
  const { data } = await bring(
    [
      {
        collection: 'blocks',
        items: [
          { id: 1, kind: 'authors', item: '70' },
          { id: 2, kind: 'articles', item: '70' },
        ],
      },
      { collection: 'articles', items: [{ id: 70, title: 'A' }] },
      { collection: 'authors', items: [{ id: 70, name: 'B' }] },
      { collection: 'sites', items: [{ id: 9, title: 'Shop' }] },
    ],
    '?mode=merge',
  )
  const { authors, articles, sites } = data.collections
  expect(await own.rows('select kind, item from blocks order by id')).toEqual([
    { kind: 'authors', item: String(authors?.new[0]) },
    { kind: 'articles', item: String(articles?.new[0]) },
  ])
  expect(sites?.new).toHaveLength(1)
  const again = await bring([{ collection: 'sites', items: [{ title: 'Shop 2' }] }], '?mode=merge')
  expect(again.data.collections['sites']?.existing).toEqual(sites?.new)
  const two = await bring([{ collection: 'sites', items: [{ title: 'a' }, { title: 'b' }] }])
  expect([two.status, two.error?.message]).toEqual([400, expect.stringContaining('at most one row')])
})

test('errors name the row, and nothing is written', async () => {
  const refused = async (body: unknown, query = '') => {
    const { status, error } = await bring(body, query)
    return [status, error?.extensions['code'], `${error?.message} ${JSON.stringify(error?.extensions)}`]
  }
  const wrong = [
    { collection: 'authors', items: [{ id: 5, name: 'Kept out' }] },
    { collection: 'articles', items: [{ title: 'a' }, { title: 'b', author: 'x' }] },
  ]
  expect(await refused(wrong)).toEqual([400, 'FAILED_VALIDATION', expect.stringContaining('articles.2.author')])
  expect(await refused([{ collection: 'articles', items: [{ author: { name: 'n' } }] }])).toEqual([
    400,
    'INVALID_PAYLOAD',
    expect.stringContaining('articles.1.author'),
  ])
  expect(await refused([{ collection: 'articles', items: [{ author: 999 }] }])).toEqual([
    400,
    'INVALID_FOREIGN_KEY',
    expect.stringContaining('articles.1.author'),
  ])
  const twice = [
    {
      collection: 'authors',
      items: [
        { id: 5, name: 'a' },
        { id: 5, name: 'b' },
      ],
    },
  ]
  expect(await refused(twice)).toEqual([400, 'INVALID_PAYLOAD', expect.stringContaining('authors.2.id')])
  expect(
    await refused([
      { collection: 'authors', items: [] },
      { collection: 'authors', items: [] },
    ]),
  ).toEqual([400, 'INVALID_PAYLOAD', expect.stringContaining('"authors" once')])
  const hen = '00000000-0000-4000-8000-0000000000b1'
  const egg = '00000000-0000-4000-8000-0000000000b2'
  const circle = await bring([
    { collection: 'hens', items: [{ id: hen, egg }] },
    { collection: 'eggs', items: [{ id: egg, hen }] },
  ])
  expect([circle.status, circle.error?.extensions]).toEqual([
    422,
    {
      code: 'IMPORT_CYCLICAL_RELATION',
      collections: ['hens', 'eggs'],
      relations: [
        { collection: 'hens', field: 'egg', related: 'eggs' },
        { collection: 'eggs', field: 'hen', related: 'hens' },
      ],
    },
  ])
  expect((await refused([{ collection: 'nowhere', items: [] }]))[0]).toBe(403)
  expect((await refused([{ collection: 'directus_flows', items: [{ id: 1 }] }]))[0]).toBe(400)
  expect((await bring([{ collection: 'directus_flows', items: [] }])).data.collections).toEqual({
    directus_flows: { existing: [], new: [], deleted: [], mapped: {} },
  })
  expect((await refused({ collection: 'authors' }))[0]).toBe(400)
  expect(await own.rows('select count(*)::int as count from authors')).toEqual([{ count: 2 }])
})

test('the rights of the caller hold', async () => {
  const token = await own.addUser([
    { collection: 'tags', action: 'create', fields: 'code,label' },
    { collection: 'tags', action: 'read', fields: '*', permissions: { code: { _neq: 'hidden' } } },
  ])
  await own.rows(`insert into tags values ('hidden', 'H'), ('shown', 'S')`)
  const at = (body: unknown, query = '', who: string | null = token) =>
    bring(body, query, who).then(({ status }) => status)
  const body = [{ collection: 'tags', items: [{ code: 'n', label: 'N' }] }]
  expect(await at(body)).toBe(200)
  expect(await at(body, '?mode=merge')).toBe(403)
  expect(await at([{ collection: 'platform_roles', items: [] }])).toBe(403)
  expect(await at(body, '', null)).toBe(403)
  const pruner = await own.addUser([
    ...(['create', 'update', 'delete'] as const).map((action) => ({ collection: 'tags', action, fields: '*' })),
    { collection: 'tags', action: 'read', fields: '*', permissions: { code: { _neq: 'hidden' } } },
  ])
  const pruned = await bring([{ collection: 'tags', items: [] }], '?mode=merge&dangerouslyAllowDelete=true', pruner)
  expect(pruned.data.collections['tags']?.deleted.toSorted()).toEqual(['n', 'shown'])
  expect(await own.rows('select code from tags')).toEqual([{ code: 'hidden' }])
})

test('rows of the system by either name, and the last administrator stays', async () => {
  const policy = '00000000-0000-4000-8000-0000000000c1'
  const role = '00000000-0000-4000-8000-0000000000c2'
  const { status, data, headers } = await bring(
    [
      {
        collection: 'directus_permissions',
        items: [{ id: -1, policy, collection: 'directus_files', action: 'read', fields: ['*'], permissions: {} }],
      },
      { collection: 'directus_access', items: [{ id: '00000000-0000-4000-8000-0000000000c3', role, policy }] },
      { collection: 'directus_roles', items: [{ id: role, name: 'Editors', policies: [], users: [policy] }] },
      { collection: 'directus_policies', items: [{ id: policy, name: 'Editing', from_elsewhere: 1 }] },
      { collection: 'directus_settings', items: [{ project_name: 'Imported', ai_key: 'x' }] },
    ],
    '?mode=merge',
  )
  expect([status, headers.get('ignored-fields')]).toEqual([200, 'users, from_elsewhere, ai_key'])
  expect(Object.keys(data.collections)).toEqual([
    'directus_permissions',
    'directus_access',
    'directus_roles',
    'directus_policies',
    'directus_settings',
  ])
  expect(data.collections['directus_permissions']?.mapped['-1']).toEqual(expect.any(Number))
  const found = await own.rows(`select collection, policy::text from platform_permissions where policy = '${policy}'`)
  expect(found).toEqual([{ collection: 'platform_files', policy }])
  const pruned = await bring([{ collection: 'platform_users', items: [] }], '?mode=merge&dangerouslyAllowDelete=true')
  expect(pruned.status).toBe(422)
  expect((await own.ask('GET /users/me')).status).toBe(200)
})

test('GraphQL and a file do the same', async () => {
  const query = 'mutation ($rows: [JSON!]!) { utils_import_batch(collections: $rows, mode: merge, dryRun: true) }'
  const rows = [{ collection: 'tags', items: [{ code: 'g', label: 'G' }] }]
  const reply = await own.ask('POST /graphql/system', { body: { query, variables: { rows } } })
  const result = { tags: { existing: [], new: ['g'], deleted: [], mapped: {} } }
  expect(reply.body).toEqual({
    data: { utils_import_batch: { applied: false, mode: 'merge', collections: result } },
  })
  const form = new FormData()
  form.append('file', new File([JSON.stringify(rows)], 'rows.json', { type: 'application/json' }))
  const sent = await fetch(`${own.url}/utils/import?mode=merge`, {
    method: 'POST',
    headers: { authorization: `Bearer ${own.adminToken}` },
    body: form,
  })
  expect([sent.status, await sent.json()]).toEqual([
    200,
    { data: { applied: true, mode: 'merge', collections: result } },
  ])
})

async function importFile(text: string, columns?: unknown, query = '') {
  const form = new FormData()
  if (columns !== undefined) form.append('columns', typeof columns === 'string' ? columns : JSON.stringify(columns))
  form.append('file', new Blob([text], { type: 'text/csv' }), 'authors.csv')
  const headers = { authorization: `Bearer ${own.adminToken}` }
  const sent = await fetch(`${own.url}/utils/import/authors${query}`, { method: 'POST', headers, body: form })
  const { data, errors } = (await sent.json()) as { data: object; errors?: { message: string }[] }
  return { status: sent.status, data, message: errors?.[0]?.message }
}

const sheet = 'Nr;Name;Page\n1;Anna;x\n;Zoe;y\n;;z\n'
const named = { Nr: 'id', Name: 'name', Page: null }

test('a dry run of a file tells the fate of each row, and changes nothing', async () => {
  const before = await own.rows('select * from authors order by id')
  const tried = await importFile(sheet, named, '?dryRun=true')
  expect(tried).toMatchObject({
    status: 200,
    data: {
      applied: false,
      created: 1,
      updated: 1,
      refused: 1,
      rows: [
        { row: 1, action: 'update' },
        { row: 2, action: 'create' },
        { row: 3, action: 'refuse', errors: [{ extensions: { field: 'rows.3.name' } }] },
      ],
    },
  })
  expect(await own.rows('select * from authors order by id')).toEqual(before)
})

test('a file is imported with its columns as fields', async () => {
  const done = await importFile(sheet.replace(';;z\n', ''), named)
  const rows = [
    { row: 1, action: 'update' },
    { row: 2, action: 'create' },
  ]
  expect(done).toEqual({ status: 200, data: { applied: true, created: 1, updated: 1, refused: 0, rows } })
  expect(await own.rows('select name from authors order by id')).toEqual([
    { name: 'Anna' },
    { name: 'Spare' },
    { name: 'Zoe' },
  ])
  await own.rows(`update authors set name = 'Old' where id = 1`)
})

const shape = 'Expected a JSON object from columns of the file to fields or null for "columns"'
test.each([
  ['no JSON', '{', `Invalid payload. ${shape} but received "{".`],
  ['a list', [], `Invalid payload. ${shape} but received "[]".`],
  ['a number', { Nr: 1 }, `Invalid payload. ${shape} but "Nr" is not.`],
  [
    'a field twice',
    { Nr: 'id', Name: 'id' },
    'Invalid payload. "columns": Expected each field once but received "id" twice.',
  ],
])('names of columns with %s are refused', async (_, columns, message) => {
  expect(await importFile(sheet, columns)).toEqual({ status: 400, data: undefined, message })
})

test('two columns of a file cannot be for one field', async () => {
  expect(await importFile('Name;name\nA;B\n', { Name: 'name' })).toEqual({
    status: 400,
    data: undefined,
    message: 'Invalid payload. "rows.1.name": Expected one column of the file for each field.',
  })
})

const twoWays = 'Expected a column for a field or columns for its parts but received both of'
test.each([
  ['name,a..b', 'Expected the name of a field for each column but received "a..b"'],
  ['name,__proto__', 'Expected the name of a field for each column but received "__proto__"'],
  ['name,name.first', `${twoWays} "name.first"`],
  ['name.first,name', `${twoWays} "name"`],
])('the header %s is refused as a part of the file', async (header, reason) => {
  const message = `Invalid payload. "file": ${reason}.`
  for (const query of ['', '?dryRun=true'])
    expect(await importFile(`${header}\nA,B\n`, undefined, query)).toEqual({ status: 400, data: undefined, message })
})
