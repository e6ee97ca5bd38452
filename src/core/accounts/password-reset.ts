/** Forgotten passwords: a link by mail, and what it leads to. */
import { setTimeout as sleep } from 'node:timers/promises'
import { assertText } from '../../domain/conditions/literals.ts'
import type { Context } from '../../domain/ports/context.ts'
import { findAccount, openLink, sendLink, toPage } from './accounts.ts'
import { countMails } from './attempts.ts'

/**
 * Mails a link to the account of the address, where there is one that has a password of ours. Whether
 * there is makes no difference to the caller, nor to the time, nor to how often it may be asked (`requests-exceeded`).
 * Throws `invalid-payload` for a page that is not listed.
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
      ctx.log.error({ err: error }, 'The link of a password reset could not be made'),
    )
  }
  await stall
}

/** Sets the password of the account that the token opens, once, and ends its sessions. */
export async function resetPassword(ctx: Context, token: string, password: string): Promise<void> {
  await openLink(ctx, { purpose: 'password-reset', token }, { password })
}
