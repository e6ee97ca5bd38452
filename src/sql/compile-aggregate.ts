/**
 * Groups and aggregates, in three layers: the rows with what is grouped and aggregated as columns, the
 * groups with their results, and outside them the form of the answer.
 */
import { TandemError } from '../domain/errors.ts'
import type { AggregateValue, Aggregation, GroupKey, Query, Sort } from '../domain/query.ts'
import type { Field } from '../domain/schema.ts'
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
} from './build.ts'
import { compileFunction } from './compile-function.ts'
import { compileConditions, compileLimit } from './compile-page.ts'
import { computed, encode, guarded } from './compile-value.ts'
import type { Entry, Expression } from './dialect.ts'

/** What an aggregation answers with, and the groups that it is made of. */
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
  const shown = values.slice(0, aggregation.values.length)
  const entries = [
    ...keys.map(({ key, name, show }) => ({ key: key.key, ...show(`${groups}.${name}`) })),
    ...nest(
      build,
      shown.map(({ value, name, show }) => ({ value, ...show(`${groups}.${name}`) })),
    ),
  ]
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
  // JSON cannot be grouped: its text is, and becomes JSON again.
  const isJson = field.type === 'json'
  return {
    sql: isJson ? build.dialect.comparable(column, columnType(field)) : column,
    show: (sql: string) => encode(build, rows.collection.name, { sql, field: isJson ? asTextColumn(field) : field }),
  }
}

const asTextColumn = (field: Field): Field =>
  field.column === null ? field : { ...field, column: { ...field.column, dataType: 'text' } }

/** An aggregate: what goes in, what comes out, and its form in the answer. */
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
  const isStored = value.aggregate === 'min' || value.aggregate === 'max'
  return {
    value,
    name,
    input,
    output,
    show: isStored ? (sql) => encode(build, rows.collection.name, { sql, field }) : show,
  }
}

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
  const all = [...names, ...keys.map(({ name }) => name)]
  return all.length === 0 ? '' : ` order by ${all.join(', ')}`
}

function sortName(build: Build, sort: Sort, keys: readonly Key[], values: readonly Result[]): string {
  if (sort.kind === 'random') return build.dialect.random
  const found =
    sort.kind === 'aggregate'
      ? values.find(({ value }) => isSame(value, sort))
      : keys.find(({ key }) => sort.path.length === 0 && isSameOperand(key, sort))
  if (found !== undefined) return found.name
  throw new TandemError({
    kind: 'invalid-query',
    name: 'sort',
    reason: 'Expected a grouped field or an aggregate for sort',
  })
}

function isSameOperand(key: GroupKey, sort: Extract<Sort, { kind: 'field' | 'function' }>): boolean {
  if (key.field !== sort.field || key.kind !== sort.kind) return false
  return key.kind === 'field' || sort.kind === 'field' || key.function === sort.function
}

/** One object per aggregate; the bare value where only `*` was asked. */
function nest(build: Build, shown: readonly (Expression & { readonly value: Result['value'] })[]): readonly Entry[] {
  const byAggregate = Map.groupBy(shown, ({ value }) => value.aggregate)
  return [...byAggregate].map(([aggregate, results]) => {
    const only = results[0]
    if (only !== undefined && results.length === 1 && only.value.field === null) return { ...only, key: aggregate }
    const byKey = new Map(results.map((each) => [each.value.key, each]))
    const entries = [...byKey].map(([key, { sql, json }]) => ({ key, sql, json }))
    return { key: aggregate, sql: build.dialect.jsonRow(entries, null), json: 'json' }
  })
}
