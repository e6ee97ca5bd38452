/** Sessions that a page takes over with a token from its address. */

import type { AccountContext } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { useOnce } from '../../sql/statements/accounts/provider-logins.ts'
import { prolongSession } from '../../sql/statements/accounts/sessions.ts'
import { readRequestToken, signRequestToken } from '../../tokens/request-tokens.ts'
import { tokenSettings } from './accounts.ts'
import { endSession, openSession, type Session, type SessionUser } from './sessions.ts'

/** Milliseconds in which the page exchanges the token. */
const lifetime = 300_000

/**
 * Opens a session for the user, who has proven everything, and returns a token for it: what the provider gave for the
 * session goes through no address. Without the exchange, the session ends with the token. `shown` are claims for clients.
 */
export async function createRequestToken(
  ctx: AccountContext,
  user: SessionUser,
  shown: { readonly [claim: string]: string | number },
): Promise<string> {
  const session = await openSession(ctx, user, lifetime)
  const claims = { id: ctx.ids.uuid(), session: session.id, shown }
  return signRequestToken(claims, { issuedAt: ctx.clock(), ttl: lifetime }, tokenSettings(ctx))
}

/** The session of the token, once. Throws `invalid-token`, also for a used token or an inactive user, or `token-expired`. */
export async function exchangeRequestToken(ctx: AccountContext, token: string): Promise<Session> {
  const now = ctx.clock()
  const { refreshTtl } = ctx.security
  const { id, session, expires: end } = readRequestToken(token, { ...tokenSettings(ctx), now })
  if (!(await useOnce(ctx.db, id, { now, expires: end }))) throw new TandemError({ kind: 'invalid-token' })
  const expires = new Date(now.getTime() + refreshTtl)
  const owner = await prolongSession(ctx.db, session, { now, expires })
  if (owner?.status === 'active') return { id: session, user: owner, expires }
  await endSession(ctx, session)
  throw new TandemError({ kind: 'invalid-token' })
}
