/** Rows as plain columns, which the server joins to JSON. It is cheaper for single rows and for many rows with long texts. */
import type { Query } from '../../domain/query/query.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import type { View } from '../../domain/schema/view.ts'
import { collectionOf, fieldOf } from '../conditions/build.ts'
import { codecOf } from '../conditions/codec-of.ts'
import type { Dialect, Entry } from '../dialects/dialect.ts'
import { manyRows } from '../shapes/shape.ts'

/**
 * The form of the rows: one JSON text, or columns that the server joins. `each`: always columns, because a cursor
 * fetches a few rows at a time.
 */
export type Mode = 'json' | 'columns' | 'each'

/**
 * Decides the form of the rows of a list: columns if many rows may contain text of unlimited length and no counts or
 * groups are requested, otherwise one JSON text. (For one row by its key see `compileRow`.)
 */
export function modeOf(query: Query, schema: Schema, view: View, dialect: Dialect): Mode {
  const { limit } = query.page
  if (dialect.listsAsColumns === true && query.counts.length === 0) return 'columns'
  if (query.aggregation !== null || query.counts.length > 0 || (limit !== null && limit < manyRows)) return 'json'
  const collection = collectionOf(schema, query.collection)
  const isWide = query.selection.some((selected) => {
    if (selected.kind !== 'field') return false
    const field = fieldOf(collection, selected.field)
    return field.type === 'text' && codecOf(view, collection.name, field).kind === 'text'
  })
  return isWide ? 'columns' : 'json'
}

/** A row from the driver: a text or null per column. */
export type TextRow = readonly (string | null)[]

/** A column of texts: what is written before each value, and whether the value is quoted or finished JSON. */
export type TextColumn = { readonly head: string; readonly isText: boolean }

/**
 * The rows that a statement returns. `list`: one row with the JSON text of an array, its length and the counts. `row`: at
 * most one row with the JSON text of an object. `objects`: objects that the driver makes, which are serialised together.
 * `texts`: columns that are joined.
 */
export type RowForm =
  | { readonly kind: 'list' | 'row' | 'objects' }
  | { readonly kind: 'texts'; readonly columns: readonly TextColumn[] }

/** The columns in plain form; null unless all entries have one and an object can hold the names in this order. */
export function plainColumns(entries: readonly Entry[], dialect: Dialect): readonly Entry[] | null {
  const plain = entries.flatMap((entry) =>
    entry.plain === undefined || !keepsPlace(entry.key) || !dialect.fitsAlias(entry.key)
      ? []
      : [{ ...entry, sql: entry.plain }],
  )
  return plain.length === entries.length ? plain : null
}

/** Name of the column with the content tag. The trailing space keeps it distinct from fields and aliases. */
export const tagColumn = 'content tag '

/** JavaScript objects move numeric names to the front, and treat `__proto__` specially. */
const keepsPlace = (key: string) => !/^\d/.test(key) && key !== '__proto__'

export const textsOf = (entries: readonly Entry[]): Extract<RowForm, { readonly kind: 'texts' }> => ({
  kind: 'texts',
  columns: entries.map(({ key, json }, index) => ({
    head: `${index === 0 ? '{' : ','}${JSON.stringify(key)}:`,
    isText: json === 'text',
  })),
})
