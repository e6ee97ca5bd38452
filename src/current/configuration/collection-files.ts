/** The data model by collection, with fields and relations inside and without defaults, and back to a snapshot. */
import { isDeepStrictEqual } from 'node:util'
import { isSystemName } from '../../domain/model/system-collections.ts'
import type { Entries, Entry } from '../../domain/ports/configuration.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import { collectionDefaults, fieldDefaults, relationDefaults } from '../model/model-output.ts'
import { columnDefaults } from '../sync/schema-given.ts'
import {
  entryKey,
  otherSideOf,
  type Snapshot,
  snapshotVersion,
  vendor,
  vendorSizes,
  withSortedKeys,
} from '../sync/schema-snapshot.ts'

/** Names that follow from the position of an entry in the file. */
const repeated: ReadonlySet<string> = new Set([
  'collection',
  'field',
  'name',
  'table',
  'column',
  'many_collection',
  'many_field',
  'one_collection',
  'foreign_key_table',
  'foreign_key_column',
  'constraint_name',
])

/** The column types for each type of a field, by vendor, that of Postgres first. Files contain only other ones. */
const usualColumns: { readonly [type: string]: readonly string[] } = {
  string: ['character varying', 'varchar'],
  hash: ['character varying', 'varchar'],
  text: ['text', 'longtext'],
  csv: ['text', 'longtext'],
  integer: ['integer', 'int'],
  bigInteger: ['bigint'],
  float: ['real', 'float'],
  decimal: ['numeric', 'decimal'],
  boolean: ['boolean'],
  json: ['json', 'longtext'],
  uuid: ['uuid', 'char'],
  binary: ['bytea', 'longblob'],
  date: ['date'],
  time: ['time without time zone', 'time'],
  dateTime: ['timestamp without time zone', 'datetime'],
  timestamp: ['timestamp with time zone', 'timestamp'],
}

const usualLength = 255

/** Settings of a collection that follow from its fields where they are not stored. */
const derivable = ['sort_field', 'archive_field', 'archive_value', 'unarchive_value'] as const

/** Settings of a collection that follow from its fields. */
function derivedSettings({ collections }: Schema, name: string): readonly string[] {
  const stored = collections.get(name)?.meta
  return derivable.filter((key) => stored?.[key === 'sort_field' ? key : 'archive_field'] == null)
}

/** The collections of a snapshot as the files have them. `schema`: where it comes from; null = another server. */
export function toCollectionFiles({ collections, fields, relations }: Snapshot, schema: Schema | null): Entries {
  const related = new Map(relations.map((relation) => [entryKey(relation), relation]))
  const otherSides = new Set(relations.flatMap(otherSideOf).map(entryKey))
  const own = Map.groupBy(
    fields.filter((field) => !(field.meta == null && field.schema == null && otherSides.has(entryKey(field)))),
    ({ collection }) => collection,
  )
  const tables = new Map(collections.map((entry) => [entry.collection, entry]))
  const names = [...new Set([...tables.keys(), ...own.keys()])].toSorted()
  return Object.fromEntries(
    names.map((name) => {
      const entry = tables.get(name)
      const inside = (own.get(name) ?? []).map((field) => [
        field.field,
        toFieldFile(field, related.get(entryKey(field)), schema === null),
      ])
      const comment = entry?.schema?.comment ?? null
      return [
        name,
        {
          ...(entry !== undefined && entry.schema == null ? { folder: true } : {}),
          ...(comment === null ? {} : { comment }),
          ...differingEntries('display', entry?.meta, { ...collectionDefaults, ...derivedOf(entry, schema) }),
          ...(inside.length === 0 ? {} : { fields: Object.fromEntries(inside) as Entries }),
        },
      ]
    }),
  )
}

function derivedOf(entry: Snapshot['collections'][number] | undefined, schema: Schema | null): Entry {
  if (schema === null) return {}
  const meta = (entry?.meta ?? {}) as Entry
  return Object.fromEntries(derivedSettings(schema, entry?.collection ?? '').map((key) => [key, meta[key] ?? null]))
}
type SnapshotRelation = Snapshot['relations'][number]

/** `isForeign`: other servers and vendors have other names of the same types of columns. */
function toFieldFile(
  { type, schema, meta }: Snapshot['fields'][number],
  relation: SnapshotRelation | undefined,
  isForeign: boolean,
): Entry {
  const column =
    schema == null ? {} : toColumnFile(isForeign ? withUsualType(schema, String(type)) : schema, String(type))
  return {
    type,
    ...(Object.keys(column).length === 0 ? {} : { column }),
    ...differingEntries('display', meta, metaDefaults),
    ...(relation === undefined ? {} : { relation: toRelationFile(relation) }),
  }
}

const withUsualType = (schema: Entry, type: string): Entry =>
  usualColumns[type] === undefined ? schema : { ...schema, data_type: usualColumns[type][0] }

const metaDefaults: Entry = { ...fieldDefaults, special: null }

