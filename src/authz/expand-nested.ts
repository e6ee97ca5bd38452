/** Wildcards of relations (`*.*`): they select the readable related rows of each relation, without naming it. */

import { and, matchAll } from '../domain/query/filter.ts'
import type { Query, SelectedObject, Selection, Wildcard } from '../domain/query/query.ts'
import { liveRows } from '../domain/schema/archive.ts'
import { keyObject } from '../domain/schema/key-object.ts'
import { inLanguages } from '../domain/schema/languages.ts'
import {
  expandSelection,
  fieldsInView,
  type Inside,
  type NamedEntry,
  type SelectionOptions,
  spend,
} from './expand-selection.ts'
import { type AuthorizationState, findReadGrant, guardOf, type ReadableField, type ReadGrant } from './grants.ts'

type NestedOptions = SelectionOptions & { readonly selected: Wildcard; readonly skipped: ReadonlySet<string> }

/** `*.*`: selects columns, and expands relations by one level. Relations that are not readable are left out. */
export function expandNested(
  state: AuthorizationState,
  grant: ReadGrant,
  nested: Selection,
  options: NestedOptions,
): readonly (NamedEntry | SelectedObject)[] {
  const entries: (NamedEntry | SelectedObject)[] = []
  for (const { name, readable } of fieldsInView(state, grant)) {
    if (options.skipped.has(readable.field.name)) continue
    const expanded = expandRelation(state, readable, nested, { ...options, key: name })
    if (expanded !== null) entries.push(...spend(state, [expanded]))
  }
  return entries
}

function expandRelation(
  state: AuthorizationState,
  readable: ReadableField,
  nested: Selection,
  nesting: NestedOptions & { readonly key: string },
): NamedEntry | SelectedObject | null {
  const { field } = readable
  const { relation } = field
  const { key, depth } = nesting
  if (relation === null) return { kind: 'field', key, field: field.name, ...guardOf(readable) }
  if (relation.kind === 'many-to-any') {
    const options = relation.allowed.flatMap((collection) => expandTarget(state, collection, nested, nesting) ?? [])
    return options.length === 0 ? null : { kind: 'any', key, field: field.name, options, ...guardOf(readable) }
  }
  if (relation.kind === 'one-to-many' && !nesting.selected.aliases) return null
  const target = expandTarget(state, relation.collection, nested, nesting)
  if (target === null) {
    const isClosed = findReadGrant(state.actor, state.schema, relation.collection) === null
    if (nesting.selected.keysOfClosed !== true || !isClosed) return null
    return keyObject(state.schema, { key, field, ...guardOf(readable) })
  }
  const { selection, filter } = target
  if (relation.kind === 'many-to-one') {
    const related = state.schema.collections.get(relation.collection)
    const live = nesting.archive.kind === 'live' && related !== undefined ? liveRows(related) : matchAll
    return { kind: 'one', key, field: field.name, selection, filter: and(filter, live), ...guardOf(readable) }
  }
  const query = wholeQuery(state, target, { depth, archive: nesting.archive })
  const shown = and(filter, inLanguages(state, field, nesting.selected.languages ?? null))
  return { kind: 'many', key, field: field.name, query: { ...query, filter: shown }, ...guardOf(readable) }
}

type Target = Inside & { readonly collection: string }

function expandTarget(
  state: AuthorizationState,
  collection: string,
  nested: Selection,
  options: SelectionOptions,
): Target | null {
  const target = state.view.byCore.has(collection) ? findReadGrant(state.actor, state.schema, collection) : null
  if (target === null) return null
  const { archive } = options
  const selection = expandSelection(state, target, nested, { depth: options.depth + 1, archive, lenient: true })
  return selection.length === 0 ? null : { collection, selection, filter: target.rows }
}

/** The query of a to-many relation that a wildcard selects: the first page in default order. */
function wholeQuery(
  state: AuthorizationState,
  { collection, selection, filter }: Target,
  options: SelectionOptions,
): Query {
  const { queryDefault, queryMax } = state.limits
  return {
    collection,
    selection,
    filter,
    search: null,
    sort: [],
    page: { limit: queryMax === null ? queryDefault : Math.min(queryDefault, queryMax), offset: 0 },
    aggregation: null,
    archive: options.archive.kind === 'live' ? options.archive : { kind: 'all' },
    counts: [],
    rows: filter,
  }
}
