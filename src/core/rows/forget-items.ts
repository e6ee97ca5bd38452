/** Versions and shares of an item are deleted with it. */
import type { WriteContext } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { forgetItemRows } from '../../sql/statements/items.ts'
import { cascadedFrom } from './touched-collections.ts'

/**
 * Deletes the versions and shares of items that were just deleted, also of those that the database deleted by cascade.
 * True if shares were deleted: cached actors must be invalidated after the commit.
 */
export async function forgetItems(ctx: WriteContext, collection: Collection, keys: readonly Key[]): Promise<boolean> {
  const dragged = [...cascadedFrom(ctx.schema, collection.name)].filter((name) => {
    const each = ctx.schema.collections.get(name)
    return name !== collection.name && each?.system === false && each.table !== null
  })
  const items = { collection: collection.name, keys: keys.map(String), dragged }
  const forgotten = await forgetItemRows(ctx.db, items)
  let { shares } = forgotten
  for (const name of forgotten.others) {
    const other = ctx.schema.collections.get(name)
    if (other === undefined) continue
    await ctx.rows.deleteAboutMissing(ctx, 'platform_versions', other)
    shares += await ctx.rows.deleteAboutMissing(ctx, 'platform_shares', other)
  }
  return shares > 0
}
