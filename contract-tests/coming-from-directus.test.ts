/** What clients and files of Directus 10 to 12 send is understood. */
import { afterAll, expect, test } from 'vitest'
import { silentLog } from '../src/sql/testing/test-database.ts'
import { perVendor } from '../src/sql/testing/test-vendors.ts'
import { openOwnDatabase } from './own-database.ts'

const lines: { readonly detail: object; readonly message: string }[] = []
const publicPolicy = 'abf8a154-5b1c-4a46-ac9c-7300570f4f17'

const warn = (detail: object, message: string): void => void lines.push({ detail, message })
const own = await openOwnDatabase('create table notes (id serial primary key, text text)', {}, { ...silentLog, warn })
afterAll(() => own.close())

const dataOf = async <T = never>(request: string, body?: object): Promise<T> =>
  ((await own.ask(request, body === undefined ? {} : { body })).body as { readonly data: T }).data

const column = (table: string, name: string, more: object) => ({
  name,
  table,
  data_type: 'character varying',
  default_value: null,
  max_length: 255,
  numeric_precision: null,
  numeric_scale: null,
  is_nullable: true,
  is_unique: false,
  is_indexed: false,
  is_primary_key: false,
  is_generated: false,
  generation_expression: null,
  has_auto_increment: false,
  foreign_key_table: null,
  foreign_key_column: null,
  ...more,
})
const integer = { data_type: 'integer', max_length: null, numeric_precision: 32, numeric_scale: 0 }

const snapshot = {
  version: 1,
  directus: '11.5.1',
  vendor: 'postgres',
  collections: [
    {
      collection: 'posts',
      meta: {
        collection: 'posts',
        icon: 'article',
        status: 'active',
        autosave_revision_interval: 5,
        versioning: false,
      },
      schema: { name: 'posts' },
    },
  ],
  fields: [
    {
      collection: 'posts',
      field: 'id',
      type: 'integer',
      meta: { collection: 'posts', field: 'id', hidden: true, interface: 'input', searchable: true, special: null },
      schema: column('posts', 'id', {
        ...integer,
        default_value: "nextval('posts_id_seq'::regclass)",
        is_nullable: false,
        is_unique: true,
        is_primary_key: true,
        has_auto_increment: true,
      }),
    },
    {
      collection: 'posts',
      field: 'tags',
      type: 'json',
      meta: { collection: 'posts', field: 'tags', special: ['cast-json'] },
      schema: column('posts', 'tags', { data_type: 'json', max_length: null, default_value: '[]' }),
    },
    {
      collection: 'posts',
      field: 'author',
      type: 'uuid',
      meta: { collection: 'posts', field: 'author', special: ['m2o'] },
      schema: column('posts', 'author', {
        data_type: 'uuid',
        max_length: null,
        is_nullable: true,
        foreign_key_table: 'directus_users',
        foreign_key_column: 'id',
      }),
    },
  ],
  systemFields: [{ collection: 'directus_activity', field: 'timestamp', schema: { is_indexed: true } }],
  relations: [
    {
      collection: 'posts',
      field: 'author',
      related_collection: 'directus_users',
      meta: {
        many_collection: 'posts',
        many_field: 'author',
        one_collection: 'directus_users',
        one_field: null,
        one_deselect_action: 'nullify',
        one_collection_field: null,
        one_allowed_collections: null,
        junction_field: null,
        sort_field: null,
      },
      schema: {
        table: 'posts',
        column: 'author',
        foreign_key_table: 'directus_users',
        foreign_key_column: 'id',
        constraint_name: 'posts_author_foreign',
        on_update: 'NO ACTION',
        on_delete: 'SET NULL',
      },
    },
  ],
}

test('differences come as a file in a form, as the command line of the platform sends them', async () => {
  const diff = await dataOf('POST /schema/diff', { ...snapshot, version: 2 })
  const form = new FormData()
  form.append('file', new Blob([JSON.stringify(diff)], { type: 'application/json' }), 'payload.json')
  const headers = { authorization: `Bearer ${own.adminToken}` }
  const { status } = await fetch(`${own.url}/schema/apply`, { method: 'POST', headers, body: form })
  expect(status).toBe(204)
  expect(await dataOf('GET /collections/posts')).toMatchObject({ collection: 'posts' })
  expect((await own.ask('DELETE /collections/posts')).status).toBe(204)
})

