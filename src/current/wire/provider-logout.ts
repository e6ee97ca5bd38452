/** Logouts at a provider on the wire: the browser goes there and comes back to a page. */
import { beginLogout, continueLogout, type LogoutProof } from '../../core/accounts/providers/single-logout.ts'
import type { AccountContext, Context } from '../../domain/ports/context.ts'
import type { RedirectProvider } from '../../domain/ports/providers.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { assertTrustedPage } from '../../http/app/trusted-page.ts'
import { readLogoutCookie, withLogout } from '../../http/reply/flow-cookie.ts'
import { type Reply, redirect, withCookies } from '../../http/reply/reply.ts'
import { projectCookie } from '../../http/request/project-cookie.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import { createTokenReader } from '../../tokens/bearer-tokens.ts'
import { readRefreshToken } from '../../tokens/opaque.ts'
import { inProject } from './provider-reply.ts'
import { expiredCookies, findProof } from './session-reply.ts'

type Leaving = {
  readonly body: { readonly refresh_token?: string; readonly redirect?: string }
  readonly request: HttpRequest
}

/** Ends the sessions of the request, and leads to the provider, or to the page to return to if there is nothing to do. */
export async function leaveProvider(
  ctx: AccountContext,
  provider: RedirectProvider,
  { body, request }: Leaving,
): Promise<Reply<302, null>> {
  // A form of any site could make a browser send one.
  assertTrustedPage(request)
  const ending = { sessions: sessionsOf(ctx, { body, request }), origin: request.origin, page: body.redirect ?? '/' }
  const begun = await beginLogout(ctx, provider, { ...ending, path: addressOf(ctx, provider) })
  const legacy = body.refresh_token === undefined ? [projectCookie(ctx.project)] : []
  const reply = withCookies(redirect(begun.page.href), expiredCookies(ctx, request, legacy))
  return begun.token === null ? reply : withLogout(reply, { provider, callback: begun.callback }, begun.token)
}

type LogoutContext = Pick<Context, 'project' | 'clock' | 'security'>

/** The session of the refresh token in the body, else those of the cookies of both generations. */
function sessionsOf(ctx: LogoutContext, { body, request }: Leaving): readonly string[] {
  const own = valid(() => {
    const proof = findProof(ctx, body, request)
    return proof.kind === 'session' ? proof.session : readRefreshToken(proof.token, ctx.security.secret)
  })
  const legacy = body.refresh_token === undefined ? valid(() => legacySession(ctx, request)) : null
  return [own, legacy].filter((each) => each !== null)
}

/** The session in the cookie of the project, which logins of the legacy generation set. */
function legacySession(ctx: LogoutContext, request: HttpRequest): string | null {
  const token = request.cookies[projectCookie(ctx.project)] ?? ''
  const credentials = createTokenReader({ secret: ctx.security.secret, project: ctx.project }, ctx.clock)(token)
  return credentials.kind === 'session' ? credentials.session : null
}

/** The parsed token; null if there is no token, or if it is invalid. */
function valid(read: () => string | null): string | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof TandemError) return null
    throw error
  }
}

type Continued = { readonly message: LogoutProof['message']; readonly request: HttpRequest }

/** Takes a message of the provider, and leads on: to the provider with the answer, or to the page of the logout. */
export async function continueAtProvider(
  ctx: AccountContext,
  provider: RedirectProvider,
  { message, request }: Continued,
): Promise<Reply<302, null>> {
  const { origin } = request
  const parameters = new URLSearchParams(message.parameters)
  const isAnswer = !parameters.has('SAMLRequest')
  const state = parameters.get('RelayState')
  const token = readLogoutCookie(request, provider.name)
  const proof = { message, isAnswer, state, token, origin, path: addressOf(ctx, provider) }
  const { page, ended } = await continueLogout(ctx, provider, proof)
  if (ended === false) page.searchParams.set('reason', 'INVALID_PROVIDER')
  if (!isAnswer) return redirect(page.href)
  return withLogout(redirect(page.href), { provider, callback: new URL(`${ctx.server.address()}${proof.path}`) }, null)
}

/** Where a provider sends messages about logouts: the single logout service. */
const addressOf = ({ project }: Pick<Context, 'project'>, { name }: RedirectProvider): string =>
  `/auth/login/${name}/slo${inProject(project)}`
