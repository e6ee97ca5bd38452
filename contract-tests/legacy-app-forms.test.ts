/** The data model as the application of version 8 writes it: flags as 0 and 1, empty translations, fields without a column. */
import { afterAll, expect, test } from 'vitest'
import { askingAs, key } from './legacy-asking.ts'
import { send } from './send.ts'
import { openWorld } from './world.ts'

const world = await openWorld()
afterAll(() => world.close())

const { ask, dataOf } = askingAs(() => world)

/** What its form for a field sends, whatever the field. */
const form = (field: string, rest: object) => ({
  id: null,
  sort: null,
  field,
  default_value: null,
  options: {},
  readonly: false,
  required: false,
  unique: false,
  note: null,
  hidden_detail: false,
  hidden_browse: false,
  primary_key: false,
  validation: null,
  width: 'full',
  translation: {},
  ...rest,
})

test('its forms make a collection, a field with a column and fields without', async () => {
  const fields = [{ ...key, primary_key: 1, auto_increment: 1, hidden_detail: 1, required: 0 }]
  const made = await dataOf('POST /_/collections?fields=*.*', { collection: 'ponds', hidden: 0, single: 1, fields })
  expect(made).toMatchObject({ collection: 'ponds', managed: true, hidden: false, single: true })
  const name = form('name', { type: 'string', datatype: 'VARCHAR', interface: 'text-input', length: '100', locked: 0 })
  expect(await dataOf('POST /_/fields/ponds', name)).toMatchObject({ field: 'name', length: '100', translation: null })
  const line = form('line', { type: 'alias', datatype: null, interface: 'divider' })
  expect(await dataOf('POST /_/fields/ponds', line)).toMatchObject({ field: 'line', type: 'alias', datatype: null })
  expect(await dataOf('GET /_/fields/ponds/id')).toMatchObject({
    primary_key: true,
    auto_increment: true,
    hidden_detail: true,
    required: false,
  })
})

test('a field that was read can be sent back', async () => {
  for (const name of ['name', 'line']) {
    const read = (await dataOf(`GET /_/fields/ponds/${name}`)) as object
    expect(await dataOf(`PATCH /_/fields/ponds/${name}`, { ...read, note: 'new' })).toEqual({ ...read, note: 'new' })
  }
})

test('a collection that was read can be sent back, and makes another one', async () => {
  const { fields, ...read } = (await dataOf('GET /_/collections/ponds')) as { fields: Record<string, object> }
  const note = 'Still water'
  expect(await dataOf('PATCH /_/collections/ponds', { ...read, fields, note })).toEqual({ ...read, note })
  expect(await dataOf('GET /_/collections/ponds')).toEqual({ ...read, fields, note })
  expect(await dataOf('POST /_/collections', { ...read, collection: 'lakes', fields })).toMatchObject({ note: null })
  const copied = Object.keys(((await dataOf('GET /_/collections/lakes')) as { fields: object }).fields)
  expect(copied).toEqual(['id', 'name', 'line'])
  expect(await ask('PATCH /_/collections/ponds', { collection: 'lakes', note: 'x' })).toEqual([422, 12])
  expect(await ask('POST /_/collections', { collection: 'seas', fields: {} })).toEqual([400, 4])
})

test('translations are a list or texts by language', async () => {
  const listed = [
    { locale: 'en-US', translation: 'Ponds' },
    { locale: 'nl-NL', translation: 'Vijvers' },
  ]
  const texts = { 'en-US': 'Ponds', 'nl-NL': 'Vijvers' }
  for (const translation of [texts, listed]) {
    expect(await dataOf('PATCH /_/collections/ponds', { translation })).toMatchObject({ translation: listed })
    expect(await dataOf('PATCH /_/fields/ponds/name', { translation })).toMatchObject({ translation: listed })
  }
  expect(await dataOf('PATCH /_/collections/ponds', { translation: {} })).toMatchObject({ translation: null })
})

test('managing ends and begins by 0 and 1', async () => {
  expect(await dataOf('PATCH /_/collections/ponds', { managed: 0 })).toMatchObject({ managed: false })
  expect(await dataOf('PATCH /_/collections/ponds', { managed: 1 })).toMatchObject({ managed: true })
})

