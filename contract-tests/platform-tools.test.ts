/** What tools of the current platform look for beside items: relations, versions, archives, forms, own profiles. */
import { afterAll, expect, test } from 'vitest'
import { adminToken, createDatabase, openServer } from '../src/cli/test-program.ts'
import { openOwnDatabase } from './own-database.ts'
import { unzip } from './unzip.ts'

const reader = 'the-token-of-a-reader'

const database = await createDatabase({ isMigrated: true })
const admin = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'a long password', ADMIN_TOKEN: adminToken }
const server = await openServer({ ...database.settings, ...admin })
const policy = (await made('/policies', { name: 'Readers', app_access: true })).id
await made('/users', { email: 'reader@example.com', token: reader, policies: [{ policy: { id: policy } }] })

afterAll(async () => {
  await server.close()
  await database.remove()
})

type Asking = { readonly method?: string; readonly body?: unknown; readonly token?: string }

async function ask(path: string, { method = 'GET', body, token = adminToken }: Asking = {}) {
  const isForm = body instanceof FormData
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      ...(isForm ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const isJson = bytes[0] === 0x7b
  return {
    status: response.status,
    headers: response.headers,
    bytes,
    data: (isJson ? (JSON.parse(bytes.toString()) as { data: unknown }).data : undefined) as never,
  }
}

async function made(path: string, body: unknown): Promise<{ readonly id: string }> {
  const { status, data, bytes } = await ask(path, { method: 'POST', body })
  expect([path, status, bytes.toString()]).toEqual([path, 200, expect.anything()])
  return data
}

test('every relation has complete settings, those of the system say so', async () => {
  await database
    .onDatabase((db) =>
      db.run({
        text: 'create table plain_a (id serial primary key); create table plain_b (id serial primary key, a int references plain_a)',
        values: [],
      }),
    )
    .catch(() => undefined)
  await ask('/utils/cache/clear?system', { method: 'POST' })
  const relations = (await ask('/relations')).data as {
    collection: string
    field: string
    meta: { [key: string]: unknown } | null
  }[]
  const system = relations.filter(({ collection }) => collection.startsWith('platform_'))
  expect(system.length).toBeGreaterThan(30)
  expect(system.filter(({ meta }) => meta?.['system'] !== true)).toEqual([])
  const keys = [
    'many_collection',
    'many_field',
    'one_collection',
    'one_field',
    'one_collection_field',
    'one_allowed_collections',
    'junction_field',
    'sort_field',
    'one_deselect_action',
  ]
  for (const { meta } of relations) expect(Object.keys(meta ?? {})).toEqual(expect.arrayContaining(keys))
})

test.each([
  ['platform_', {}],
  ['directus_', { SYSTEM_COLLECTION_PREFIX: 'directus_' }],
])('snapshots show the settings of plain foreign keys, and ask for no rows of metadata (%s)', async (prefix, more) => {
  const own = await openOwnDatabase(
    `create table plain_a (id serial primary key);
     create table plain_b (id serial primary key, a int references plain_a, cover uuid references platform_files)`,
    more,
  )
  const { data } = (await own.ask('GET /schema/snapshot')).body as { data: { relations: { meta: object }[] } }
  const usual = {
    one_field: null,
    one_collection_field: null,
    one_allowed_collections: null,
    junction_field: null,
    sort_field: null,
    one_deselect_action: 'nullify',
  }
  expect(data.relations.map(({ meta }) => meta)).toEqual([
    { ...usual, many_collection: 'plain_b', many_field: 'a', one_collection: 'plain_a' },
    { ...usual, many_collection: 'plain_b', many_field: 'cover', one_collection: `${prefix}files` },
  ])
  const withoutSettings = { ...data, relations: data.relations.map((each) => ({ ...each, meta: null })) }
  for (const body of [data, withoutSettings]) expect((await own.ask('POST /schema/diff', { body })).status).toBe(204)
  const changed = {
    ...data,
    relations: data.relations.map(({ meta, ...rest }) => ({
      ...rest,
      meta: { ...meta, one_deselect_action: 'delete' },
    })),
  }
  const { body } = await own.ask('POST /schema/diff', { body: changed })
  expect((await own.ask('POST /schema/apply', { body: (body as { data: object }).data })).status).toBe(204)
  expect((await own.ask('POST /schema/diff', { body: changed })).status).toBe(204)
  await own.close()
})

test('the version of the platform, and that of the server beside it', async () => {
  const { version, tandem } = (await ask('/server/info')).data as { version: string; tandem: string }
  expect(version).toBe('12.2.1')
  expect(tandem).toMatch(/^\d+\.\d+\.\d+$/)
  expect((await ask('/server/info', { token: reader })).data).not.toHaveProperty('version')
  const snapshot = (await ask('/schema/snapshot')).data as object
  expect(snapshot).toMatchObject({ directus: '12.2.1', platform: tandem, systemFields: [] })
  expect((await ask('/schema/diff', { method: 'POST', body: snapshot })).status).toBe(204)
  const more = {
    ...snapshot,
    collections: [
      ...(snapshot as { collections: object[] }).collections,
      { collection: 'drawer', meta: {}, schema: null },
    ],
  }
  const diff = (await made('/schema/diff', more)) as unknown as { diff: object }
  expect(diff.diff).toMatchObject({ collections: [{ collection: 'drawer' }], systemFields: [] })
  expect((await ask('/schema/apply', { method: 'POST', body: diff })).status).toBe(204)
  expect((await ask('/collections/drawer')).status).toBe(200)
})

test('flows, operations and extensions are empty lists for users', async () => {
  for (const path of ['/flows', '/operations', '/extensions?limit=-1']) {
    expect((await ask(path)).data).toEqual([])
    expect((await ask(path, { token: reader })).data).toEqual([])
    expect((await ask(path, { token: '' })).status).toBe(401)
  }
})

test('the SDL is a file', async () => {
  for (const path of ['/server/specs/graphql', '/server/specs/graphql/system']) {
    const { headers, bytes } = await ask(path)
    expect(headers.get('content-type')).toBe('application/octet-stream')
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="?(items|system)_\d{4}-\d\d-\d\d\.graphql"/,
    )
    expect(bytes.toString()).toContain('type Query')
  }
})

