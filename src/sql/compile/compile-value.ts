/** Compiles the value of a field: its column through the view's codec, or the related keys of a to-many field. */
import type { Filter } from '../../domain/query/filter.ts'
import type { AggregateName } from '../../domain/query/functions.ts'
import { mayBeLong } from '../../domain/schema/long-numbers.ts'
import { holdsValue } from '../../domain/schema/references.ts'
import type { Field, FieldRelation } from '../../domain/schema/schema.ts'
import {
  type Build,
  columnText,
  columnType,
  fieldOf,
  integerType,
  type Level,
  rowKeyText,
  tableText,
  whereText,
} from '../conditions/build.ts'
import { codecOf, isWrittenBack } from '../conditions/codec-of.ts'
import { compileFilter, guardedBy } from '../conditions/compile-filter.ts'
import { linkText } from '../conditions/compile-link.ts'
import { numberText, type StoredKey } from '../conditions/compile-number.ts'
import { openRelated } from '../conditions/scans.ts'
import type { Expression } from '../dialects/dialect.ts'
import { quoteName, quoteText } from '../dialects/quoting.ts'
import { fileFactsText } from './compile-file.ts'
import { compileOrder } from './compile-sort.ts'

/** The wire form of the field. `related` filters the rows of an array of keys. */
export function compileField(build: Build, level: Level, field: Field, related?: Filter): Expression {
  if (holdsValue(field)) {
    return encode(build, level.collection.name, { sql: columnText(build, level, field), level, field })
  }
  if (field.relation?.kind === 'one-to-many') return compileKeys(build, level, field.relation, related)
  return { sql: 'null', json: 'value' }
}

/** The key of the row: the value of its column, or one text of several columns; null where rows have no key. */
export function compileRowKey(build: Build, level: Level): Expression {
  const { collection } = level
  if (collection.keyColumns.length === 0) return { sql: 'null', json: 'value' }
  if (collection.keyColumns.length === 1) return compileField(build, level, fieldOf(collection, collection.primaryKey))
  const sql = rowKeyText(build, level)
  return { sql, json: 'text', plain: sql }
}

/** The wire form of a stored value of the field. */
export function encode(build: Build, collection: string, value: StoredKey & { readonly field: Field }): Expression {
  const codec = codecOf(build.view, collection, value.field)
  if (codec.kind === 'number-of') return { sql: numberText(build, value, codec.collection), json: 'json' }
  if (codec.kind === 'file-facts') return { sql: fileFactsText(build, value.sql), json: 'json' }
  return build.dialect.codec(codec, value.sql, {
    ...columnType(value.field),
    isExact: isWrittenBack(build.schema, collection, value.field),
  })
}

function compileKeys(
  build: Build,
  level: Level,
  relation: Extract<FieldRelation, { kind: 'one-to-many' }>,
  related: Filter | undefined,
): Expression {
  const inner = openRelated(build, level, relation)
  // Rows without a key are there, and have no name.
  if (inner.collection.keyColumns.length === 0) return { sql: 'null', json: 'value' }
  const columns = new Set<string>()
  const shown = compileRowKey(build, { ...inner, columns })
  const link = linkText(build, level, inner, relation)
  const where = whereText([link, ...(related === undefined ? [] : [compileFilter(build, inner, related)])])
  const order = compileOrder(build, inner, [], relation.sortField)
  if (build.dialect.linked !== undefined) {
    const rows = {
      table: `${tableText(build, inner)}${order.joins}`,
      where,
      order: order.keys,
      limit: null,
      offset: null,
    }
    return { sql: build.dialect.linked.column(shown, rows), json: 'json' }
  }
  const from = `(select ${innerColumns(inner, columns)} from ${tableText(build, inner)}${where}${order.text})`
  return { sql: build.dialect.jsonColumn(shown, `${from} ${inner.alias}`), json: 'json' }
}

/** A computed number in the wire form of the view. */
export function computed(build: Build, sql: string): Expression {
  return build.view.computed === 'text'
    ? build.dialect.codec({ kind: 'number-text' }, sql, integerType)
    : { sql, json: 'value' }
}

/** An aggregate of a number field. Where numbers are shown as numbers, it is a text if a reader would round it. */
export function computedOf(build: Build, sql: string, aggregate: AggregateName, field: Field): Expression {
  if (build.view.computed === 'text' || !mayBeLong(aggregate, field)) return computed(build, sql)
  // The least and the greatest value are of the type of the column, in which numbers may be bits.
  const dataType = aggregate === 'min' || aggregate === 'max' ? columnType(field).dataType : ''
  return build.dialect.codec({ kind: 'number' }, sql, { type: 'decimal', dataType, isExact: true })
}

/** A constant text, the same for every row. */
export function constant(text: string): Expression {
  const sql = quoteText(text)
  return { sql, json: 'text', plain: sql }
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

/** The columns that an inner level passes to the outer one. */
export function innerColumns(inner: Level, columns: ReadonlySet<string>): string {
  if (columns.size === 0) return '1'
  for (const column of columns) inner.columns?.add(column)
  return [...columns].map((column) => `${inner.alias}.${quoteName(column)}`).join(', ')
}
