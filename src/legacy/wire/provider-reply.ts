/** Logins by a provider on the wire: the way back to a page, with a token to exchange, a cookie, or an error. */
import { type AnsweredFlow, identifyFlow, type RefusedFlow } from '../../core/accounts/providers/flows.ts'
import { createRequestToken } from '../../core/accounts/request-tokens.ts'
import { openSession } from '../../core/accounts/sessions.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { RedirectProvider } from '../../domain/ports/providers.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { type Reply, redirect, withCookies } from '../../http/reply/reply.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import { toErrorBody } from './errors.ts'
import { sessionCookie } from './session-cookie.ts'

type Answered = {
  readonly provider: RedirectProvider
  readonly flow: AnsweredFlow
  readonly parameters: URLSearchParams
  readonly request: HttpRequest
}

/** Redirects to the page of the login, with the code of an error in the query string. */
export async function redirectToPage(ctx: Context, answered: Answered): Promise<Reply<302, null>> {
  const page = new URL(answered.flow.page ?? ctx.server.address())
  try {
    const user = await identifyFlow(ctx, answered.provider, answered)
    if (answered.flow.mode === 'cookie')
      return withCookies(redirect(page.href), [sessionCookie(ctx, await openSession(ctx, user))])
    const shown = { type: 'request_token', id: user.number, url: page.origin, key: ctx.project }
    page.searchParams.set('request_token', await createRequestToken(ctx, user, shown))
  } catch (error) {
    if (!(error instanceof TandemError)) throw error
    return redirect(withCode(page, error, answered.request))
  }
  return redirect(page.href)
}

/** The same for a login that could not begin; programs that requested the address get the error itself. */
export function redirectRefused({ back, error }: RefusedFlow, request: HttpRequest, isLed: boolean): Reply<302, null> {
  if (!isLed) throw error
  return redirect(withCode(new URL(back), error, request))
}

function withCode(page: URL, error: TandemError, request: HttpRequest): string {
  const { code } = (toErrorBody(error, request).body as { readonly error: { readonly code: number } }).error
  page.searchParams.set('code', String(code))
  page.searchParams.set('error', '1')
  return page.href
}

/** Whether the request comes from a page that the server trusts, or from the browser itself. */
export function isFromTrustedPage({ headers, origin, trustedOrigins }: HttpRequest): boolean {
  const from = headers['origin'] ?? headers['referer']
  const page = typeof from === 'string' ? URL.parse(from)?.origin : undefined
  if (page === undefined) return headers['sec-fetch-mode'] === 'navigate'
  return page === URL.parse(origin)?.origin || trustedOrigins.includes(page)
}
