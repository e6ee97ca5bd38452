/** Sessions that begin with a token from the address of a page. */
import type { Context } from '../../domain/ports/context.ts'
import type { SessionOrigin } from '../../domain/ports/providers.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { useOnce } from '../../sql/statements/provider-logins.ts'
import { findActiveUsers, findUserNumber } from '../../sql/statements/users.ts'
import { readRequestToken, signRequestToken } from '../../tokens/request-tokens.ts'
import { type FreshSession, openSession, type SessionUser } from './sessions.ts'

/** Milliseconds in which the page exchanges the token. */
const lifetime = 300_000

/** A token for the user, who has proven everything. `shown` are claims for clients. */
export function createRequestToken(
  ctx: Context,
  user: SessionUser,
  shown: { readonly [claim: string]: string | number },
): string {
  const { secret } = ctx.security
  const { origin } = user
  const claims = { id: ctx.ids.uuid(), user: user.id, origin: origin && withoutToken(origin), shown }
  return signRequestToken(claims, { issuedAt: ctx.clock(), ttl: lifetime }, { secret, project: ctx.project })
}

/** Opens the session, once. Throws `invalid-token`, also for a used token or an inactive user, or `token-expired`. */
export async function exchangeRequestToken(ctx: Context, token: string): Promise<FreshSession> {
  const now = ctx.clock()
  const found = readRequestToken(token, { secret: ctx.security.secret, project: ctx.project, now })
  const isFirst = await useOnce(ctx.db, found.id, { now, expires: found.expires })
  const [user] = isFirst ? await findActiveUsers(ctx.db, [found.user]) : []
  const number = user === undefined ? null : await findUserNumber(ctx.db, user.id)
  if (user === undefined || number === null) throw new TandemError({ kind: 'invalid-token' })
  const origin = found.origin && { ...found.origin, token: null }
  return openSession(ctx, { ...user, number, origin })
}

/** A refresh token of the provider does not go through an address. */
const withoutToken = ({ provider, subject, format, name }: SessionOrigin) => ({ provider, subject, format, name })
