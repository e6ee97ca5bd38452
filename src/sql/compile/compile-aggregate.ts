/**
 * Groups and aggregates, in three nested queries: the innermost selects the inputs as columns, the middle one groups and
 * aggregates them, and the outer one gives the results their wire form.
 */

import type { AggregateValue, Aggregation, AggregationEntry, GroupKey, Query, Sort } from '../../domain/query/query.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { Field } from '../../domain/schema/schema.ts'
import {
  type Build,
  columnText,
  columnType,
  fieldOf,
  integerType,
  type Level,
  openLevel,
  tableText,
  whereText,
} from '../conditions/build.ts'
import { guarded } from '../conditions/compile-filter.ts'
import { compileFunction } from '../conditions/compile-function.ts'
import type { Entry, Expression } from '../dialects/dialect.ts'
import { compileConditions, compileLimit } from './compile-page.ts'
import { computed, constant, encode } from './compile-value.ts'

/** Compiles an aggregation: the entries of the result, and the grouped query that they come from. */
export function compileGroups(
  build: Build,
  query: Query,
  aggregation: Aggregation,
  link: ((level: Level) => string) | null,
): { readonly entries: readonly Entry[]; readonly from: string } {
  const rows = openLevel(build, query.collection)
  const keys = aggregation.group.map((key, index) => groupKey(build, rows, key, `k${index}`))
  const values = withSorted(aggregation.values, query.sort).map((value, index) =>
    result(build, rows, value, `v${index}`),
  )
  const groups = `t${build.aliases++}`
  const shown: Shown = {
    keys: keys.map(({ key, name, show }) => ({ key: key.key, ...show(`${groups}.${name}`) })),
    values: values
      .slice(0, aggregation.values.length)
      .map(({ value, name, show }) => ({ value, ...show(`${groups}.${name}`) })),
  }
  const { layout } = aggregation
  const entries = layout === undefined ? [...shown.keys, ...nest(build, shown.values)] : layOut(build, layout, shown)
  const inputs = [...keys, ...values].flatMap(({ input, name }) => (input === null ? [] : [`${input} as ${name}`]))
  const where = whereText(compileConditions(build, rows, { query, link }))
  const from = `(select ${inputs.length === 0 ? '1' : inputs.join(', ')} from ${tableText(build, rows)}${where}) ${rows.alias}`
  const names = keys.map(({ name }) => `${rows.alias}.${name}`)
  const outputs = [...names, ...values.map(({ name, output }) => `${output} as ${name}`)]
  const grouping = names.length === 0 ? '' : ` group by ${names.join(', ')}`
  const order = groupOrder(build, query.sort, keys, values)
  return {
    entries,
    from: `(select ${outputs.length === 0 ? '1' : outputs.join(', ')} from ${from}${grouping}${order}${compileLimit(build, query)}) ${groups}`,
  }
}

/** The groups and their results as expressions, in the order of the aggregation. */
type Shown = {
  readonly keys: readonly Entry[]
  readonly values: readonly (Expression & { readonly value: Result['value'] })[]
}

/** The form that the query wants the groups to have. */
function layOut(build: Build, layout: readonly AggregationEntry[], shown: Shown): readonly Entry[] {
  return layout.map((entry): Entry => ({ key: entry.key, ...layOutOne(build, entry, shown) }))
}

function layOutOne(build: Build, entry: AggregationEntry, shown: Shown): Expression {
  switch (entry.kind) {
    case 'constant':
      return constant(build, entry.text)
    case 'object':
      if (entry.entries.length === 0) return { sql: 'null', json: 'value' }
      return { sql: build.dialect.jsonRow(layOut(build, entry.entries, shown), null), json: 'json' }
    default: {
      const found = entry.kind === 'value' ? shown.values[entry.value] : shown.keys[entry.group]
      if (found === undefined) throw new Error('The layout of an aggregation names a result that it lacks')
      return { sql: found.sql, json: found.json }
    }
  }
}

/** A column of the innermost layer and its form in the answer. */
type Key = {
  readonly key: GroupKey
  readonly name: string
  readonly input: string
  readonly show: (sql: string) => Expression
}

function groupKey(build: Build, rows: Level, key: GroupKey, name: string): Key {
  const { sql, show } = key.kind === 'function' ? calledKey(build, rows, key) : columnKey(build, rows, key)
  return { key, name, input: guarded(build, rows, key.guard, sql), show }
}

function calledKey(build: Build, rows: Level, key: Extract<GroupKey, { kind: 'function' }>) {
  return { sql: compileFunction(build, rows, key), show: (sql: string) => computed(build, sql) }
}

