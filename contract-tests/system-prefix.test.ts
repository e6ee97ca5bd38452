/** With `SYSTEM_COLLECTION_PREFIX=directus_` the current generation knows system collections by that prefix alone. */
import { afterAll, expect, test } from 'vitest'
import { adminToken, createDatabase, openServer } from '../src/cli/test-program.ts'
import { currentRoutes } from '../src/generated/current.ts'
import { send } from './send.ts'

afterAll(() => database.remove())

type Answer = { readonly status: number; readonly text: string; readonly data: never }

/** Every answer is looked at: none may hold a stored name. The header of projects and the cookie are documented. */
async function ask(method: string, path: string, body?: unknown, token = adminToken): Promise<Answer> {
  const { status, text, headers: sent } = await send(server.url, `${method} ${path}`, { body, token })
  const headers = JSON.stringify([...sent])
  const told = `${headers}${text}`.replaceAll('platform_session_token', '')
  expect([path, /.{0,60}platform_.{0,60}/i.exec(told)?.[0]]).toEqual([path, undefined])
  const data = text.startsWith('{') ? (JSON.parse(text) as { readonly data: never }).data : (text as never)
  return { status, text, data }
}

const read = async (path: string): Promise<unknown> => (await ask('GET', path)).data

async function made(path: string, body: object): Promise<{ readonly [key: string]: never }> {
  const { status, text, data } = await ask('POST', path, body)
  expect([path, status, status === 200 ? '' : text]).toEqual([path, 200, ''])
  return data
}

const graphql = async (query: string, variables: object = {}, endpoint = '/graphql/system'): Promise<unknown> =>
  JSON.parse((await ask('POST', endpoint, { query, variables })).text) as unknown

let policy = ''

const string = (field: string) => ({ field, type: 'string', schema: {}, meta: {} })

const database = await createDatabase({ isMigrated: true })
const admin = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'a long password', ADMIN_TOKEN: adminToken }
const server = await openServer({
  ...database.settings,
  ...admin,
  SYSTEM_COLLECTION_PREFIX: 'directus_',
  COMPATIBLE_VERSION: '11.4.0',
})
await build()

async function build(): Promise<void> {
  const id = { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } }
  await made('/collections', {
    collection: 'pages',
    schema: {},
    meta: {},
    fields: [id, string('title'), { field: 'owner', type: 'uuid', schema: {} }],
  })
  await made('/collections', {
    collection: 'blocks',
    schema: {},
    meta: {},
    fields: [id, string('collection'), string('item')],
  })
  await made('/fields/blocks', { field: 'page', type: 'integer', schema: {} })
  await made('/fields/directus_users', { field: 'shoe_size', type: 'integer', schema: {}, meta: {} })
  await made('/relations', {
    collection: 'blocks',
    field: 'page',
    related_collection: 'pages',
    meta: { one_field: 'blocks' },
  })
  await made('/relations', { collection: 'pages', field: 'owner', related_collection: 'directus_users', meta: {} })
  await made('/relations', {
    collection: 'blocks',
    field: 'item',
    related_collection: null,
    meta: { one_collection_field: 'collection', one_allowed_collections: ['pages', 'directus_folders'] },
  })
  policy = String((await made('/policies', { name: 'Readers', app_access: true }))['id'])
}

test('COMPATIBLE_VERSION is the version that tools are told, beside the own one', async () => {
  const { version, tandem } = (await read('/server/info')) as { readonly version: string; readonly tandem: string }
  expect([version, tandem]).toEqual(['11.4.0', expect.stringMatching(/^\d+\.\d+\.\d+/)])
  const { directus, ...others } = (await read('/schema/snapshot')) as { readonly directus: string }
  expect([directus, Object.values(others).includes(tandem)]).toEqual(['11.4.0', true])
})

test('the data model: collections, fields, relations', async () => {
  expect(await read('/collections/directus_users')).toMatchObject({
    collection: 'directus_users',
    schema: { name: 'directus_users' },
  })
  expect((await ask('GET', '/collections/directus_nothing')).status).toBe(403)
  const all = (await read('/collections')) as readonly { readonly collection: string }[]
  expect(all.filter(({ collection }) => collection.startsWith('directus_')).length).toBeGreaterThan(15)
  expect(await read('/fields/directus_users/shoe_size')).toMatchObject({
    collection: 'directus_users',
    schema: { table: 'directus_users' },
  })
  expect(await read('/fields/pages/owner')).toMatchObject({ schema: { foreign_key_table: 'directus_users' } })
  expect(await read('/relations/pages/owner')).toMatchObject({
    related_collection: 'directus_users',
    meta: { one_collection: 'directus_users' },
  })
  expect(await read('/relations/blocks/item')).toMatchObject({
    meta: { one_allowed_collections: ['pages', 'directus_folders'] },
  })
  await ask('GET', '/fields')
  await ask('GET', '/relations')
})

