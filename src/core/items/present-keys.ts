/** Which rows exist, for imports that create some and update others. */
import type { WriteContext } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/key.ts'
import { joinKey } from '../../domain/schema/row-keys.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { comparableKey, toKey } from '../rows/keys.ts'

/** The comparable texts of those keys that exist, regardless of permissions. The rows are locked until the end. */
export async function presentKeys(
  ctx: WriteContext,
  collection: Collection,
  keys: readonly Key[],
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set()
  const locked = await ctx.rows.lock(ctx, collection, { keys: [...new Set(keys)], foreign: [], fields: [] })
  return new Set(locked.map(({ key }) => comparableKey(collection, toKey(collection, key))))
}

/** The key of a row by the values of its key columns; null without one, and for values that can be none. */
export function keyOfValues(collection: Collection, valueOf: (column: string) => unknown): Key | null {
  const values = collection.keyColumns.map((name) => valueOf(name) ?? null)
  if (values.length === 0 || values.includes(null)) return null
  try {
    return toKey(collection, values.length === 1 ? values[0] : joinKey(values))
  } catch {
    // A value that cannot be a key is rejected later by its column, with a better message.
    return null
  }
}
