/**
 * The requests of the template tool 0.8.0, as a recording of its runs shows them: `extractTemplate` reads a project,
 * `applyTemplate` writes it to a server in the order of that tool. The registry does not have the tool.
 */
import { expect } from 'vitest'
import type { OwnDatabase } from './own-database.ts'

type Row = { readonly [field: string]: unknown }
type Part = { readonly meta: Row | null; readonly schema: Row | null }
type CollectionPart = Part & { readonly collection: string }
type FieldPart = Part & { readonly collection: string; readonly field: string; readonly type: string }

export type Template = {
  readonly collections: readonly CollectionPart[]
  readonly fields: readonly FieldPart[]
  readonly relations: readonly (Part & { readonly collection: string })[]
  /** Rows of system collections, by the name in their path. */
  readonly system: { readonly [name: string]: readonly Row[] }
  readonly settings: Row
  readonly assets: { readonly [file: string]: Blob }
  /** Items by collection. */
  readonly content: { readonly [collection: string]: readonly Row[] }
}

const systemNames = [
  'folders',
  'files',
  'roles',
  'permissions',
  'policies',
  'users',
  'access',
  'translations',
  'flows',
  'operations',
  'dashboards',
  'panels',
] as const

const isOfUsers = ({ collection }: { readonly collection: string }): boolean => !collection.startsWith('directus_')

const without = (row: Row, ...names: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)))

const isSystem = ({ meta }: Part): boolean => meta?.['system'] === true

const asPart = <P extends Part>(part: P): P => ({ ...part, meta: part.meta === null ? null : without(part.meta, 'id') })

async function read<T>(own: OwnDatabase, path: string): Promise<T> {
  const { status, body } = await own.ask(`GET ${path}`)
  expect([path, status]).toEqual([path, 200])
  return (body as { readonly data: T }).data
}

export async function extractTemplate(own: OwnDatabase): Promise<Template> {
  await read(own, '/schema/snapshot')
  const collections = (await read<CollectionPart[]>(own, '/collections')).filter(isOfUsers)
  const fields = (await read<FieldPart[]>(own, '/fields')).filter((field) => !isSystem(field))
  const relations = (await read<Template['relations'][number][]>(own, '/relations')).filter((each) => !isSystem(each))
  const system: { [name: string]: readonly Row[] } = {}
  for (const name of systemNames) system[name] = await read(own, `/${name}?limit=-1`)
  system['presets'] = await read(own, `/presets?filter=${encodeURIComponent('{"user":{"_null":true}}')}&limit=-1`)
  const settings = await read<Row>(own, '/settings?limit=-1')
  await read(own, '/extensions/')
  const assets: { [file: string]: Blob } = {}
  for (const { id } of await read<Row[]>(own, '/files?limit=100&page=1')) {
    const headers = { authorization: `Bearer ${own.adminToken}` }
    assets[String(id)] = await (await fetch(`${own.url}/assets/${String(id)}`, { headers })).blob()
  }
  const content: { [collection: string]: readonly Row[] } = {}
  for (const { collection, schema } of collections)
    if (schema !== null) content[collection] = await read(own, `/items/${collection}?limit=500&page=1`)
  const parts = { collections: collections.map(asPart), fields: fields.map(asPart), relations: relations.map(asPart) }
  return { ...parts, system, settings, assets, content }
}

/** The role and the policy of a row that joins them. */
const nameOf = ({ role, policy }: Row): string => JSON.stringify([role, policy])

/** A field as it is made first: what could refuse rows comes at the end. */
const relaxed = (field: FieldPart): FieldPart => ({
  ...field,
  meta: field.meta === null ? null : { ...field.meta, required: false },
  schema: field.schema === null ? null : { ...field.schema, is_nullable: true, is_unique: false },
})

