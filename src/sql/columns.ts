/** Rows that come back as plain columns, joined to JSON by us: for long texts in many rows the cheaper way. */
import type { Query } from '../domain/query.ts'
import type { Schema } from '../domain/schema.ts'
import type { View } from '../domain/view.ts'
import type { Mode } from './compile-query.ts'
import { codecOf } from './compile-value.ts'
import type { Entry } from './dialect.ts'
import { manyRows } from './shape.ts'

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

/** A writer for rows of these columns, made once per compiled query. */
export function columnsToJson(entries: readonly Entry[]): (rows: readonly (readonly (string | null)[])[]) => string {
  const last = entries.length - 1
  const heads = entries.map((entry, index) => `${index === 0 ? '{' : ','}${JSON.stringify(entry.key)}:`)
  const isText = entries.map((entry) => entry.json === 'text')
  return (rows) => {
    let json = '['
    for (const row of rows) {
      if (json.length > 1) json += ','
      for (let index = 0; index <= last; index += 1) {
        const value = row[index]
        json += heads[index] as string
        if (value === null || value === undefined) json += 'null'
        else json += isText[index] ? JSON.stringify(value) : value
      }
      json += last < 0 ? '{}' : '}'
    }
    return `${json}]`
  }
}
