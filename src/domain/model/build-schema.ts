/**
 * `buildSchema`: tables and metadata rows → `Schema`. Every table is a collection and every foreign key is a relation,
 * without registration; metadata rows add what a database cannot express. A metadata row that does not fit the tables is
 * skipped and logged.
 */

import { memoizeBy } from '../memoize.ts'
import type { Log } from '../ports/context.ts'
import { hashText } from '../schema/hash-text.ts'
import type { Collection, Field, Relation, Schema } from '../schema/schema.ts'
import { aliasFields, isAlias, relationOfColumn, toField, toReference } from './build-fields.ts'
import { buildRelations } from './build-relations.ts'
import { withValidation } from './field-validation.ts'
import { flagAt, listAt, type Metadata, type MetadataRow, textAt } from './metadata.ts'
import { toArchive, toRequiredBy } from './status-fields.ts'
import { isSystemName, systemMetadata } from './system-collections.ts'
import type { Table } from './table.ts'

/** Builds the schema. Equal tables and metadata give an equal version. */
export function buildSchema(catalogTables: readonly Table[], stored: Metadata, log: Log): Schema {
  const metadata = mergeSystem(stored)
  const tables = withDeclaredKeys(catalogTables, metadata.fields)
  const relations = buildRelations(tables, metadata.relations, log)
  const rows = Map.groupBy(metadata.fields, (row) => textAt(row, 'collection'))
  const collectionRows = new Map(metadata.collections.map((row) => [textAt(row, 'collection'), row]))
  const manyOf = Map.groupBy(relations, ({ manyCollection }) => manyCollection)
  const oneOf = Map.groupBy(relations, ({ oneCollection }) => oneCollection)
  const collections = new Map<string, Collection>()
  for (const table of tables) {
    const { name } = table
    const own = { row: collectionRows.get(name) ?? null, fields: rows.get(name) ?? [], log }
    const sides = { manySide: manyOf.get(name) ?? [], oneSide: oneOf.get(name) ?? [] }
    collections.set(name, madeOrMake(table, { ...own, ...sides }))
  }
  for (const [name, row] of collectionRows) {
    if (name === null || collections.has(name) || isSystemName(name)) continue
    if ((rows.get(name) ?? []).some((field) => !isAlias(field))) log.warn({ collection: name }, staleCollection)
    else collections.set(name, toFolder(name, row))
  }
  reportStrayFields(metadata.fields, collections, log)
  const version = hashText(JSON.stringify([tables.map(tableHash), metadata]))
  return withValidation({ version, collections, relations, unserved: [] }, log)
}

const tableHash = memoizeBy((table: Table): string => hashText(JSON.stringify(table)))

type MadeCollection = { readonly sources: Omit<Sources, 'log'>; readonly collection: Collection }

const made = new WeakMap<Table, MadeCollection>()

/** A collection is made once of the same table, metadata and relations. */
function madeOrMake(table: Table, { log, ...sources }: Sources): Collection {
  const existing = made.get(table)
  if (existing !== undefined && isSame(existing.sources, sources)) return existing.collection
  const collection = toCollection(table, { ...sources, log })
  made.set(table, { sources, collection })
  return collection
}

const isSame = (before: Omit<Sources, 'log'>, now: Omit<Sources, 'log'>): boolean =>
  areSame([before.row], [now.row]) &&
  areSame(before.fields, now.fields) &&
  areSame(before.manySide, now.manySide) &&
  areSame(before.oneSide, now.oneSide)

/** Relations of foreign keys are the same objects as before; rows of metadata come as new ones. */
const areSame = (before: readonly unknown[], now: readonly unknown[]): boolean =>
  before.length === now.length &&
  (before.every((each, at) => each === now[at]) || JSON.stringify(before) === JSON.stringify(now))

const staleCollection = 'A collection is registered whose table is not there or not served; it is left out'

/** Built-in metadata of system collections replaces stored rows about them. */
function mergeSystem(stored: Metadata): Metadata {
  const own = new Set(systemMetadata.fields.map((row) => fieldKey(textAt(row, 'collection'), textAt(row, 'field'))))
  const ownRelations = new Set(systemMetadata.relations.map((row) => manySideOf(row)))
  return {
    collections: [
      ...systemMetadata.collections,
      ...stored.collections.filter((row) => !isSystemName(textAt(row, 'collection') ?? '')),
    ],
    fields: [
      ...systemMetadata.fields,
      ...stored.fields.filter((row) => !own.has(fieldKey(textAt(row, 'collection'), textAt(row, 'field')))),
    ],
    relations: [...systemMetadata.relations, ...stored.relations.filter((row) => !ownRelations.has(manySideOf(row)))],
  }
}

const manySideOf = (row: MetadataRow): string => fieldKey(textAt(row, 'many_collection'), textAt(row, 'many_field'))