const form = (...parts: readonly (readonly [name: string, value: string | File])[]): FormData => {
  const data = new FormData()
  for (const [name, value] of parts) data.append(name, value as string)
  return data
}

const upload = async (name: string, text: string, folder: string | null = null): Promise<string> => {
  const parts = [...(folder === null ? [] : [['folder', folder] as const]), ['file', new File([text], name)] as const]
  return (await made('/files', form(...parts))).id
}

test('a value behind the file is ignored and named', async () => {
  const { status, headers, data } = await ask('/files', {
    method: 'POST',
    body: form(['title', 'Kept'], ['file', new File(['x'], 'x.txt')], ['folder', 'late']),
  })
  expect([status, headers.get('ignored-fields')]).toEqual([200, 'folder'])
  expect(data).toMatchObject({ title: 'Kept', folder: null })
  const { id } = data as { id: string }
  const again = await ask(`/files/${id}`, {
    method: 'PATCH',
    body: form(['file', new File(['y'], 'y.txt')], ['title', 'Late']),
  })
  expect([again.status, again.headers.get('ignored-fields')]).toEqual([200, 'title'])
  expect(again.data).toMatchObject({ title: 'Kept' })
  expect((await ask('/files', { method: 'POST', body: form(['title', 'Alone']) })).status).toBe(400)
})

test('files and folders as archives, under the rights of the caller', async () => {
  const outer = (await made('/folders', { name: 'Outer' })).id
  const inner = (await made('/folders', { name: '../In/ner', parent: outer })).id
  const [first, second, third, deep] = await Promise.all([
    upload('same.txt', 'first'),
    upload('same.txt', 'second'),
    upload('größe.txt', 'x'.repeat(200_000), outer),
    upload('deep.txt', 'deep', inner),
  ])
  const archive = await ask('/assets/files', { method: 'POST', body: { ids: [second, first, third, first] } })
  expect(archive.status).toBe(200)
  expect(archive.headers.get('content-type')).toBe('application/zip')
  expect(archive.headers.get('content-disposition')).toMatch(/^attachment; filename="?files-.*\.zip/)
  expect(Object.entries(unzip(archive.bytes))).toEqual([
    ['same.txt', 'second'],
    ['same (1).txt', 'first'],
    ['größe.txt', 'x'.repeat(200_000)],
  ])
  const whole = await ask(`/assets/folder/${outer}`, { method: 'POST' })
  expect(unzip(whole.bytes)).toEqual({ 'größe.txt': 'x'.repeat(200_000), '.._In_ner/deep.txt': 'deep' })
  expect(whole.headers.get('content-disposition')).toContain('Outer.zip')
  expect(unzip((await ask(`/assets/folder/${inner}`, { method: 'POST' })).bytes)).toEqual({ 'deep.txt': 'deep' })
  const status = async (path: string, body: unknown, token: string) =>
    (await ask(path, { method: 'POST', body, token })).status
  const unknown = '00000000-0000-4000-8000-00000000ffff'
  expect(await status('/assets/files', { ids: [first, unknown] }, adminToken)).toBe(403)
  expect(await status('/assets/files', { ids: ['x'] }, adminToken)).toBe(403)
  expect(await status('/assets/files', { ids: [] }, adminToken)).toBe(400)
  expect(await status('/assets/files', { ids: [first] }, reader)).toBe(403)
  expect(await status(`/assets/folder/${outer}`, undefined, reader)).toBe(403)
  const notOwn = { uploaded_by: { _neq: '$CURRENT_USER' } }
  await made('/permissions', {
    policy,
    collection: 'platform_files',
    action: 'read',
    fields: ['id'],
    permissions: { _and: [{ filename_download: { _neq: 'deep.txt' } }, notOwn] },
  })
  await made('/permissions', { policy, collection: 'platform_folders', action: 'read', fields: ['*'] })
  expect(await status('/assets/files', { ids: [first] }, reader)).toBe(200)
  expect(await status('/assets/files', { ids: [first, deep] }, reader)).toBe(403)
  const seen = await ask(`/assets/folder/${outer}`, { method: 'POST', token: reader })
  expect(Object.keys(unzip(seen.bytes))).toEqual(['größe.txt'])
})

test('users of the application change their own profile, and nothing else of themselves', async () => {
  const own = (body: object) => ask('/users/me', { method: 'PATCH', body, token: reader })
  expect((await own({ first_name: 'Rea', theme_light: 'x' })).data).toMatchObject({ first_name: 'Rea' })
  for (const forbidden of [
    { role: null },
    { status: 'active' },
    { policies: [] },
    { token: 'x'.repeat(20) },
    { provider: 'x' },
  ])
    expect([forbidden, (await own(forbidden)).status]).toEqual([forbidden, 403])
  const other = await made('/users', { email: 'other@example.com' })
  expect((await ask(`/users/${other.id}`, { method: 'PATCH', body: { first_name: 'No' }, token: reader })).status).toBe(
    403,
  )
})
