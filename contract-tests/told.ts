/** What rows of an answer tell of their fields, without a look at the schema. */
import type { FieldType } from '../src/domain/query/field-types.ts'
import type { Collection, Field } from '../src/domain/schema/schema.ts'
import { collection } from '../src/domain/testing/test-schema.ts'

export type Row = { readonly [field: string]: unknown }

const isScalar = (value: unknown): boolean => value === null || typeof value !== 'object'

const valuesOf = (rows: readonly Row[], field: string): readonly unknown[] =>
  rows.map((row) => row[field]).filter((value) => value !== null && value !== undefined)

/** Fields whose values are single ones and shown as they are. */
export const scalarFields = (rows: readonly Row[]): readonly string[] =>
  Object.keys(rows[0] ?? {}).filter((name) =>
    rows.every((row) => isScalar(row[name]) && !/^\*+$/.test(String(row[name]))),
  )

const moment = /^\d{4}-\d\d-\d\d([T ][\d:.]+(Z|[+-]\d\d:\d\d)?)?$/

/** The day of a moment; null for other values. */
export const dayOf = (value: unknown): string | null =>
  typeof value === 'string' && moment.test(value) ? value.slice(0, 10) : null

export const isMoment = (value: unknown): boolean => dayOf(value) !== null

/** Whether the order of the values does not depend on the collation of the database. */
export const isComparable = (rows: readonly Row[], field: string): boolean => {
  const values = valuesOf(rows, field)
  return values.length > 0 && values.every((value) => typeof value === 'number' || isMoment(value))
}

/** Whether no value is less than the one before. Texts are keys and moments, whose order is that of their characters. */
export const isOrdered = (values: readonly unknown[]): boolean =>
  values.every((value, at) => at === 0 || !((value as string) < (values[at - 1] as string)))

/** A collection with the fields of the rows, as the evaluator of filters needs it. */
export function collectionOf(rows: readonly Row[]): Collection {
  const plain = { column: null, concealed: false, relation: null, special: [], validation: null }
  const fields = Object.keys(rows[0] ?? {}).map((name): Field => {
    return { ...plain, name, type: typeOf(rows, name), validationMessage: null, meta: null }
  })
  return collection('rows', fields)
}

function typeOf(rows: readonly Row[], field: string): FieldType {
  const [value] = valuesOf(rows, field)
  if (typeof value === 'number') return 'float'
  if (typeof value === 'boolean') return 'boolean'
  return isComparable(rows, field) ? 'timestamp' : 'text'
}
