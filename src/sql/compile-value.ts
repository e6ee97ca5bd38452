/** A field as it is shown: its column through the view's codec, or the keys behind a to-many field. */
import type { FieldType } from '../domain/field-types.ts'
import type { Filter } from '../domain/filter.ts'
import type { Field, FieldRelation } from '../domain/schema.ts'
import type { Codec, View } from '../domain/view.ts'
import {
  type Build,
  columnText,
  columnType,
  fieldOf,
  integerType,
  type Level,
  openLevel,
  tableText,
  whereText,
} from './build.ts'
import { fileFactsText } from './compile-file.ts'
import { compileFilter } from './compile-filter.ts'
import { linkText } from './compile-link.ts'
import { numberText, type StoredKey } from './compile-number.ts'
import { compileOrder } from './compile-sort.ts'
import type { Expression } from './dialect.ts'

/** The field's wire form. `related` names the rows that an array of keys may show. */
export function compileField(build: Build, level: Level, field: Field, related?: Filter): Expression {
  if (field.column !== null) {
    return encode(build, level.collection.name, { sql: columnText(build, level, field), level, field })
  }
  if (field.relation?.kind === 'one-to-many') return compileKeys(build, level, field.relation, related)
  return { sql: 'null', json: 'value' }
}

/** A stored value of the field, wherever it was taken from, in its wire form. */
export function encode(build: Build, collection: string, value: StoredKey & { readonly field: Field }): Expression {
  const codec = codecOf(build.view, collection, value.field)
  if (codec.kind === 'number-of') return { sql: numberText(build, value, codec.collection), json: 'json' }
  if (codec.kind === 'file-facts') return { sql: fileFactsText(build, value.sql), json: 'json' }
  return build.dialect.codec(codec, value.sql, { ...columnType(value.field), isExact: namesRow(value.field) })
}

/** A key, or what points at one: by what is shown of it the row is asked for. */
const namesRow = ({ column, relation }: Field): boolean =>
  column?.primaryKey === true || relation?.kind === 'many-to-one'

/** The view's codec of a field; masked whatever the view says where the field is concealed. */
export function codecOf(view: View, collection: string, field: Field): Codec {
  if (field.concealed) return { kind: 'mask' }
  return view.byCore.get(collection)?.byCore.get(field.name)?.codec ?? storedCodecs[field.type]
}

function compileKeys(
  build: Build,
  level: Level,
  relation: Extract<FieldRelation, { kind: 'one-to-many' }>,
  related: Filter | undefined,
): Expression {
  const inner = openLevel(build, relation.collection)
  const key = fieldOf(inner.collection, inner.collection.primaryKey)
  const columns = new Set<string>()
  const shown = compileField(build, { ...inner, columns }, key)
  const link = linkText(build, level, inner, relation)
  const where = whereText([link, ...(related === undefined ? [] : [compileFilter(build, inner, related)])])
  const order = compileOrder(build, inner, [], relation.sortField)
  const from = `(select ${innerColumns(build, inner, columns)} from ${tableText(build, inner)}${where}${order.text})`
  return { sql: build.dialect.jsonColumn(shown, `${from} ${inner.alias}`), json: 'json' }
}

/** A computed number in the form that the view wants. */
export function computed(build: Build, sql: string): Expression {
  return build.view.computed === 'text'
    ? build.dialect.codec({ kind: 'number-text' }, sql, integerType)
    : { sql, json: 'value' }
}

/** The expression where the guard holds, else null. */
export function guarded(build: Build, level: Level, guard: Filter | undefined, sql: string): string {
  return guard === undefined ? sql : guardedBy(compileFilter(build, level, guard), sql)
}

/** The same for an expression in its wire form, and before it. */
export function guardedExpression(
  build: Build,
  level: Level,
  guard: Filter | undefined,
  expression: Expression,
): Expression {
  if (guard === undefined) return expression
  const condition = compileFilter(build, level, guard)
  const { sql, json, plain } = expression
  const shown = { sql: guardedBy(condition, sql), json }
  return plain === undefined ? shown : { ...shown, plain: guardedBy(condition, plain) }
}

const guardedBy = (condition: string, sql: string) => `case when ${condition} then ${sql} end`

/** What an inner level hands to the outer one. */
export function innerColumns(build: Build, inner: Level, columns: ReadonlySet<string>): string {
  if (columns.size === 0) return '1'
  return [...columns].map((column) => `${inner.alias}.${build.dialect.quote(column)}`).join(', ')
}

/** For fields that the view does not name: neutral forms. */
const storedCodecs = {
  string: { kind: 'text' },
  text: { kind: 'text' },
  boolean: { kind: 'boolean', nullAs: 'null' },
  integer: { kind: 'literal' },
  bigInteger: { kind: 'number-text' },
  float: { kind: 'literal' },
  decimal: { kind: 'number-text' },
  dateTime: { kind: 'iso-datetime' },
  timestamp: { kind: 'iso-instant' },
  date: { kind: 'date' },
  time: { kind: 'time' },
  json: { kind: 'json' },
  csv: { kind: 'csv', nullAs: 'null' },
  uuid: { kind: 'text' },
  hash: { kind: 'text' },
  binary: { kind: 'base64' },
  geometry: { kind: 'geojson' },
  alias: { kind: 'text' },
  unknown: { kind: 'text' },
} as const satisfies Record<FieldType, Codec>
