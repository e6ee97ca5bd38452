/** A project travels by a template: read from one server, and applied to another, by the requests of the template tool. */
import { afterAll, expect, test } from 'vitest'
import { type OwnDatabase, openOwnDatabase } from './own-database.ts'
import { applyTemplate, extractTemplate, type Template } from './template-requests.ts'

const prefix = { SYSTEM_COLLECTION_PREFIX: 'directus_' }

const made = async (path: string, body: object): Promise<string> => {
  const reply = await source.ask(`POST ${path}`, { body })
  expect([path, reply.status]).toEqual([path, 200])
  return (reply.body as { data: { id: string } }).data.id
}
const list = async (own: OwnDatabase, path: string) => ((await own.ask(`GET ${path}`)).body as { data: unknown }).data

const key = { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true }, meta: {} }
const column = (field: string, type: string, meta: object = {}, schema: object = {}) => ({ field, type, meta, schema })

async function makeTravels(): Promise<void> {
  const places = [
    key,
    column('name', 'string', { required: true, interface: 'input' }, { is_nullable: false }),
    column('photo', 'uuid', { special: ['file'], interface: 'file-image' }),
    column('creator', 'uuid', { special: ['user-created'] }),
  ]
  const id = column('id', 'uuid', { special: ['uuid'] }, { is_primary_key: true })
  const stops = { field: 'stops', type: 'alias', meta: { special: ['m2m'], interface: 'list-m2m' } }
  const code = column('code', 'string', {}, { is_unique: true })
  const tours = [id, column('title', 'string'), column('start', 'integer', { special: ['m2o'] }), code, stops]
  const between = [key, column('tour', 'uuid'), column('place', 'integer'), column('position', 'integer')]
  await made('/collections', { collection: 'travel', schema: null, meta: { icon: 'folder' } })
  await made('/collections', { collection: 'places', schema: {}, meta: { note: 'Where we went' }, fields: places })
  await made('/collections', { collection: 'tours', schema: {}, meta: { group: 'travel' }, fields: tours })
  await made('/collections', { collection: 'tours_places', schema: {}, meta: { hidden: true }, fields: between })
  const relate = (collection: string, field: string, related: string, more: object = {}) =>
    made('/relations', { collection, field, related_collection: related, schema: {}, meta: {}, ...more })
  await relate('places', 'photo', 'directus_files', { schema: { on_delete: 'SET NULL' } })
  await relate('places', 'creator', 'directus_users')
  await relate('tours', 'start', 'places')
  await relate('tours_places', 'tour', 'tours', {
    meta: { one_field: 'stops', junction_field: 'place', sort_field: 'position' },
  })
  await relate('tours_places', 'place', 'places', { meta: { junction_field: 'tour' } })
  await made('/fields/directus_users', column('nickname', 'string'))
}

async function fillTravels(): Promise<void> {
  const folder = await made('/folders', { name: 'Pictures', parent: await made('/folders', { name: 'All' }) })
  const form = new FormData()
  for (const [name, value] of Object.entries({ title: 'Harbour', folder })) form.append(name, value)
  form.append('file', new File(['a small text'], 'harbour.txt', { type: 'text/plain' }))
  const headers = { authorization: `Bearer ${source.adminToken}` }
  const response = await fetch(`${source.url}/files`, { method: 'POST', headers, body: form })
  const { data: photo } = (await response.json()) as { data: { id: string } }
  await made('/items/places', [{ name: 'Harbour', photo: photo.id }, { name: 'Hill' }, { name: 'Old town' }])
  const stops = [2, 3].map((place, index) => ({ place, position: index + 1 }))
  await made('/items/tours', { title: 'Round trip', start: 1, code: 'R1', stops })
  const policy = await made('/policies', { name: 'Guides', app_access: true })
  const role = await made('/roles', { name: 'Guides', policies: [{ policy }] })
  const permissions = { title: { _nnull: true } }
  await made('/permissions', { policy, collection: 'tours', action: 'read', fields: ['*'], permissions })
  await made('/users', { email: 'guide@example.com', role, nickname: 'G' })
  const dashboard = await made('/dashboards', { name: 'Bookings' })
  const place = { position_x: 1, position_y: 1, width: 6, height: 4 }
  await made('/panels', { dashboard, name: 'Count', type: 'metric', ...place, options: { collection: 'tours' } })
  await made('/translations', { language: 'de-DE', key: 'tour', value: 'Rundreise' })
  await made('/presets', { collection: 'tours', bookmark: 'All tours', layout: 'tabular' })
}

let template: Template
const source = await openOwnDatabase('select 1', prefix)
const target = await openOwnDatabase('select 1', prefix)
await makeTravels()
await fillTravels()
afterAll(async () => {
  await source.close()
  await target.close()
})

/** What both servers have, in words that do not depend on the server. */
const questions = [
  '/items/tours?fields=*,start.name,stops.position,stops.place.name',
  '/items/places?fields=id,name,photo.title,photo.folder.parent.name,photo.filesize&sort=id',
  '/users?fields=email,nickname,role.name&filter[email][_eq]=guide@example.com',
  '/roles?fields=name,policies.policy.name&filter[name][_eq]=Guides',
  '/permissions?fields=collection,action,fields,permissions,policy.name&filter[collection][_eq]=tours',
  '/dashboards?fields=name,panels.name,panels.options',
  '/presets?fields=bookmark,collection,layout',
  '/translations?fields=language,key,value',
]

test('a template holds the model, the rows, the files and the rights of a project', async () => {
  template = await extractTemplate(source)
  expect(template.collections.map(({ collection }) => collection)).toEqual([
    'places',
    'tours',
    'tours_places',
    'travel',
  ])
  expect(template.fields.filter(({ collection }) => collection === 'tours').map(({ field }) => field)).toEqual(
    expect.arrayContaining(['id', 'title', 'start', 'code', 'stops']),
  )
  expect(template.relations).toHaveLength(5)
  expect(template.content['tours']).toMatchObject([{ title: 'Round trip', start: 1, stops: [1, 2] }])
  expect(await Promise.all(Object.values(template.assets).map((each) => each.text()))).toEqual(['a small text'])
  expect(template.system['users']).toContainEqual(
    expect.objectContaining({ email: 'guide@example.com', nickname: 'G' }),
  )
  expect([template.system['flows'], template.system['operations']]).toEqual([[], []])
})

test('applied to an empty server, the template makes the same project', async () => {
  await applyTemplate(target, template)
  for (const question of questions) {
    const expected = await list(source, question)
    expect([question, expected]).not.toEqual([question, []])
    expect([question, await list(target, question)]).toEqual([question, expected])
  }
  expect(await list(target, '/collections/tours')).toMatchObject({ meta: { group: 'travel' } })
  expect(await list(target, '/fields/places/name')).toMatchObject({
    meta: { required: true },
    schema: { is_nullable: false },
  })
  expect(await list(target, '/fields/tours/code')).toMatchObject({ schema: { is_unique: true } })
  const next = await target.ask('POST /items/places', { body: { name: 'Bridge' } })
  expect(next.body).toMatchObject({ data: { id: 4, name: 'Bridge' } })
}, 120_000)
