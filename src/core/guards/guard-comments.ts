/** Checks written comments: users can comment only on items that they can read. */
import type { ReadContext } from '../../domain/ports/context.ts'
import type { Written } from '../../domain/ports/write-log.ts'
import type { Key } from '../../domain/query/key.ts'
import { findCommentedItems } from '../../sql/statements/comments.ts'
import { areVisible } from '../rows/has-row.ts'
import { notFound } from '../rows/keys.ts'

export const commentsCollection = 'platform_comments'

/**
 * Checks comments that were just written: new ones, and those that now belong to another item. Throws `item-not-found`
 * for missing and for invisible items.
 */
export async function assertComments(ctx: ReadContext, { kind, columns, keys }: Written): Promise<void> {
  const names = kind !== 'delete' && ['collection', 'item'].some((name) => columns.includes(name))
  if (!names) return
  for (const { collection, items } of await findCommentedItems(ctx.db, keys))
    await assertCommentable(ctx, collection, items)
}

/** Throws `item-not-found` unless the actor may read all of the items. `items`: keys as text. */
export async function assertCommentable(ctx: ReadContext, name: string, items: readonly Key[]): Promise<void> {
  const collection = ctx.schema.collections.get(name)
  if (collection?.table == null || !(await areVisible(ctx, collection, items))) throw notFound(name)
}