const fieldKey = (collection: string | null, field: string | null): string => JSON.stringify([collection, field])

type Sources = {
  readonly row: MetadataRow | null
  readonly fields: readonly MetadataRow[]
  /** The relations whose many side or one side is the collection. */
  readonly manySide: readonly Relation[]
  readonly oneSide: readonly Relation[]
  readonly log: Log
}

function toCollection(table: Table, { row, fields: rows, manySide, oneSide, log }: Sources): Collection {
  const manyOf = new Map(manySide.map((each) => [each.manyField, each]))
  const byField = new Map(rows.map((each) => [textAt(each, 'field'), each]))
  const fields = new Map<string, Field>()
  for (const column of table.columns) {
    const relation = relationOfColumn(manyOf.get(column.name))
    fields.set(column.name, toField(column, byField.get(column.name) ?? null, relation))
  }
  for (const relation of manySide) {
    const { manyField: name, manyColumns } = relation
    if (manyColumns === undefined) continue
    const concealed = manyColumns.some((column) => fields.get(column)?.concealed === true)
    fields.set(name, toReference(relation, byField.get(name) ?? null, concealed))
  }
  for (const field of aliasFields(table.name, rows, oneSide)) {
    if (!fields.has(field.name)) fields.set(field.name, field)
    else log.warn({ collection: table.name, field: field.name }, 'An alias has the name of a column; the column counts')
  }
  const columnNamed = (name: string | null): string | null => (name !== null && fields.get(name)?.column ? name : null)
  const sortRow = rows.find((each) => textAt(each, 'type') === 'sort')
  const hasKey = table.keyColumns.length > 0
  return {
    name: table.name,
    table: { schema: table.schema, name: table.name, ...(table.kind === undefined ? {} : { kind: table.kind }) },
    primaryKey: table.keyColumns[0] ?? (table.columns[0]?.name as string),
    keyColumns: table.keyColumns,
    ...(table.uniqueKeys === undefined ? {} : { uniqueKeys: table.uniqueKeys }),
    changes: hasKey ? table.changes : { ...table.changes, update: false, delete: false },
    fields,
    system: isSystemName(table.name),
    managed: row !== null,
    singleton: flagAt(row, 'singleton'),
    sortField: columnNamed(textAt(row, 'sort_field')) ?? columnNamed(textAt(sortRow, 'field')),
    archive: toArchive(row, rows, columnNamed),
    ...toRequiredBy(rows, fields),
    // History names rows by their keys.
    accountability: hasKey ? toAccountability(row) : null,
    note: textAt(row, 'note') ?? table.comment,
    meta: row,
  }
}

/** What has no key of its own is named by the columns that its metadata declares to be one. */
function withDeclaredKeys(tables: readonly Table[], rows: readonly MetadataRow[]): readonly Table[] {
  const declared = Map.groupBy(
    rows.filter((row) => listAt(row, 'special').includes('primary-key')),
    (row) => textAt(row, 'collection'),
  )
  return tables.map((table) => {
    if (table.keyColumns.length > 0) return table
    const names = new Set(declared.get(table.name)?.map((row) => textAt(row, 'field')))
    // The database does not know that the keys of our own views are never null.
    const key = isSystemName(table.name) ? { primaryKey: true, nullable: false } : { primaryKey: true }
    const columns = table.columns.map((column) => (names.has(column.name) ? { ...column, ...key } : column))
    const keyColumns = columns.filter(({ primaryKey }) => primaryKey).map(({ name }) => name)
    return { ...table, columns, keyColumns }
  })
}

/** A folder: a collection that groups others and has no rows. */
function toFolder(name: string, row: MetadataRow): Collection {
  const nothing = { table: null, primaryKey: '', keyColumns: [], fields: new Map(), sortField: null, archive: null }
  const changes = { create: false, update: false, delete: false }
  const flags = { system: false, managed: true, singleton: false, accountability: null, changes }
  return { name, ...nothing, ...flags, note: textAt(row, 'note'), meta: row }
}

function toAccountability(row: MetadataRow | null): Collection['accountability'] {
  if (row === null) return 'all'
  const value = textAt(row, 'accountability')
  return value === 'all' || value === 'activity' ? value : null
}

/** Logs metadata rows of fields that do not exist. Presentational and system fields need no column. */
function reportStrayFields(rows: readonly MetadataRow[], collections: ReadonlyMap<string, Collection>, log: Log): void {
  for (const row of rows) {
    const [collection, field] = [textAt(row, 'collection'), textAt(row, 'field')]
    const cached = collections.get(collection ?? '')
    if (cached === undefined || cached.table === null || cached.fields.has(field ?? '') || flagAt(row, 'system'))
      continue
    log.warn({ collection, field }, 'A field is registered that has neither a column nor a relation; it is left out')
  }
}