test('a snapshot is applied as it is, and differs in nothing afterwards', async () => {
  const partial = { ...snapshot, version: 2 }
  const diff = await dataOf('POST /schema/diff', partial)
  expect(await own.ask('POST /schema/apply', { body: diff })).toMatchObject({ status: 204 })
  expect((await own.ask('POST /schema/diff', { body: partial })).body).toBe(null)
  expect(await dataOf('GET /relations/posts/author')).toMatchObject({
    related_collection: 'platform_users',
    schema: { foreign_key_table: 'platform_users', on_delete: 'SET NULL' },
  })
  expect(await dataOf('GET /collections/posts')).toMatchObject({
    meta: { status: 'active', autosave_revision_interval: 5 },
  })
  expect(await dataOf('GET /fields/posts/tags')).toMatchObject({ schema: { default_value: [] } })
  expect(lines.filter(({ message }) => message.startsWith('A snapshot has keys'))).toEqual([])
})

test('a search does not look at a field that is not searchable', async () => {
  const body = { field: 'secret_word', type: 'string', meta: { searchable: false } }
  expect(await dataOf('POST /fields/notes', body)).toMatchObject({ meta: { searchable: false } })
  await dataOf('POST /items/notes', { text: 'open', secret_word: 'closed' })
  expect(await dataOf('GET /items/notes?fields=text&search=open')).toEqual([{ text: 'open' }])
  expect(await dataOf('GET /items/notes?fields=text&search=closed')).toEqual([])
  await own.ask('PATCH /fields/notes/secret_word', { body: { meta: { searchable: true } } })
  expect(await dataOf('GET /items/notes?fields=text&search=closed')).toEqual([{ text: 'open' }])
})

test('system collections are known by their names there, wherever a name is a value', async () => {
  const fields = [{ field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } }]
  expect((await own.ask('POST /collections', { body: { collection: 'tasks', schema: {}, fields } })).status).toBe(200)
  expect((await own.ask('POST /fields/tasks', { body: { field: 'owner', type: 'uuid' } })).status).toBe(200)
  const relation = { collection: 'tasks', field: 'owner', related_collection: 'directus_users' }
  expect(await dataOf('POST /relations', relation)).toMatchObject({ related_collection: 'platform_users' })
  expect(await dataOf('POST /fields/directus_users', { field: 'nickname', type: 'string' })).toMatchObject({
    collection: 'platform_users',
  })
  const nested = { name: 'Readers', permissions: [{ collection: 'directus_folders', action: 'read', fields: ['id'] }] }
  expect(await dataOf('POST /policies?fields=permissions.collection', nested)).toEqual({
    permissions: [{ collection: 'platform_folders' }],
  })
  const permission = { policy: publicPolicy, collection: 'directus_files', action: 'read', fields: ['id'] }
  expect(await dataOf('POST /permissions', permission)).toMatchObject({ collection: 'platform_files' })
  const filters = [
    `filter=${encodeURIComponent('{"collection":{"_in":["directus_files"]}}')}`,
    'filter[collection][_eq]=directus_files',
    'filter[_and][0][collection][_in]=directus_files',
  ]
  for (const filter of filters)
    expect(await dataOf(`GET /permissions?fields=collection&${filter}`), filter).toEqual([
      { collection: 'platform_files' },
    ])
  expect(await dataOf('POST /items/notes?fields=text', { text: 'directus_users' })).toEqual({ text: 'directus_users' })
})

const graphql = async (query: string, variables: object = {}, path = '/graphql/system') =>
  (await own.ask(`POST ${path}`, { body: { query, variables } })).body

