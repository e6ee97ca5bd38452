/** Undoes what entries of the activity log recorded. */

import type { Context } from '../../domain/ports/context.ts'
import { compare } from '../../domain/query/filter.ts'
import { ownFields, rowsOf } from '../../domain/query/rows-of.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { coreView } from '../../domain/schema/core-view.ts'
import { findRecordedItems, type RecordedItem } from '../../sql/statements/activity.ts'
import { deleteItems } from '../items/items.ts'
import { notFound } from '../rows/keys.ts'
import { readItemRows } from '../rows/read-items.ts'
import { withTransaction } from '../rows/transaction.ts'
import { recreateItem, revertItem } from './revisions.ts'

const activityCollection = 'platform_activity'

/**
 * Brings the items back to the state before the entries, the item that was changed last first, in one transaction. The
 * caller needs the rights to read the entries and their revisions, and those of the changes that undo them. Throws
 * `unprocessable` for an item that others changed since, or that has no earlier state.
 */
export async function revertActivity(ctx: Context, ids: readonly number[]): Promise<void> {
  await assertReadable(ctx, ids)
  await withTransaction(ctx, async (inner) => {
    for (const item of await findRecordedItems(inner.db, ids)) await undo(inner, item)
  })
}

async function assertReadable(ctx: Context, ids: readonly number[]): Promise<void> {
  const distinct = [...new Set(ids)]
  const filter = compare('id', 'in', distinct)
  const own: Context = { ...ctx, view: coreView(ctx.schema) }
  const rows = await readItemRows(own, rowsOf(activityCollection, ownFields('id'), { filter }))
  if (rows.length !== distinct.length) throw notFound(activityCollection)
}

async function undo(ctx: Context, recorded: RecordedItem): Promise<void> {
  const { collection, item, first, last, changed, revision } = recorded
  if (changed) throw refuse(recorded, 'that nobody else has changed since')
  const isThere = last !== 'delete'
  if (first === 'create') {
    if (isThere) await deleteItems(ctx, collection, [item])
    return
  }
  if (revision === null)
    throw refuse(recorded, 'with a revision from before', ', of which this is the first recorded change')
  if (isThere) return revertItem(ctx, revision)
  if (collection === 'platform_files') throw refuse(recorded, 'whose content still exists')
  await recreateItem(ctx, revision)
}

function refuse({ collection, item }: RecordedItem, expected: string, note = ''): TandemError {
  const reason = `Expected an item ${expected} but received ${collection} ${item}${note}`
  return new TandemError({ kind: 'unprocessable', reason })
}
