import type { AggregateName } from '../../../src/domain/query/functions.ts'
import type {
  AggregateValue,
  Aggregation,
  AggregationEntry,
  GroupKey,
  Query,
  Sort,
} from '../../../src/domain/query/query.ts'
import { TandemError } from '../../../src/domain/rights/errors.ts'
import { mayBeLong } from '../../../src/domain/schema/long-numbers.ts'
import type { Field } from '../../../src/domain/schema/schema.ts'
import { compareStored, integer, textOf } from './compare.ts'
import type { Env } from './env.ts'
import { callOf, isTrue, matches } from './filter.ts'
import { collectionOf, fieldOf, type Level, valueOf } from './links.ts'
import { add, divide, floatText, fromNumeric, type Numeric, toNumeric } from './numeric.ts'
import { cut, rowsFor } from './page.ts'
import { exactNumber, show } from './shown.ts'
import { compareKeys, type SortKey } from './sort.ts'
import { plain, type Typed } from './stored.ts'

type Result = { readonly value: unknown; readonly typed: Typed; readonly shown: unknown }
type Group = { readonly keys: readonly Result[]; readonly values: readonly Result[] }

/** The groups of the rows; without grouped fields one, also of no rows. */
export function groupsOf(
  env: Env,
  levels: readonly Level[],
  query: Query,
  aggregation: Aggregation,
): readonly object[] {
  const values = withSorted(aggregation.values, query.sort)
  const rows = rowsFor(env, levels, query)
  const keyed = rows.map((level) => ({ level, keys: aggregation.group.map((key) => groupKey(env, level, key)) }))
  const buckets = Map.groupBy(keyed, ({ keys }) => JSON.stringify(keys.map(({ value }) => value)))
  const sets = aggregation.group.length === 0 ? [keyed] : [...buckets.values()]
  const groups = sets.map(
    (set): Group => ({
      keys: set[0]?.keys ?? [],
      values: values.map((value) =>
        aggregate(
          env,
          query.collection,
          set.map(({ level }) => level),
          value,
        ),
      ),
    }),
  )
  const ordered = groups.map((group) => ({ group, keys: sortKeys(group, query.sort, aggregation.group, values) }))
  const sorted = ordered.toSorted((left, right) => compareKeys(left.keys, right.keys))
  return cut(sorted, query).map(({ group }) => layOut(group, aggregation))
}

function groupKey(env: Env, level: Level, key: GroupKey): Result {
  const hidden = key.guard !== undefined && !isTrue(matches(env, level, key.guard))
  if (key.kind === 'function') {
    const value = hidden ? null : callOf(env, level, key)
    return { value, typed: integer, shown: computed(env, value === null ? null : plain(value)) }
  }
  const field = fieldOf(level.collection, key.field)
  const value = hidden ? null : valueOf(level, key.field)
  return { value, typed: field, shown: show(env, level.collection.name, field, value) }
}

/** A computed number in the form of the view. */
export const computed = ({ view }: Env, text: string | null): unknown =>
  text === null || view.computed === 'text' ? text : Number(text)

/** A text too if a reader would round it. */
const computedOf = (env: Env, text: string | null, name: AggregateName, field: Field): unknown =>
  text !== null && mayBeLong(name, field) && env.view.computed !== 'text' ? exactNumber(text) : computed(env, text)

function aggregate(env: Env, collection: string, levels: readonly Level[], value: AggregateValue): Result {
  const seen =
    value.guard === undefined ? levels : levels.filter((level) => isTrue(matches(env, level, value.guard as never)))
  if (value.field === null) return counted(env, seen.length)
  const name = value.field
  const field = fieldOf(collectionOf(env.schema, collection), name)
  const input = seen.map((level) => valueOf(level, name)).filter((each) => each !== null)
  const isDistinct = value.aggregate.endsWith('Distinct')
  const inputs = isDistinct ? distinct(field, input) : input
  switch (value.aggregate) {
    case 'count':
    case 'countAll':
    case 'countDistinct':
      return counted(env, inputs.length)
    case 'min':
    case 'max':
      return extreme(env, collection, field, { inputs, isMost: value.aggregate === 'max' })
    default: {
      const text =
        inputs.length === 0 ? null : value.aggregate.startsWith('avg') ? average(field, inputs) : sum(field, inputs)
      return {
        value: text,
        typed: { type: 'decimal', column: null },
        shown: computedOf(env, text, value.aggregate, field),
      }
    }
  }
}

const counted = (env: Env, count: number): Result => ({
  value: count,
  typed: integer,
  shown: computed(env, plain(count)),
})

const distinct = (field: Field, values: readonly unknown[]): readonly unknown[] => [
  ...new Map(
    values.map((each) => [field.type === 'decimal' ? normal(plain(each)) : textOf(field, each), each]),
  ).values(),
]

/** A decimal without zeros at its end. */
const normal = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)