test('in GraphQL types, root fields and arguments have the names there, too', async () => {
  const list = 'query ($filter: directus_permissions_filter) { permissions(filter: $filter) { collection } }'
  expect(await graphql(list, { filter: { collection: { _eq: 'directus_files' } } })).toEqual({
    data: { permissions: [{ collection: 'platform_files' }] },
  })
  const create = `mutation ($data: create_directus_presets_input!) {
    create_presets_item(data: $data) { ... on directus_presets { collection } } }`
  expect(await graphql(create, { data: { collection: 'directus_files' } })).toEqual({
    data: { create_presets_item: { collection: 'platform_files' } },
  })
  expect(await graphql('{ collections_by_name(name: "directus_users") { collection } }')).toEqual({
    data: { collections_by_name: { collection: 'platform_users' } },
  })
  expect(await graphql('query ($f: directus_nothing_filter) { permissions(filter: $f) { id } }')).toMatchObject({
    errors: [{ extensions: { code: 'GRAPHQL_VALIDATION' } }],
  })
})

test('a many-to-any names collections of the system by their names there', async () => {
  await own.ask('POST /fields/tasks', { body: { field: 'kind', type: 'string' } })
  await own.ask('POST /fields/tasks', { body: { field: 'about', type: 'string' } })
  const meta = { one_collection_field: 'kind', one_allowed_collections: ['directus_folders', 'notes'] }
  await own.ask('POST /relations', { body: { collection: 'tasks', field: 'about', related_collection: null, meta } })
  const made = { kind: 'directus_folders', about: { name: 'Plans' } }
  const task = await dataOf<{ id: number }>('POST /items/tasks?fields=id,kind,about:directus_folders.name', made)
  expect(task).toEqual({ id: task.id, kind: 'platform_folders', about: { name: 'Plans' } })
  const folder = (await dataOf<{ about: string }>(`GET /items/tasks/${task.id}`)).about
  const linked = { kind: 'directus_folders', about: folder }
  expect(await dataOf(`PATCH /items/tasks/${task.id}?fields=kind`, linked)).toEqual({ kind: 'platform_folders' })
  const found = 'fields=id&filter[about:directus_folders][name][_eq]=Plans&sort=about:directus_folders.name'
  expect(await dataOf(`GET /items/tasks?${found}`)).toEqual([{ id: task.id }])
  const query = '{ tasks { about { __typename ... on directus_folders { name } } } }'
  expect(await graphql(query, {}, '/graphql')).toEqual({
    data: { tasks: [{ about: { __typename: 'platform_folders', name: 'Plans' } }] },
  })
  expect((await own.ask(`DELETE /items/tasks/${task.id}`)).status).toBe(204)
})

test('a configuration of a server that spells them with its prefix is the same here', async () => {
  const here = await dataOf<object>('GET /configuration')
  const there = JSON.parse(JSON.stringify(here).replaceAll('platform_', 'directus_')) as object
  expect(JSON.stringify(there)).toContain('"one_allowed_collections":["directus_folders","notes"]')
  expect(await dataOf('POST /configuration/plan', { configuration: there, prune: true })).toEqual({
    changes: [],
    kept: [],
  })
  const collections = {
    directus_users: {
      fields: { nickname: { type: 'string' }, motto: { type: 'string', display: { note: 'Of directus_users' } } },
    },
  }
  const words = (
    await dataOf<{ changes: { words: string }[] }>('POST /configuration/plan', {
      configuration: { collections },
    })
  ).changes.map((each) => each.words)
  expect(words).toEqual(['Create field "platform_users.motto" (string)'])
  const applied = await own.ask('POST /configuration/apply', {
    body: { configuration: { collections }, changes: words },
  })
  expect(applied.status).toBe(204)
  expect(await dataOf('GET /fields/platform_users/motto')).toMatchObject({ meta: { note: 'Of directus_users' } })
})

test('browsers get a page at the root, and other clients JSON', async () => {
  const page = await own.ask('GET /', { token: null, headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } })
  expect([page.status, page.headers.get('content-type'), page.headers.get('vary')]).toEqual([
    200,
    'text/html; charset=utf-8',
    expect.stringContaining('Accept'),
  ])
  const links = [...String(page.body).matchAll(/href="([^"]+)"/g)].map(([, link]) => link ?? '')
  expect(links).toEqual(expect.arrayContaining(['docs/', 'graphql', 'server/specs/oas']))
  expect(links.filter((link) => /^\w+:/.test(link))).toEqual([])
  for (const link of links)
    expect((await own.ask(`GET /${link}`, { headers: { accept: 'text/html' } })).status, link).toBeLessThan(400)
  expect((await own.ask('GET /', { token: null })).headers.get('content-type')).toContain('json')
})

