/** What an import writes into one table: its rows as drafts, in the order of their keys. */
import type { Mirror, MirrorRow } from '../../../domain/ports/table-source.ts'
import { filled, flag, instantAt, jsonAt, type SourceRecord } from '../records.ts'

/** A row as it should be here. */
export type Draft = { readonly [column: string]: string | null }

/** Reports what is skipped or changed. */
export type Tell = (note: string) => void

/** `columns`: names and types in their order, as SQL declares them. Rows with a number have a uuid here, their `id`. */
export const mirrorOf = (table: string, key: readonly string[], columns: string): Mirror => ({
  table,
  key,
  columns: columns.split(',').map((column) => {
    const [name = '', type = ''] = column.trim().split(' ')
    return { name, type }
  }),
  ...(key[0] === 'number' ? { generates: 'id' } : {}),
})

/** The columns that are here what they are there; `names`: those that have another name there. */
export const copied = (
  { columns }: Mirror,
  row: SourceRecord,
  names: { readonly [here: string]: string } = {},
): Draft => Object.fromEntries(columns.map(({ name, type }) => [name, textAt(row, names[name] ?? name, type)]))

function textAt(row: SourceRecord, name: string, type: string): string | null {
  if (type === 'boolean') return flagText(flag(row, name))
  if (type === 'json') return jsonAt(row, name)
  return type === 'timestamptz' ? instantAt(row, name) : filled(row, name)
}

export const toRow = ({ columns }: Mirror, draft: Draft): MirrorRow => columns.map(({ name }) => draft[name] ?? null)

export const flagText = (value: boolean): string => (value ? 'true' : 'false')

/** The text, truncated to the length of the column; a truncation is reported. */
export function fit(text: string | null, length: number, tell: () => void): string | null {
  if (text === null || Array.from(text).length <= length) return text
  tell()
  return Array.from(text).slice(0, length).join('')
}
