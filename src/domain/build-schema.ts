/**
 * `buildSchema`: tables and metadata rows → `Schema`. Every table is a collection and every foreign
 * key a relation at once; metadata adds what a database cannot say. A row that does not fit the
 * tables (any more) is left out with a log entry.
 */
import { buildRelations } from './build-relations.ts'
import type { Log } from './context.ts'
import type { FieldType } from './field-types.ts'
import type { Filter } from './filter.ts'
import { parseFilter } from './filter-json.ts'
import { hashText } from './hash-text.ts'
import { flagAt, listAt, type Metadata, type MetadataRow, objectAt, textAt } from './metadata.ts'
import type { Collection, Field, FieldRelation, Relation, Schema, Special } from './schema.ts'
import { specials } from './schema.ts'
import { isSystemName, systemMetadata } from './system-collections.ts'
import type { Table, TableColumn } from './table.ts'

/** The version is the same wherever tables and metadata are the same. */
export function buildSchema(tables: readonly Table[], stored: Metadata, log: Log): Schema {
  const metadata = mergeSystem(stored)
  const relations = buildRelations(tables, metadata.relations, log)
  const rows = Map.groupBy(metadata.fields, (row) => textAt(row, 'collection'))
  const collectionRows = new Map(metadata.collections.map((row) => [textAt(row, 'collection'), row]))
  const collections = new Map<string, Collection>()
  for (const table of tables) {
    const sources = { row: collectionRows.get(table.name) ?? null, fields: rows.get(table.name) ?? [], relations, log }
    collections.set(table.name, toCollection(table, sources))
  }
  for (const [name, row] of collectionRows) {
    if (name === null || collections.has(name) || isSystemName(name)) continue
    if ((rows.get(name) ?? []).some((field) => !isAlias(field))) log.warn({ collection: name }, staleCollection)
    else collections.set(name, toFolder(name, row))
  }
  reportStrayFields(metadata.fields, collections, log)
  const version = hashText(JSON.stringify([tables, metadata]))
  return withValidation({ version, collections, relations }, log)
}

const staleCollection = 'A collection is registered whose table is not there or not served; it is left out'

/** Rows about what is described in the program are not taken from the database. */
function mergeSystem(stored: Metadata): Metadata {
  const own = new Set(systemMetadata.fields.map((row) => `${textAt(row, 'collection')}.${textAt(row, 'field')}`))
  const ownRelations = new Set(systemMetadata.relations.map((row) => manySide(row)))
  return {
    collections: [
      ...systemMetadata.collections,
      ...stored.collections.filter((row) => !isSystemName(textAt(row, 'collection') ?? '')),
    ],
    fields: [
      ...systemMetadata.fields,
      ...stored.fields.filter((row) => !own.has(`${textAt(row, 'collection')}.${textAt(row, 'field')}`)),
    ],
    relations: [...systemMetadata.relations, ...stored.relations.filter((row) => !ownRelations.has(manySide(row)))],
  }
}

const manySide = (row: MetadataRow): string => `${textAt(row, 'many_collection')}.${textAt(row, 'many_field')}`

type Sources = {
  readonly row: MetadataRow | null
  readonly fields: readonly MetadataRow[]
  readonly relations: readonly Relation[]
  readonly log: Log
}

function toCollection(table: Table, { row, fields: rows, relations, log }: Sources): Collection {
  const byField = new Map(rows.map((each) => [textAt(each, 'field'), each]))
  const fields = new Map<string, Field>()
  for (const column of table.columns) {
    const relation = relationOfColumn(table.name, column.name, relations)
    fields.set(column.name, toField(column, byField.get(column.name) ?? null, relation))
  }
  for (const field of aliasFields(table.name, rows, relations)) {
    if (!fields.has(field.name)) fields.set(field.name, field)
    else log.warn({ collection: table.name, field: field.name }, 'An alias has the name of a column; the column counts')
  }
  const columnNamed = (name: string | null): string | null => (name !== null && fields.get(name)?.column ? name : null)
  return {
    name: table.name,
    table: { schema: null, name: table.name },
    primaryKey: table.keyColumns[0],
    keyColumns: table.keyColumns,
    fields,
    system: isSystemName(table.name),
    managed: row !== null,
    singleton: row !== null && flagAt(row, 'singleton'),
    sortField: columnNamed(row === null ? null : textAt(row, 'sort_field')) ?? columnNamed(declaredAs('sort', rows)),
    archive: toArchive(row, rows, columnNamed),
    accountability: toAccountability(row),
    note: (row === null ? null : textAt(row, 'note')) ?? table.comment,
  }
}

