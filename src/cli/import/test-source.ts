/** A Directus project for tests: its rows in memory, served over its REST API or written as a template. */

import { once } from 'node:events'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type Row = Readonly<Record<string, unknown>>
type Entry = Row & { readonly collection: string }

/** Rows by their collection's name there; `assets` by the id of their file. */
export type Project = {
  readonly model: {
    readonly collections: readonly Entry[]
    readonly fields: readonly Entry[]
    readonly relations: readonly Entry[]
    /** System fields that differ from those of a new project. */
    readonly systemFields?: readonly Entry[]
  }
  readonly rows: { readonly [collection: string]: readonly Row[] }
  readonly assets: ReadonlyMap<string, string>
}

const unset =
  'default_value max_length numeric_precision numeric_scale generation_expression foreign_key_table foreign_key_column'
const off = 'is_unique is_indexed is_primary_key is_generated has_auto_increment'

/** What columns have that say nothing else. */
const usualColumn: Row = Object.fromEntries([
  ...unset.split(' ').map((name) => [name, null] as const),
  ...off.split(' ').map((name) => [name, false] as const),
])

const column = (table: string, name: string, more: Row): Row => ({
  name,
  table,
  data_type: 'character varying',
  is_nullable: true,
  ...usualColumn,
  ...(more['data_type'] === 'integer' ? { numeric_precision: 32, numeric_scale: 0 } : {}),
  ...more,
})

/** A column, with the flags of its field. */
export const field = (
  place: string,
  type: string,
  schema: Row = {},
  special: readonly string[] | null = null,
): Entry => {
  const [collection = '', name = ''] = place.split('.')
  return {
    collection,
    field: name,
    type,
    meta: { collection, field: name, special },
    schema: column(collection, name, schema),
  }
}

export const key = (collection: string): Entry =>
  field(`${collection}.id`, 'integer', {
    data_type: 'integer',
    default_value: `nextval('${collection}_id_seq'::regclass)`,
    is_nullable: false,
    is_primary_key: true,
    has_auto_increment: true,
  })

/** A list on the other side of a relation. */
const alias = (collection: string, name: string, special: string): Entry => ({
  collection,
  field: name,
  type: 'alias',
  meta: { collection, field: name, special: [special] },
  schema: null,
})

type ReferenceOptions = {
  readonly type?: string
  readonly required?: boolean
  readonly list?: string
  readonly special?: string
  /** The key of the other collection. */
  readonly to?: string
}

function relationMeta(place: string, more: Row): Row {
  const [many_collection, many_field] = place.split('.')
  const one = { one_collection: null, one_field: null, one_collection_field: null, one_allowed_collections: null }
  const rest = { one_deselect_action: 'nullify', junction_field: null, sort_field: null }
  return { many_collection, many_field, ...one, ...rest, ...more }
}

/** A many-to-one: its column, its relation, and the list on the other side. */
export function reference(
  place: string,
  to: string,
  { type = 'integer', required = false, list, special = 'm2o', to: keyField }: ReferenceOptions = {},
) {
  const [collection = '', name = ''] = place.split('.')
  const foreign = { foreign_key_table: to, foreign_key_column: keyField ?? (type === 'string' ? 'code' : 'id') }
  const column = type === 'string' ? { max_length: 255 } : { data_type: type }
  return {
    fields: [
      field(place, type, { ...column, is_nullable: !required, ...foreign }, [special]),
      ...(list === undefined ? [] : [alias(to, list, 'o2m')]),
    ],
    relations: [
      {
        collection,
        field: name,
        related_collection: to,
        schema: {
          table: collection,
          column: name,
          ...foreign,
          constraint_name: `${collection}_${name}_foreign`,
          on_update: 'NO ACTION',
          on_delete: required ? 'NO ACTION' : 'SET NULL',
        },
        meta: relationMeta(place, { one_collection: to, one_field: list ?? null }),
      },
    ],
  }
}

