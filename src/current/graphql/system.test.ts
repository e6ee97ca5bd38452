import { afterAll, beforeAll, expect, test } from 'vitest'
import { testUser, userWith } from '../../core/testing/test-context.ts'
import { type GraphqlWorld, openGraphqlWorld } from '../testing/test-graphql.ts'

let world: GraphqlWorld
let ask: (query: string, options?: Parameters<GraphqlWorld['ask']>[1]) => ReturnType<GraphqlWorld['ask']>

beforeAll(async () => {
  world = await openGraphqlWorld()
  ask = (query, options) => world.ask(query, { scope: 'system', ...options })
})

afterAll(() => world.close())

test('rows of the system, their relations and groups', async () => {
  const created = await ask(`mutation {
    create_dashboards_item(data: { name: "Board", panels: [{ name: "Clock", type: "time", position_x: 1, position_y: 1, width: 2, height: 2 }] }) { id name panels { name } }
    create_folders_items(data: [{ name: "one" }, { name: "two" }], sort: ["name"]) { name }
  }`)
  expect(created).toMatchObject({
    data: {
      create_dashboards_item: { name: 'Board', panels: [{ name: 'Clock' }] },
      create_folders_items: [{ name: 'one' }, { name: 'two' }],
    },
  })
  const { create_dashboards_item: board } = created.data as { readonly create_dashboards_item: { readonly id: string } }
  const { id } = board
  const query = `query ($id: ID!) {
    dashboards_by_id(id: $id) { name panels { dashboard { name } } panels_func { count } }
    panels_aggregated(filter: { name: { _in: ["Clock", "Other"] } }) { countAll sum { width } }
    folders(filter: { name: { _eq: "two" } }) { name __typename }
    settings { project_name }
  }`
  expect(await ask(query, { variables: { id } })).toEqual({
    data: {
      dashboards_by_id: { name: 'Board', panels: [{ dashboard: { name: 'Board' } }], panels_func: { count: 1 } },
      panels_aggregated: [{ countAll: 1, sum: { width: 2 } }],
      folders: [{ name: 'two', __typename: 'platform_folders' }],
      settings: expect.objectContaining({}),
    },
  })
  expect(await ask('mutation { update_settings(data: { project_name: "Mine" }) { project_name } }')).toEqual({
    data: { update_settings: { project_name: 'Mine' } },
  })
})

test('seeded files', async () => {
  const [row] = (await world.rowsOf(
    `insert into platform_files (id, storage, filename_download, title, uploaded_by)
     values (gen_random_uuid(), 'local', 'a.txt', 'A', '${testUser}') returning id`,
  )) as readonly { readonly id: string }[]
  const id = row?.id ?? ''
  const query = `
    mutation ($id: ID!, $one: update_platform_files_input!, $all: update_platform_files!, $ids: [ID!]!) {
      update_files_item(id: $id, data: $one) { title }
      update_files_items(ids: $ids, data: $all) { title }
      delete_files_item(id: $id) { id }
    }`
  const variables = { id, ids: [id], one: { title: 'B' }, all: { title: 'C' } }
  expect(await ask(query, { variables })).toEqual({
    data: { update_files_item: { title: 'B' }, update_files_items: [{ title: 'C' }], delete_files_item: { id } },
  })
  const answer = await ask('mutation { import_file(url: "ftp://x", data: { title: "t" }) { id } }')
  expect(answer).toMatchObject({ data: { import_file: null }, errors: [{ path: ['import_file'] }] })
})

test('the current user', async () => {
  expect(await ask('{ server_ping users_me { id email } policies_me_globals { admin: admin_access } }')).toEqual({
    data: {
      server_ping: 'pong',
      users_me: { id: testUser, email: 'test@example.com' },
      policies_me_globals: { admin: true },
    },
  })
  expect(await ask('mutation { update_users_me(data: { first_name: "Tess" }) { name: first_name } }')).toEqual({
    data: { update_users_me: { name: 'Tess' } },
  })
  expect(await ask('{ server_info { project { project_name } setupCompleted } }')).toMatchObject({
    data: { server_info: { project: { project_name: 'Mine' } } },
  })
})

