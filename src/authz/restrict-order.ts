/** Restricts sorting and aggregation: both reveal values, so they need the same rights as reading. */
import type { FieldType } from '../domain/query/field-types.ts'
import { and, type Filter } from '../domain/query/filter.ts'
import { type AggregateName, aggregates, pathOf } from '../domain/query/functions.ts'
import type { AggregateValue, Aggregation, GroupKey, Query, Sort, SortStep } from '../domain/query/query.ts'
import { holdsValue } from '../domain/schema/references.ts'
import { type AuthorizationState, assertOrdered, guardOf, type ReadGrant, readableField, refuse } from './grants.ts'
import { assertFunction, relatedRows } from './restrict-filter.ts'

export function restrictSort(
  state: AuthorizationState,
  grant: ReadGrant,
  query: Query,
  depth: number,
): readonly Sort[] {
  const { aggregation } = query
  // One row of aggregates has no order, but what is named must be readable.
  const isSingle = aggregation !== null && aggregation.group.length === 0
  const sorts = query.sort.map((sort) => {
    if (aggregation !== null && (!isSingle || sort.kind === 'aggregate')) assertGrouped(sort, aggregation)
    if (sort.kind === 'random' || sort.kind === 'aggregate' || sort.kind === 'listed') return sort
    if (depth + sort.path.length > state.limits.depth) {
      refuse('sort', `Expected at most ${state.limits.depth} names in a path`)
    }
    return restrictKey(state, grant, sort)
  })
  return isSingle ? [] : sorts
}

export const restrictKeys = (state: AuthorizationState, grant: ReadGrant, sort: readonly Sort[]): readonly Sort[] =>
  sort.map((each) => (each.kind === 'field' || each.kind === 'function' ? restrictKey(state, grant, each) : each))

export function restrictAggregation(
  state: AuthorizationState,
  grant: ReadGrant,
  aggregation: Aggregation,
): Aggregation {
  const values = aggregation.values.map((value) => restrictValue(grant, value))
  const group = aggregation.group.map((key) => restrictGroup(state, grant, key))
  return { ...aggregation, values, group }
}

type KeySort = Extract<Sort, { kind: 'field' | 'function' }>

function restrictKey(state: AuthorizationState, root: ReadGrant, sort: KeySort): Sort {
  let grant = root
  const path: SortStep[] = []
  for (const step of sort.path) {
    const { field, guard } = readableField(grant, step.field)
    grant = relatedRows(state, grant, field, step.collection)
    path.push({ field: step.field, collection: step.collection, filter: grant.rows, ...guardOf({ guard }) })
  }
  const readable = readableField(grant, sort.field)
  const { descending, nulls } = sort
  const shared = { descending, ...(nulls === undefined ? {} : { nulls }), path, ...guardOf(readable) }
  if (sort.kind === 'field') {
    assertOrdered(readable, 'sort')
    return { ...shared, kind: 'field', field: sort.field }
  }
  assertFunction(readable.field, sort.function, 'sort')
  const related = countedRows(state, grant, readable.field)
  return { ...shared, kind: 'function', function: sort.function, field: sort.field, ...pathOf(sort), ...related }
}

/** Groups can only be sorted by their group keys and aggregates. */
function assertGrouped(sort: Sort, { values, group }: Aggregation): void {
  if (sort.kind === 'listed') throw new Error('Expected groups without a list of keys')
  const target =
    sort.kind === 'random' ||
    (sort.kind === 'aggregate'
      ? values.some((value) => value.aggregate === sort.aggregate && value.field === sort.field)
      : sort.path.length === 0 && group.some((key) => sameKey(key, sort)))
  if (!target) refuse('sort', 'Expected a field of the groups or one of the aggregates')
}

function sameKey(key: GroupKey, sort: KeySort): boolean {
  if (key.field !== sort.field) return false
  return key.kind === 'function' ? sort.kind === 'function' && key.function === sort.function : sort.kind === 'field'
}

const numeric: ReadonlySet<FieldType> = new Set(['integer', 'bigInteger', 'float', 'decimal'])
const extremes: ReadonlySet<FieldType> = new Set([
  ...numeric,
  'string',
  'text',
  'csv',
  'date',
  'dateTime',
  'timestamp',
  'time',
])

function restrictValue(grant: ReadGrant, value: AggregateValue): AggregateValue {
  const { aggregate, field: name, key } = value
  if (name === null) {
    if (!aggregates[aggregate].star) refuse('aggregate', `Expected a field for "${aggregate}" but received "*"`)
    return { aggregate, field: null, key }
  }
  const readable = readableField(grant, name)
  const { field, guard } = readable
  if (field.concealed || field.type === 'hash') {
    refuse('aggregate', `Expected a field that is not concealed but received "${name}"`)
  }
  if (!holdsValue(field) || !fits(aggregate, field.type)) {
    refuse('aggregate', `Aggregate "${aggregate}" does not apply to field "${name}" of type ${field.type}`)
  }
  if (aggregate === 'countDistinct') assertOrdered(readable, 'aggregate')
  return { aggregate, field: name, key, ...guardOf({ guard }) }
}

function fits(aggregate: AggregateName, type: FieldType): boolean {
  if (aggregates[aggregate].numeric) return numeric.has(type)
  return aggregate === 'min' || aggregate === 'max' ? extremes.has(type) : true
}

function restrictGroup(state: AuthorizationState, grant: ReadGrant, key: GroupKey): GroupKey {
  const readable = readableField(grant, key.field)
  if (key.kind === 'field') {
    assertOrdered(readable, 'group')
    return { kind: 'field', key: key.key, field: key.field, ...guardOf(readable) }
  }
  assertFunction(readable.field, key.function, 'group')
  const related = countedRows(state, grant, readable.field)
  return { kind: 'function', key: key.key, function: key.function, field: key.field, ...guardOf(readable), ...related }
}

function countedRows(
  state: AuthorizationState,
  grant: ReadGrant,
  field: Parameters<typeof relatedRows>[2],
): { readonly related?: Filter } {
  if (field.relation?.kind !== 'one-to-many') return {}
  return { related: and(relatedRows(state, grant, field, field.relation.collection).rows) }
}
