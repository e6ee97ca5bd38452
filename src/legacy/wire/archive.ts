/** Statuses, and soft deletion: the status that counts as deleted is the collection's archive value. */
import { statusField } from '../../authz/levels.ts'
import { refuseQuery } from '../../domain/conditions/literals.ts'
import { compare, type Filter, matchAll } from '../../domain/query/filter.ts'
import type { Archive, Selection } from '../../domain/query/query.ts'
import type { Collection, Field } from '../../domain/schema/schema.ts'
import { systemForms } from '../model/system-forms.ts'
import { fieldNamed, type ParseScope } from './parse-scope.ts'
import { toFilterValue } from './values.ts'

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

/** The rows of a list with one of the statuses, where no status means deletion. Other ones are chosen by `parseArchive`. */
export function parseStatuses(statuses: readonly string[], { name, archive }: Collection, scope: ParseScope): Filter {
  const field = archive === null ? statusOf(scope.schema.collections.get(name)) : null
  const view = scope.view.byCore.get(name)?.byCore.get(field?.name ?? '')
  if (view === undefined || statuses.length === 0 || statuses.includes('*')) return matchAll
  const named = fieldNamed(scope, name, view.name)
  const refuse = (expected: string) => refuseQuery('status', expected, statuses.join(','))
  return compare(
    named.field.name,
    'in',
    statuses.map((status) => toFilterValue(status, named, refuse)),
  )
}

/** The field that holds the statuses of a collection; null without one. */
export function statusOf(collection: Collection | undefined): Field | null {
  if (collection === undefined) return null
  if (collection.archive !== null) return collection.fields.get(collection.archive.field) ?? null
  const named = systemForms.get(collection.name)?.get('status')?.interface === 'status' ? 'status' : ''
  return statusField(collection) ?? collection.fields.get(named) ?? null
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
