/** Soft deletion: the status that counts as deleted is the collection's archive value. */
import type { Archive, Selection } from '../../domain/query/query.ts'
import type { ParseScope } from './parse-scope.ts'

/** `status`: without it, all rows that are not soft-deleted; `*` all rows; otherwise exactly these. */
export function parseArchive(
  statuses: readonly string[],
  collection: string,
  selection: Selection,
  scope: ParseScope,
): Archive {
  const archive = scope.schema.collections.get(collection)?.archive
  if (archive == null) return defaultArchive(collection, selection, scope)
  if (statuses.includes('*')) return { kind: 'all' }
  if (statuses.length === 0) return { kind: 'live' }
  return {
    kind: 'only',
    values: statuses.map((status) => storedWord(status, { collection, field: archive.field }, scope)),
  }
}

/** The stored value of a status that this generation calls by another word. */
function storedWord(
  status: string,
  { collection, field }: { readonly collection: string; readonly field: string },
  { view }: ParseScope,
): string {
  const shown = [...(view.byCore.get(collection)?.fields.values() ?? [])].find((each) => each.field === field)
  if (shown?.codec?.kind !== 'words') return status
  return Object.entries(shown.codec.words).find(([, word]) => word === status)?.[0] ?? status
}

/**
 * The default of a level without `status`. It also matters for collections without statuses, because wildcards lead on
 * from them.
 */
export function defaultArchive(collection: string, selection: Selection, scope: ParseScope): Archive {
  const hasStatuses = scope.schema.collections.get(collection)?.archive !== null
  const leadsOn = selection.some((selected) => selected.kind === 'wildcard' && selected.nested !== null)
  return hasStatuses || leadsOn ? { kind: 'live' } : { kind: 'all' }
}
