/** Closed tables of the functions that a query may apply to a field, and of the aggregates. */
import type { FieldType } from './field-types.ts'
import type { JsonPath } from './json-path.ts'

/** The field types that each function accepts. Results are integers but of `json`; weekday 0 is Sunday; weeks are ISO 8601. */
export const functions = {
  year: ['date', 'dateTime', 'timestamp'],
  month: ['date', 'dateTime', 'timestamp'],
  week: ['date', 'dateTime', 'timestamp'],
  day: ['date', 'dateTime', 'timestamp'],
  weekday: ['date', 'dateTime', 'timestamp'],
  hour: ['time', 'dateTime', 'timestamp'],
  minute: ['time', 'dateTime', 'timestamp'],
  second: ['time', 'dateTime', 'timestamp'],
  /** The number of related rows of a to-many field, or of elements of a JSON array; 0 for any other JSON value. */
  count: ['alias', 'json'],
  /** The value at a path. Not for grouping. */
  json: ['json'],
} as const satisfies Record<string, readonly FieldType[]>

export type FunctionName = keyof typeof functions

/** A function of a field. `jsonPath`: the second argument of `json`. */
export type Call = { readonly function: FunctionName; readonly field: string; readonly jsonPath?: JsonPath }

/** The part of a call that only `json` has. */
export const pathOf = ({ jsonPath }: { readonly jsonPath?: JsonPath }): { readonly jsonPath?: JsonPath } =>
  jsonPath === undefined ? {} : { jsonPath }

/** `star`: can be applied to `*`. `numeric`: only for number fields. */
export const aggregates = {
  count: { star: true, numeric: false },
  countDistinct: { star: false, numeric: false },
  countAll: { star: true, numeric: false },
  sum: { star: false, numeric: true },
  sumDistinct: { star: false, numeric: true },
  avg: { star: false, numeric: true },
  avgDistinct: { star: false, numeric: true },
  min: { star: false, numeric: false },
  max: { star: false, numeric: false },
} as const satisfies Record<string, { readonly star: boolean; readonly numeric: boolean }>

export type AggregateName = keyof typeof aggregates