/** A many-to-any, with the columns of both of its values. */
export function anyReference(place: string, allowed: readonly string[]) {
  const [collection = '', name = ''] = place.split('.')
  return {
    fields: [
      field(place, 'string', { max_length: 255 }),
      field(`${collection}.collection`, 'string', { max_length: 64 }),
    ],
    relations: [
      {
        collection,
        field: name,
        related_collection: null,
        schema: null,
        meta: relationMeta(place, { one_collection_field: 'collection', one_allowed_collections: allowed }),
      },
    ],
  }
}

type ModelPart = Pick<Project['model'], 'fields' | 'relations'>

/** The fields of a model and their relations, in order. */
export const columns = (...parts: readonly (Entry | ModelPart)[]): ModelPart => {
  const all = parts.map((each) => ('relations' in each ? (each as ModelPart) : { fields: [each], relations: [] }))
  return {
    fields: all.flatMap(({ fields }) => fields),
    relations: all.flatMap(({ relations }) => relations),
  }
}

export const table = (collection: string, meta: Row = {}): Entry => ({
  collection,
  meta: { collection, status: 'active', ...meta },
  schema: { name: collection },
})

/** Rows of the system as a server shows them. */
export const userRow = (id: string, email: string, more: Row): Row => ({
  id,
  email,
  first_name: 'Given',
  last_name: null,
  password: '**********',
  token: null,
  tfa_secret: null,
  status: 'active',
  provider: 'default',
  avatar: null,
  policies: [],
  ...more,
})

export const fileRow = (id: string, more: Row): Row => ({
  id,
  filename_disk: `${id}.txt`,
  filename_download: 'words.txt',
  type: 'text/plain',
  filesize: '5',
  ...more,
})

export const shareRow = (id: string, collection: string, more: Row): Row => ({
  id,
  collection,
  item: '1',
  password: null,
  date_start: null,
  date_end: null,
  ...more,
})

export const policyRow = (id: string, name: string, more: Row): Row => ({
  id,
  name,
  icon: 'badge',
  enforce_tfa: false,
  admin_access: false,
  app_access: true,
  ...more,
})

export const permissionRow = (id: number, policy: string, collection: string, more: Row): Row => ({
  id,
  policy,
  collection,
  action: 'read',
  validation: null,
  presets: null,
  fields: ['*'],
  ...more,
})

const panelPlace = { show_header: true, position_x: 1, position_y: 1, width: 6, height: 6 }

export const panelRow = (id: string, dashboard: string, more: Row): Row => ({ id, dashboard, ...panelPlace, ...more })

export type Source = {
  readonly url: string
  /** Answers from now on: the next so many requests, and then errors. */
  readonly failAfter: (requests: number) => void
  readonly requests: () => number
  readonly close: () => Promise<void>
}

/** The static token of its administrator. */
export const sourceToken = 'token-of-the-source'

/** Entries without metadata are in the lists of the model and not in its snapshot. */
const isTracked = ({ meta }: Entry): boolean => meta !== null && meta !== undefined

const snapshotOf = ({ collections, fields, relations, systemFields = [] }: Project['model']): Row => ({
  version: 1,
  directus: '11.17.4',
  vendor: 'postgres',
  collections: collections.filter(isTracked),
  fields: fields.filter(isTracked),
  systemFields,
  relations: relations.filter(isTracked),
})

/** Entries of the system, which are in the lists of the model and not in its snapshot. */
const ofSystem: { readonly [part: string]: readonly Entry[] } = {
  collections: [
    {
      collection: 'directus_users',
      meta: { collection: 'directus_users', system: true },
      schema: { name: 'directus_users' },
    },
    { collection: 'directus_flows', meta: { collection: 'directus_flows', system: true }, schema: {} },
  ],
  fields: ['email', 'last_name'].map((name) => ({
    ...field(`directus_users.${name}`, 'string'),
    meta: { collection: 'directus_users', field: name, system: true },
  })),
  relations: [
    {
      collection: 'directus_users',
      field: 'role',
      related_collection: 'directus_roles',
      schema: null,
      meta: { many_collection: 'directus_users', many_field: 'role', one_collection: 'directus_roles', system: true },
    },
  ],
}

