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
import type { ColumnType, Dialect, Entry, Expression } from '../dialects/dialect.ts'
import { compileConditions, compileLimit, conditionsOfAll, type Link, limitsOf } from './compile-page.ts'
import { computed, computedOf, constant, encode } from './compile-value.ts'

/** Compiles an aggregation: the entries of the result, and the grouped query that they come from. */
export function compileGroups(
  build: Build,
  query: Query,
  aggregation: Aggregation,
  link: Link | null,
): { readonly entries: readonly Entry[]; readonly from: string } {
  const rows = link?.open() ?? openLevel(build, query.collection)
  const parts = partsOf(build, rows, query, aggregation)
  const groups = `t${build.aliases++}`
  const entries = entriesOf(build, aggregation, parts, (name) => `${groups}.${name}`)
  const where = whereText(compileConditions(build, rows, { query, link }))
  const order = groupOrder(build, query.sort, parts, build.dialect.ordersByResults === true ? 'output' : 'name')
  const grouped = groupedText(build, rows, parts, where)
  const orders = order.length === 0 ? '' : ` order by ${order.join(', ')}`
  return { entries, from: `(${grouped}${orders}${compileLimit(build, query)}) ${groups}` }
}

/**
 * The groups of related rows where a subquery in `from` does not see the row around it: the rows of all are grouped by
 * what joins them too, and each row reads its groups. Without fields to group by there is one result, also of no rows.
 */
export function compileLinkedGroups(
  build: Build,
  linked: Pick<Required<NonNullable<Dialect['linked']>>, 'rows' | 'total'>,
  { query, aggregation, link }: { readonly query: Query; readonly aggregation: Aggregation; readonly link: Link },
): string {
  const rows = openLevel(build, query.collection)
  const parts = partsOf(build, rows, query, aggregation)
  if (parts.keys.length === 0) {
    const inline: Parts = { ...parts, values: parts.values.map((value) => ({ ...value, name: value.whole })) }
    const entries = entriesOf(build, aggregation, inline, (name) => name)
    const where = whereText(compileConditions(build, rows, { query, link }))
    return linked.total(entries, `${tableText(build, rows)}${where}${compileLimit(build, query)}`)
  }
  const groups = `t${build.aliases++}`
  const entries = entriesOf(build, aggregation, parts, (name) => `${groups}.${name}`)
  const sides = link.sides(rows)
  const joins = sides.map(([input], index) => ({ input, name: `l${index}` }))
  const where = whereText(conditionsOfAll(build, rows, { query, link }))
  const grouped = groupedText(build, rows, { ...parts, joins }, where)
  return linked.rows(entries, {
    table: `(${grouped}) ${groups}`,
    where: whereText(sides.map(([, outer], index) => `${groups}.l${index} = ${outer}`)),
    order: groupOrder(build, query.sort, parts, 'name'),
    ...limitsOf(build, query),
  })
}

type Parts = {
  readonly keys: readonly Key[]
  readonly values: readonly Result[]
  readonly joins?: readonly { readonly input: string; readonly name: string }[]
}

const partsOf = (build: Build, rows: Level, query: Query, aggregation: Aggregation): Parts => ({
  keys: aggregation.group.map((key, index) => groupKey(build, rows, key, `k${index}`)),
  values: withSorted(aggregation.values, query.sort).map((value, index) => result(build, rows, value, `v${index}`)),
})

/** The results in the form of the answer. `at` is the expression that has the value of a name. */
function entriesOf(
  build: Build,
  aggregation: Aggregation,
  parts: Parts,
  at: (name: string) => string,
): readonly Entry[] {
  const shown: Shown = {
    keys: parts.keys.map(({ key, name, show }) => ({ key: key.key, ...show(at(name)) })),
    values: parts.values
      .slice(0, aggregation.values.length)
      .map(({ value, name, show }) => ({ value, ...show(at(name)) })),
  }
  const { layout } = aggregation
  return layout === undefined ? [...shown.keys, ...nest(build, shown.values)] : layOut(build, layout, shown)
}

