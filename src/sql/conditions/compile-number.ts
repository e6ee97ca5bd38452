/** Addresses rows of identity collections by their integer `number` instead of their key (domain/identity.ts). */
import { numberedBy } from '../../domain/schema/identity.ts'
import type { Field } from '../../domain/schema/schema.ts'
import {
  type Build,
  columnText,
  fieldOf,
  keyText,
  type Level,
  openLevel,
  storedText,
  tableText,
  whereText,
} from './build.ts'

/** A stored key. `field` and `level` are set if it is a column. */
export type StoredKey = { readonly sql: string; readonly level?: Level; readonly field?: Field }

/** The level of a row's own key, where the number is a column of the same row; null for other keys. */
export function ownLevel({ level, field }: StoredKey, collection: string): Level | null {
  if (level?.collection.name !== collection) return null
  return level.collection.primaryKey === field?.name ? level : null
}

/** The number of the row in `collection` with this key. */
export function numberText(build: Build, key: StoredKey, collection: string): string {
  const own = ownLevel(key, collection)
  if (own !== null) return columnText(build, own, fieldOf(own.collection, 'number'))
  const { level, field } = key
  if (level !== undefined && field?.column?.numberOf === collection) return storedText(level, field)
  const target = openLevel(build, collection)
  const number = columnText(build, target, fieldOf(target.collection, 'number'))
  const where = whereText([`${keyText(build, target)} = ${key.sql}`])
  return `(select ${number} from ${tableText(build, target)}${where})`
}

/**
 * A comparison of a key. Where the column holds numbers, the number of the key finds the candidates by an index of the
 * column.
 */
export function equalKeyText(build: Build, key: StoredKey, isEqual: (key: string) => string): string {
  const { level, field } = key
  const identity = field === undefined ? null : numberedBy(field)
  if (level === undefined || field === undefined || identity === null) return isEqual(key.sql)
  const target = openLevel(build, identity)
  const number = columnText(build, target, fieldOf(target.collection, 'number'))
  const named = `(select ${number} from ${tableText(build, target)}${whereText([isEqual(keyText(build, target))])})`
  return `(${storedText(level, field)} = ${named} and ${isEqual(key.sql)})`
}
