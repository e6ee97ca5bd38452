/** Checks written shares: their items, which the writer may share. */
import { forbidden, permittedRows } from '../../authz/grants.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Written } from '../../domain/ports/write-log.ts'
import { and } from '../../domain/query/filter.ts'
import type { Key } from '../../domain/query/key.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import {
  deleteSessionsOfShares,
  findWrittenShares,
  setSharedItem,
  type WrittenShare,
} from '../../sql/statements/accounts/shares.ts'
import { hasRow } from '../rows/has-row.ts'
import { keyFilter, notFound, toKey } from '../rows/keys.ts'
import { assertItemStays } from './server-fields.ts'

export const sharesCollection = 'platform_shares'

/**
 * Throws `forbidden` or `item-not-found` for items that the writer may not share, and `invalid-payload` for changes of
 * fixed fields. The rights of the role are checked with all other grants.
 */
export async function assertShares(ctx: Context, written: readonly Written[]): Promise<void> {
  const made = written.filter(({ collection, kind }) => collection === sharesCollection && kind !== 'delete')
  for (const each of made) assertItemStays(each)
  const keys = made.flatMap((each) => each.keys)
  if (keys.length === 0) return
  for (const share of await findWrittenShares(ctx.db, keys)) await assertShareable(ctx, share)
  const changed = made.filter(({ columns }) => columns.includes('password')).flatMap((each) => each.keys)
  await deleteSessionsOfShares(ctx.db, changed)
}

/** A share acts for its creator, who must be a user and must be allowed to share the item. */
async function assertShareable(ctx: Context, share: WrittenShare): Promise<void> {
  const { id, collection: name, item, isEmpty, hasLevels } = share
  if (hasLevels && ctx.actor.kind === 'user' && ctx.actor.key?.isPartial === true) throw moreThanKey()
  const key = await assertMayShare(ctx, name, item)
  if (isEmpty) throw invalidPayload('date_end', 'Expected an instant after "date_start" for field "date_end"')
  if (String(key) !== item) await setSharedItem(ctx.db, id, String(key))
}

/** A share ends at what its creator may read, and a user may read more than its key. Levels are not compared with rights. */
const moreThanKey = (): TandemError =>
  new TandemError({ kind: 'forbidden', reason: 'An API key of some policies shares nothing by a role with levels' })

/** The key of an item that the actor may share. Throws `forbidden` or `item-not-found`. */
export async function assertMayShare(ctx: Context, name: string, item: string): Promise<Key> {
  const { actor } = ctx
  const collection = ctx.schema.collections.get(name)
  const isItem =
    collection !== undefined && !collection.system && collection.table !== null && collection.keyColumns.length > 0
  if (!isItem || (actor.kind !== 'user' && actor.kind !== 'system')) throw forbidden('share', name)
  const rows = permittedRows(actor, name, 'share')
  if (rows === null) throw forbidden('share', name)
  const key = toKey(collection, item)
  // A concurrent deletion of the item waits, and then deletes the share too.
  await ctx.rows.lock(ctx, collection, { keys: [key], foreign: [], fields: [] })
  if (!(await hasRow(ctx, collection, and(keyFilter(collection, key), rows)))) throw notFound(name)
  return key
}
