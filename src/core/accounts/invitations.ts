/** Invitations: accounts that are created with a mail. */

import { assertMutation } from '../../authz/authorize.ts'
import type { Context } from '../../domain/ports/context.ts'
import { toChanges } from '../../domain/query/mutation.ts'
import { findAccountsByEmail, findUserNumber } from '../../sql/statements/accounts/users.ts'
import { createItems, writeItems } from '../items/items.ts'
import { systemValue } from '../rows/system-values.ts'
import { withTransaction } from '../rows/transaction.ts'
import { type Account, openLink, sendLink, toPage } from './accounts.ts'
import { countMails } from './attempts.ts'
import { usersCollection } from './users.ts'

export type Invitation = {
  readonly emails: readonly string[]
  /** uuid; null: no role. */
  readonly role: string | null
  readonly inviteUrl: string | undefined
}

/**
 * Creates invited users, with the caller's right to create them, and mails each a link. Users who are already invited
 * get the role, if the caller may give it, and another mail. Existing accounts get nothing. All addresses or none.
 * Throws `mail-failed` if the mail server cannot be used.
 */
export async function inviteUsers(ctx: Context, { emails, role, inviteUrl }: Invitation): Promise<void> {
  const page = toPage(ctx, 'invitation', inviteUrl)
  const addresses = [...new Set(emails.map((email) => String(systemValue(usersCollection, 'email', email))))]
  const items = addresses.map((email) => toChanges({ email, role, status: 'invited' }))
  // Checked before any look-up: callers without the right learn nothing about accounts.
  assertMutation(ctx, { kind: 'create', collection: usersCollection, items })
  await countMails(ctx, 'invitation', addresses)
  await ctx.mail.verify()
  const invited = await withTransaction(ctx, async (inner) => {
    await invite(inner, addresses, role)
    return findInvited(inner, addresses)
  })
  const sender = ctx.actor.kind === 'user' ? await findUserNumber(ctx.db, ctx.actor.user) : null
  for (const account of invited) await sendLink(ctx, 'invitation', { account, page, sender })
}

async function invite(ctx: Context, addresses: readonly string[], role: string | null): Promise<void> {
  const cache = new Map((await findAccountsByEmail(ctx.db, addresses)).map((row) => [row.email, row]))
  const fresh = addresses.filter((email) => !cache.has(email))
  if (fresh.length > 0)
    await createItems(
      ctx,
      usersCollection,
      fresh.map((email) => ({ email, role, status: 'invited' })),
    )
  const keys = [...cache.values()]
    .filter((row) => role !== null && row.status === 'invited' && row.role !== role.toLowerCase())
    .map(({ id }) => id)
  if (keys.length === 0) return
  const target = { kind: 'keys', keys } as const
  await writeItems(ctx, { kind: 'update', collection: usersCollection, target, changes: toChanges({ role }) })
}

const findInvited = async (ctx: Pick<Context, 'db'>, addresses: readonly string[]): Promise<readonly Account[]> =>
  (await findAccountsByEmail(ctx.db, addresses)).filter(({ status }) => status === 'invited')
/** Activates an invited account with a password, or without one if it logs in by other means. */
export const acceptInvitation = (ctx: Context, token: string, password?: string): Promise<{ readonly id: string }> =>
  openLink(ctx, { purpose: 'invitation', token }, { status: 'active', ...(password === undefined ? {} : { password }) })
