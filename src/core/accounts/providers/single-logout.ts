/** Logout from this server and the provider (SAML single logout). The session of this server always ends first. */

import type { AccountContext, Context } from '../../../domain/ports/context.ts'
import type { LogoutMessage, RedirectProvider } from '../../../domain/ports/providers.ts'
import { invalidPayload, TandemError } from '../../../domain/rights/errors.ts'
import { useOnce } from '../../../sql/statements/accounts/provider-logins.ts'
import { findOrigin } from '../../../sql/statements/accounts/provider-sessions.ts'
import { isSameText, uuidOfText } from '../../../tokens/digest.ts'
import { type LogoutFlow, readLogoutFlow, secretsOf, signLogoutFlow } from '../../../tokens/flow-tokens.ts'
import { tokenSettings } from '../accounts.ts'
import { endSession } from '../sessions.ts'
import { flowTtl, publicAddress, toPage } from './flows.ts'
import { endSessionsOf } from './sessions.ts'

/**
 * How a logout shall begin. `sessions`: those of the browser, the one first that the provider shall end; `path`: where the
 * provider answers, below the origin that the client asked.
 */
export type LogoutRequest = {
  readonly sessions: readonly string[]
  readonly origin: string
  readonly path: string
  readonly page: string
}

/** Where the browser goes, and the token for it if the provider will answer. */
export type BegunLogout = { readonly page: URL; readonly callback: URL; readonly token: string | null }

/**
 * Ends the sessions, and leads to the page of the provider if one came from there, which ends its own; or at once to the
 * page to return to. Throws `invalid-query` for a page of others.
 */
export async function beginLogout(
  ctx: AccountContext,
  provider: RedirectProvider,
  logoutRequest: LogoutRequest,
): Promise<BegunLogout> {
  const address = publicAddress(ctx, logoutRequest.origin)
  const page = toPage(ctx, provider, { url: logoutRequest.page, address, trusted: [] })
  const callback = new URL(`${address}${logoutRequest.path}`)
  const origins = await Promise.all(logoutRequest.sessions.map((each) => findOrigin(ctx.db, each)))
  for (const each of logoutRequest.sessions) await endSession(ctx, each)
  const session = origins.find((each) => each?.provider === provider.name)
  if (session === undefined || provider.logout === null) return { page: new URL(page), callback, token: null }
  const id = ctx.ids.uuid()
  const { state, nonce } = secretsOf(id, tokenSettings(ctx))
  const leave = await provider.logout.begin({ state, nonce, callback: callback.href, session })
  const flow = { id, provider: provider.name, callback: callback.href, page }
  const times = { issuedAt: ctx.clock(), ttl: flowTtl }
  return { page: leave, callback, token: signLogoutFlow(flow, times, tokenSettings(ctx)) }
}

/** What the browser brings: the message, the text beside it, and the token of a logout that began here. */
export type LogoutProof = {
  readonly origin: string
  readonly path: string
  readonly message: Pick<LogoutMessage, 'binding' | 'parameters'>
  readonly isAnswer: boolean
  readonly state: string | null
  readonly token: string | undefined
}

/** Where the browser goes next. `ended`: whether the provider confirmed the end of its session. */
export type ContinuedLogout = { readonly page: URL; readonly ended: boolean | null }

/**
 * Continues a logout: ends the sessions that a request of the provider names, in all generations and on all replicas, or
 * takes its answer. Throws `route-not-found` without single logout, `invalid-payload` for a message that the provider did
 * not sign for this address or that counted before, `invalid-token` for an answer to another browser.
 */
export async function continueLogout(
  ctx: AccountContext,
  provider: RedirectProvider,
  proof: LogoutProof,
): Promise<ContinuedLogout> {
  if (provider.logout === null) throw new TandemError({ kind: 'route-not-found', path: proof.path })
  return proof.isAnswer ? takeAnswer(ctx, provider, proof) : takeRequest(ctx, provider, proof)
}

async function takeRequest(
  ctx: AccountContext,
  provider: RedirectProvider,
  proof: LogoutProof,
): Promise<ContinuedLogout> {
  const callback = `${publicAddress(ctx, proof.origin)}${proof.path}`
  const request = await readMessage(provider, proof, { callback, nonce: null })
  if (request.kind !== 'request') throw invalidPayload('SAMLRequest', 'Expected a request in "SAMLRequest"')
  const { id, expires, subject, names } = request
  const key = uuidOfText(`${provider.name}\0saml logout\0${id}`)
  if (!(await useOnce(ctx.db, key, { now: ctx.clock(), expires })))
    throw invalidPayload('SAMLRequest', 'Expected a new message in "SAMLRequest" but received one that was used')
  const sessions = names.length === 0 ? [null] : names
  for (const name of sessions) await endSessionsOf(ctx, { provider: provider.name, subject, name })
  const page = await logoutOf(provider).answer({ callback, request: id, state: proof.state })
  return { page, ended: null }
}

async function takeAnswer(
  ctx: Pick<Context, 'project' | 'clock' | 'security'>,
  provider: RedirectProvider,
  proof: LogoutProof,
): Promise<ContinuedLogout> {
  if (proof.token === undefined || proof.state === null) throw new TandemError({ kind: 'invalid-token' })
  const flow = readFlow(ctx, provider, proof.token)
  const { state, nonce } = secretsOf(flow.id, tokenSettings(ctx))
  if (!isSameText(state, proof.state)) throw new TandemError({ kind: 'invalid-token' })
  const answer = await readMessage(provider, proof, { callback: flow.callback, nonce })
  if (answer.kind !== 'answer') throw invalidPayload('SAMLResponse', 'Expected an answer in "SAMLResponse"')
  return { page: new URL(flow.page), ended: answer.isEnded }
}

/** A logout that took too long is no more known than one of another browser: the session here has ended anyway. */
function readFlow(
  ctx: Pick<Context, 'project' | 'clock' | 'security'>,
  provider: RedirectProvider,
  token: string,
): LogoutFlow {
  try {
    return readLogoutFlow(token, provider.name, { ...tokenSettings(ctx), now: ctx.clock() })
  } catch (cause) {
    throw new TandemError({ kind: 'invalid-token' }, { cause })
  }
}

const readMessage = (
  provider: RedirectProvider,
  { message }: LogoutProof,
  own: { readonly callback: string; readonly nonce: string | null },
) => logoutOf(provider).read({ ...message, ...own } as LogoutMessage)

function logoutOf({ logout, name }: RedirectProvider) {
  if (logout === null) throw new Error(`The provider "${name}" has no single logout`)
  return logout
}
