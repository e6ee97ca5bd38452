/** Telling people of a share by mail. */
import type { Context } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import { ownFields, rowsOf } from '../domain/rows-of.ts'
import { mailData } from './accounts.ts'
import { countMails } from './attempts.ts'
import { assertMayShare, sharesCollection } from './guard-shares.ts'
import { readItem } from './items.ts'
import { systemValue } from './system-values.ts'
import { withTransaction } from './transaction.ts'
import { usersCollection } from './users.ts'

export type ShareInvitation = {
  /** Its key, as it was sent. */
  readonly share: string
  readonly emails: readonly string[]
}

/**
 * Mails everybody the link to the share. Its password is in no mail. Who asks has to be able to read the share and to
 * share the item now; throws `forbidden`, `item-not-found`, `invalid-payload` for a share that has ended.
 */
export async function inviteToShare(ctx: Context, { share, emails }: ShareInvitation): Promise<void> {
  const addresses = [...new Set(emails.map((email) => String(systemValue(usersCollection, 'email', email))))]
  const id = await withTransaction(ctx, (inner) => findShare(inner, share))
  await countMails(ctx, 'share-invitation', addresses)
  const data = await mailData(ctx, new URL(`${ctx.server.address()}/admin/shared/${id}`).href)
  for (const to of addresses) ctx.mail.send({ to, template: 'share-invitation', data })
}

type Row = { readonly collection: string; readonly item: string; readonly isOver: boolean }

/** The key of a share that the actor may pass on. */
async function findShare(ctx: Context, share: string): Promise<string> {
  const { id } = JSON.parse(await readItem(ctx, byKey, share)) as { readonly id: string }
  const values = [id, ctx.clock().toISOString()]
  const row = (await ctx.db.run({ text: selectShare, values })).rows[0] as Row
  await assertMayShare(ctx, row.collection, row.item)
  if (!row.isOver) return id
  const reason = 'Expected a share that has neither ended nor been used up for "share"'
  throw new TandemError({ kind: 'invalid-payload', name: 'share', reason })
}

const byKey = rowsOf(sharesCollection, ownFields('id'), { limit: 1 })

const selectShare = `select collection, item,
    coalesce(date_end <= $2::timestamptz, false) or coalesce(times_used >= max_uses, false) as "isOver"
  from platform_shares where id = $1::uuid`
