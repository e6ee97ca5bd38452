/** Public information about shares, for callers who know the id. */
import { isUuid } from '../../domain/conditions/literals.ts'
import type { Context } from '../../domain/ports/context.ts'
import { ownFields, rowsOf } from '../../domain/query/rows-of.ts'
import { invalidPayload } from '../../domain/rights/errors.ts'
import { findSharedItem, findShareInfo, setSharePassword } from '../../sql/statements/accounts/shares.ts'
import { mailData } from '../accounts/accounts.ts'
import { countMails } from '../accounts/attempts.ts'
import { usersCollection } from '../accounts/users.ts'
import { assertMayShare, sharesCollection } from '../guards/guard-shares.ts'
import { mask } from '../rows/hashed-values.ts'
import { notFound } from '../rows/keys.ts'
import { readItemRow } from '../rows/read-items.ts'
import { systemValue } from '../rows/system-values.ts'
import { withTransaction } from '../rows/transaction.ts'

/** The public facts of a share; times as ISO 8601. */
export type ShareInfo = {
  readonly id: string
  readonly collection: string
  readonly item: string
  /** A mask; null = no password. */
  readonly password: string | null
  readonly max_uses: number | null
  readonly times_used: number
  readonly date_start: string | null
  readonly date_end: string | null
}

/** Throws `item-not-found` for a share that does not exist or is not valid now. Whether it is used up is visible. */
export async function readShareInfo(ctx: Pick<Context, 'db' | 'clock'>, id: string): Promise<ShareInfo> {
  const row = await findShareInfo(ctx.db, isUuid(id) ? id.toLowerCase() : null, ctx.clock())
  if (row === undefined) throw notFound(sharesCollection)
  const { hasPassword, date_start: start, date_end: end, ...rest } = row
  return { ...rest, password: hasPassword ? mask : null, date_start: iso(start), date_end: iso(end) }
}

const iso = (text: string | null): string | null => (text === null ? null : new Date(text).toISOString())

/** Gives a share the hash of a password that another server has made. */
export const setPasswordHash = ({ db }: Pick<Context, 'db'>, share: string, hash: string): Promise<void> =>
  setSharePassword(db, share, hash)

export type ShareInvitation = {
  /** Key of the share, as the client sent it. */
  readonly share: string
  readonly emails: readonly string[]
}

/**
 * Mails the link of the share to each address, without its password. The caller must be allowed to read the share and
 * to share its item. Throws `forbidden`, `item-not-found`, and `invalid-payload` for an expired share.
 */
export async function inviteToShare(ctx: Context, { share, emails }: ShareInvitation): Promise<void> {
  const addresses = [...new Set(emails.map((email) => String(systemValue(usersCollection, 'email', email))))]
  const id = await withTransaction(ctx, (inner) => findShare(inner, share))
  await countMails(ctx, 'share-invitation', addresses)
  const data = await mailData(ctx, new URL(`${ctx.server.address()}/admin/shared/${id}`).href)
  for (const to of addresses) ctx.mail.send({ to, template: 'share-invitation', data })
}

/** The key of a share that the actor may send to others. */
async function findShare(ctx: Context, share: string): Promise<string> {
  const { id } = (await readItemRow(ctx, byKey, share)) as { readonly id: string }
  const shared = await findSharedItem(ctx.db, id, ctx.clock())
  if (shared === undefined) throw notFound(sharesCollection)
  await assertMayShare(ctx, shared.collection, shared.item)
  if (!shared.isOver) return id
  const reason = 'Expected a share that has neither ended nor been used up for "share"'
  throw invalidPayload('share', reason)
}

const byKey = rowsOf(sharesCollection, ownFields('id'), { limit: 1 })
