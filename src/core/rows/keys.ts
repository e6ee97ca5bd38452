/** Primary keys: converts between the wire, the column's type and the text of the database. */

import { toLiteral } from '../../domain/conditions/literals.ts'
import type { Context } from '../../domain/ports/context.ts'
import { and, compare, type Filter, type Literal, or } from '../../domain/query/filter.ts'
import type { Key } from '../../domain/query/key.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { joinKey, keyValues, splitKey } from '../../domain/schema/row-keys.ts'
import type { Collection, Field } from '../../domain/schema/schema.ts'

const hexSign = String.raw`\x`

/** The text by which keys are compared; some columns ignore case, and bytes are base64 or the digits of the database. */
export function comparableKey(collection: Collection, key: Key): string {
  const isBytes = hasSingleKey(collection) && primaryKeyOf(collection).type === 'binary'
  if (isBytes && !String(key).startsWith(hexSign))
    return `${hexSign}${Buffer.from(String(key), 'base64').toString('hex')}`
  const isCaseless = collection.keyColumns.some((name) =>
    collection.fields.get(name)?.column?.dataType.endsWith('citext'),
  )
  return isCaseless ? String(key).toLowerCase() : String(key)
}

/** The error for items that are missing or invisible, which are not distinguished. */
export function notFound(collection: string): TandemError {
  return new TandemError({ kind: 'item-not-found', collection })
}

/** A system collection, which is always there. */
export function systemCollection({ schema }: Pick<Context, 'schema'>, name: string): Collection {
  const collection = schema.collections.get(name)
  if (collection === undefined) throw new Error(`There is no collection ${name}`)
  return collection
}

function primaryKeyOf(collection: Collection): Field {
  const field = collection.fields.get(collection.primaryKey)
  if (field === undefined) throw new Error(`Collection ${collection.name} lacks its key ${collection.primaryKey}`)
  return field
}

/** A key of several columns is one text of them all. */
export function hasSingleKey(collection: Collection): boolean {
  return collection.keyColumns.length === 1
}

/** Converts a key, also one that the database wrote, to the type of its column. Throws `item-not-found` if it does not fit. */
export function toKey(collection: Collection, raw: unknown): Key {
  if (!hasSingleKey(collection)) return toCompositeKey(collection, raw)
  const key = keyLiteral(collection, primaryKeyOf(collection), raw)
  if (typeof key === 'number' || typeof key === 'string') return key
  if (typeof key === 'boolean') return String(key)
  throw notFound(collection.name)
}

/** The same, but null for what is no key of the collection. */
export function findKey(collection: Collection, raw: unknown): Key | null {
  try {
    return toKey(collection, raw)
  } catch (error) {
    if (error instanceof TandemError) return null
    throw error
  }
}

function toCompositeKey(collection: Collection, raw: unknown): Key {
  const { keyColumns, fields, name } = collection
  const texts = typeof raw === 'string' && keyColumns.length > 1 ? splitKey(raw, keyColumns.length) : null
  if (texts === null) throw notFound(name)
  const values = keyColumns.map((column, index) =>
    keyLiteral(collection, fields.get(column) ?? primaryKeyOf(collection), texts[index]),
  )
  return joinKey(values)
}

const moments: ReadonlySet<string> = new Set(['timestamp', 'dateTime', 'time'])

/** Base64, or what the database writes. */
const bytes = /^(?:\\x(?:[0-9a-f]{2})*|(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/

/** A value has one spelling: moments are without zeros at the end of a fraction, as the database writes them. */
function keyLiteral({ name }: Collection, field: Field, raw: unknown): Literal {
  const key = toLiteral(raw, field, () => {
    throw notFound(name)
  })
  if (typeof key !== 'string') return key
  if (field.type === 'binary' && !bytes.test(key)) throw notFound(name)
  if (!moments.has(field.type)) return key
  return key.replace(/(\.\d*?)0+(?=\D*$)/, '$1').replace(/\.(?=\D*$)/, '')
}

export function isKeyPart(
  collection: Collection,
  column: string,
  { received, own }: { readonly received: unknown; readonly own: Key },
): boolean {
  const field = collection.fields.get(column)
  if (field === undefined) return false
  try {
    const [left, right] = [received, own].map((value) => {
      const part = keyLiteral(collection, field, value)
      return typeof part === 'object' ? null : comparableKey(collection, String(part))
    })
    return left !== null && left === right
  } catch {
    return false
  }
}

/** Converts keys to the type of their column, in order and without duplicates. */
export function toKeys(collection: Collection, raw: readonly unknown[]): readonly Key[] {
  return [...new Set(raw.map((key) => toKey(collection, key)))]
}

export function keyFromText(collection: Collection, text: string): Key {
  return hasSingleKey(collection) && primaryKeyOf(collection).type === 'integer' ? Number(text) : text
}

/** A key that the database wrote, as the APIs have it: bytes are base64. */
export function keyAsShown(collection: Collection, text: string): Key {
  const isBytes = hasSingleKey(collection) && primaryKeyOf(collection).type === 'binary' && text.startsWith(hexSign)
  return isBytes ? Buffer.from(text.slice(hexSign.length), 'hex').toString('base64') : keyFromText(collection, text)
}

export function hasKey(collection: Collection, keys: readonly Key[]): Filter {
  if (hasSingleKey(collection)) return hasValue(collection.primaryKey, keys)
  const rows = keys.map((key) => keyValues(collection, key))
  return or(...rows.map((values) => and(...[...values].map(([field, value]) => hasValue(field, [value])))))
}

function hasValue(field: string, keys: readonly Literal[]): Filter {
  const values = [...new Set(keys)]
  return compare(field, values.length === 1 ? 'eq' : 'in', values)
}

/** An invalid key matches no row. */
export function keyFilter(collection: Collection, key: Key): Filter {
  const own = findKey(collection, key)
  return own === null ? { kind: 'none' } : hasKey(collection, [own])
}