test('names as values of system rows, in both directions', async () => {
  const rules = { collection: { _in: ['directus_users', 'pages'] } }
  const rule = await made('/permissions', {
    policy,
    collection: 'directus_activity',
    action: 'read',
    fields: ['*'],
    permissions: rules,
  })
  expect(rule).toMatchObject({ collection: 'directus_activity', permissions: rules })
  expect(await read('/permissions?filter[collection][_eq]=directus_activity&fields=collection,permissions')).toEqual([
    { collection: 'directus_activity', permissions: rules },
  ])
  for (const filter of [{ _starts_with: 'directus_a' }, { _in: ['directus_activity'] }, { _nin: ['directus_users'] }]) {
    const asked = encodeURIComponent(JSON.stringify({ _and: [{ policy: { _eq: policy } }, { collection: filter }] }))
    expect([filter, await read(`/permissions?fields=collection&filter=${asked}`)]).toEqual([
      filter,
      [{ collection: 'directus_activity' }],
    ])
  }
  await ask('GET', '/permissions')
  await ask('GET', '/permissions/me')
  const preset = {
    collection: 'directus_files',
    layout_query: { tabular: { sort: ['id'] } },
    filter: { collection: { _eq: 'directus_files' } },
  }
  expect(await made('/presets', preset)).toMatchObject(preset)
  const board = await made('/dashboards', { name: 'Board' })
  const panel = {
    dashboard: board['id'],
    name: 'p',
    type: 'list',
    position_x: 1,
    position_y: 1,
    width: 4,
    height: 4,
    options: { collection: 'directus_users' },
  }
  expect(await made('/panels', panel)).toMatchObject({ options: { collection: 'directus_users' } })
  const nested = { name: 'Nested', permissions: [{ collection: 'directus_files', action: 'read', fields: ['id'] }] }
  expect(await made('/policies?fields=name,permissions.collection', nested)).toEqual({
    name: 'Nested',
    permissions: [{ collection: 'directus_files' }],
  })
  await made('/comments', {
    collection: 'directus_users',
    item: ((await read('/users/me')) as { id: string }).id,
    comment: 'hm',
  })
  expect(await read('/comments?fields=collection')).toEqual([{ collection: 'directus_users' }])
  expect(await read('/activity?filter[collection][_eq]=directus_permissions&limit=1&fields=collection')).toEqual([
    { collection: 'directus_permissions' },
  ])
  expect(
    await read('/activity?aggregate[count]=*&groupBy[]=collection&filter[collection][_eq]=directus_panels'),
  ).toEqual([{ collection: 'directus_panels', count: '1' }])
  expect(await read('/revisions?filter[collection][_eq]=directus_panels&fields=collection,data')).toMatchObject([
    { collection: 'directus_panels', data: { options: { collection: 'directus_users' } } },
  ])
})

test('items of any collection, and texts of users as they are', async () => {
  await made('/folders', { name: 'Drawer' })
  const words = 'directus_users and directus_files'
  const page = { title: 'directus_users', blocks: [{ collection: 'directus_folders', item: { name: 'Made' } }] }
  expect(await made('/items/pages?fields=title,blocks.collection,blocks.item:directus_folders.name', page)).toEqual({
    title: 'directus_users',
    blocks: [{ collection: 'directus_folders', item: { name: 'Made' } }],
  })
  expect(await read('/items/blocks?fields=collection&filter[collection][_eq]=directus_folders')).toEqual([
    { collection: 'directus_folders' },
  ])
  expect(await read('/items/blocks?fields=id&filter[item:directus_folders][name][_eq]=Made')).toEqual([{ id: 1 }])
  await made('/items/pages', { title: words })
  expect(await read('/items/pages?fields=title&sort=id')).toEqual([{ title: 'directus_users' }, { title: words }])
  for (const path of ['/items/directus_users', '/items/platform_users']) {
    expect((await ask('GET', path)).status).toBe(403)
  }
  expect((await ask('POST', '/items/pages', { owner: '00000000-0000-4000-8000-00000000000f' })).text).toContain(
    'INVALID_FOREIGN_KEY',
  )
})

