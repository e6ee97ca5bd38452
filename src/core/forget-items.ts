/** What goes with an item: its versions and its shares. */
import type { Context } from '../domain/context.ts'
import type { Key } from '../domain/mutation.ts'
import type { Collection } from '../domain/schema.ts'
import { deleteAboutMissing } from '../sql/missing-items.ts'
import { draggedBy } from './touched.ts'

/**
 * Removes them for items that were just deleted, and for those that the database deleted along with them. True when
 * shares were among them, so that actors have to be forgotten once it is committed.
 */
export async function forgetItems(ctx: Context, collection: Collection, keys: readonly Key[]): Promise<boolean> {
  const dragged = [...draggedBy(ctx.schema, collection.name)].filter((name) => {
    const each = ctx.schema.collections.get(name)
    return name !== collection.name && each?.system === false && each.table !== null
  })
  const values = [collection.name, keys.map(String), dragged]
  const { rows } = await ctx.db.run({ text: forget, values, name: 'forget-items' })
  const found = rows[0] as { readonly shares: number; readonly others: readonly string[] } | undefined
  let shares = found?.shares ?? 0
  for (const name of found?.others ?? []) {
    const other = ctx.schema.collections.get(name)
    if (other === undefined) continue
    await deleteAboutMissing(ctx, 'platform_versions', other)
    shares += await deleteAboutMissing(ctx, 'platform_shares', other)
  }
  return shares > 0
}

const forget = `
with v as (delete from platform_versions where collection = $1 and item = any($2)),
  s as (delete from platform_shares where collection = $1 and item = any($2) returning 1)
select (select count(*) from s)::integer as shares,
  (select coalesce(json_agg(distinct collection), '[]') from (
    select collection from platform_versions union all select collection from platform_shares
  ) a where collection = any($3)) as others`