/** A column as the lists show it: with more than a snapshot has. */
const listed = (entry: Entry): Entry => ({
  ...entry,
  schema: entry['schema'] == null ? null : { ...(entry['schema'] as Row), schema: 'public', comment: null },
})

/** Serves the project as version 11 does, as far as an import asks. */
export async function serveProject({ model, rows, assets }: Project): Promise<Source> {
  let left = Number.POSITIVE_INFINITY
  let requestCount = 0
  const server = createServer((request, response) => {
    requestCount += 1
    left -= 1
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://source')
    if (left < 0) return answer(response, 500, { errors: [{ message: 'An unexpected error occurred.' }] })
    if (request.headers.authorization !== `Bearer ${sourceToken}`) return answer(response, 403, {})
    // Exported, the snapshot has no envelope; its JSON is YAML, too.
    if (pathname === '/schema/snapshot')
      return answer(response, 200, searchParams.has('export') ? snapshotOf(model) : { data: snapshotOf(model) })
    const [, first = '', second = ''] = pathname.split('/')
    if (first === 'collections' || first === 'fields' || first === 'relations')
      return answer(response, 200, { data: [...model[first], ...(ofSystem[first] ?? [])].map(listed) })
    if (first === 'assets') {
      const contents = assets.get(second)
      if (contents === undefined) return answer(response, 404, {})
      response.end(contents)
      return
    }
    return answerRows(response, rows[first === 'items' ? second : `directus_${first}`], searchParams)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failAfter: (requests) => {
      left = requests
    },
    requests: () => requestCount,
    close: () => server[Symbol.asyncDispose](),
  }
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function answerRows(response: ServerResponse, rows: readonly Row[] | undefined, asked: URLSearchParams): void {
  if (rows === undefined) return answer(response, 403, { errors: [] })
  const limit = Number(asked.get('limit') ?? 100)
  const start = (Number(asked.get('page') ?? 1) - 1) * limit
  const sort = asked.get('sort')
  const sorted = sort === null ? rows : rows.toSorted((a, b) => (String(a[sort]) < String(b[sort]) ? -1 : 1))
  const data = isSingle(rows) ? { ...rows[0], $single: undefined } : sorted.slice(start, start + limit)
  return answer(response, 200, { data, meta: { filter_count: rows.length } })
}

/** A singleton has one row, which says so. */
const isSingle = (rows: readonly Row[]): boolean => rows[0]?.['$single'] === true

/** Writes the project as a template, with one snapshot or with lists of its parts; returns the folder. */
export function writeTemplate({ model, rows, assets }: Project, isWhole: boolean): string {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-template-'))
  const write = (path: string, value: unknown): void => {
    mkdirSync(join(folder, 'src', path, '..'), { recursive: true })
    writeFileSync(join(folder, 'src', path), typeof value === 'string' ? value : JSON.stringify(value))
  }
  if (isWhole) write('schema/snapshot.json', { version: 1, directus: '10.8.0', vendor: 'postgres', ...model })
  else for (const [name, entries] of Object.entries(model)) write(`${name}.json`, entries)
  for (const [name, list] of Object.entries(rows)) {
    const system = /^directus_(.*)$/.exec(name)?.[1]
    const { $single: _single, ...single } = list[0] ?? {}
    write(system === undefined ? `content/${name}.json` : `${system}.json`, isSingle(list) ? single : list)
  }
  for (const [id, contents] of assets) write(`assets/${id}.txt`, contents)
  return folder
}

/** The options that name the source. */
export const sourceWords = ({ url }: Source): readonly string[] => [
  'import',
  'directus',
  '--url',
  url,
  '--token',
  sourceToken,
]