/** Groups others and holds no rows. */
function toFolder(name: string, row: MetadataRow): Collection {
  const nothing = { table: null, primaryKey: '', keyColumns: [], fields: new Map(), sortField: null, archive: null }
  const flags = { system: false, managed: true, singleton: false, accountability: null }
  return { name, ...nothing, ...flags, note: textAt(row, 'note') }
}

function toAccountability(row: MetadataRow | null): Collection['accountability'] {
  if (row === null) return 'all'
  const value = textAt(row, 'accountability')
  return value === 'all' || value === 'activity' ? value : null
}

const declaredAs = (type: string, rows: readonly MetadataRow[]): string | null => {
  const row = rows.find((each) => textAt(each, 'type') === type)
  return row === undefined ? null : textAt(row, 'field')
}

/** The collection's own archive value, and the words that a status field maps to deletion, on the same field. */
function toArchive(
  row: MetadataRow | null,
  rows: readonly MetadataRow[],
  columnNamed: (name: string | null) => string | null,
): Collection['archive'] {
  const statusRow = rows.find((each) => softDeleted(each).length > 0)
  const own = columnNamed(row === null ? null : textAt(row, 'archive_field'))
  const field = own ?? columnNamed(statusRow === undefined ? null : textAt(statusRow, 'field'))
  if (field === null) return null
  const value = row === null ? null : textAt(row, 'archive_value')
  const words = rows.filter((each) => textAt(each, 'field') === field).flatMap(softDeleted)
  const archived = [...new Set([...(own !== null && value !== null ? [value] : []), ...words])]
  return archived.length === 0 ? null : { field, archived }
}

function softDeleted(row: MetadataRow): readonly string[] {
  const options = objectAt(row, 'options')
  const mapping = options === null ? null : objectAt(options, 'status_mapping')
  if (mapping === null) return []
  return Object.keys(mapping).filter((word) => flagAt(objectAt(mapping, word) ?? {}, 'soft_delete'))
}

function toField(column: TableColumn, row: MetadataRow | null, relation: FieldRelation | null): Field {
  const special = row === null ? [] : specialsOf(row)
  const { type, comment: _comment, ...stored } = column
  return {
    name: column.name,
    type: typeFrom(special, type),
    column: stored,
    special,
    // A hash is as good as a password to whoever can try a few million words on it.
    concealed: special.includes('conceal') || special.includes('hash'),
    validation: null,
    validationMessage: row === null ? null : textAt(row, 'validation_message'),
    relation,
    meta: row,
  }
}

/** What a field was declared as says the same as these flags. */
const declaredSpecials: { readonly [type: string]: readonly Special[] } = {
  array: ['cast-csv'],
  boolean: ['cast-boolean'],
  json: ['cast-json'],
  hash: ['hash'],
  owner: ['user-created'],
  user_updated: ['user-updated'],
  datetime_created: ['date-created'],
  datetime_updated: ['date-updated'],
}

function specialsOf(row: MetadataRow): readonly Special[] {
  const known = listAt(row, 'special').filter((flag): flag is Special => (specials as readonly string[]).includes(flag))
  const declared = textAt(row, 'type')
  const more = declared !== null && Object.hasOwn(declaredSpecials, declared) ? declaredSpecials[declared] : undefined
  return [...new Set([...known, ...(more ?? [])])]
}

const castTypes = {
  'cast-json': 'json',
  'cast-csv': 'csv',
  'cast-boolean': 'boolean',
  'cast-timestamp': 'timestamp',
  'cast-datetime': 'dateTime',
  hash: 'hash',
} as const satisfies { readonly [Flag in Special]?: FieldType }

/** A cast flag says what a column of a more general type holds. */
function typeFrom(special: readonly Special[], type: FieldType): FieldType {
  const flag = special.find((each): each is keyof typeof castTypes => Object.hasOwn(castTypes, each))
  if (flag === undefined) return type
  const cast = castTypes[flag]
  return castable[cast].includes(type) ? cast : type
}

/** Column types that can hold the text of a value of the cast type. */
const castable: { readonly [Type in (typeof castTypes)[keyof typeof castTypes]]: readonly FieldType[] } = {
  json: ['string', 'text', 'json'],
  csv: ['string', 'text'],
  boolean: ['boolean', 'integer', 'bigInteger', 'string', 'text'],
  timestamp: ['timestamp', 'dateTime'],
  dateTime: ['timestamp', 'dateTime'],
  hash: ['string', 'text'],
}

