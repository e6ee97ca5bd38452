/** Rows that come back as plain columns, joined to JSON by us: for long texts in many rows the cheaper way. */
import type { Query } from '../domain/query.ts'
import type { Schema } from '../domain/schema.ts'
import type { View } from '../domain/view.ts'
import { codecOf } from './compile-value.ts'
import type { Entry, PlainForm } from './dialect.ts'
import { manyRows } from './shape.ts'

/**
 * How the rows come back: as one JSON text, or as columns that are joined here. `each`: as columns
 * whatever is asked, because a cursor hands over some rows at a time.
 */
export type Mode = 'json' | 'columns' | 'each'

/**
 * The one rule by which the rows of a query come back: as columns where many rows hold text of
 * unlimited length and nothing but rows is asked for, else as one JSON text.
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

/** Rows as the driver hands them over: a text or null per column. */
export type RowsToJson = (rows: readonly (readonly (string | null)[])[]) => string

type Plain = { readonly key: string; readonly sql: string; readonly form: PlainForm }

/** The columns before their wire form, if all have one and an object can hold their names in this order. */
export function plainColumns(entries: readonly Entry[]): readonly Plain[] | null {
  const plain = entries.flatMap(({ key, plain }) =>
    plain === undefined || !keepsPlace(key) ? [] : [{ key, ...plain }],
  )
  return plain.length === entries.length ? plain : null
}

/** Objects move names that look like numbers to the front and treat one other specially. */
const keepsPlace = (key: string) => !/^\d/.test(key) && key !== '__proto__'

/** A writer for plain columns: the engine's own is fastest when it gets all rows at once. */
export function plainToJson(columns: readonly Plain[]): RowsToJson {
  const keys = columns.map(({ key }) => key)
  const readers = columns.map(({ form }) => plainReaders[form])
  const count = columns.length
  return (rows) =>
    JSON.stringify(
      rows.map((row) => {
        const object: { [key: string]: unknown } = {}
        for (let index = 0; index < count; index += 1) {
          const text = row[index]
          object[keys[index] as string] = text === null || text === undefined ? null : readers[index]?.(text)
        }
        return object
      }),
    )
}

const plainReaders: { readonly [Form in PlainForm]: (text: string) => unknown } = {
  text: (text) => text,
  number: Number,
  boolean: (text) => text === 't',
  instant: toIsoInstant,
}

/** From `2026-01-31 10:00:00.123456+00` to `2026-01-31T10:00:00.123Z`; what is no such instant stays as it is. */
function toIsoInstant(text: string): string {
  if (text.charCodeAt(10) !== space || !text.endsWith('+00')) return text
  const milliseconds = text.length === 22 ? '000' : text.slice(20, -3).padEnd(3, '0').slice(0, 3)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`
}

const space = 32

/** A writer for columns that hold the texts of strings and of finished JSON (relations, lists). */
export function textsToJson(entries: readonly Entry[]): RowsToJson {
  const heads = entries.map((entry, index) => `${index === 0 ? '{' : ','}${JSON.stringify(entry.key)}:`)
  const isText = entries.map((entry) => entry.json === 'text')
  return (rows) => {
    let json = '['
    for (const row of rows) {
      if (json.length > 1) json += ','
      for (const [index, head] of heads.entries()) {
        const value = row[index] ?? null
        json += head
        json += value === null || !isText[index] ? (value ?? 'null') : JSON.stringify(value)
      }
      json += '}'
    }
    return `${json}]`
  }
}
