/** Logins that a provider begins by itself (SAML). The operator allows them by provider, because anybody can start one. */
import type { Context } from '../../../domain/ports/context.ts'
import type { RedirectProvider } from '../../../domain/ports/providers.ts'
import { TandemError } from '../../../domain/rights/errors.ts'
import { useOnce } from '../../../sql/statements/accounts/provider-logins.ts'
import { uuidOfText } from '../../../tokens/digest.ts'
import type { SessionUser } from '../sessions.ts'
import { findOrCreateAccount } from './accounts.ts'
import { spendFlowCode } from './codes.ts'
import { type AnsweredFlow, attemptOf, type FlowProof, matchFlow, publicAddress, toPage } from './flows.ts'
import { originOf } from './sessions.ts'

/** The login that the answer belongs to; null if it belongs to none and the operator allows that. */
export function matchAnswer(
  ctx: Pick<Context, 'project' | 'clock' | 'security'>,
  provider: RedirectProvider,
  proof: FlowProof,
): AnsweredFlow | null {
  try {
    return matchFlow(ctx, provider, proof)
  } catch (error) {
    if (provider.accept === null || !(error instanceof TandemError)) throw error
    return null
  }
}

type Unsolicited = {
  /** Origin that the browser asked, and the path below it that took the answer. */
  readonly origin: string
  readonly path: string
  readonly parameters: URLSearchParams
}

/**
 * The user of an answer to no request. The answer counts once, also on other replicas. Throws `invalid-token` for a used
 * one, and what the provider and the rules of accounts throw.
 */
export async function identifyUnsolicited(
  ctx: Context,
  provider: RedirectProvider,
  { origin, path, parameters }: Unsolicited,
): Promise<SessionUser> {
  if (provider.accept === null) throw new TandemError({ kind: 'invalid-token' })
  await ctx.attempts.begin(attemptOf(ctx, provider))
  const { identity, id, expires } = await provider.accept({
    callback: `${publicAddress(ctx, origin)}${path}`,
    parameters,
  })
  if (!(await useOnce(ctx.db, uuidOfText(`${provider.name}\0${id}`), { now: ctx.clock(), expires })))
    throw new TandemError({ kind: 'invalid-token' })
  const user = await findOrCreateAccount(ctx, provider, identity)
  await spendFlowCode(ctx, user, null)
  await ctx.attempts.succeed(attemptOf(ctx, provider))
  return { ...user, origin: originOf(provider, identity.session) }
}

/** The page that an unsolicited answer leads to, within the same bounds as any login; null = none is named. */
export const pageOfAnswer = (
  ctx: Pick<Context, 'providers' | 'server'>,
  provider: RedirectProvider,
  url: string,
  origin: string,
): string | null =>
  url === '' ? null : toPage(ctx, provider, { url, address: publicAddress(ctx, origin), trusted: [] })
