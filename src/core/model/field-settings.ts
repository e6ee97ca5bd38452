/** Settings of a collection that name one of its fields: the sort field and the archive field. */
import type { MetadataRow } from '../../domain/model/metadata.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import { refusePart } from './schema-change.ts'

const settings = ['archive_field', 'sort_field'] as const

/** Throws `invalid-payload` with the name of the setting if it does not name a field with a column. */
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

/** Whether the collection has the field, with a column. */
export const columnIn =
  ({ collections }: Schema, collection: string) =>
  (field: string): boolean =>
    collections.get(collection)?.fields.get(field)?.column != null
