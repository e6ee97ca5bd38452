/** An installation: its tables, and the settings of collections, fields and relations. Odd ones are told. */
import type { SourceTable, TableSource } from '../../domain/ports/table-source.ts'
import type { IdentityCollection } from '../../domain/schema/identity.ts'
import { factsOf } from '../model/field-types.ts'
import { collectionHere, identityOf, isSystemTable } from './names.ts'
import { filled, readAll, type SourceRecord } from './records.ts'

export type Installation = {
  readonly tables: ReadonlyMap<string, SourceTable>
  /** Tables of the project's own. */
  readonly own: readonly SourceTable[]
  readonly collections: readonly SourceRecord[]
  readonly fields: readonly SourceRecord[]
  readonly relations: readonly SourceRecord[]
  /** Types of fields by collection and field, in today's spelling. */
  readonly types: ReadonlyMap<string, string>
  /** Columns that hold numbers of users, roles, files or folders. */
  readonly identities: ReadonlyMap<string, IdentityCollection>
  /** `8`, or `7` where users have no role of their own and files one name. */
  readonly generation: 7 | 8
  readonly notes: readonly string[]
}

export const placeOf = (collection: string, field: string): string => `${collection}\0${field}`

/** Reads what decides how rows are taken. `inPlace`: its tables are those of the database here, beside the system tables. */
export async function readInstallation(
  source: TableSource,
  { inPlace }: { readonly inPlace: boolean },
): Promise<Installation> {
  const sourceTables = withoutOurs(await source.tables())
  const all = sourceTables.filter(({ isSequence }) => !isSequence)
  const tables = new Map(all.map((table) => [table.name, table]))
  if (!tables.has('directus_collections') || !tables.has('directus_fields') || !tables.has('directus_users')) {
    throw new Error(`${source.name} is no installation of version 8: it has no table directus_collections`)
  }
  const [collections, fields, related] = await Promise.all(
    ['directus_collections', 'directus_fields', 'directus_relations'].map((name) => readAll(source, tables.get(name))),
  )
  const own = all.filter(({ name }) => !isSystemTable(name))
  const faults = inPlace ? new Map<string, string>() : await findFaults(source, own)
  const types = new Map((fields ?? []).map((row) => [placeOf(at(row, 'collection'), at(row, 'field')), typeOf(row)]))
  const relations = (related ?? []).map(withoutOlderNames)
  return {
    tables,
    own: own.filter((table) => isNameable(table) && !faults.has(table.name)),
    collections: collections ?? [],
    fields: fields ?? [],
    relations,
    types,
    identities: findIdentities(types, relations),
    generation: tables.get('directus_users')?.columns.some(({ name }) => name === 'role') === true ? 8 : 7,
    notes: [
      ...oddities(tables, collections ?? [], fields ?? []),
      ...(inPlace
        ? []
        : [...viewNotes(own, faults), ...sourceTables.filter((table) => table.isSequence).map(sequenceNote)]),
      ...own.filter((table) => !isNameable(table)).map(({ name }) => `The table ${name} is not taken: ${unnameable}`),
    ],
  }
}

/** An installation that is served in place has the system tables beside its own. */
function withoutOurs(tables: readonly SourceTable[]): readonly SourceTable[] {
  const isServed = tables.some(({ name }) => name === 'platform_migrations')
  return isServed ? tables.filter(({ name }) => !name.startsWith('platform_')) : tables
}

const sequenceNote = ({ name }: SourceTable): string =>
  `The sequence ${name} is left out: columns that count up go on behind their greatest value`

const unnameable = 'names here have at most 63 bytes and do not begin with platform_ or pg_'

const isNameable = ({ name }: SourceTable): boolean =>
  Buffer.byteLength(name) <= 63 && !name.startsWith('platform_') && !name.startsWith('pg_')

export const at = (row: SourceRecord, name: string): string => row[name] ?? ''

/** Types that have had other names, and spellings of version 7. */
const olderTypes: { readonly [type: string]: string } = {
  user_created: 'owner',
  user_modified: 'user_updated',
  datetime_modified: 'datetime_updated',
  translations: 'translation',
  files: 'o2m',
  primary_key: 'integer',
  id: 'integer',
  blob: 'binary',
  float: 'decimal',
  text: 'string',
}

function typeOf(row: SourceRecord): string {
  const type = at(row, 'type').toLowerCase()
  return olderTypes[type] ?? type
}

/** Versions before 7.0.12 called the sides of a relation otherwise. */
const withoutOlderNames = (row: SourceRecord): SourceRecord =>
  'collection_many' in row
    ? row
    : {
        ...row,
        collection_many: row['collection_a'] ?? null,
        field_many: row['field_a'] ?? null,
        collection_one: row['collection_b'] ?? null,
        field_one: row['field_b'] ?? null,
        junction_field: row['junction_key_b'] ?? null,
      }

function findIdentities(
  types: ReadonlyMap<string, string>,
  relations: readonly SourceRecord[],
): ReadonlyMap<string, IdentityCollection> {
  const collections = new Map<string, IdentityCollection>()
  for (const [column, type] of types) {
    const related = factsOf(type)?.related
    if (related !== undefined) collections.set(column, related)
  }
  for (const row of relations) {
    const target = identityOf(filled(row, 'collection_one'))
    if (target !== null) collections.set(placeOf(at(row, 'collection_many'), at(row, 'field_many')), target)
  }
  return collections
}

/** What the settings say and the tables do not have, and the other way round. */
function oddities(
  tables: ReadonlyMap<string, SourceTable>,
  collections: readonly SourceRecord[],
  fields: readonly SourceRecord[],
): readonly string[] {
  const gone = collections
    .map((row) => at(row, 'collection'))
    .filter((name) => !isSystemTable(name) && !tables.has(name))
  const stray = fields.flatMap((row) => {
    const [collection, field] = [at(row, 'collection'), at(row, 'field')]
    const table = tables.get(collection)
    if (isSystemTable(collection) || gone.includes(collection)) return []
    if (table === undefined) return [`The field ${collection}.${field} is left out: there is no such table`]
    const isAlias = factsOf(typeOf(row))?.alias === true
    return isAlias || table.columns.some(({ name }) => name === field)
      ? []
      : [`The field ${collection}.${field} is left out: the table has no such column`]
  })
  return [
    ...gone.map((name) => `The collection ${name} is left out: there is no such table`),
    ...stray,
    ...(tables.has('directus_user_sessions')
      ? ['Sessions are not taken: users log in again; static tokens stay valid']
      : []),
  ]
}

/** Views that cannot be read, and why. */
async function findFaults(source: TableSource, tables: readonly SourceTable[]): Promise<ReadonlyMap<string, string>> {
  const faults = new Map<string, string>()
  for (const { name, isView } of tables) {
    const fault = isView ? await source.faultOf(name) : null
    if (fault !== null) faults.set(name, fault)
  }
  return faults
}

const viewNotes = (tables: readonly SourceTable[], faults: ReadonlyMap<string, string>): readonly string[] =>
  tables
    .filter(({ isView }) => isView)
    .map(({ name }) =>
      faults.has(name)
        ? `The view ${name} is not taken: ${faults.get(name)}`
        : `The view ${name} becomes a table with the rows that it has now`,
    )

/** The collection here of a collection of the source, if it is there. */
export function collectionIn({ own }: Installation, name: string | null): string | null {
  if (name === null) return null
  if (isSystemTable(name)) return collectionHere(name)
  return own.some((table) => table.name === name) ? name : null
}
