/** Password resets: the mail with the link, and the new password; the password that the operator sets. */
import { setTimeout as sleep } from 'node:timers/promises'
import { assertText } from '../../domain/conditions/literals.ts'
import type { Context } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { lockAccess } from '../../sql/statements/locks.ts'
import { assertPassword } from '../guards/guard-users.ts'
import { updateItem } from '../items/items.ts'
import { mask } from '../rows/hashed-values.ts'
import { withTransaction } from '../rows/transaction.ts'
import { type Account, findAccount, notThatPassword, openLink, readProjectFacts, sendLink, toPage } from './accounts.ts'
import { countMails } from './attempts.ts'
import { forgetFailures } from './login-attempts.ts'
import { usersCollection } from './users.ts'

/**
 * Mails a link to the account with that address, if it has a local password. Response, time and rate limit do not
 * reveal whether the account exists (`requests-exceeded`). Throws `invalid-payload` for a page that is not allowed.
 */
export async function requestPasswordReset(ctx: Context, email: string, resetUrl: string | undefined): Promise<void> {
  assertText(email, 'email')
  const page = toPage(ctx, 'password-reset', resetUrl)
  await countMails(ctx, 'password-reset', [email.trim().toLowerCase()])
  await ctx.mail.prepare()
  const stall = sleep(ctx.security.loginStall)
  const account = await findAccount(ctx.db, email)
  if (account?.status === 'active' && account.provider === 'default') {
    void sendLink(ctx, 'password-reset', { account, page }).catch((error: unknown) =>
      ctx.log.error({ err: error }, 'The password reset link could not be created'),
    )
  }
  await stall
}

/** Sets a random password as `resetPassword` does, and mails it to the account. */
export async function resetToRandomPassword(ctx: Context, token: string): Promise<void> {
  // The ending satisfies policies that require each kind of character.
  const password = `${ctx.ids.token(20)}-aA1`
  const { email } = await openLink(ctx, { purpose: 'password-reset', token }, { password })
  const { name } = await readProjectFacts(ctx.db)
  const body = `Your new password for ${name}:\n\n${password}\n\nChange it after the next login.\n`
  const text = { subject: `Your new password for ${name}`, body, isHtml: false, author: null }
  ctx.mail.sendLetter({ to: email, name: null, text })
}

/** Sets the password of the account of the token, once, and ends its sessions. */
export async function resetPassword(ctx: Context, token: string, password: string): Promise<void> {
  await openLink(ctx, { purpose: 'password-reset', token }, { password })
}

/**
 * Sets the password of an account for the operator of the server, without permission checks, and ends its sessions.
 * Throws `failed-validation` for a password that the policy does not allow, and `unprocessable`.
 */
export async function setPassword(ctx: Context, email: string, password: string): Promise<Account> {
  if (password === mask) throw notThatPassword()
  return withTransaction(ctx, async (inner) => {
    await lockAccess(inner.db)
    const account = await findAccount(inner.db, email)
    if (account === undefined) throw unprocessable(`There is no user with the address ${email}`)
    if (account.provider !== 'default') throw unprocessable(`${email} logs in by the provider "${account.provider}"`)
    await assertPassword(inner, password)
    await updateItem(inner, usersCollection, account.id, { password })
    await forgetFailures(inner.db, account.id)
    return account
  })
}

const unprocessable = (reason: string): TandemError => new TandemError({ kind: 'unprocessable', reason })