test('other numbers, and fields with a column but no datatype, are refused by name', async () => {
  const two = await send(world.url, 'PATCH /_/collections/ponds', { body: { hidden: 2 }, token: world.tokens.admin })
  expect([two.status, two.text]).toEqual([400, expect.stringContaining('hidden')])
  const deep = { field: 'deep', type: 'string', datatype: null }
  const bare = await send(world.url, 'POST /_/fields/ponds', { body: deep, token: world.tokens.admin })
  expect(bare.body).toEqual({ error: { code: 12, message: 'Field "deep": a datatype is required' } })
})

test('fields are changed and added with their collection', async () => {
  const deep = { field: 'deep', type: 'integer', datatype: 'INT', length: 10, interface: 'numeric' }
  const fields = [{ field: 'name', note: 'of the pond' }, deep]
  expect(await dataOf('PATCH /_/collections/ponds', { note: 'Ponds', fields })).toMatchObject({ note: 'Ponds' })
  expect(await dataOf('GET /_/fields/ponds/name,deep')).toMatchObject([
    { field: 'name', type: 'string', note: 'of the pond', length: '100' },
    { field: 'deep', type: 'integer', interface: 'numeric' },
  ])
  const wrong = { note: 'Lost', fields: [{ field: 'wide', type: 'nothing' }] }
  const refused = await send(world.url, 'PATCH /_/collections/ponds', { body: wrong, token: world.tokens.admin })
  expect(refused.body).toEqual({ error: { code: 401, message: 'Unknown type: nothing' } })
  expect(await dataOf('GET /_/collections/ponds')).toMatchObject({ note: 'Ponds' })
})

test('folders in one folder have different names', async () => {
  const { id: parent_folder } = (await dataOf('POST /_/folders', { name: 'Ponds' })) as { readonly id: number }
  await dataOf('POST /_/folders', { name: 'Ponds' })
  const { id } = (await dataOf('POST /_/folders', { name: 'Deep', parent_folder })) as { readonly id: number }
  const other = (await dataOf('POST /_/folders', { name: 'Flat', parent_folder })) as { readonly id: number }
  const duplicates = [
    ['POST /_/folders', { name: 'Deep', parent_folder }],
    ['POST /_/folders', [1, 2].map(() => ({ name: 'Wide', parent_folder }))],
    [`PATCH /_/folders/${other.id}`, { name: 'Deep' }],
    ['PATCH /_/folders', [{ id: other.id, name: 'Deep' }]],
  ] as const
  for (const [request, body] of duplicates) {
    const { status, body: error } = await send(world.url, request, { body, token: world.tokens.admin })
    expect([request, status, error]).toEqual([
      request,
      409,
      { error: { code: 204, message: expect.any(String) as unknown } },
    ])
  }
  expect(await dataOf(`GET /_/folders?filter[parent_folder]=${parent_folder}&fields=name&sort=name`)).toEqual([
    { name: 'Deep' },
    { name: 'Flat' },
  ])
  // The other generation knows no such rule. What it made is read and written as before.
  const { body } = await send(world.url, `GET /folders?filter[name][_eq]=Flat&fields=parent`, {
    token: world.tokens.admin,
  })
  const [{ parent }] = (body as { readonly data: readonly [{ readonly parent: string }] }).data
  await send(world.url, 'POST /folders', { body: { name: 'Deep', parent }, token: world.tokens.admin })
  expect(await dataOf(`PATCH /_/folders/${id}`, { name: 'Deep', parent_folder })).toMatchObject({ id, name: 'Deep' })
})

test('files are related through a table of plain integers, one relation after the other', async () => {
  const integer = { type: 'integer', datatype: 'INT', length: 10, interface: null, readonly: false }
  const fields = [key, { ...integer, field: 'ponds_id', required: true }, { ...integer, field: 'directus_files_id' }]
  await dataOf('POST /_/collections', { collection: 'ponds_files', hidden: true, fields })
  await dataOf('POST /_/fields/ponds', form('gallery', { type: 'o2m', datatype: null, interface: 'files' }))
  const toPonds = {
    collection_many: 'ponds_files',
    field_many: 'ponds_id',
    collection_one: 'ponds',
    field_one: 'gallery',
    junction_field: 'directus_files_id',
  }
  const toFiles = {
    collection_many: 'ponds_files',
    field_many: 'directus_files_id',
    collection_one: 'directus_files',
    field_one: null,
    junction_field: 'ponds_id',
  }
  const { id } = (await dataOf('POST /_/relations', { id: null, ...toPonds })) as { readonly id: number }
  const files = (await dataOf('POST /_/relations', { id: null, ...toFiles })) as { readonly id: number }
  expect(await dataOf(`GET /_/relations/${id}`)).toEqual({ id, ...toPonds })
  // The form of a field sends its relations whole.
  const shown = { ...toFiles, collection_one: 'platform_files' }
  expect(await dataOf(`PATCH /_/relations/${files.id}`, { ...files, ...toFiles })).toEqual({ id: files.id, ...shown })
  const item = { name: 'Pictures', gallery: [{ directus_files_id: { id: 905 } }] }
  const paths = 'fields=gallery.directus_files_id.id'
  expect(await dataOf(`POST /_/items/ponds?${paths}`, item)).toEqual({ gallery: [{ directus_files_id: { id: 905 } }] })
})

