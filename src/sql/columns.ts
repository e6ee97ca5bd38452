/** Rows that come back as plain columns, joined to JSON by us: for one row, and for long texts in many, the cheaper way. */
import type { Query } from '../domain/query.ts'
import type { Schema } from '../domain/schema.ts'
import type { View } from '../domain/view.ts'
import { codecOf } from './compile-value.ts'
import type { Dialect, Entry } from './dialect.ts'
import { manyRows } from './shape.ts'

/**
 * How the rows come back: as one JSON text, or as columns that are joined here. `each`: as columns
 * whatever is asked, because a cursor hands over some rows at a time.
 */
export type Mode = 'json' | 'columns' | 'each'

/**
 * The one rule by which the rows of a list come back: as columns where many rows hold text of unlimited
 * length and nothing but rows is asked for, else as one JSON text. (One row by its key: `compileRow`.)
 */
export function modeOf(query: Query, schema: Schema, view: View): Mode {
  const { limit } = query.page
  if (query.aggregation !== null || query.counts.length > 0 || (limit !== null && limit < manyRows)) return 'json'
  const collection = schema.collections.get(query.collection)
  const isWide = query.selection.some((selected) => {
    if (selected.kind !== 'field') return false
    const field = collection?.fields.get(selected.field)
    if (collection === undefined || field?.type !== 'text') return false
    return codecOf(view, collection.name, field).kind === 'text'
  })
  return isWide ? 'columns' : 'json'
}

/** A row as the driver hands it over: a text or null per column. */
export type TextRow = readonly (string | null)[]

/** Writes rows as elements of a JSON array, without its brackets. */
export type RowsToJson<Row = TextRow> = (rows: readonly Row[]) => string

/**
 * What the rows of a statement are. `list`: one, with the JSON text of an array, its length and the counts;
 * `row`: none or one, with the JSON text of an object; `objects`: the objects themselves, which the driver
 * makes and the engine writes fastest many at once; `texts`: columns that `toElements` joins.
 */
export type RowForm =
  | { readonly kind: 'list' | 'row' | 'objects' }
  | { readonly kind: 'texts'; readonly toElements: RowsToJson }

/** The columns before their wire form, if all have one and an object can hold their names in this order. */
export function plainColumns(entries: readonly Entry[], dialect: Dialect): readonly Entry[] | null {
  const plain = entries.flatMap((entry) =>
    entry.plain === undefined || !keepsPlace(entry.key) || !dialect.fitsAlias(entry.key)
      ? []
      : [{ ...entry, sql: entry.plain }],
  )
  return plain.length === entries.length ? plain : null
}

/** Objects move names that look like numbers to the front and treat one other specially. */
const keepsPlace = (key: string) => !/^\d/.test(key) && key !== '__proto__'

/** A writer for columns that hold the texts of strings and of finished JSON (relations, lists). */
export function textsToElements(entries: readonly Entry[]): RowsToJson {
  const heads = entries.map((entry, index) => `${index === 0 ? '{' : ','}${JSON.stringify(entry.key)}:`)
  const isText = entries.map((entry) => entry.json === 'text')
  return (rows) => {
    let json = ''
    for (const row of rows) {
      if (json !== '') json += ','
      for (const [index, head] of heads.entries()) {
        const value = row[index] ?? null
        json += head
        json += value === null || !isText[index] ? (value ?? 'null') : JSON.stringify(value)
      }
      json += '}'
    }
    return json
  }
}
