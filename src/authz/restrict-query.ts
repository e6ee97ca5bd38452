/** From a query to the part of it that the actor may ask, level by level. */
import type { FieldType } from '../domain/field-types.ts'
import { and, type Filter, matchAll } from '../domain/filter.ts'
import type { Query, SearchField, Selection } from '../domain/query.ts'
import type { View } from '../domain/view.ts'
import { expandSelection } from './expand-selection.ts'
import { forbidden, type ReadGrant, readGrant } from './grants.ts'
import { restrictFilter } from './restrict-filter.ts'
import { restrictAggregation, restrictSort } from './restrict-order.ts'
import { assertOrdered, guardOf, readableField, type Scope, type Walk, widestSelection } from './walk.ts'

/**
 * Restricts a query from its root. `within` is a condition of our own, such as a key from the path: it
 * narrows the rows and needs no right to the field that it names.
 */
export function restrictQuery(scope: Scope, query: Query, within: Filter): Query {
  const { schema, view, actor, limits } = scope
  const level = restrictLevel({ schema, view, actor, limits, budget: widestSelection }, query, 1)
  const restricted = query.overlay === undefined ? level : { ...level, overlay: query.overlay }
  return within.kind === 'all' ? restricted : { ...restricted, filter: and(restricted.filter, within) }
}

/** Restricts the query of one level; `depth` counts the names of a path that ends here. */
export function restrictLevel(walk: Walk, query: Query, depth: number): Query {
  const grant = readGrant(walk.actor, walk.schema, query.collection)
  const filter = restrictFilter(walk, grant, query.filter, depth)
  const aggregation = query.aggregation === null ? null : restrictAggregation(walk, grant, query.aggregation)
  const selection = aggregation === null ? selectionOf(walk, grant, query, depth) : []
  const level: Query = {
    collection: query.collection,
    selection,
    filter: and(grant.rows, archiveGuard(grant, query), filter),
    search: query.search,
    sort: restrictSort(walk, grant, query, depth),
    page: query.page,
    aggregation,
    archive: query.archive,
    counts: query.counts,
    rows: grant.rows,
  }
  if (query.distinct === undefined && query.search === null) return level
  return {
    ...level,
    ...(query.distinct === undefined ? {} : { distinct: restrictDistinct(grant, query.distinct) }),
    ...(query.search === null ? {} : { searchFields: searchFields(grant) }),
  }
}

type Kept = {
  readonly view: View
  readonly limits: Scope['limits']
  readonly archive: string
  readonly selection: Selection
}

/** By what may be read (one object per access, schema and collection) and by the selection as it was parsed. */
const keptSelections = new WeakMap<ReadGrant, WeakMap<Selection, Kept>>()

/** Parsers hand out the same selection for the same words: what is left of it for an actor is worked out once. */
function selectionOf(walk: Walk, grant: ReadGrant, query: Query, depth: number): Selection {
  const { view, limits } = walk
  const { selection: asked, archive } = query
  if (depth > 1 || archive.kind === 'only') return expandSelection(walk, grant, asked, { depth, archive })
  const byAsked = keptSelections.get(grant) ?? new WeakMap<Selection, Kept>()
  const before = byAsked.get(asked)
  if (before?.view === view && before.limits === limits && before.archive === archive.kind) return before.selection
  const selection = expandSelection(walk, grant, asked, { depth, archive })
  keptSelections.set(grant, byAsked.set(asked, { view, limits, archive: archive.kind, selection }))
  return selection
}

/** Choosing archived rows by their value is a comparison; leaving them out is not. */
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

const searchFieldsOf = new WeakMap<ReadGrant, readonly SearchField[]>()

function searchFields(grant: ReadGrant): readonly SearchField[] {
  const known = searchFieldsOf.get(grant)
  if (known !== undefined) return known
  const found: SearchField[] = []
  for (const { field, guard } of grant.fields.values()) {
    if (field.column === null || field.concealed || !searchable.has(field.type)) continue
    found.push({ field: field.name, ...guardOf({ guard }) })
  }
  searchFieldsOf.set(grant, found)
  return found
}
