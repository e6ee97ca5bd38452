/** Fields of collections as JSON Schema, for one caller. */
import { visibleView } from '../../authz/grants.ts'
import type { FieldType } from '../../domain/query/field-types.ts'
import type { Field } from '../../domain/schema/schema.ts'
import spec from '../../generated/current-spec.json' with { type: 'json' }
import type { Json, Scope } from './current-spec.ts'

const jsonTypes = {
  string: { type: 'string' },
  text: { type: 'string' },
  boolean: { type: 'boolean' },
  integer: { type: 'integer' },
  bigInteger: { type: 'string', description: 'An integer of up to 64 bits.' },
  float: { type: ['number', 'string'], description: 'A number; `Infinity`, `-Infinity` and `NaN` are text.' },
  decimal: { type: 'string', description: 'An exact decimal number.' },
  dateTime: { type: 'string', description: 'Date and time without zone.' },
  timestamp: { type: 'string', format: 'date-time' },
  date: { type: 'string', format: 'date' },
  time: { type: 'string', description: 'HH:MM:SS, with an offset where the column has a zone.' },
  json: {},
  csv: { type: 'array', items: { type: 'string' } },
  uuid: { type: 'string', format: 'uuid' },
  hash: { type: 'string', description: 'Hashed when it is stored, masked when it is shown.' },
  binary: { type: 'string', description: 'Base64.' },
  geometry: { type: 'object', description: 'GeoJSON.' },
  alias: {},
  unknown: { type: 'string' },
} as const satisfies Record<FieldType, Json>

/** The schema of types that only the database knows. The elements of a list may be lists, texts, numbers or objects. */
const jsonForms = {
  list: { type: 'array', items: {} },
  object: { type: 'object', additionalProperties: true },
} as const

/**
 * A collection that the caller may not see is not named: its key is shown as a plain value. `mayLack`: the value is null
 * where there is no row.
 */
export function fieldSchema({ type, column, relation }: Field, scope: Scope, mayLack = false): Json {
  const isNullable = mayLack || column?.nullable !== false
  const related = relation === null || relation.kind === 'many-to-any' ? undefined : relation.collection
  const isKnown = related !== undefined && visibleView(scope).byCore.has(related)
  if (relation?.kind === 'one-to-many') {
    const items = isKnown ? `Items of ${related}: keys, or` : 'Items: keys, or'
    const each = isKnown ? { anyOf: keyOrItem(related, scope) } : {}
    return { type: 'array', items: each, description: `${items} objects when their fields are asked for.` }
  }
  if (isKnown) {
    const none = isNullable ? [{ type: 'null' }] : []
    return { anyOf: [...keyOrItem(related, scope), ...none], description: `Key of ${related}, or the item itself.` }
  }
  const plain: Json = column?.form === undefined ? jsonTypes[type] : jsonForms[column.form]
  if (relation?.kind === 'many-to-any') return {}
  const nullable = isNullable && plain['type'] !== undefined ? { type: [plain['type'], 'null'].flat() } : {}
  const length = column?.maxLength == null ? {} : { maxLength: column.maxLength }
  const words = column?.values === undefined ? {} : { enum: [...column.values, ...(column.nullable ? [null] : [])] }
  const only = column?.generated === true && !column.autoIncrement ? { readOnly: true } : {}
  return { ...plain, ...nullable, ...length, ...words, ...only }
}

/** The key of a row of the collection, and the row with its fields. */
function keyOrItem(name: string, { schema }: Scope): readonly Json[] {
  const collection = schema.collections.get(name)
  const field = collection?.keyColumns.length === 1 ? collection.fields.get(collection.primaryKey) : undefined
  const key = jsonTypes[field?.type ?? 'string']
  const record = collection?.system === true ? records.get(name) : ownName('Item', name)
  return record === undefined ? [key] : [key, { $ref: `#/components/schemas/${record}` }]
}

/** The components of system collections, by the names of their collections. */
export const records = new Map(
  Object.entries(spec.components.schemas as unknown as { readonly [name: string]: Json }).flatMap(
    ([name, { 'x-collection': collection }]) => (typeof collection === 'string' ? [[collection, name] as const] : []),
  ),
)

/** Component names allow few characters; all others in a table's name are encoded as numbers. */
export const ownName = (general: string, collection: string): string =>
  `${general}_${collection.replaceAll(/[^\w-]/gu, (sign) => `.${(sign.codePointAt(0) as number).toString(16)}.`)}`