test('the public policy has the id that tools of that platform use', async () => {
  expect(await dataOf(`GET /policies/${publicPolicy}?fields=id`)).toEqual({ id: publicPolicy })
})

test('a relation that cannot be null may be set null by its constraint, as the database takes it', async () => {
  const owner = { field: 'editor', type: 'uuid', schema: { is_nullable: false } }
  expect((await own.ask('POST /fields/tasks', { body: owner })).status).toBe(200)
  const body = {
    collection: 'tasks',
    field: 'editor',
    related_collection: 'platform_users',
    schema: { on_delete: 'SET NULL' },
  }
  expect((await own.ask('POST /relations', { body })).status).toBe(perVendor({ postgres: 200, mariadb: 400 }))
})

test('what an administrator names and there is not is ignored and told', async () => {
  const created = await own.ask('POST /items/notes?fields=text', { body: { text: 'kept', 'b ä': 1, nothing: 2 } })
  expect([created.status, created.body, created.headers.get('ignored-fields')]).toEqual([
    200,
    { data: { text: 'kept' } },
    'b%20%C3%A4, nothing',
  ])
  const saved = await own.ask('PATCH /settings?fields=project_name', {
    body: { project_name: 'Moved', mcp_enabled: true },
  })
  expect([saved.body, saved.headers.get('ignored-fields')]).toEqual([
    { data: { project_name: 'Moved' } },
    'mcp_enabled',
  ])
  const token = await own.addUser([{ collection: 'notes', action: 'create' }])
  const refused = await own.ask('POST /items/notes', { token, body: { text: 'lost', nothing: 2 } })
  expect([refused.status, refused.headers.get('ignored-fields')]).toEqual([403, null])
  expect(await dataOf('GET /items/notes?filter[text]=lost')).toEqual([])
})

const place = (collection: string, sort: number) => ({ collection, meta: { sort, group: null } })

test('collections are sorted with those of the system, which have no place', async () => {
  const body = [place('notes', 2), place('directus_webhooks', 1)]
  const sorted = await own.ask('PATCH /collections', { body })
  expect([sorted.status, sorted.headers.get('ignored-fields')]).toEqual([200, 'meta.sort, meta.group'])
  expect(sorted.body).toMatchObject({ data: [place('notes', 2), { collection: 'platform_webhooks' }] })
  for (const meta of [{ sort: 1, hidden: false }, {}])
    expect((await own.ask('PATCH /collections', { body: [{ collection: 'platform_webhooks', meta }] })).status).toBe(
      403,
    )
})

test('keys of the data model that are not known are ignored and told', async () => {
  const meta = { note: 'kept', theme: 'dark' }
  const collection = { collection: 'shelves', meta, schema: {}, licence: 'x' }
  const fields = [{ field: 'id', type: 'integer', schema: { is_primary_key: true }, meta: { width: 'half', tint: 1 } }]
  const created = await own.ask('POST /collections', { body: { ...collection, fields } })
  expect([created.status, created.headers.get('ignored-fields')]).toEqual([
    200,
    'meta.theme, licence, fields.meta.tint',
  ])
  expect(created.body).toMatchObject({ data: { meta: { note: 'kept' } } })
  const many = await own.ask('POST /fields/shelves', { body: [{ field: 'a', type: 'string', schema: { cost: 1 } }] })
  expect([many.status, many.headers.get('ignored-fields')]).toEqual([200, 'schema.cost'])
  const changed = await own.ask('PATCH /fields/shelves/a', { body: { meta: { note: 'b', shade: 2 } } })
  expect([changed.status, changed.headers.get('ignored-fields')]).toEqual([200, 'meta.shade'])
  const told = lines.filter(({ message }) => message === 'A request has keys that are not known and are ignored')
  expect(told.map(({ detail }) => (detail as { readonly keys: unknown }).keys)).toEqual([
    ['meta.theme', 'licence', 'fields.meta.tint'],
    ['schema.cost'],
    ['meta.shade'],
  ])
  const token = await own.addUser([])
  const refused = await own.ask('POST /collections', { token, body: { ...collection, fields } })
  expect([refused.status, refused.headers.get('ignored-fields')]).toEqual([403, null])
})

