/** With `SYSTEM_COLLECTION_PREFIX=directus_` the legacy generation names system collections as version 8 did. */
import { afterAll, expect, test } from 'vitest'
import { adminToken, createDatabase, openServer } from '../src/cli/test-program.ts'
import { legacyRoutes } from '../src/generated/legacy.ts'
import { key } from './legacy-asking.ts'
import { send } from './send.ts'

const database = await createDatabase({ isMigrated: true })
const server = await openServer({
  ...database.settings,
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: 'a long password',
  ADMIN_TOKEN: adminToken,
  SYSTEM_COLLECTION_PREFIX: 'directus_',
})
afterAll(async () => {
  await server.close()
  await database.remove()
})

type Answer = { readonly status: number; readonly data: never }

/** Every answer is looked at: none may hold a stored name. */
async function ask(request: string, body?: unknown, token = adminToken): Promise<Answer> {
  const { status, text } = await send(server.url, request, { body, token })
  expect([request, /.{0,60}platform_.{0,60}/i.exec(text)?.[0]]).toEqual([request, undefined])
  return { status, data: (text.startsWith('{') ? (JSON.parse(text) as { data: unknown }).data : text) as never }
}

async function dataOf(request: string, body?: unknown, token = adminToken): Promise<never> {
  const { status, data } = await ask(request, body, token)
  expect([request, status]).toEqual([request, 200])
  return data
}

const named = (rows: readonly { readonly collection: string }[]) => rows.map(({ collection }) => collection)

test('collections, fields and relations of the system have its names', async () => {
  await dataOf('POST /_/collections', { collection: 'ponds', fields: [key] })
  await dataOf('POST /_/fields/ponds', { field: 'picture', type: 'file', interface: 'file' })
  const relation = {
    collection_many: 'ponds',
    field_many: 'picture',
    collection_one: 'directus_files',
    field_one: null,
  }
  await dataOf('POST /_/relations', relation)
  expect(
    await dataOf('GET /_/relations?filter[collection_one][eq]=directus_files&filter[collection_many][eq]=ponds'),
  ).toMatchObject([relation])
  const names = named(await dataOf('GET /_/collections'))
  expect(names).toEqual(names.toSorted())
  expect(names).toEqual(
    expect.arrayContaining(['directus_collection_presets', 'directus_permissions', 'directus_users', 'ponds']),
  )
  expect(await dataOf('GET /_/collections/directus_users')).toMatchObject({ collection: 'directus_users' })
  expect(new Set(named(await dataOf('GET /_/fields/directus_files')))).toEqual(new Set(['directus_files']))
  expect(new Set(named(await dataOf('GET /_/fields/directus_collection_presets')))).toEqual(
    new Set(['directus_collection_presets']),
  )
  expect(new Set(named(await dataOf('GET /_/settings/fields')))).toEqual(new Set(['directus_settings']))
})

test('rows that name a collection take and show its name, and find it by filters', async () => {
  const preset = { collection: 'directus_files', title: 'Pictures' }
  const { id } = (await dataOf('POST /_/collection_presets', preset)) as { readonly id: number }
  expect(await dataOf(`GET /_/collection_presets/${id}`)).toMatchObject(preset)
  const found = await dataOf('GET /_/collection_presets?filter[collection][eq]=directus_files&fields=id')
  expect(found).toEqual([{ id }])
  const { id: role } = (await dataOf('POST /_/roles', { name: 'Readers' })) as { readonly id: number }
  const right = { collection: 'directus_collection_presets', role, read: 'full' }
  const [held] = (await dataOf(
    `GET /_/permissions?filter[role][eq]=${role}&filter[collection][eq]=${right.collection}`,
  )) as readonly { readonly id: number }[]
  expect(await dataOf(`PATCH /_/permissions/${held?.id}`, { read: 'full' })).toMatchObject(right)
  const token = 'token-of-a-reader'
  await dataOf('POST /_/users', { email: 'reader@example.com', role, status: 'active', token })
  expect(await dataOf('GET /_/permissions/me/directus_collection_presets', undefined, token)).toMatchObject(right)
  expect(named(await dataOf('GET /_/permissions/me', undefined, token))).toContain('directus_revisions')
})

test('an item that is written is recorded under its name', async () => {
  const { id } = (await dataOf('POST /_/folders', { name: 'Maps' })) as { readonly id: number }
  const entries = await dataOf('GET /_/activity?filter[collection][eq]=directus_folders&meta=*')
  expect(entries).toMatchObject([{ action: 'create', collection: 'directus_folders', item: String(id) }])
  expect(named(await dataOf('GET /_/revisions?filter[collection][eq]=directus_folders'))).toEqual(['directus_folders'])
})

test('errors and missing things do not show stored names', async () => {
  expect((await ask('GET /_/items/directus_users/99')).status).toBeGreaterThan(399)
  expect((await ask('GET /_/fields/directus_users/nothing')).status).toBe(404)
  expect((await ask('GET /_/users?fields=nothing')).status).toBe(400)
})

test('sizes of pictures have the names by which the application looks for them, and are found by them', async () => {
  const keys = ['small', 'medium', 'large'].flatMap((size) => [`directus-${size}-crop`, `directus-${size}-contain`])
  const [setting] = (await dataOf('GET /_/settings?filter[key][eq]=asset_whitelist_system')) as readonly {
    readonly id: number
    readonly value: readonly { readonly key: string }[]
  }[]
  const sizes =
    typeof setting?.value === 'string' ? (JSON.parse(setting.value) as typeof setting.value) : setting?.value
  expect(sizes?.map(({ key }) => key)).toEqual(keys)
  const data = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
  const file: { readonly data: { readonly thumbnails: readonly { readonly key: string; readonly url: string }[] } } =
    await dataOf('POST /_/files', { filename_download: 'dot.gif', data })
  expect(file.data.thumbnails.map(({ key }) => key)).toEqual(keys)
  const headers = { authorization: `Bearer ${adminToken}` }
  for (const { url } of file.data.thumbnails) {
    expect([url, (await fetch(url, { headers })).status]).toEqual([expect.stringContaining('?key=directus-'), 200])
  }
})

test('types of GraphQL have its names', async () => {
  const data: { readonly __schema: { readonly types: readonly { readonly name: string }[] } } = await dataOf(
    'POST /_/gql',
    { query: '{ __schema { types { name description fields { name description } } } }' },
  )
  expect(data.__schema.types.length).toBeGreaterThan(10)
})

const reads = legacyRoutes.filter(({ method }) => method === 'GET')

test('no read of the generation shows a stored name', async () => {
  expect(reads.length).toBeGreaterThan(60)
  for (const { path } of reads) {
    if (/\{project\}\/(assets|server\/logs)/.test(path)) continue
    const url = path
      .replace('{project}', '_')
      .replace('{collection}', 'ponds')
      .replaceAll(/\{[^}]+\}/g, '1')
    await ask(`GET ${url}?meta=*`)
  }
})