test('a minus alone selects nothing, to count', async () => {
  for (const path of ['roles', 'activity', 'items/ponds']) {
    const request = `GET /_/${path}?fields=-&limit=0&meta=total_count`
    const answer = await send(world.url, request, { token: world.tokens.admin })
    expect(answer.body).toEqual({ meta: { total_count: expect.any(Number) as unknown }, data: [] })
  }
  expect(await dataOf('GET /_/items/ponds?fields=-')).toEqual([{}])
})

test('nothing is related to an item that is not saved yet, or to several at once', async () => {
  expect(await dataOf('GET /_/items/ponds_files?filter[ponds_id]=1&fields=id')).toHaveLength(1)
  for (const name of ['ponds_id', 'ponds_id.id', 'directus_files_id', 'id']) {
    for (const text of ['%2B', '1%2C2', '99999999999999999999']) {
      expect([name, await dataOf(`GET /_/items/ponds_files?filter[${name}]=${text}`)]).toEqual([name, []])
    }
  }
  const wrong = ['filter[ponds_id][gt]=x', 'filter[ponds_id][neq]=x']
  for (const each of wrong) {
    const { status } = await send(world.url, `GET /_/items/ponds_files?${each}`, { token: world.tokens.admin })
    expect([each, status]).toEqual([each, 400])
  }
})

test('fields of the system tell the interfaces by which the application finds statuses and lists of parts', async () => {
  for (const [collection, statuses] of [
    ['users', ['draft', 'invited', 'active', 'suspended', 'deleted']],
    ['webhooks', ['active', 'inactive']],
  ] as const) {
    const { fields } = (await dataOf(`GET /_/collections/directus_${collection}`)) as {
      readonly fields: { readonly [name: string]: { readonly interface: string; readonly options: object } }
    }
    const found = Object.values(fields).find((each) => each.interface === 'status')
    const { status_mapping: mapping } = (found?.options ?? {}) as { readonly status_mapping?: object }
    expect(Object.keys(mapping ?? {})).toEqual(statuses)
  }
  for (const collection of ['users', 'files', 'roles', 'activity', 'webhooks', 'collection_presets', 'folders']) {
    const { fields } = (await dataOf(`GET /_/collections/directus_${collection}`)) as {
      readonly fields: { readonly [name: string]: { readonly interface: unknown; readonly width: unknown } }
    }
    expect(fields['id']).toMatchObject({ interface: 'primary-key', hidden_detail: true, hidden_browse: false })
    const bare = Object.entries(fields).filter(([, each]) => each.interface === null || each.width === null)
    expect([collection, bare]).toEqual([collection, []])
  }
  expect(await dataOf('GET /_/fields/platform_users/token,email,theme')).toMatchObject([
    { field: 'email', interface: 'text-input', width: 'half', hidden_detail: false, hidden_browse: false },
    { field: 'token', interface: 'text-input', width: 'full', hidden_detail: true, hidden_browse: true },
    { field: 'theme', interface: 'radio-buttons', options: { choices: { dark: 'Dark' } } },
  ])
  const preview = {
    type: 'alias',
    datatype: null,
    interface: 'file-preview',
    hidden_detail: false,
    hidden_browse: true,
  }
  expect(await dataOf('GET /_/fields/platform_files/preview')).toMatchObject(preview)
  const settings = (await dataOf('GET /_/settings/fields')) as readonly {
    readonly field: string
    readonly interface: string
    readonly options: { readonly fields?: readonly { readonly field: string }[] } | null
  }[]
  const lists = settings.filter((each) => each.interface === 'repeater')
  const parts = ['key', 'fit', 'width', 'height', 'quality']
  expect(lists.map(({ field, options }) => [field, options?.fields?.map((each) => each.field)])).toEqual([
    ['asset_whitelist', parts],
    ['asset_whitelist_system', parts],
  ])
})
