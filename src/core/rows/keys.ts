/** Primary keys: from the wire to the column's type and back from the database's text. */

import { toLiteral } from '../../domain/conditions/literals.ts'
import { and, type Filter, type Literal } from '../../domain/query/filter.ts'
import type { Key } from '../../domain/query/mutation.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { keyValues } from '../../domain/schema/row-keys.ts'
import type { Collection, Field } from '../../domain/schema/schema.ts'

/** The text by which keys are told apart: some columns do not regard case. */
export function comparableKey(collection: Collection, key: Key): string {
  const isCaseless = collection.keyColumns.some((name) =>
    collection.fields.get(name)?.column?.dataType.endsWith('citext'),
  )
  return isCaseless ? String(key).toLowerCase() : String(key)
}

/** Missing and invisible alike. */
export function notFound(collection: string): TandemError {
  return new TandemError({ kind: 'item-not-found', collection })
}

/** The field that holds a collection's key. */
export function primaryKeyOf(collection: Collection): Field {
  const field = collection.fields.get(collection.primaryKey)
  if (field === undefined) throw new Error(`Collection ${collection.name} lacks its key ${collection.primaryKey}`)
  return field
}

/** Rows of a junction table with a key of several columns cannot be named by one value. */
export function hasSingleKey(collection: Collection): boolean {
  return collection.keyColumns.length === 1
}

/** The key as its column has it, or throws `item-not-found`: what does not fit the type is no row's key. */
export function toKey(collection: Collection, raw: unknown): Key {
  if (!hasSingleKey(collection)) throw notFound(collection.name)
  const key = toLiteral(raw, primaryKeyOf(collection), () => {
    throw notFound(collection.name)
  })
  if (typeof key === 'number' || typeof key === 'string') return key
  if (typeof key === 'boolean') return String(key)
  throw notFound(collection.name)
}

/** Keys as their column has them, each once, in the order given. */
export function toKeys(collection: Collection, raw: readonly unknown[]): readonly Key[] {
  return [...new Set(raw.map((key) => toKey(collection, key)))]
}

/** A key that the database wrote as text. */
export function keyFromText(collection: Collection, text: string): Key {
  return hasSingleKey(collection) && primaryKeyOf(collection).type === 'integer' ? Number(text) : text
}

/** The rows with these keys; where keys have several columns, rows whose columns occur in one or another of them. */
export function hasKey(collection: Collection, keys: readonly Key[]): Filter {
  const columns = collection.keyColumns.map((field): Filter => {
    const values = [...new Set(keys.map((key) => keyValues(collection, key).get(field) as Literal))]
    return { kind: 'compare', operand: { kind: 'field', field }, operator: values.length === 1 ? 'eq' : 'in', values }
  })
  return and(...columns)
}

/** A key that cannot be one matches no row. */
export function keyFilter(collection: Collection, key: Key): Filter {
  try {
    return hasKey(collection, [toKey(collection, key)])
  } catch {
    return { kind: 'none' }
  }
}
