/**
 * Keys as single values. A single-column key is the value of its column. A composite key is one text: the texts of its
 * columns in the order of the key, percent-encoded and joined by `;`, such as `1;5`. Only `%`, `;` and `,` are encoded,
 * since `,` separates keys in lists; SQL produces the same text. Reading accepts every percent-encoding.
 */
import type { Key } from '../query/key.ts'
import type { Collection } from './schema.ts'

type KeyedCollection = Pick<Collection, 'keyColumns'>

/** Separates the columns of a composite key. */
export const keySeparator = ';'

/** Characters that are encoded in a composite key, the escape character first, and their codes. */
export const encodedInKeys = [
  ['%', '%25'],
  [keySeparator, '%3B'],
  [',', '%2C'],
] as const

/** The wire name under which the key of a row can be asked for beside its fields. */
export const keyName = '$key'

/**
 * Joins the values of a composite key.
 * @example joinKey([1, 'é;']) // '1;é%3B'
 */
export function joinKey(values: readonly unknown[]): string {
  return values
    .map((value) => encodedInKeys.reduce((text, [plain, code]) => text.replaceAll(plain, code), String(value)))
    .join(keySeparator)
}

/** The texts of the columns; null for a text that is no key of so many columns. */
export function splitKey(key: string, columns: number): readonly string[] | null {
  const parts = key.split(keySeparator)
  if (parts.length !== columns) return null
  try {
    return parts.map((part) => decodeURIComponent(part))
  } catch {
    return null
  }
}

export function keyValues({ keyColumns }: KeyedCollection, key: Key): ReadonlyMap<string, Key> {
  if (keyColumns.length === 1) return new Map([[keyColumns[0] as string, key]])
  const texts = splitKey(String(key), keyColumns.length)
  if (texts === null) throw new Error(`A key of ${keyColumns.length} columns cannot be ${key}`)
  return new Map(keyColumns.map((column, index) => [column, texts[index] as string]))
}

/** The key of a row, as text. The row must contain its key columns. */
export function keyOfRow({ keyColumns }: KeyedCollection, row: { readonly [column: string]: unknown }): string {
  const texts = keyColumns.map((column) => String(row[column]))
  return texts.length === 1 ? (texts[0] as string) : joinKey(texts)
}