test('permissions of what is not there are kept, and have an effect once it is', async () => {
  const permissions = [
    { policy: publicPolicy, collection: 'ghosts', action: 'read', fields: ['*'] },
    { policy: publicPolicy, collection: 'notes', action: 'read', fields: ['text', 'later'], permissions: {} },
    { policy: publicPolicy, collection: 'tasks', action: 'read', fields: ['id'], permissions: { later: { _eq: 1 } } },
  ]
  const stored: readonly object[] = await dataOf('POST /permissions?fields=collection', permissions)
  expect(stored.slice(0, 3)).toEqual([{ collection: 'ghosts' }, { collection: 'notes' }, { collection: 'tasks' }])
  expect(lines.filter(({ message }) => message === 'Stored a permission without effect')).toHaveLength(3)
  expect((await own.ask('GET /items/ghosts', { token: null })).status).toBe(403)
  expect((await own.ask('GET /items/tasks', { token: null })).status).toBe(403)
  expect((await own.ask('POST /fields/tasks', { body: { field: 'later', type: 'integer' } })).status).toBe(200)
  expect(await own.ask('GET /items/tasks', { token: null })).toMatchObject({ status: 200, body: { data: [] } })
})

test('previews ask for draft and published, which are the item where there is no such version', async () => {
  expect((await own.ask('PATCH /collections/notes', { body: { meta: { versioning: true } } })).status).toBe(200)
  const { id } = (await dataOf('POST /items/notes', { text: 'main' })) as { id: number }
  const textOf = async (version: string) =>
    (await own.ask(`GET /items/notes/${id}?fields=text&version=${version}`)).body
  const main = { data: { text: 'main' } }
  expect([await textOf('draft'), await textOf('published'), await textOf('main')]).toEqual([main, main, main])
  expect((await own.ask(`GET /items/notes/${id}?version=other`)).status).toBe(403)
  const version = (await dataOf('POST /versions', {
    collection: 'notes',
    item: String(id),
    key: 'draft',
    name: 'Draft',
  })) as {
    id: string
  }
  await own.ask(`POST /versions/${version.id}/save`, { body: { text: 'changed' } })
  expect([await textOf('draft'), await textOf('published')]).toEqual([{ data: { text: 'changed' } }, main])
})

test('the group of the page "Appearance" is a field of the settings, without a value', async () => {
  const read = (name: string) => dataOf(`GET /fields/platform_settings/${name}`)
  expect(await read('theming_group')).toMatchObject({ type: 'alias', schema: null, meta: { interface: 'group-raw' } })
  expect(await read('project_color')).toMatchObject({ meta: { group: 'theming_group' } })
  expect(await dataOf('GET /settings')).not.toHaveProperty('theming_group')
})

test('STRICT_QUERY refuses what is otherwise ignored', async () => {
  const strict = await openOwnDatabase('create table notes (id serial primary key, text text)', {
    STRICT_QUERY: 'true',
  })
  const refused = [
    ['POST /items/notes', { text: 'a', nothing: 1 }, 403],
    ['GET /items/notes?fields=text.length', undefined, 403],
    ['PATCH /settings', { mcp_enabled: true }, 403],
    ['PATCH /collections/notes', { meta: { theme: 'dark' } }, 400],
    ['PATCH /collections', [{ collection: 'platform_webhooks', meta: { sort: 1 } }], 403],
    ['POST /permissions', { policy: publicPolicy, collection: 'ghosts', action: 'read' }, 400],
  ] as const
  for (const [request, body, status] of refused)
    expect([request, (await strict.ask(request, body === undefined ? {} : { body })).status]).toEqual([request, status])
  await strict.close()
})
