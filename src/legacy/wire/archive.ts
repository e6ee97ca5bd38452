/** Soft deletion: a status that counts as deleted is the archive value of the collection. */
import type { Archive, Selection } from '../../domain/query/query.ts'
import type { Place } from './place.ts'

/** `status`: without it everything but what is soft-deleted, `*` everything, else exactly these. */
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

/** What a level shows when no statuses are named. It matters to a collection without them if wildcards lead on from it. */
export function defaultArchive(collection: string, selection: Selection, place: Place): Archive {
  const hasStatuses = place.schema.collections.get(collection)?.archive !== null
  const leadsOn = selection.some((selected) => selected.kind === 'wildcard' && selected.nested !== null)
  return hasStatuses || leadsOn ? { kind: 'live' } : { kind: 'all' }
}
