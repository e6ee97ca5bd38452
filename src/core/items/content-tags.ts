/** Writes under the condition that an item has not changed, by its content tag. */
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/key.ts'
import { rowsOf } from '../../domain/query/rows-of.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { lockAccessFor } from '../guards/guards.ts'
import { authorizeItem, ownColumns } from '../rows/read-items.ts'
import { withTransaction } from '../rows/transaction.ts'

/** The item of an If-Match header (null: it does not exist), and its tags. */
export type Expected = { readonly collection: string; readonly key: Key | null; readonly tags: readonly string[] }

/**
 * Runs the work in one transaction if the item has one of the expected tags. The item is locked. Other errors of the work
 * take precedence. Throws `precondition-failed` and rolls back otherwise.
 */
export async function whileUnchanged<T>(
  ctx: Context,
  expected: Expected | null,
  work: (inner: Context) => Promise<T>,
): Promise<T> {
  if (expected === null) return work(ctx)
  return withTransaction(ctx, async (inner) => {
    const holds = await isUnchanged(inner, expected)
    const result = await work(inner)
    if (!holds) throw changed()
    return result
  })
}

/** Throws `precondition-failed` if the tag differs. The item stays locked until the transaction ends. */
export async function assertExpected(ctx: ReadContext, expected: Expected | null): Promise<void> {
  if (expected !== null && !(await isUnchanged(ctx, expected))) throw changed()
}

async function isUnchanged(ctx: ReadContext, { collection, key, tags }: Expected): Promise<boolean> {
  if (key === null) return false
  await lockAccessFor(ctx.db, collection)
  try {
    const query = authorizeItem(ctx, { ...rowsOf(collection, ownColumns), tag: ownColumns, locked: true }, key)
    const row = await ctx.rows.readOne(ctx, query)
    return row?.tag !== undefined && tags.includes(row.tag)
  } catch (error) {
    // Without read access the caller cannot know the tag.
    if (error instanceof TandemError && error.failures.every(({ kind }) => kind === 'forbidden')) return false
    throw error
  }
}

const changed = (): TandemError => new TandemError({ kind: 'precondition-failed', condition: 'If-Match' })