test('GraphQL: names of types, arguments and answers', async () => {
  const types = (await graphql('{ __schema { types { name } } }')) as {
    data: { __schema: { types: { name: string }[] } }
  }
  const names = types.data.__schema.types.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining([
      'directus_users',
      'directus_collections',
      'create_directus_users_input',
      'directus_users_filter',
    ]),
  )
  expect(await graphql('{ users_me { __typename email } }')).toEqual({
    data: { users_me: { __typename: 'directus_users', email: 'admin@example.com' } },
  })
  expect(
    await graphql(
      'query($name: String!) { collections_by_name(name: $name) { collection } fields_in_collection(collection: $name) { collection } }',
      { name: 'directus_folders' },
    ),
  ).toMatchObject({ data: { collections_by_name: { collection: 'directus_folders' } } })
  expect(await graphql('{ permissions(filter: { collection: { _eq: "directus_activity" } }) { collection } }')).toEqual(
    {
      data: { permissions: [{ collection: 'directus_activity' }] },
    },
  )
  expect(
    await graphql(
      'mutation { create_permissions_item(data: { collection: "directus_roles", action: "read", policy: { id: "' +
        policy +
        '" } }) { collection } }',
    ),
  ).toEqual({
    data: { create_permissions_item: { collection: 'directus_roles' } },
  })
  expect(
    await graphql('{ blocks { collection item { __typename ... on directus_folders { name } } } }', {}, '/graphql'),
  ).toEqual({
    data: { blocks: [{ collection: 'directus_folders', item: { __typename: 'directus_folders', name: 'Made' } }] },
  })
  expect(
    await graphql(
      '{ blocks(filter: { item__directus_folders: { name: { _eq: "Made" } } }) { collection } }',
      {},
      '/graphql',
    ),
  ).toEqual({
    data: { blocks: [{ collection: 'directus_folders' }] },
  })
  await graphql('{ directus_nothing { id } }')
})

test('the names of Tandem are taken, too', async () => {
  expect(
    await graphql('query ($f: platform_permissions_filter) { permissions(filter: $f) { collection } }', {
      f: { collection: { _eq: 'platform_activity' } },
    }),
  ).toEqual({ data: { permissions: [{ collection: 'directus_activity' }] } })
  expect(await graphql('{ blocks { item { ... on platform_folders { name } } } }', {}, '/graphql')).toEqual({
    data: { blocks: [{ item: { name: 'Made' } }] },
  })
  expect(await read('/items/blocks?fields=item:platform_folders.name')).toEqual([{ item: { name: 'Made' } }])
  expect(await read('/items/blocks?fields=collection&filter[item:platform_folders][name][_eq]=Made')).toEqual([
    { collection: 'directus_folders' },
  ])
})

test('specs, snapshots, diffs and their application', async () => {
  expect((await ask('GET', '/server/specs/oas')).text).toContain('directus_users')
  expect((await ask('GET', '/server/specs/graphql/system')).text).toContain('type directus_users')
  const snapshot = (await read('/schema/snapshot')) as {
    relations: { related_collection: string | null }[]
    fields: object[]
  }
  expect(snapshot.relations.map(({ related_collection }) => related_collection)).toContain('directus_users')
  expect(snapshot.fields).toContainEqual(expect.objectContaining({ collection: 'directus_users', field: 'shoe_size' }))
  expect((await ask('POST', '/schema/diff', snapshot)).status).toBe(204)
  const without = {
    ...snapshot,
    fields: snapshot.fields.filter((each) => (each as { field: string }).field !== 'shoe_size'),
  }
  const diff = (await made('/schema/diff', without)) as unknown as { diff: { fields: readonly object[] } }
  expect(diff.diff.fields).toMatchObject([{ collection: 'directus_users', field: 'shoe_size' }])
  expect((await ask('POST', '/schema/apply', diff)).status).toBe(204)
  expect((await ask('GET', '/fields/directus_users/shoe_size')).status).toBe(403)
  for (const format of ['yaml', 'csv', 'xml']) await ask('GET', `/schema/snapshot?export=${format}`)
})

test('the configuration is read, planned and applied with these names, and taken with those of Tandem too', async () => {
  await made('/fields/directus_users', { field: 'hat_size', type: 'integer', schema: {}, meta: {} })
  type File = { readonly fields: object }
  const configuration = (await read('/configuration')) as { readonly collections: { readonly [name: string]: File } }
  const { directus_users: users } = configuration.collections
  expect(users).toMatchObject({ fields: { hat_size: { type: 'integer' } } })
  expect(await made('/configuration/plan', { configuration, prune: true })).toMatchObject({ changes: [] })
  const added = { fields: { ...users?.fields, waist: { type: 'integer' } } }
  const changes = ['Create field "directus_users.waist" (integer)']
  for (const name of ['directus_users', 'platform_users']) {
    const plan = await made('/configuration/plan', { configuration: { collections: { [name]: added } } })
    expect(plan).toMatchObject({ changes: changes.map((words) => ({ words })) })
  }
  const body = { configuration: { collections: { directus_users: added } }, changes }
  expect(await ask('POST', '/configuration/apply', body)).toMatchObject({ status: 204, text: '' })
  expect((await ask('GET', '/fields/directus_users/waist')).status).toBe(200)
})

