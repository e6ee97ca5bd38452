/** Aggregates of a field, computed from rows. */
import { type ArticleField, articleFields } from '../world/fields.ts'
import type { ArticleRow, Value } from '../world/rows.ts'
import { comparable, compare } from './values.ts'

export const aggregates = ['count', 'countDistinct', 'sum', 'sumDistinct', 'avg', 'avgDistinct', 'min', 'max'] as const
export type AggregateName = (typeof aggregates)[number]

type PresentValue = Exclude<Value, null>

const sum = (list: readonly PresentValue[]): number | null =>
  list.length === 0 ? null : list.reduce<number>((total, value) => total + Number(value), 0)

const mean = (list: readonly PresentValue[]): number | null =>
  list.length === 0 ? null : (sum(list) ?? 0) / list.length

/** Null where there is no value to compute from. */
export function aggregate(name: AggregateName, rows: readonly ArticleRow[], field: ArticleField): Value {
  const kind = articleFields[field]
  const values = rows.flatMap((row) => (row[field] === null ? [] : [row[field]]))
  const distinct = [...new Map(values.map((value) => [String(comparable(kind, value)), value])).values()]
  const sorted = values.toSorted((a, b) => compare(kind, a, b))
  switch (name) {
    case 'count':
      return values.length
    case 'countDistinct':
      return distinct.length
    case 'sum':
      return sum(values)
    case 'sumDistinct':
      return sum(distinct)
    case 'avg':
      return mean(values)
    case 'avgDistinct':
      return mean(distinct)
    case 'min':
      return sorted[0] ?? null
    case 'max':
      return sorted.at(-1) ?? null
    default:
      return name satisfies never
  }
}

/** Whether two numbers are equal but for rounding; numbers may be written as text. */
export function isClose(a: unknown, b: Value): boolean {
  if (a === null || a === undefined || b === null) return (a ?? null) === b
  const [left, right] = [Number(a), Number(b)]
  return Math.abs(left - right) <= 1e-9 * Math.max(1, Math.abs(left), Math.abs(right))
}
