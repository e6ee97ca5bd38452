import type { Context } from '../../domain/ports/context.ts'
import { ownFields, rowsOf } from '../../domain/query/rows-of.ts'
import { invalidPayload } from '../../domain/rights/errors.ts'
import { findSharedItem } from '../../sql/statements/accounts/shares.ts'
import { mailData } from '../accounts/accounts.ts'
import { countMails } from '../accounts/attempts.ts'
import { usersCollection } from '../accounts/users.ts'
import { assertMayShare, sharesCollection } from '../guards/guard-shares.ts'
import { notFound } from '../rows/keys.ts'
import { readItemRow } from '../rows/read-items.ts'
import { systemValue } from '../rows/system-values.ts'
import { withTransaction } from '../rows/transaction.ts'

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
