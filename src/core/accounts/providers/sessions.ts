/** Sessions that live and end with the session at the login provider that opened them. */
import type { Context, ReadContext } from '../../../domain/ports/context.ts'
import {
  noProviders,
  type ProviderSession,
  type RedirectProvider,
  type SessionOrigin,
} from '../../../domain/ports/providers.ts'
import { invalidPayload, TandemError } from '../../../domain/rights/errors.ts'
import { useOnce } from '../../../sql/statements/accounts/provider-logins.ts'
import {
  claimOrigin,
  endSessionsFrom,
  insertOrigin,
  releaseOrigin,
  type StoredOrigin,
} from '../../../sql/statements/accounts/provider-sessions.ts'
import { uuidOfText } from '../../../tokens/digest.ts'
import { seal, unseal } from '../../../tokens/sealed.ts'

/** Milliseconds in which a provider answers a renewal, or another request may try. */
const renewalTtl = 60_000

const sealing = ({ security }: Pick<Context, 'security'>) => ({
  secret: security.secret,
  purpose: 'tokens of providers',
})

/** Notes in a transaction where a new session comes from. */
export async function noteOrigin(
  ctx: Pick<Context, 'security'>,
  db: Context['db'],
  { session, origin }: { readonly session: string; readonly origin: SessionOrigin },
): Promise<void> {
  const token = origin.token === null ? null : seal(origin.token, sealing(ctx))
  await insertOrigin(db, session, { ...origin, token })
}

/** The session of the provider that a login comes from. */
export const originOf = (provider: RedirectProvider, session: ProviderSession | null): SessionOrigin | undefined =>
  session === null ? undefined : { ...session, provider: provider.name }

const renewers = ({ providers = noProviders }: Pick<Context, 'providers'>): readonly RedirectProvider[] =>
  providers.list.filter((each) => each.kind === 'redirect').filter(({ renew }) => renew !== null)

/**
 * Renews the token of the provider that a session lives on; false if the provider refuses. A session without one lives
 * on. Throws `unavailable` if the provider gives no answer.
 */
export async function livesAtProvider(
  ctx: ReadContext & Pick<Context, 'providers' | 'security'>,
  session: string,
): Promise<boolean> {
  const able = renewers(ctx)
  if (able.length === 0) return true
  const now = ctx.clock()
  const origin = await claimOrigin(ctx.db, session, { now, until: new Date(now.getTime() + renewalTtl) })
  const provider = able.find(({ name }) => name === origin?.provider)
  if (origin === undefined || provider === undefined) return true
  return renewOrigin(ctx, { session, origin, provider })
}

type Renewed = { readonly session: string; readonly origin: StoredOrigin; readonly provider: RedirectProvider }

async function renewOrigin(
  ctx: Pick<Context, 'db' | 'security'>,
  { session, origin, provider }: Renewed,
): Promise<boolean> {
  const { subject, token: sealed } = origin
  const token = sealed === null ? null : unseal(sealed, sealing(ctx))
  // The secret of the server has changed: the token is lost, and with it what the session lived on.
  if (token === null || provider.renew === null) return false
  try {
    const next = await provider.renew({ token, subject })
    await releaseOrigin(ctx.db, session, seal(next, sealing(ctx)))
    return true
  } catch (error) {
    if (error instanceof TandemError && error.failures[0]?.kind === 'invalid-credentials') return false
    await releaseOrigin(ctx.db, session, null)
    throw error
  }
}

/**
 * Ends the sessions that a provider ends by a logout token (OpenID Connect Back-Channel Logout 1.0), on all replicas.
 * Throws `invalid-payload` for a token that the provider did not make for this server, or that was used before.
 */
export async function endByLogoutToken(
  ctx: Pick<Context, 'db' | 'clock' | 'forgetActors'>,
  provider: RedirectProvider,
  token: string,
): Promise<void> {
  if (provider.readLogoutToken === null) throw new TandemError({ kind: 'route-not-found', path: 'for logout tokens' })
  const { id, expires, subject, name } = await provider.readLogoutToken(token)
  const key = uuidOfText(`${provider.name}\0logout\0${id}`)
  if (!(await useOnce(ctx.db, key, { now: ctx.clock(), expires })))
    throw invalidPayload('logout_token', 'Expected a new token for "logout_token" but received one that was used')
  await endSessionsOf(ctx, { provider: provider.name, subject, name })
}

/** Ends all sessions that come from a session of a provider. Their tokens are invalid from the next request on. */
export async function endSessionsOf(
  ctx: Pick<Context, 'db' | 'forgetActors'>,
  ended: Parameters<typeof endSessionsFrom>[1],
): Promise<void> {
  if ((await endSessionsFrom(ctx.db, ended)) > 0) await ctx.forgetActors()
}
