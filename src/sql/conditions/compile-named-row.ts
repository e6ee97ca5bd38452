/** Compiles the condition that a text of the database, such as the item of a many-to-any, names a row by its key. */

import type { ColumnType } from '../dialects/dialect.ts'
import { type Build, columnText, columnType, fieldOf, type Level, rowKeyText } from './build.ts'

/** The expression with the text. */
export type NamingText = { readonly sql: string; readonly column: ColumnType }

/**
 * The row of the level that the text names. Columns are compared as what they are where the text can be converted,
 * because no index holds the text of a key. Of several columns the whole text is compared as well: it may have more parts.
 */
export function namedRowText(build: Build, level: Level, { sql, column }: NamingText): string {
  const { dialect } = build
  const { keyColumns, primaryKey } = level.collection
  const text = dialect.asText(sql, column)
  if (keyColumns.length > 1) {
    const parts = keyColumns.flatMap((name, index) => {
      const field = fieldOf(level.collection, name)
      const part = dialect.writes.keyPart(text, index + 1, columnType(field))
      return part === null ? [] : [`${columnText(build, level, field)} = ${part}`]
    })
    return [...parts, `${rowKeyText(build, level)} = ${text}`].join(' and ')
  }
  const key = fieldOf(level.collection, primaryKey)
  const stored = dialect.keyFromText(sql, column, columnType(key))
  const own = columnText(build, level, key)
  return stored === null ? `${dialect.asText(own, columnType(key))} = ${text}` : `${own} = ${stored}`
}
