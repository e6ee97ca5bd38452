import { afterAll, expect, test } from 'vitest'
import { testUser, userWith } from '../../core/testing/test-context.ts'
import { type GraphqlWorld, openGraphqlWorld } from '../testing/test-graphql.ts'

const world = await openGraphqlWorld()
const ask: (query: string, options?: Parameters<GraphqlWorld['ask']>[1]) => ReturnType<GraphqlWorld['ask']> = (
  query,
  options,
) => world.ask(query, { scope: 'system', ...options })

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
  const id = '7c0e2a52-9d1b-4d7e-8f3c-3c5d5e6f7a81'
  await world.rowsOf(
    `insert into platform_files (id, storage, filename_download, title, uploaded_by)
     values ('${id}', 'local', 'a.txt', 'A', '${testUser}')`,
  )
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
  expect(await ask('{ server_info { project { project_name } extensions queryLimit } }')).toEqual({
    data: {
      server_info: {
        project: { project_name: 'Mine' },
        extensions: { limit: null },
        queryLimit: { default: 100, max: -1 },
      },
    },
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
  expect(await ask('{ relations_by_name(collection: "pages_blocks", field: "item") { related_collection } }')).toEqual({
    data: { relations_by_name: { related_collection: null } },
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

test('the data model as a document: taken, compared and changed', async () => {
  const { data } = await ask('{ schema_snapshot(include: ["tags"]) all: schema_snapshot }')
  const snapshot = data?.['schema_snapshot'] as { readonly version: number; readonly collections: readonly object[] }
  expect(snapshot).toMatchObject({ version: 2, collections: [{ collection: 'tags' }] })
  expect(data?.['all']).toMatchObject({ version: 1 })
  const query = 'query ($snapshot: JSON!) { schema_diff(snapshot: $snapshot) }'
  expect(await ask(query, { variables: { snapshot } })).toEqual({ data: { schema_diff: null } })
  const changed = {
    ...snapshot,
    collections: [{ collection: 'tags', meta: { note: 'Words' }, schema: { name: 'tags' } }],
  }
  const { data: found } = await ask(query, { variables: { snapshot: changed } })
  const apply = 'mutation ($diff: JSON!) { schema_apply(diff: $diff) collections_after: utils_cache_clear }'
  expect(await ask(apply, { variables: { diff: found?.['schema_diff'] } })).toEqual({
    data: { schema_apply: true, collections_after: null },
  })
  const rows = await world.rowsOf("select note from platform_collections where collection = 'tags'")
  expect(rows).toEqual([{ note: 'Words' }])
  expect(await ask(query, { variables: { snapshot: { nonsense: 1 } } })).toMatchObject({
    data: { schema_diff: null },
    errors: [{ extensions: { code: 'INVALID_PAYLOAD' } }],
  })
  const actor = userWith([{ collection: 'tags' }], { fingerprint: 'tags' })
  expect(await ask('{ schema_snapshot }', { actor })).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] })
})

test('several collections and fields at once', async () => {
  const made = await ask(`mutation {
    create_collections_items(data: [{ collection: "one" }, { collection: "two" }]) { collection }
    update_collections_batch(data: [{ collection: "one", meta: { note: "First" } }]) { meta { note } }
  }`)
  expect(made.data).toMatchObject({ create_collections_items: [{ collection: 'one' }, { collection: 'two' }] })
  const schema = await world.loadSchema()
  const changes = { schema, view: (await import('../views/schema-view.ts')).createView(schema) }
  const deleted = 'mutation { delete_collections_items(collections: ["one", "two"]) { collections } }'
  expect(await ask(deleted, { changes })).toEqual({
    data: { delete_collections_items: { collections: ['one', 'two'] } },
  })
  expect(
    await ask(
      `mutation { create_fields_items(collection: "tags", data: [{ field: "a", type: "integer", schema: {} }, { field: "b", type: "integer", schema: {} }]) { field type } }`,
    ),
  ).toEqual({
    data: {
      create_fields_items: [
        { field: 'a', type: 'integer' },
        { field: 'b', type: 'integer' },
      ],
    },
  })
})

test('rows come in, and go out into a file', async () => {
  const rows =
    'mutation { utils_import(collection: "tags", rows: [{ name: "snow", color: "white" }, { name: "ice", color: "blue" }]) }'
  expect(await ask(rows)).toEqual({ data: { utils_import: true } })
  expect(await world.rowsOf("select name, color from tags where name in ('snow', 'ice') order by name")).toEqual([
    { name: 'ice', color: 'blue' },
    { name: 'snow', color: 'white' },
  ])
  const wrong = await ask('mutation { utils_import(collection: "tags", rows: [{ name: "hail", nowhere: 1 }]) }')
  expect(wrong).toMatchObject({ data: { utils_import: null }, errors: [{ path: ['utils_import'] }] })
  const out = `mutation { utils_export(collection: "tags", format: csv, query: { fields: ["name"], sort: ["name"], limit: 1 }, file: { title: "Words" }) }`
  expect(await ask(out)).toEqual({ data: { utils_export: true } })
  expect(await world.rowsOf("select type from platform_files where title = 'Words'")).toEqual([{ type: 'text/csv' }])
})

test('rights on an item and the kind of login', async () => {
  const actor = userWith([{ collection: 'tags', action: 'update', fields: ['color'] }, { collection: 'tags' }], {
    fingerprint: 'colours',
  })
  expect(await ask('{ permissions_me_item(collection: "tags", id: "sport") auth_providers }', { actor })).toMatchObject(
    {
      data: {
        permissions_me_item: { update: { access: true, fields: ['color'] }, delete: { access: false } },
        auth_providers: [],
      },
    },
  )
  const setUp = 'mutation { server_setup(email: "a@example.com", password: "correct-horse-42") }'
  expect(await ask(setUp)).toMatchObject({
    data: { server_setup: null },
    errors: [{ extensions: { code: 'FORBIDDEN' } }],
  })
  expect(await ask('mutation { shares_auth(share: "0") { access_token } }')).toMatchObject({
    data: { shares_auth: null },
    errors: [{ path: ['shares_auth'] }],
  })
  expect(await ask('mutation { users_me_track_page(last_page: "/here") }')).toEqual({
    data: { users_me_track_page: true },
  })
  expect(await ask('mutation ($id: ID!) { users_tfa_disable(id: $id) }', { variables: { id: testUser } })).toEqual({
    data: { users_tfa_disable: true },
  })
})
