/** Authorization: turns a query or mutation into the part that the actor may do. The only maker of `Authorized<T>`. */

import { rowsPerItem, spendCells, spendRows } from '../domain/conditions/query-cost.ts'
import type { FieldType } from '../domain/query/field-types.ts'
import { and, type Filter, matchAll } from '../domain/query/filter.ts'
import type { Mutation } from '../domain/query/mutation.ts'
import type { GivenRows, Query, SearchField, Selection } from '../domain/query/query.ts'
import type { Authorized, AuthorizedMutation } from '../domain/rights/authorized.ts'
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
import { restrictMutation, type WriteScope } from './restrict-mutation.ts'
import { restrictAggregation, restrictSort } from './restrict-order.ts'

export type { Scope, WriteScope }

/**
 * Expands wildcards, adds row filters and field guards at every level, and rejects fields that the actor may not read.
 * Throws `forbidden`, both for names that do not exist and for names that are not allowed. Throws `invalid-query`
 * named `fields`, `filter`, `sort`, `search`, `aggregate`, `group` or `distinct` where the type of a field does not fit.
 * `within` is a condition of the server (such as a key). It needs no permission on its fields.
 */
export function authorizeQuery(scope: Scope, query: Query, within: Filter = matchAll): Authorized<Query> {
  scope.stopwatch?.leave('parse')
  const authorized = restrictQuery(scope, query, within) as Authorized<Query>
  scope.stopwatch?.leave('authorize')
  return authorized
}

/**
 * Merges presets into the payload, rejects fields and values that the rules do not allow, and restricts the rows
 * that are changed. A `write-singleton` must be turned into a create or an update first.
 */
export function authorizeMutation<Kind extends Mutation['kind']>(
  scope: WriteScope,
  mutation: Mutation & { readonly kind: Kind },
): AuthorizedMutation<Kind> {
  return restrictMutation(scope, mutation) as AuthorizedMutation<Kind>
}

/** Throws what the authorization of the mutation throws, before rows are looked up or written in another way. */
export function assertMutation(scope: WriteScope, mutation: Mutation): void {
  restrictMutation(scope, mutation)
}

/**
 * Restricts a query from its root. `within` is a condition of the server, such as a key from the path. It narrows
 * the rows and needs no permission on its fields.
 */
function restrictQuery(scope: Scope, query: Query, within: Filter): Query {
  const { schema, view, actor, limits } = scope
  const level = withListed(
    restrictLevel({ schema, view, actor, limits, budget: widestSelection }, query, 1),
    within.kind === 'all' ? view.byCore.get(query.collection)?.listed : undefined,
  )
  if (isBounded(actor)) {
    spendRows(scope, query, rowsPerItem({ schema, limits }, level.collection, level.selection))
    spendCells(scope, { ...level, filter: and(level.filter, within) })
  }
  const overlaid = query.overlay === undefined ? level : { ...level, overlay: query.overlay }
  const shown = query.given === undefined ? overlaid : { ...overlaid, ...restrictGiven(scope, level, query.given) }
  const restricted = query.tag === undefined ? shown : { ...shown, ...restrictTag(scope, query, query.tag) }
  return within.kind === 'all' ? restricted : { ...restricted, filter: and(restricted.filter, within) }
}

/** The rows of a list that the generation shows; its counts are those of these rows. */
function withListed(level: Query, listed: Filter | undefined): Query {
  if (listed === undefined) return level
  const { estimable: _, ...counted } = level
  return { ...counted, filter: and(level.filter, listed), rows: and(level.rows ?? matchAll, listed) }
}

function restrictGiven(
  { schema }: Scope,
  { collection, filter }: Query,
  rows: GivenRows,
): Pick<Query, 'given' | 'filter'> {
  return { given: rows, filter: rows.isGone ? certainly(schema, collection, filter) : filter }
}

/** Cache tags cover only the fields that the actor may read. */
function restrictTag(
  { schema, view, actor, limits }: Scope,
  query: Query,
  tag: Selection,
): Pick<Query, 'tag' | 'locked'> {
  const grant = readGrant(actor, schema, query.collection)
  const walk = { schema, view, actor, limits, budget: widestSelection }
  const selection = expandSelection(walk, grant, tag, { depth: 1, archive: query.archive })
  return query.locked === undefined ? { tag: selection } : { tag: selection, locked: query.locked }
}

/** Restricts one level of a query; `depth` is the number of path segments down to this level. */
export function restrictLevel(state: AuthorizationState, query: Query, depth: number): Query {
  const grant = readGrant(state.actor, state.schema, query.collection)
  const filter = query.filter.kind === 'all' ? matchAll : restrictFilter(state, grant, query.filter, depth)
  const aggregation = query.aggregation === null ? null : restrictAggregation(state, grant, query.aggregation)
  const { archive } = query
  const selection = aggregation === null ? expandSelection(state, grant, query.selection, { depth, archive }) : []
  const level: Query = {
    collection: query.collection,
    selection,
    filter: and(grant.rows, archiveGuard(grant, query), filter),
    search: query.search,
    sort: query.sort.length === 0 ? query.sort : restrictSort(state, grant, query, depth),
    page: query.page,
    aggregation,
    archive: query.archive,
    counts: query.counts,
    rows: grant.rows,
  }
  if (isPlain(query)) return level
  const searched = query.search === null ? [] : searchFields(grant)
  const isEstimable =
    query.counts.includes('estimated') &&
    searched.every(({ guard }) => guard === undefined) &&
    JSON.stringify(level.filter) === JSON.stringify(query.filter)
  return {
    ...level,
    ...(isEstimable ? { estimable: true } : {}),
    ...(query.after === undefined ? {} : { after: query.after }),
    ...(query.distinct === undefined ? {} : { distinct: restrictDistinct(grant, query.distinct) }),
    ...(query.search === null ? {} : { searchFields: searched }),
  }
}

const isPlain = ({ distinct, search, after, counts }: Query): boolean =>
  distinct === undefined && search === null && after === undefined && !counts.includes('estimated')

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
  const fields: SearchField[] = []
  for (const { field, guard } of grant.fields.values()) {
    if (field.column === null || field.concealed || !searchable.has(field.type)) continue
    if (field.meta?.['searchable'] === false) continue
    fields.push({ field: field.name, ...guardOf({ guard }) })
  }
  return fields
}
