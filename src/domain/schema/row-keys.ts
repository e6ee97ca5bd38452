/**
 * Keys as single values. A single-column key is the value of its column. A composite key is a JSON list of the texts of
 * its columns, `["1","5"]`; SQL produces the same text.
 */
import type { Key } from '../query/mutation.ts'
import type { Collection } from './schema.ts'

type Keyed = Pick<Collection, 'keyColumns'>

/**
 * Joins the values of a composite key.
 * @example joinKey([1, 'é']) // '["1","é"]'
 */
export function joinKey(values: readonly unknown[]): string {
  return JSON.stringify(values.map(String))
}

/** The value of each key column. */
export function keyValues({ keyColumns }: Keyed, key: Key): ReadonlyMap<string, Key> {
  if (keyColumns.length === 1) return new Map([[keyColumns[0] as string, key]])
  const texts = JSON.parse(String(key)) as readonly string[]
  return new Map(keyColumns.map((column, index) => [column, texts[index] as string]))
}

/** The key of a row, as text. The row must contain its key columns. */
export function keyOfRow({ keyColumns }: Keyed, row: { readonly [column: string]: unknown }): string {
  const texts = keyColumns.map((column) => String(row[column]))
  return texts.length === 1 ? (texts[0] as string) : joinKey(texts)
}