function toColumnFile(schema: Entry, type: string): Entry {
  const isKey = schema['is_primary_key'] === true
  const { data_type: dataType, ...rest } = schema
  const usual: Entry = { ...columnDefaults, ...usualOf(type, isKey) }
  const derived = new Set<string>([...repeated, ...vendorSizes(type)])
  const remaining = Object.entries(rest).filter(
    ([key, value]) => !derived.has(key) && !isDeepStrictEqual(value ?? null, usual[key] ?? null),
  )
  const isOdd = usualColumns[type]?.includes(String(dataType)) === false
  return { ...Object.fromEntries(remaining), ...(isOdd ? { data_type: dataType } : {}) }
}

const usualOf = (type: string, isKey: boolean): Entry => ({
  ...(type === 'string' ? { max_length: usualLength } : {}),
  ...(isKey ? { is_nullable: false, is_unique: true } : {}),
})

function toRelationFile({ related_collection: to, schema, meta }: SnapshotRelation): Entry {
  const key = schema == null ? {} : { on_update: schema.on_update, on_delete: schema.on_delete }
  const actions = Object.entries(key).filter(([, action]) => action !== undefined && action !== 'NO ACTION')
  return {
    to: to ?? null,
    ...(to != null && schema == null ? { foreign_key: false } : {}),
    ...Object.fromEntries(actions),
    ...differingEntries('options', meta, relationDefaults),
  }
}

/** The settings that differ from the defaults under a key; without settings, nothing. */
function differingEntries(key: string, meta: object | null | undefined, defaults: object | null): Entry {
  if (meta == null) return {}
  const usual = (defaults ?? {}) as Entry
  const remaining = Object.entries(meta).filter(
    ([name, value]) => !repeated.has(name) && !isDeepStrictEqual(value ?? null, usual[name] ?? null),
  )
  return { [key]: Object.fromEntries(remaining) }
}

/** The snapshot that the files describe. What follows from types and names is left out: the comparison knows it. */
export function toSnapshot(files: Entries, platform: string, present: Schema): Snapshot {
  const all = Object.entries(files)
  const fields = all.flatMap(([collection, file]) =>
    Object.entries((file['fields'] ?? {}) as Entries).map(([field, fieldEntry]) => ({
      collection,
      field,
      file: fieldEntry,
    })),
  )
  const relations = fields.flatMap(({ collection, field, file }) =>
    file['relation'] === undefined ? [] : [toRelation(collection, field, file['relation'] as Entry)],
  )
  const fieldKeys = new Set(fields.map(entryKey))
  const sides = relations
    .flatMap((each) => otherSideOf(each as SnapshotRelation))
    .filter((side) => !fieldKeys.has(entryKey(side)))
    .map((side) => ({ ...side, type: 'alias', meta: null }))
  return withSortedKeys({
    version: snapshotVersion,
    platform,
    vendor,
    collections: all.flatMap(([collection, file]) =>
      isSystemName(collection) ? [] : [toCollection(collection, file, present)],
    ),
    fields: [...fields.map(({ collection, field, file }) => toField(collection, field, file)), ...sides],
    relations,
  }) as unknown as Snapshot
}

function toCollection(collection: string, file: Entry, present: Schema) {
  const display = file['display'] as Entry | undefined
  const isTracked = (present.collections.get(collection)?.meta ?? null) !== null
  const derived = isTracked ? derivedSettings(present, collection).filter((key) => display?.[key] === undefined) : []
  const usual = Object.fromEntries(Object.entries(collectionDefaults).filter(([key]) => !derived.includes(key)))
  const meta = display === undefined ? null : { ...usual, ...display, collection }
  if (file['folder'] === true) return { collection, meta: meta ?? { ...collectionDefaults, collection } }
  const { comment } = file
  return { collection, meta, schema: { name: collection, ...(comment === undefined ? {} : { comment }) } }
}

function toField(collection: string, field: string, file: Entry) {
  const type = String(file['type'])
  // A column of a system table is a field by its metadata.
  const display = (file['display'] ?? (isSystemName(collection) ? {} : undefined)) as Entry | undefined
  const meta = display === undefined ? null : { ...metaDefaults, ...display, collection, field }
  if (type === 'alias') return { collection, field, type, meta }
  const settings = (file['column'] ?? {}) as Entry
  const isKey = settings['is_primary_key'] === true
  const derived = new Set<string>([...repeated, ...vendorSizes(type)])
  const usual = Object.entries({ ...columnDefaults, ...usualOf(type, isKey) }).filter(([key]) => !derived.has(key))
  const { default_value: value } = settings
  // Databases return exact numbers as texts.
  const exact =
    (type === 'bigInteger' || type === 'decimal') && typeof value === 'number' ? { default_value: String(value) } : {}
  const schema = { name: field, table: collection, ...Object.fromEntries(usual), ...settings, ...exact }
  return { collection, field, type, meta, schema }
}

function toRelation(collection: string, field: string, file: Entry) {
  const to = (file['to'] ?? null) as string | null
  const { on_update: onUpdate = 'NO ACTION', on_delete: onDelete = 'NO ACTION' } = file
  const options = file['options'] as Entry | undefined
  const names = { many_collection: collection, many_field: field, one_collection: to }
  const isKey = to !== null && file['foreign_key'] !== false
  return {
    collection,
    field,
    related_collection: to,
    meta: options === undefined ? null : { ...(relationDefaults as Entry), ...options, ...names },
    schema: isKey
      ? { table: collection, column: field, foreign_key_table: to, on_update: onUpdate, on_delete: onDelete }
      : null,
  }
}
