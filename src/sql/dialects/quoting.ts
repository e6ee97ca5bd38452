/** Names and texts in SQL, as all vendors write them. Sessions of MariaDB and MySQL quote as the standard says. */
import { TandemError } from '../../domain/rights/errors.ts'

/** Quotes an identifier. Throws `invalid-query` for text that cannot be an identifier. */
export function quoteName(identifier: string): string {
  if (identifier.includes('\0')) {
    const reason = 'Expected a name without NUL characters for alias'
    throw new TandemError({ kind: 'invalid-query', name: 'alias', reason })
  }
  return `"${identifier.replaceAll('"', '""')}"`
}

/** Quotes a text literal: a name from the schema or a word from a view, never a value. */
export const quoteText = (constant: string): string => `'${constant.replaceAll("'", "''")}'`

/** The parameter at this position, starting at 1. */
export const placeholder = (position: number): string => `$${position}`

/** Escapes wildcards in a search word, and adds wildcards around it. */
export function likePattern(kind: PatternKind, value: string): string {
  // A trailing backslash would escape the end of the pattern, so it is escaped.
  if (kind === 'like') return value.replace(/(?<!\\)(?:\\\\)*\\$/, '$&\\')
  const escaped = value.replaceAll(/[\\%_]/g, String.raw`\$&`)
  return `${kind === 'startsWith' ? '' : '%'}${escaped}${kind === 'endsWith' ? '' : '%'}`
}

/** Position of the wildcards: around a substring, after a prefix, before a suffix, or as given in the value. */
export type PatternKind = 'contains' | 'startsWith' | 'endsWith' | 'like'

export const columnNames = (columns: readonly { readonly column: string }[]): readonly string[] =>
  columns.map(({ column }) => column)

/** Expressions under their names. */
export const columnList = (entries: readonly { readonly key: string; readonly sql: string }[]): string =>
  entries.map((entry) => `${entry.sql} as ${quoteName(entry.key)}`).join(', ')