export async function applyTemplate(own: OwnDatabase, template: Template): Promise<void> {
  const send = async (request: string, body: unknown): Promise<void> => {
    const reply = await own.ask(request, { body })
    expect([request, reply.status, reply.body]).toEqual([request, 200, expect.anything()])
  }
  const missing = async (name: string): Promise<readonly Row[]> => {
    const there = new Set((await read<Row[]>(own, `/${name}?limit=-1`)).map(({ id }) => id))
    return (template.system[name] ?? []).filter(({ id }) => !there.has(id))
  }
  const { collections, fields, content } = template
  for (const collection of collections) {
    const own = fields.filter((field) => field.collection === collection.collection).map(relaxed)
    await send('POST /collections', { ...collection, meta: without(collection.meta ?? {}, 'group'), fields: own })
  }
  const added = fields.filter((field) => !isOfUsers(field))
  for (const field of added) await send(`POST /fields/${field.collection}`, relaxed(field))
  for (const relation of template.relations) await send('POST /relations', relation)
  for (const { collection, meta } of collections) await send(`PATCH /collections/${collection}`, { meta })

  const emptied = { children: null, policies: null }
  for (const row of await missing('roles'))
    await send('POST /roles', { ...without(row, 'users', 'parent'), ...emptied })
  const lists = ['permissions', 'users', 'roles'] as const
  for (const row of await missing('policies')) await send('POST /policies', without(row, ...lists))
  await send(
    'POST /permissions',
    (template.system['permissions'] ?? []).filter(({ system }) => system !== true).map((row) => without(row, 'id')),
  )
  const secret = ['password', 'token', 'policies', 'last_page'] as const
  const taken = new Set((await read<Row[]>(own, '/users?limit=-1')).map(({ email }) => email))
  for (const row of await missing('users'))
    await send('POST /users', {
      ...without(row, ...secret, ...(taken.has(row['email']) ? ['email'] : [])),
      external_identifier: row['id'],
    })
  const access = (await missing('access')).filter(({ user, role }) => user === null && role !== null)
  const known = new Set((await read<Row[]>(own, '/access?limit=-1')).map(nameOf))
  for (const row of access.filter((each) => !known.has(nameOf(each)))) await send('POST /access', row)

  const folders = await missing('folders')
  await send(
    'POST /folders',
    folders.map((row) => without(row, 'parent')),
  )
  for (const { id, name, parent } of folders) await send(`PATCH /folders/${String(id)}`, { name, parent })
  for (const row of await missing('files')) await upload(own, row, template.assets[String(row['id'])] ?? new Blob())

  const filled = Object.entries(content).filter(([, rows]) => rows.length > 0)
  for (const [collection, rows] of filled)
    await send(
      `POST /items/${collection}`,
      rows.map(({ id }) => ({ id })),
    )
  for (const [collection, rows] of filled) await send(`PATCH /items/${collection}`, rows)
  for (const { collection, field, meta, schema } of fields)
    if (schema !== null) await send(`PATCH /fields/${collection}/${field}`, { meta, schema })

  for (const row of await missing('dashboards')) await send('POST /dashboards', without(row, 'panels'))
  for (const row of await missing('panels')) await send('POST /panels', row)
  await send('PATCH /settings', { ...template.settings, ...(await read<Row>(own, '/settings')) })
  await send('POST /translations', await missing('translations'))
  await send(
    'POST /presets',
    (template.system['presets'] ?? []).map((row) => without(row, 'id')),
  )
}

async function upload(own: OwnDatabase, row: Row, contents: Blob): Promise<void> {
  const form = new FormData()
  for (const name of ['id', 'title', 'description', 'folder', 'type'])
    if (typeof row[name] === 'string') form.append(name, row[name])
  form.append('file', contents, String(row['filename_disk']))
  const headers = { authorization: `Bearer ${own.adminToken}` }
  const response = await fetch(`${own.url}/files`, { method: 'POST', headers, body: form })
  expect([response.status, await response.json()]).toMatchObject([200, { data: { id: row['id'] } }])
}