function columnKey(build: Build, rows: Level, key: Extract<GroupKey, { kind: 'field' }>) {
  const field = fieldOf(rows.collection, key.field)
  const column = columnText(build, rows, field)
  // JSON has no equality, so its text is grouped and converted back to JSON.
  const isJson = field.type === 'json'
  return {
    sql: isJson ? build.dialect.comparable(column, columnType(field)) : column,
    show: (sql: string) => encode(build, rows.collection.name, { sql, field: isJson ? asTextColumn(field) : field }),
  }
}

const asTextColumn = (field: Field): Field =>
  field.column === null ? field : { ...field, column: { ...field.column, dataType: 'text' } }

/** An aggregate: its input, its result and its wire form. */
type Result = {
  readonly value: Pick<AggregateValue, 'aggregate' | 'field' | 'key'>
  readonly name: string
  readonly input: string | null
  readonly output: string
  readonly show: (sql: string) => Expression
}

function result(build: Build, rows: Level, value: AggregateValue, name: string): Result {
  const aggregate = build.dialect.aggregates[value.aggregate]
  const show = (sql: string) => computed(build, sql)
  if (value.field === null) {
    const input = value.guard === undefined ? null : guarded(build, rows, value.guard, '1')
    return { value, name, input, output: aggregate(input === null ? '*' : `${rows.alias}.${name}`, integerType), show }
  }
  const field = fieldOf(rows.collection, value.field)
  const input = guarded(build, rows, value.guard, columnText(build, rows, field))
  const output = aggregate(`${rows.alias}.${name}`, columnType(field))
  const isExtreme = value.aggregate === 'min' || value.aggregate === 'max'
  const isStored = isExtreme && !(build.view.computedExtremes === true && numeric.has(field.type))
  return {
    value,
    name,
    input,
    output,
    show: isStored ? (sql) => encode(build, rows.collection.name, { sql, field }) : show,
  }
}

const numeric: ReadonlySet<string> = new Set(['integer', 'bigInteger', 'float', 'decimal'])

/** The asked aggregates, and after them those that only the order needs. */
function withSorted(values: readonly AggregateValue[], sorts: readonly Sort[]): readonly AggregateValue[] {
  const missing = sorts.flatMap((sort) =>
    sort.kind === 'aggregate' && !values.some((value) => isSame(value, sort))
      ? [{ aggregate: sort.aggregate, field: sort.field, key: '' }]
      : [],
  )
  return [...values, ...missing]
}

const isSame = (value: Pick<AggregateValue, 'aggregate' | 'field'>, sort: Extract<Sort, { kind: 'aggregate' }>) =>
  value.aggregate === sort.aggregate && value.field === sort.field

function groupOrder(build: Build, sorts: readonly Sort[], keys: readonly Key[], values: readonly Result[]): string {
  const names = sorts.map((sort) =>
    build.dialect.orderBy(sortName(build, sort, keys, values), sort.descending, sort.nulls),
  )
  const all = [...names, ...keys.map(({ name }) => build.dialect.orderBy(name, false, undefined))]
  return all.length === 0 ? '' : ` order by ${all.join(', ')}`
}

function sortName(build: Build, sort: Sort, keys: readonly Key[], values: readonly Result[]): string {
  if (sort.kind === 'random') return build.dialect.random
  if (sort.kind === 'listed') throw new Error('Expected groups without a list of keys')
  const found =
    sort.kind === 'aggregate'
      ? values.find(({ value }) => isSame(value, sort))
      : keys.find(({ key }) => sort.path.length === 0 && isSameOperand(key, sort))
  if (found !== undefined)
    return build.dialect.ordersByResults === true && 'output' in found ? found.output : found.name
  throw new TandemError({
    kind: 'invalid-query',
    name: 'sort',
    reason: 'Expected a grouped field or an aggregate for sort',
  })
}

function isSameOperand(key: GroupKey, sort: Extract<Sort, { kind: 'field' | 'function' }>): boolean {
  if (key.field !== sort.field) return false
  if (key.kind === 'field') return sort.kind === 'field'
  return sort.kind === 'function' && key.function === sort.function
}

/** One object per aggregate; the bare value where only `*` was asked. */
function nest(build: Build, shown: Shown['values']): readonly Entry[] {
  const byAggregate = Map.groupBy(shown, ({ value }) => value.aggregate)
  return [...byAggregate].map(([aggregate, results]) => {
    const only = results[0]
    if (only !== undefined && results.length === 1 && only.value.field === null) return { ...only, key: aggregate }
    const byKey = new Map(results.map((each) => [each.value.key, each]))
    const entries = [...byKey].map(([key, { sql, json }]) => ({ key, sql, json }))
    return { key: aggregate, sql: build.dialect.jsonRow(entries, null), json: 'json' }
  })
}
