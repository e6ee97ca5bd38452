/** Restricts a query, level by level, to what the actor may read. */

import { assertCells, assertRows, rowsPerItem } from '../domain/conditions/query-cost.ts'
import type { FieldType } from '../domain/query/field-types.ts'
import { and, type Filter, matchAll } from '../domain/query/filter.ts'
import type { GivenRows, Query, SearchField, Selection } from '../domain/query/query.ts'
import type { View } from '../domain/schema/view.ts'
import { certainly } from './certain.ts'
import { expandSelection } from './expand-selection.ts'
import {
  type AuthorizationState,
  assertOrdered,
  forbidden,
  guardOf,
  isBounded,
  type ReadGrant,
  readableField,
  readGrant,
  type Scope,
  widestSelection,
} from './grants.ts'
import { restrictFilter } from './restrict-filter.ts'
import { restrictAggregation, restrictSort } from './restrict-order.ts'

/**
 * Restricts a query from its root. `within` is a condition of the server, such as a key from the path. It narrows
 * the rows and needs no permission on its fields.
 */
export function restrictQuery(scope: Scope, query: Query, within: Filter): Query {
  const { schema, view, actor, limits } = scope
  const level = restrictLevel({ schema, view, actor, limits, budget: widestSelection }, query, 1)
  if (isBounded(actor)) {
    assertRows(scope, query, perItem(scope, level))
    assertCells(scope, [{ ...level, filter: and(level.filter, within) }])
  }
  const overlaid = query.overlay === undefined ? level : { ...level, overlay: query.overlay }
  const shown = query.given === undefined ? overlaid : { ...overlaid, ...restrictGiven(scope, level, query.given) }
  const restricted = query.tag === undefined ? shown : { ...shown, ...restrictTag(scope, query, query.tag) }
  return within.kind === 'all' ? restricted : { ...restricted, filter: and(restricted.filter, within) }
}

function restrictGiven(
  { schema }: Scope,
  { collection, filter }: Query,
  rows: GivenRows,
): Pick<Query, 'given' | 'filter'> {
  return { given: rows, filter: rows.isGone ? certainly(schema, collection, filter) : filter }
}

const costCache = new WeakMap<Selection, { readonly limits: Scope['limits']; readonly perItem: number }>()

/** Cost of one item. Memoized per restricted selection. */
function perItem({ schema, limits }: Scope, { collection, selection }: Query): number {
  const cached = costCache.get(selection)
  if (cached?.limits === limits) return cached.perItem
  const found = rowsPerItem({ schema, limits }, collection, selection)
  costCache.set(selection, { limits, perItem: found })
  return found
}

/** Cache tags cover only the fields that the actor may read. */
function restrictTag(
  { schema, view, actor, limits }: Scope,
  query: Query,
  tag: Selection,
): Pick<Query, 'tag' | 'locked'> {
  const grant = readGrant(actor, schema, query.collection)
  const walk = { schema, view, actor, limits, budget: widestSelection }
  const selection = selectionOf(walk, grant, { ...query, selection: tag }, 1)
  return query.locked === undefined ? { tag: selection } : { tag: selection, locked: query.locked }
}

/** Restricts one level of a query; `depth` is the number of path segments down to this level. */
export function restrictLevel(state: AuthorizationState, query: Query, depth: number): Query {
  const grant = readGrant(state.actor, state.schema, query.collection)
  const filter = restrictFilter(state, grant, query.filter, depth)
  const aggregation = query.aggregation === null ? null : restrictAggregation(state, grant, query.aggregation)
  const selection = aggregation === null ? selectionOf(state, grant, query, depth) : []
  const level: Query = {
    collection: query.collection,
    selection,
    filter: and(grant.rows, archiveGuard(grant, query), filter),
    search: query.search,
    sort: restrictSort(state, grant, query, depth),
    page: query.page,
    aggregation,
    archive: query.archive,
    counts: query.counts,
    rows: grant.rows,
  }
  if (query.distinct === undefined && query.search === null && query.after === undefined) return level
  return {
    ...level,
    ...(query.after === undefined ? {} : { after: query.after }),
    ...(query.distinct === undefined ? {} : { distinct: restrictDistinct(grant, query.distinct) }),
    ...(query.search === null ? {} : { searchFields: searchFields(grant) }),
  }
}

type CachedSelection = {
  readonly view: View
  readonly limits: Scope['limits']
  readonly archive: string
  readonly selection: Selection
}

/** Cache of restricted selections, by grant (one object per access, schema and collection) and by parsed selection. */
const selectionCache = new WeakMap<ReadGrant, WeakMap<Selection, CachedSelection>>()

/** Restricts a selection once per grant. Parsers return the same selection object for the same text. */
function selectionOf(state: AuthorizationState, grant: ReadGrant, query: Query, depth: number): Selection {
  const { view, limits } = state
  const { selection: asked, archive } = query
  if (depth > 1 || archive.kind === 'only') return expandSelection(state, grant, asked, { depth, archive })
  const byAsked = selectionCache.get(grant) ?? new WeakMap<Selection, CachedSelection>()
  const before = byAsked.get(asked)
  if (before?.view === view && before.limits === limits && before.archive === archive.kind) return before.selection
  const selection = expandSelection(state, grant, asked, { depth, archive })
  selectionCache.set(grant, byAsked.set(asked, { view, limits, archive: archive.kind, selection }))
  return selection
}

/** The guard of the archive field, if the request filters by it. Leaving archived rows out needs no guard. */
function archiveGuard(grant: ReadGrant, query: Query): Filter {
  const { archive } = grant.collection
  if (query.archive.kind !== 'only' || archive === null) return matchAll
  return readableField(grant, archive.field).guard ?? matchAll
}

function restrictDistinct(grant: ReadGrant, names: readonly string[]): readonly string[] {
  for (const name of names) {
    const readable = readableField(grant, name)
    if (readable.guard !== null) throw forbidden('read', grant.collection.name, name)
    assertOrdered(readable, 'distinct')
  }
  return names
}

const searchable: ReadonlySet<FieldType> = new Set([
  'string',
  'text',
  'integer',
  'bigInteger',
  'float',
  'decimal',
  'uuid',
])

function searchFields(grant: ReadGrant): readonly SearchField[] {
  const found: SearchField[] = []
  for (const { field, guard } of grant.fields.values()) {
    if (field.column === null || field.concealed || !searchable.has(field.type)) continue
    if (field.meta?.['searchable'] === false) continue
    found.push({ field: field.name, ...guardOf({ guard }) })
  }
  return found
}
