/** A snapshot as a table with one row per collection, field and relation. */
import type { Snapshot } from './schema-snapshot.ts'

export type SnapshotRow = { readonly [column: string]: unknown }

export function snapshotRows({ collections, fields, relations }: Snapshot): readonly SnapshotRow[] {
  return [
    ...collections.map((entry) => toRow('collection', entry)),
    ...fields.map((entry) => toRow('field', entry)),
    ...relations.map((entry) => toRow('relation', entry)),
  ]
}

const toRow = (part: string, entry: SnapshotRow): SnapshotRow => ({
  part,
  collection: entry['collection'],
  field: entry['field'],
  related_collection: entry['related_collection'],
  type: entry['type'],
  meta: entry['meta'],
  schema: entry['schema'],
})
