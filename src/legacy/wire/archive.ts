/** Soft deletion: the status that counts as deleted is the collection's archive value. */
import type { Archive, Selection } from '../../domain/query/query.ts'
import type { Place } from './place.ts'

/** `status`: without it, all rows that are not soft-deleted; `*` all rows; otherwise exactly these. */
export function parseArchive(
  statuses: readonly string[],
  collection: string,
  selection: Selection,
  place: Place,
): Archive {
  const hasStatuses = place.schema.collections.get(collection)?.archive !== null
  if (!hasStatuses) return defaultArchive(collection, selection, place)
  if (statuses.includes('*')) return { kind: 'all' }
  return statuses.length === 0 ? { kind: 'live' } : { kind: 'only', values: statuses }
}

/**
 * The default of a level without `status`. It also matters for collections without statuses, because wildcards lead on
 * from them.
 */
export function defaultArchive(collection: string, selection: Selection, place: Place): Archive {
  const hasStatuses = place.schema.collections.get(collection)?.archive !== null
  const leadsOn = selection.some((selected) => selected.kind === 'wildcard' && selected.nested !== null)
  return hasStatuses || leadsOn ? { kind: 'live' } : { kind: 'all' }
}
