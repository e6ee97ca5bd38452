/**
 * Keys as one value, whatever they are made of: a column's own, or, of a key of several columns, the list of their
 * texts as JSON, which the database writes alike: `["1","5"]`.
 */
import type { Key } from './mutation.ts'
import type { Collection } from './schema.ts'

type Keyed = Pick<Collection, 'keyColumns'>

/**
 * One key out of the values of its columns.
 * @example joinKey([1, 'é']) // '["1","é"]'
 */
export function joinKey(values: readonly unknown[]): string {
  return JSON.stringify(values.map(String))
}

/** Column → value. */
export function keyValues({ keyColumns }: Keyed, key: Key): ReadonlyMap<string, Key> {
  if (keyColumns.length === 1) return new Map([[keyColumns[0] as string, key]])
  const texts = JSON.parse(String(key)) as readonly string[]
  return new Map(keyColumns.map((column, index) => [column, texts[index] as string]))
}

/** The key of a row that holds its columns, as text. */
export function keyOfRow({ keyColumns }: Keyed, row: { readonly [column: string]: unknown }): string {
  const texts = keyColumns.map((column) => String(row[column]))
  return texts.length === 1 ? (texts[0] as string) : joinKey(texts)
}