test('every operation that only reads, as an administrator, as a reader and as nobody', async () => {
  const user = await made('/users', {
    email: 'reader@example.com',
    token: 'the-token-of-a-reader',
    policies: [{ policy: { id: policy } }],
  })
  expect(user['email']).toBe('reader@example.com')
  const values: { readonly [name: string]: string } = {
    collection: 'directus_users',
    field: 'email',
    id: '1',
    scope: 'system',
  }
  const paths = currentRoutes
    .filter(({ method, path }) => method.toUpperCase() === 'GET' && !/^\/(?:docs|uploads)/.test(path))
    .map(({ path }) => path.replaceAll(/[:{](\w+)\}?/g, (_, name: string) => values[name] ?? 'x'))
  expect(paths.length).toBeGreaterThan(60)
  for (const token of [adminToken, 'the-token-of-a-reader', ''])
    for (const path of new Set(paths)) expect((await ask('GET', path, undefined, token)).status).toBeLessThan(500)
})

test('the legacy generation takes the stored names, too', async () => {
  const response = await fetch(`${server.url}/_/collections/platform_users`, {
    headers: { authorization: `Bearer ${adminToken}` },
  })
  expect(response.status).toBe(200)
})

test('columns keep their names, also those that begin with the name of a system collection', async () => {
  const id = { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } }
  const file = { field: 'directus_files_id', type: 'uuid', schema: {}, meta: {} }
  await made('/collections', { collection: 'pages_files', schema: {}, meta: {}, fields: [id, file] })
  await made('/relations', { collection: 'pages_files', field: file.field, related_collection: 'directus_files' })
  expect(await read(`/relations/pages_files/${file.field}`)).toMatchObject({ related_collection: 'directus_files' })
  expect(await made('/items/pages_files', { [file.field]: null })).toEqual({ id: 1, [file.field]: null })
})

test('what applications need to show system collections: forms, junctions, folders of one kind, counts per role', async () => {
  const shown = { interface: 'select-dropdown-m2o', options: { template: '{{name}}' }, hidden: false, system: true }
  expect(await read('/fields/directus_users/role')).toMatchObject({ meta: shown })
  expect(await read('/fields/directus_users/last_page')).toMatchObject({ meta: { hidden: true } })
  await made('/fields/directus_users', { field: 'glove_size', type: 'integer', schema: {}, meta: {} })
  expect(await read('/fields/directus_users/glove_size')).toMatchObject({ meta: { interface: null, hidden: false } })
  expect(await read('/relations/directus_access/role')).toMatchObject({ meta: { junction_field: 'policy' } })
  for (const field of ['key', 'language', 'value'])
    expect(await read(`/fields/directus_translations/${field}`)).toMatchObject({ meta: { required: true } })
  expect(await read('/fields/directus_collections/archive_field')).toMatchObject({
    meta: { interface: 'system-field', options: { collectionField: 'collection' } },
  })
  expect(await read('/fields/directus_collections/collapse')).toMatchObject({ meta: { hidden: true } })
  const attachments = (await read('/relations/directus_access')) as readonly {
    readonly field: string
    readonly meta: { readonly one_field: string; readonly junction_field: string }
  }[]
  const sides = attachments.map(({ field, meta }) => `${field} ${meta.one_field} ${meta.junction_field}`)
  const expected = ['policy roles role', 'policy users user', 'role policies policy', 'user policies policy']
  expect(new Set(sides)).toEqual(new Set(expected))
  const ofUsers = { junctionFilter: { user: { _nnull: true } } }
  expect(await read('/fields/directus_policies/users')).toMatchObject({ meta: { options: ofUsers } })
  expect(await read('/collections/directus_webhooks')).toMatchObject({ meta: { hidden: true } })
  const { id } = await made('/folders', { name: 'Pictures' })
  await made('/folders', { name: 'Others', type: 'flows' })
  const named = '/folders?filter[name][_in]=Pictures,Others&filter[type][_eq]=files'
  expect(await read(named)).toEqual([{ id, name: 'Pictures', parent: null, type: 'files' }])
  const roles = (await read(
    '/roles?fields=name,users&deep[users][_aggregate][count]=id&deep[users][_groupBy]=role',
  )) as readonly { readonly name: string; readonly users: readonly { readonly count: { readonly id: unknown } }[] }[]
  const counts = roles.map(({ name, users }) => [name, users.map(({ count }) => Number(count.id))])
  expect(counts).toContainEqual(['Administrator', [1]])
})

test('what is stored has the names of Tandem', async () => {
  // The embedded database serves one process at a time.
  await server.close()
  const text = 'select title, collection from pages, blocks order by pages.id'
  const { rows } = await database.onDatabase((db) => db.run({ text, values: [] }))
  expect(rows).toMatchObject([
    { title: 'directus_users', collection: 'platform_folders' },
    { title: 'directus_users and directus_files', collection: 'platform_folders' },
  ])
})
