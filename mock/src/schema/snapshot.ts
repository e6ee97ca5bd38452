/** Snapshots of the data model, as `GET /schema/snapshot` gives them, as schemas. */
import { buildSchema } from '../../../src/domain/model/build-schema.ts'
import type { MetadataRow } from '../../../src/domain/model/metadata.ts'
import type { ForeignKey, Table, TableColumn } from '../../../src/domain/model/table.ts'
import type { FieldType } from '../../../src/domain/query/field-types.ts'
import { allChanges, type Schema } from '../../../src/domain/schema/schema.ts'
import type { Snapshot } from '../api.ts'
import systemTables from '../generated/system-tables.json' with { type: 'json' }
import { silentLog } from '../silent-log.ts'

type Meta = { readonly [key: string]: unknown } | null

type ColumnSchema = NonNullable<Snapshot['fields'][number]['schema']>

/** The schema with these collections and the system's own. */
export function schemaOf(input: Snapshot): Schema {
  const snapshot = { ...input, relations: inOrder(input) }
  const fields = Map.groupBy(snapshot.fields, ({ collection }) => collection)
  const relations = Map.groupBy(snapshot.relations, ({ collection }) => collection)
  const tables = snapshot.collections
    .filter(({ schema }) => schema != null)
    .map(({ collection }) => toTable(collection, fields.get(collection) ?? [], relations.get(collection) ?? []))
  return buildSchema([...(systemTables as unknown as readonly Table[]), ...tables], metadataOf(snapshot), silentLog)
}

/** Fields without a column come in the order of the relations that they lead along. */
function inOrder({ fields, relations }: Snapshot): Snapshot['relations'] {
  const places = new Map(fields.map(({ collection, field }, at) => [`${collection}.${field}`, at]))
  const placeOf = ({ related_collection: one, meta }: Snapshot['relations'][number]): number =>
    places.get(`${one}.${String(meta?.['one_field'])}`) ?? -1
  return relations.toSorted((left, right) => placeOf(left) - placeOf(right))
}

/** The rows about collections, fields and relations. A snapshot leaves out the keys that count rows. */
export function metadataOf({ collections, fields, relations }: Snapshot) {
  return {
    collections: collections.flatMap(({ collection, meta }) => rowOf(meta, { collection })),
    fields: numbered(fields.flatMap(({ collection, field, meta }) => rowOf(meta, { collection, field }))),
    relations: numbered(
      relations.flatMap(({ collection, field, related_collection: one, meta }) =>
        rowOf(meta, { many_collection: collection, many_field: field, one_collection: one ?? null }),
      ),
    ),
  }
}

const rowOf = (meta: Meta | undefined, names: MetadataRow): readonly MetadataRow[] =>
  meta == null ? [] : [{ ...meta, ...names }]

const numbered = (rows: readonly MetadataRow[]): readonly MetadataRow[] =>
  rows.map((row, at) => ({ id: at + 1, ...row }))

function toTable(name: string, fields: Snapshot['fields'], relations: Snapshot['relations']): Table {
  const columns = fields.flatMap((field) => (field.schema == null ? [] : [toColumn(field, field.schema)]))
  return {
    name,
    schema: null,
    comment: null,
    columns,
    keyColumns: columns.filter(({ primaryKey }) => primaryKey).map((column) => column.name),
    uniqueKeys: columns.filter(({ primaryKey, unique }) => primaryKey || unique).map((column) => [column.name]),
    changes: allChanges,
    foreignKeys: relations.flatMap((relation) => toForeignKey(relation)),
  }
}

function toForeignKey({
  collection,
  field,
  related_collection: table,
  schema,
}: Snapshot['relations'][number]): readonly ForeignKey[] {
  if (schema == null || table == null) return []
  const { constraint_name: name, on_delete: onDelete, on_update: onUpdate } = schema
  return [
    {
      name: name ?? `${collection}_${field}_fkey`,
      column: field,
      table,
      onDelete: onDelete ?? 'NO ACTION',
      onUpdate: onUpdate ?? 'NO ACTION',
    },
  ]
}

function toColumn({ field, type }: Snapshot['fields'][number], schema: ColumnSchema): TableColumn {
  const { defaultValue, defaultExpression } = toDefault(type ?? 'unknown', schema.default_value ?? null)
  const autoIncrement = schema.has_auto_increment === true
  return {
    name: field,
    type: (type ?? 'unknown').split('.')[0] as FieldType,
    dataType: schema.data_type ?? '',
    nullable: schema.is_nullable !== false,
    hasDefault: autoIncrement || defaultValue !== null || defaultExpression !== null,
    defaultValue,
    defaultExpression,
    maxLength: schema.max_length ?? null,
    precision: schema.numeric_precision ?? null,
    scale: schema.numeric_scale ?? null,
    unique: schema.is_unique === true,
    indexed: schema.is_indexed === true,
    primaryKey: schema.is_primary_key === true,
    autoIncrement,
    generated: schema.is_generated === true,
    comment: schema.comment ?? null,
  }
}

type Default = Pick<TableColumn, 'defaultValue' | 'defaultExpression'>

/** A snapshot shows constants and expressions alike; a call is an expression. */
function toDefault(type: string, value: unknown): Default {
  const isCall =
    typeof value === 'string' && /^(\w+\(.*\)|current_\w+)(::.+)?$/i.test(value) && !/^(string|text|csv)$/.test(type)
  if (isCall) return { defaultValue: null, defaultExpression: value }
  if (Array.isArray(value) && type === 'csv') return { defaultValue: value.join(','), defaultExpression: null }
  const constant = typeof value === 'object' && value !== null ? JSON.stringify(value) : value
  return { defaultValue: constant as Default['defaultValue'], defaultExpression: null }
}
