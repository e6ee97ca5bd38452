/** What an import writes into one table: its rows as drafts, in the order of their keys. */
import type { Mirror, MirrorRow } from '../../../domain/ports/table-source.ts'

/** A row as it should be here. */
export type Draft = { readonly [column: string]: string | null }

/** Reports what is skipped or changed. */
export type Tell = (note: string) => void

/** Columns and their types, in order. */
export const mirrorOf = (
  table: string,
  key: readonly string[],
  columns: { readonly [name: string]: string },
  generates?: string,
): Mirror => ({
  table,
  key,
  columns: Object.entries(columns).map(([name, type]) => ({ name, type })),
  ...(generates === undefined ? {} : { generates }),
})

export const toRow = ({ columns }: Mirror, draft: Draft): MirrorRow => columns.map(({ name }) => draft[name] ?? null)

export const flagText = (value: boolean): string => (value ? 'true' : 'false')

/** The text, truncated to the length of the column; a truncation is reported. */
export function fit(text: string | null, length: number, tell: () => void): string | null {
  if (text === null || Array.from(text).length <= length) return text
  tell()
  return Array.from(text).slice(0, length).join('')
}
