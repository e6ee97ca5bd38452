/** Metadata rows, and readers of their values. The readers accept any value, because users can write these tables directly. */
import { isRecord } from '../is-record.ts'

/** A row as the database returned it. */
export type MetadataRow = { readonly [column: string]: unknown }

export type Metadata = {
  readonly collections: readonly MetadataRow[]
  readonly fields: readonly MetadataRow[]
  readonly relations: readonly MetadataRow[]
}

/** A text that is not empty; otherwise null, as without a row. */
export function textAt(row: MetadataRow | null | undefined, column: string): string | null {
  const value = row?.[column]
  return typeof value === 'string' && value !== '' ? value : null
}

/** A list that is stored as comma-separated text or as JSON. */
export function listAt(row: MetadataRow, column: string): readonly string[] {
  const value = row[column]
  const items: readonly unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : []
  return items.filter((item): item is string => typeof item === 'string' && item !== '')
}

/** A plain object; otherwise null. */
export function objectAt(row: MetadataRow | null, column: string): MetadataRow | null {
  const value = row?.[column]
  return isRecord(value) ? value : null
}

/** True only for a value that is stored as true. */
export const flagAt = (row: MetadataRow | null, column: string): boolean =>
  row?.[column] === true || row?.[column] === 1