test('reads and changes the data model', async () => {
  expect(await ask('{ collections_by_name(name: "authors") { collection meta { note } schema { name } } }')).toEqual({
    data: { collections_by_name: { collection: 'authors', meta: { note: 'Who writes' }, schema: { name: 'authors' } } },
  })
  expect(await ask('{ fields_by_name(collection: "authors", field: "name") { type schema { max_length } } }')).toEqual({
    data: { fields_by_name: { type: 'string', schema: { max_length: 100 } } },
  })
  expect(await ask('{ relations_in_collection(collection: "comments") { field related_collection } }')).toEqual({
    data: {
      relations_in_collection: expect.arrayContaining([{ field: 'article', related_collection: 'articles' }]),
    },
  })
  const made = await ask(`mutation {
    create_collections_item(data: { collection: "shelves", schema: {}, fields: [
      { field: "id", type: "integer", schema: { is_primary_key: true, has_auto_increment: true } }
    ] }) { collection }
  }`)
  expect(made).toEqual({ data: { create_collections_item: { collection: 'shelves' } } })
  const schema = await world.loadSchema()
  const changes = { schema, view: (await import('../views/schema-view.ts')).createView(schema) }
  const rest = `mutation {
    create_fields_item(collection: "shelves", data: { field: "label", type: "string", schema: { max_length: 20 } }) { field }
    delete_fields_item(collection: "shelves", field: "label") { collection field }
    delete_collections_item(collection: "shelves") { collection }
  }`
  expect(await ask(rest, { changes })).toMatchObject({ data: { create_fields_item: { field: 'label' } } })
})

test('utilities have the limits of REST', async () => {
  const answer = await ask(`mutation {
    utils_random_string(length: 5)
    hash: utils_hash_generate(string: "x")
    utils_hash_verify(string: "x", hash: "nothing")
    utils_cache_clear
  }`)
  expect(answer.data).toMatchObject({ utils_random_string: 'xxxxx', utils_hash_verify: false, utils_cache_clear: null })
  expect(await ask('mutation { utils_random_string(length: 1000) }')).toMatchObject({
    data: { utils_random_string: null },
    errors: [{ extensions: { code: 'INVALID_QUERY' } }],
  })
  expect(await ask('mutation { auth_login(email: "", password: "x") { access_token } }')).toMatchObject({
    data: { auth_login: null },
    errors: [{ extensions: { code: 'INVALID_PAYLOAD' } }],
  })
})

test('unreadable names are absent from the system schema too', async () => {
  const actor = userWith([{ collection: 'platform_folders', fields: ['id', 'name'] }], { fingerprint: 'folders' })
  const types = JSON.stringify(await ask('{ __schema { types { name } queryType { fields { name } } } }', { actor }))
  expect(types).toMatch(/"folders_by_id"/)
  expect(types).not.toMatch(/platform_users|platform_roles|"users_me"|"roles"/)
  expect(await ask('{ folders { parent } }', { actor })).toMatchObject({
    errors: [{ extensions: { code: 'GRAPHQL_VALIDATION' } }],
  })
  expect(await ask('{ server_specs_graphql(scope: system) }', { actor })).toMatchObject({
    data: { server_specs_graphql: expect.not.stringContaining('platform_users') as string },
  })
})

test('permissions are listed without a limit, as in REST', async () => {
  await world.rowsOf(
    `insert into platform_policies (id, name) values ('00000000-0000-4000-8000-00000000aaaa', 'many');
     insert into platform_permissions (policy, collection, action)
     select '00000000-0000-4000-8000-00000000aaaa', 'articles' || n, 'read' from generate_series(1, 150) n`,
  )
  const filter = '{ policy: { name: { _eq: "many" } } }'
  const answer = await ask(
    `{ all: permissions(filter: ${filter}) { id } some: permissions(limit: 2, filter: ${filter}) { id } }`,
  )
  expect([answer.data?.['all'], answer.data?.['some']].map((each) => (each as readonly object[]).length)).toEqual([
    150, 2,
  ])
})
