/** Rows of the metadata tables, and how to read them without trusting them: anybody may have written them. */

/** A row as the database gave it. */
export type MetadataRow = { readonly [column: string]: unknown }

export type Metadata = {
  readonly collections: readonly MetadataRow[]
  readonly fields: readonly MetadataRow[]
  readonly relations: readonly MetadataRow[]
}

/** A text that is not empty, or null. */
export function textAt(row: MetadataRow, column: string): string | null {
  const value = row[column]
  return typeof value === 'string' && value !== '' ? value : null
}

/** A list stored as comma-joined text or as JSON. */
export function listAt(row: MetadataRow, column: string): readonly string[] {
  const value = row[column]
  const items: readonly unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : []
  return items.filter((item): item is string => typeof item === 'string' && item !== '')
}

/** A plain object, or null. */
export function objectAt(row: MetadataRow, column: string): MetadataRow | null {
  const value = row[column]
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as MetadataRow) : null
}

/** True only where it is surely true. */
export const flagAt = (row: MetadataRow, column: string): boolean => row[column] === true || row[column] === 1
