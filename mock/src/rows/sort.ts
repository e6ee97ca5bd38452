/** The order of rows. The key is always the last sort key. */
import type { Sort, SortStep } from '../../../src/domain/query/query.ts'
import { keyOfRow } from '../../../src/domain/schema/row-keys.ts'
import { codecOf } from '../../../src/sql/conditions/codec-of.ts'
import { compareStored, decimal, integer, textOf } from './compare.ts'
import type { Env } from './env.ts'
import { callOf, isTrue, jsonOf, matches } from './filter.ts'
import { collectionOf, fieldOf, keyedRow, type Level, relatedRows, valueOf } from './links.ts'
import { plain, type Typed, toStored } from './stored.ts'

type RowSort = Exclude<Sort, { readonly kind: 'aggregate' }>
type Operand = Extract<Sort, { readonly kind: 'field' | 'function' }>

/** A value to sort by, null included. */
export type SortKey = {
  readonly typed: Typed
  readonly descending: boolean
  readonly nulls?: 'first' | 'last' | undefined
  readonly value: unknown
}

/** Nulls are last, and first where the order is descending. */
export function compareKeys(left: readonly SortKey[], right: readonly SortKey[]): number {
  for (const [at, a] of left.entries()) {
    const b = right[at] as SortKey
    const nullsFirst = (a.nulls ?? (a.descending ? 'first' : 'last')) === 'first'
    if (a.value === null || b.value === null) {
      if (a.value === b.value) continue
      return (a.value === null) === nullsFirst ? -1 : 1
    }
    const order = compareStored(a.typed, a.value, b.value)
    if (order !== 0) return a.descending ? -order : order
  }
  return 0
}

/** The rows in the order of the query, else by the field `preferred`, else in that of the collection. */
export function sorted(
  env: Env,
  levels: readonly Level[],
  sort: readonly Sort[],
  preferred: string | null,
): readonly Level[] {
  const [first] = levels
  if (first === undefined) return levels
  const { collection } = first
  const order = sort.length > 0 ? sort : defaultSort(first, preferred)
  const keyed = levels.map((level) => {
    const keys = order.map((each) => keyOf(env, level, each))
    const last = collection.keyColumns.map((name) => ascending(fieldOf(collection, name), valueOf(level, name)))
    return { level, keys: [...keys, ...last] }
  })
  return keyed.toSorted((left, right) => compareKeys(left.keys, right.keys)).map(({ level }) => level)
}

/** The values of the row in the keys of the order, as texts. */
export const textsOf = (env: Env, level: Level, sort: readonly Sort[]): readonly (string | null)[] =>
  sort.map((each) => {
    const { typed, value } = keyOf(env, level, each)
    return value === null ? null : textOf(typed, value)
  })

/** Whether the row comes behind these values in the order. */
export function isBehind(env: Env, level: Level, sort: readonly Sort[], after: readonly (string | null)[]): boolean {
  const own = sort.map((each) => keyOf(env, level, each))
  const boundary = own.map((key, at): SortKey => ({ ...key, value: toStored(key.typed, after[at]) }))
  return compareKeys(own, boundary) > 0
}

const ascending = (typed: Typed, value: unknown): SortKey => ({ typed, descending: false, value })

function defaultSort({ collection }: Level, preferred: string | null): readonly RowSort[] {
  const name = preferred ?? collection.sortField
  const field = name === null ? undefined : collection.fields.get(name)
  return field?.column == null ? [] : [{ kind: 'field', path: [], field: field.name, descending: false }]
}

function keyOf(env: Env, level: Level, sort: Sort): SortKey {
  const { descending, nulls } = sort
  if (sort.kind === 'aggregate')
    throw new Error('Expected a sort key other than an aggregate: the rows are not grouped')
  if (sort.kind === 'random') return ascending(integer, Math.random())
  if (sort.kind === 'listed') {
    const { collection, row } = level
    const own = collection.keyColumns.length === 1 ? plain(row[collection.primaryKey]) : keyOfRow(collection, row)
    const index = sort.keys.findIndex((key) => plain(key).toLowerCase() === own.toLowerCase())
    return ascending(integer, index < 0 ? null : index)
  }
  return { typed: typeOf(env, level, sort), descending, nulls, value: valueAt(env, level, sort, 0) }
}

function typeOf(env: Env, { collection }: Level, sort: Operand): Typed {
  if (sort.kind === 'function') return sort.function === 'json' ? decimal : integer
  return sort.path.length === 0 ? (collection.fields.get(sort.field) ?? integer) : leafType(env, sort)
}

/** The value at the end of the path; of several rows the least one. */
function valueAt(env: Env, level: Level, sort: Operand, at: number): unknown {
  const step = sort.path[at]
  if (step === undefined) {
    if (sort.guard !== undefined && !isTrue(matches(env, level, sort.guard))) return null
    if (sort.kind === 'function' && sort.function === 'json') return jsonOf(level, sort)
    return sort.kind === 'function' ? callOf(env, level, sort) : ownValue(env, level, sort.field)
  }
  const values = stepRows(env, level, step).map((inner) => valueAt(env, inner, sort, at + 1))
  const typed = leafType(env, sort)
  return values.reduce((least, each) => {
    if (each === null) return least
    return least === null || compareStored(typed, each, least) < 0 ? each : least
  }, null)
}

function stepRows(env: Env, level: Level, { field, collection, guard, filter }: SortStep): readonly Level[] {
  if (guard !== undefined && !isTrue(matches(env, level, guard))) return []
  const rows = relatedRows(env, level, fieldOf(level.collection, field), collection)
  return filter === undefined ? rows : rows.filter((each) => isTrue(matches(env, each, filter)))
}

function leafType({ schema }: Env, sort: Operand): Typed {
  const last = sort.path.at(-1)
  if (sort.kind === 'function' && sort.function === 'json') return decimal
  if (sort.kind === 'function' || last === undefined) return integer
  return collectionOf(schema, last.collection).fields.get(sort.field) ?? integer
}

/** A key that is shown as a number is sorted by the number. */
function ownValue(env: Env, level: Level, name: string): unknown {
  const { collection } = level
  const value = valueOf(level, name)
  if (name !== collection.primaryKey || value === null) return value
  const codec = codecOf(env.view, collection.name, fieldOf(collection, name))
  if (codec.kind !== 'number-of') return value
  return keyedRow(env.tables, collectionOf(env.schema, codec.collection), value)?.['number'] ?? null
}
