/** Logins by a provider on the wire: the cookie that binds one to a browser, and the way back to a page. */
import { type AnsweredFlow, type BegunFlow, finishFlow, flowTtl } from '../../core/accounts/provider-flows.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { RedirectProvider } from '../../domain/ports/providers.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { type Cookie, type Reply, redirect, withCookies, withHeaders } from '../../http/reply/reply.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import { toErrorBody } from './errors.ts'
import { type Mode, replyTokens } from './session-reply.ts'

/** Name of the cookie of a login. */
export const flowCookie = (provider: string): string => `platform_login_${provider}`

/** Below the path of the callback, so that no other request carries it. */
function cookieOf(name: string, callback: URL, value: string | null): Cookie {
  return {
    name,
    value,
    maxAgeSeconds: value === null ? 0 : flowTtl / 1000,
    secure: callback.protocol === 'https:',
    // The browser comes back from a page of the provider.
    sameSite: 'lax',
    httpOnly: true,
    path: callback.pathname.replace(/\/[^/]*$/, ''),
  }
}

const uncached = { 'cache-control': 'no-store' }

/** Leads to the page of the provider. */
export const toProvider = (provider: string, { page, token, callback }: BegunFlow): Reply<302, null> =>
  withHeaders(withCookies(redirect(page.href), [cookieOf(flowCookie(provider), callback, token)]), uncached)

/** The answer to the browser that came back; the login is over. */
export const withoutFlow = <R extends Reply>(reply: R, { provider, callback }: AnsweredFlow): R =>
  withHeaders(withCookies(reply, [cookieOf(flowCookie(provider), new URL(callback), null)]), uncached)

type Answered = {
  readonly provider: RedirectProvider
  readonly flow: AnsweredFlow
  readonly parameters: URLSearchParams
  readonly request: HttpRequest
}

/** Finishes the login: with the tokens, or on the page to return to with their cookies or the reason of a failure. */
export async function answerFlow(ctx: Context, { provider, flow, parameters, request }: Answered) {
  const { page, mode } = flow
  const finish = async () => replyTokens(ctx, await finishFlow(ctx, provider, { flow, parameters }), mode as Mode)
  if (page === null) return finish()
  try {
    const { cookies = [] } = await finish()
    return withCookies(redirect(page), cookies)
  } catch (error) {
    return redirect(withReason(page, error, request))
  }
}

/** The page with the code of the error as `reason`. Errors that are bugs are thrown. */
function withReason(page: string, error: unknown, request: HttpRequest): string {
  if (!(error instanceof TandemError)) throw error
  const { code } = (toErrorBody(error, request).body as { readonly error: { readonly code: string } }).error
  const url = new URL(page)
  url.searchParams.set('reason', code)
  return url.href
}

/** What the provider shall ask; a parameter without a value asks for the consent. */
export const toPrompt = (given: string | undefined): string | null =>
  given === undefined ? null : given === '' || given === 'true' ? 'consent' : given
