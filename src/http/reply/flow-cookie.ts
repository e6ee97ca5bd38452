/** The cookies that bind a login by an identity provider, and a logout there, to the browser that began it. */
import { type AnsweredFlow, type BegunFlow, flowTtl } from '../../core/accounts/providers/flows.ts'
import type { RedirectProvider } from '../../domain/ports/providers.ts'
import type { HttpRequest } from '../request/request.ts'
import { type Cookie, type Reply, withCookies, withHeaders } from './reply.ts'

type FlowKind = 'login' | 'logout'

const nameOf = (what: FlowKind, provider: string): string => `platform_${what}_${provider}`

/** The token of a login in the browser of the request. */
export const readFlowCookie = ({ cookies }: HttpRequest, provider: string): string | undefined =>
  cookies[nameOf('login', provider)]

/** The token of a logout in the browser of the request. */
export const readLogoutCookie = ({ cookies }: HttpRequest, provider: string): string | undefined =>
  cookies[nameOf('logout', provider)]

type Target = { readonly provider: RedirectProvider; readonly callback: URL }

/** Below the path of the callback, so that no other request carries it. */
function cookieOf(what: FlowKind, { provider, callback }: Target, value: string | null): Cookie {
  const { name, answersBy } = provider
  const secure = callback.protocol === 'https:'
  return {
    name: nameOf(what, name),
    value,
    maxAgeSeconds: value === null ? 0 : flowTtl / 1000,
    secure,
    // The browser comes back from a page of the provider. With a form, it brings only cookies that are open to other
    // sites, which browsers keep with TLS only; whoever sends a form must know the state of the login.
    sameSite: answersBy === 'form' && secure ? 'none' : 'lax',
    httpOnly: true,
    path: callback.pathname.replace(/\/[^/]*$/, ''),
  }
}

const uncached = { 'cache-control': 'no-store' }

/** Gives the browser the token of a login that begins. */
export const withFlow = <R extends Reply>(reply: R, provider: RedirectProvider, { token, callback }: BegunFlow): R =>
  withHeaders(withCookies(reply, [cookieOf('login', { provider, callback }, token)]), uncached)

/** Takes it away from the browser: the login is over. */
export const withoutFlow = <R extends Reply>(reply: R, provider: RedirectProvider, { callback }: AnsweredFlow): R =>
  withHeaders(withCookies(reply, [cookieOf('login', { provider, callback: new URL(callback) }, null)]), uncached)

/** Gives the browser the token of a logout that begins, or takes it away (`token` of null). */
export const withLogout = <R extends Reply>(reply: R, target: Target, token: string | null): R =>
  withHeaders(withCookies(reply, [cookieOf('logout', target, token)]), uncached)