/** The inputs as columns of the rows, and their groups. */
function groupedText(build: Build, rows: Level, { keys, values, joins = [] }: Parts, where: string): string {
  const columns = [...joins, ...keys, ...values]
  const inputs = columns.flatMap(({ input, name }) => (input === null ? [] : [`${input} as ${name}`]))
  const from = `(select ${inputs.length === 0 ? '1' : inputs.join(', ')} from ${tableText(build, rows)}${where}) ${rows.alias}`
  const names = [...joins, ...keys].map(({ name }) => `${rows.alias}.${name}`)
  const outputs = [...names, ...values.map(({ output, name }) => `${output} as ${name}`)]
  const grouping = names.length === 0 ? '' : ` group by ${names.join(', ')}`
  return `select ${outputs.length === 0 ? '1' : outputs.join(', ')} from ${from}${grouping}`
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
      return constant(entry.text)
    case 'object':
      if (entry.entries.length === 0) return { sql: 'null', json: 'value' }
      return { sql: build.dialect.jsonRow(layOut(build, entry.entries, shown), null), json: 'json' }
    default: {
      const column = entry.kind === 'value' ? shown.values[entry.value] : shown.keys[entry.group]
      if (column === undefined) throw new Error('The layout of an aggregation names a result that it lacks')
      return { sql: column.sql, json: column.json }
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
  /** The same of the input itself, not of the column that has it. */
  readonly whole: string
  readonly show: (sql: string) => Expression
}

function result(build: Build, rows: Level, value: AggregateValue, name: string): Result {
  const aggregate = build.dialect.aggregates[value.aggregate]
  const show = (sql: string) => computed(build, sql)
  const outputs = (input: string | null, type: ColumnType) => ({
    input,
    output: aggregate(input === null ? '*' : `${rows.alias}.${name}`, type),
    whole: aggregate(input ?? '*', type),
  })
  if (value.field === null) {
    const input = value.guard === undefined ? null : guarded(build, rows, value.guard, '1')
    return { value, name, ...outputs(input, integerType), show }
  }
  const field = fieldOf(rows.collection, value.field)
  const input = guarded(build, rows, value.guard, columnText(build, rows, field))
  const isExtreme = value.aggregate === 'min' || value.aggregate === 'max'
  const isStored = isExtreme && !(build.view.computedExtremes === true && numeric.has(field.type))
  return {
    value,
    name,
    ...outputs(input, columnType(field)),
    show: isStored
      ? (sql) => encode(build, rows.collection.name, { sql, field })
      : (sql) => computedOf(build, sql, value.aggregate, field),
  }
}

const numeric: ReadonlySet<string> = new Set(['integer', 'bigInteger', 'float', 'decimal'])

/** The requested aggregates, and after them those that only the order needs. */
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

/** The order of the groups, by their results or by what computes them. */
function groupOrder(
  build: Build,
  sorts: readonly Sort[],
  { keys, values }: Parts,
  by: 'name' | 'output',
): readonly string[] {
  const names = sorts.map((sort) =>
    build.dialect.orderBy(sortName(build, sort, { keys, values }, by), sort.descending, sort.nulls),
  )
  return [...names, ...keys.map(({ name }) => build.dialect.orderBy(name, false, undefined))]
}

function sortName(build: Build, sort: Sort, { keys, values }: Parts, by: 'name' | 'output'): string {
  if (sort.kind === 'random') return build.dialect.random
  if (sort.kind === 'listed') throw new Error('Expected groups without a list of keys')
  const column =
    sort.kind === 'aggregate'
      ? values.find(({ value }) => isSame(value, sort))
      : keys.find(({ key }) => sort.path.length === 0 && isSameOperand(key, sort))
  if (column !== undefined) return by === 'output' && 'output' in column ? column.output : column.name
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

/** One object per aggregate; the bare value if only `*` was requested. */
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