function extreme(
  env: Env,
  collection: string,
  field: Field,
  { inputs, isMost }: { readonly inputs: readonly unknown[]; readonly isMost: boolean },
): Result {
  const typed = asText.has(field.type) ? { type: 'text' as const, column: null } : field
  const extreme = inputs.reduce<unknown>((best, each) => {
    if (best === null) return each
    const order = compareStored(
      typed,
      asText.has(field.type) ? textOf(field, each) : each,
      asText.has(field.type) ? textOf(field, best) : best,
    )
    return (isMost ? order > 0 : order < 0) ? each : best
  }, null)
  const isComputed = env.view.computedExtremes === true && numbers.has(field.type)
  const shown = isComputed
    ? computedOf(env, extreme === null ? null : textOf(field, extreme), 'max', field)
    : show(env, collection, field, extreme)
  return { value: extreme, typed: field, shown }
}

const asText: ReadonlySet<string> = new Set(['uuid', 'boolean', 'json', 'unknown'])
const numbers: ReadonlySet<string> = new Set(['integer', 'bigInteger', 'float', 'decimal'])

const zero: Numeric = { digits: 0n, scale: 0 }

const total = (values: readonly unknown[]): Numeric =>
  values.map((each) => toNumeric(plain(each)) ?? zero).reduce((left, right) => add(left, right), zero)

/** Numbers of eight bytes are added as such. */
const sum = ({ type }: Field, values: readonly unknown[]): string =>
  type === 'float'
    ? floatText(values.reduce<number>((left, right) => left + Number(right), 0))
    : fromNumeric(total(values))

function average(field: Field, values: readonly unknown[]): string {
  if (field.type === 'float')
    return floatText(values.reduce<number>((left, right) => left + Number(right), 0) / values.length)
  return fromNumeric(divide(total(values), { digits: BigInt(values.length), scale: 0 }))
}

function withSorted(values: readonly AggregateValue[], sorts: readonly Sort[]): readonly AggregateValue[] {
  const missing = sorts.flatMap((sort) =>
    sort.kind === 'aggregate' && !values.some((value) => isSame(value, sort))
      ? [{ aggregate: sort.aggregate, field: sort.field, key: '' }]
      : [],
  )
  return [...values, ...missing]
}

const isSame = (value: AggregateValue, sort: Extract<Sort, { kind: 'aggregate' }>): boolean =>
  value.aggregate === sort.aggregate && value.field === sort.field

function sortKeys(
  group: Group,
  sorts: readonly Sort[],
  keys: readonly GroupKey[],
  values: readonly AggregateValue[],
): readonly SortKey[] {
  const wanted = sorts.map((sort): SortKey => {
    const { descending, nulls } = sort
    if (sort.kind === 'random') return { typed: integer, descending: false, value: Math.random() }
    const entry =
      sort.kind === 'aggregate'
        ? group.values[values.findIndex((value) => isSame(value, sort))]
        : sort.kind === 'listed'
          ? undefined
          : group.keys[keys.findIndex((key) => sort.path.length === 0 && isSameOperand(key, sort))]
    // Without rows there is no group whose key could be missing.
    if (
      entry === undefined &&
      sort.kind !== 'aggregate' &&
      keys.some((key) => sort.kind !== 'listed' && isSameOperand(key, sort))
    )
      return { typed: integer, descending, value: null }
    if (entry !== undefined) return { typed: entry.typed, descending, nulls, value: entry.value }
    const reason = 'Expected a grouped field or an aggregate for sort'
    throw new TandemError({ kind: 'invalid-query', name: 'sort', reason })
  })
  return [...wanted, ...group.keys.map(({ typed, value }): SortKey => ({ typed, descending: false, value }))]
}

function isSameOperand(key: GroupKey, sort: Extract<Sort, { kind: 'field' | 'function' }>): boolean {
  if (key.field !== sort.field || key.kind !== sort.kind) return false
  return key.kind === 'field' || sort.kind === 'field' || key.function === sort.function
}

function layOut(group: Group, { values, group: keys, layout }: Aggregation): object {
  if (layout !== undefined) return laidOut(layout, group)
  const entries: [string, unknown][] = keys.map(({ key }, at) => [key, group.keys[at]?.shown ?? null])
  const byAggregate = Map.groupBy(
    values.map((value, at) => ({ value, shown: group.values[at]?.shown ?? null })),
    ({ value }) => value.aggregate,
  )
  for (const [name, results] of byAggregate) {
    const [only] = results
    const isBare = results.length === 1 && only?.value.field === null
    entries.push([
      name,
      isBare ? only?.shown : Object.fromEntries(results.map(({ value, shown }) => [value.key, shown])),
    ])
  }
  return Object.fromEntries(entries)
}

const laidOut = (layout: readonly AggregationEntry[], group: Group): object =>
  Object.fromEntries(layout.map((entry) => [entry.key, laidOutOne(entry, group)]))

function laidOutOne(entry: AggregationEntry, group: Group): unknown {
  switch (entry.kind) {
    case 'constant':
      return entry.text
    case 'object':
      return entry.entries.length === 0 ? null : laidOut(entry.entries, group)
    case 'value':
      return group.values[entry.value]?.shown ?? null
    case 'group':
      return group.keys[entry.group]?.shown ?? null
    default:
      return entry satisfies never
  }
}
