/** Password resets: the mail with the link, and the new password. */
import { setTimeout as sleep } from 'node:timers/promises'
import { assertText } from '../../domain/conditions/literals.ts'
import type { Context } from '../../domain/ports/context.ts'
import { findAccount, openLink, readProjectFacts, sendLink, toPage } from './accounts.ts'
import { countMails } from './attempts.ts'

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
