/** What is said about a collection by naming one of its fields: by what its items are sorted, what tells of archived ones. */
import type { MetadataRow } from '../../domain/model/metadata.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import { refusePart } from './schema-change.ts'

const settings = ['archive_field', 'sort_field'] as const

/** Throws `invalid-payload` that names the setting, unless each that is given names a field with a column. */
export function assertFieldSettings(
  collection: string,
  meta: MetadataRow | null | undefined,
  hasColumn: (field: string) => boolean,
): void {
  for (const setting of settings) {
    const field = meta?.[setting]
    if (typeof field !== 'string' || hasColumn(field)) continue
    refusePart(setting, `Expected a field of "${collection}" with a column for "${setting}" but received "${field}"`)
  }
}

/** Whether the field of that collection has a column. */
export const columnIn =
  ({ collections }: Schema, collection: string) =>
  (field: string): boolean =>
    collections.get(collection)?.fields.get(field)?.column != null
