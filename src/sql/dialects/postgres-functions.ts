/** Functions and aggregates of PostgreSQL on values of columns. */

import type { ColumnType, Dialect } from './dialect.ts'
import { toJson, unordered, wrap } from './postgres-json.ts'
import { comparable, inUtc } from './postgres-types.ts'

const extract = (name: string, expression: string, column: ColumnType) =>
  `extract(${name} from ${inUtc(expression, column)})`

const part = (name: string) => (expression: string, column: ColumnType) =>
  `${extract(name, expression, column)}::integer`

/** Seconds are rounded down, because a cast would round: the second of 59.5 is 59. */
const second = (expression: string, column: ColumnType) => `floor(${extract('second', expression, column)})::integer`

/** The year of an infinite timestamp would be infinite, so it is null like its other parts. */
const year = (expression: string, column: ColumnType) =>
  `case when isfinite(${expression}) then ${part('year')(expression, column)} end`

export const functions: Dialect['functions'] = {
  year,
  month: part('month'),
  week: part('week'),
  day: part('day'),
  weekday: part('dow'),
  hour: part('hour'),
  minute: part('minute'),
  second,
  count: (expression, column) => {
    const json = toJson(expression, column)
    return `case json_typeof(${json}) when 'array' then json_array_length(${json}) else 0 end`
  },
}

const extreme = (name: string) => (expression: string, column: ColumnType) => {
  const type = unordered[column.type]
  if (type !== undefined) return `${name}(${expression}::text)::${type}`
  return `${name}(${column.type === 'unknown' ? `${expression}::text` : expression})`
}

export const aggregates: Dialect['aggregates'] = {
  count: wrap('count'),
  countDistinct: (expression, column) => `count(distinct ${comparable(expression, column)})`,
  countAll: wrap('count'),
  sum: wrap('sum'),
  sumDistinct: wrap('sum', 'distinct '),
  avg: wrap('avg'),
  avgDistinct: wrap('avg', 'distinct '),
  min: extreme('min'),
  max: extreme('max'),
}