const toManySpecials: ReadonlySet<string> = new Set(['o2m', 'm2m', 'm2a', 'o2a', 'files', 'translations'])
const presentational: ReadonlySet<string> = new Set(['alias', 'group', 'no-data'])

const isAlias = (row: MetadataRow): boolean =>
  listAt(row, 'special').some((flag) => toManySpecials.has(flag) || presentational.has(flag))

function aliasFields(
  collection: string,
  rows: readonly MetadataRow[],
  relations: readonly Relation[],
): readonly Field[] {
  const byField = new Map(rows.map((row) => [textAt(row, 'field'), row]))
  const toMany = relations.filter((relation) => relation.oneCollection === collection && relation.oneField !== null)
  const related = toMany.map((relation) => {
    const name = relation.oneField as string
    return toAlias(name, byField.get(name) ?? null, oneToMany(relation))
  })
  const names = new Set(related.map((field) => field.name))
  const plain = rows.flatMap((row) => {
    const name = textAt(row, 'field')
    const flags = listAt(row, 'special')
    const shown = flags.some((flag) => presentational.has(flag)) && !flags.some((flag) => toManySpecials.has(flag))
    return name === null || names.has(name) || !shown ? [] : [toAlias(name, row, null)]
  })
  return [...related, ...plain].toSorted((left, right) => orderOf(left) - orderOf(right))
}

const orderOf = (field: Field): number => {
  const sort = field.meta?.['sort']
  return typeof sort === 'number' ? sort : Number.MAX_SAFE_INTEGER
}

function toAlias(name: string, row: MetadataRow | null, relation: FieldRelation | null): Field {
  const special = row === null ? (['o2m'] as const) : specialsOf(row)
  const plain = { type: 'alias', column: null, concealed: false, validation: null, validationMessage: null } as const
  return { name, ...plain, special, relation, meta: row }
}

function oneToMany(relation: Relation): FieldRelation {
  const { manyCollection: collection, manyField: foreignKey, sortField, junctionField } = relation
  return { kind: 'one-to-many', collection, foreignKey, sortField, junctionField, relation }
}

function relationOfColumn(collection: string, field: string, relations: readonly Relation[]): FieldRelation | null {
  const relation = relations.find((each) => each.manyCollection === collection && each.manyField === field)
  if (relation === undefined) return null
  if (relation.oneCollection !== null) return { kind: 'many-to-one', collection: relation.oneCollection, relation }
  const { oneCollectionField, oneAllowedCollections } = relation
  if (oneCollectionField === null || oneAllowedCollections === null) return null
  return { kind: 'many-to-any', collectionField: oneCollectionField, allowed: oneAllowedCollections, relation }
}

/** Tells of rows about fields that do not exist; presentational and system ones need no column. */
function reportStrayFields(rows: readonly MetadataRow[], collections: ReadonlyMap<string, Collection>, log: Log): void {
  for (const row of rows) {
    const [collection, field] = [textAt(row, 'collection'), textAt(row, 'field')]
    const known = collections.get(collection ?? '')
    if (known === undefined || known.table === null || known.fields.has(field ?? '') || flagAt(row, 'system')) continue
    log.warn({ collection, field }, 'A field is registered that has neither a column nor a relation; it is left out')
  }
}

/** Conditions on written values can only be read once all fields are known. */
function withValidation(schema: Schema, log: Log): Schema {
  const collections = new Map(schema.collections)
  for (const collection of schema.collections.values()) {
    const fields = [...collection.fields.values()].filter((field) => field.meta && objectAt(field.meta, 'validation'))
    if (fields.length === 0) continue
    const checked = new Map(collection.fields)
    for (const field of fields) {
      checked.set(field.name, { ...field, validation: validationOf(field, collection.name, { schema, log }) })
    }
    collections.set(collection.name, { ...collection, fields: checked })
  }
  return { ...schema, collections }
}

function validationOf(
  field: Field,
  collection: string,
  { schema, log }: { readonly schema: Schema; readonly log: Log },
): Filter | null {
  const json = objectAt(field.meta ?? {}, 'validation')
  const options = { name: 'validation', depth: 1, dynamicPaths: false, validation: true }
  try {
    return parseFilter(json, { schema, collection }, options)
  } catch (error) {
    log.warn({ collection, field: field.name, err: error }, 'The validation of a field cannot be read; it is left out')
    return null
  }
}
