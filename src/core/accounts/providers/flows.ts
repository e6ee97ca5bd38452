/** Logins by a provider: they begin in a browser, lead to the page of the provider, and return with its answer. */

import { describe } from '../../../domain/conditions/literals.ts'
import type { AccountContext, Context } from '../../../domain/ports/context.ts'
import { noProviders, type Provider, type Providers, type RedirectProvider } from '../../../domain/ports/providers.ts'
import { invalidQuery, TandemError } from '../../../domain/rights/errors.ts'
import { useOnce } from '../../../sql/statements/accounts/provider-logins.ts'
import { isSameText } from '../../../tokens/digest.ts'
import { type Flow, readFlow, secretsOf, signFlow } from '../../../tokens/flow-tokens.ts'
import { tokenSettings } from '../accounts.ts'
import type { SessionUser } from '../sessions.ts'
import { findOrCreateAccount } from './accounts.ts'
import { spendFlowCode } from './codes.ts'
import { originOf } from './sessions.ts'

/** Maximum milliseconds between the start of a login and the answer of the provider. */
export const flowTtl = 600_000

export const providersOf = ({ providers = noProviders }: Pick<Context, 'providers'>): Providers => providers

/** The provider with this name. Throws `route-not-found`, as for any other path that does not exist. */
export function findProvider(ctx: Pick<Context, 'providers'>, name: string, path: string): Provider {
  const provider = providersOf(ctx).list.find((each) => each.name === name)
  if (provider === undefined) throw new TandemError({ kind: 'route-not-found', path })
  return provider
}

/** The same for providers with a page of their own. */
export function findRedirectProvider(ctx: Pick<Context, 'providers'>, name: string, path: string): RedirectProvider {
  const provider = findProvider(ctx, name, path)
  if (provider.kind !== 'redirect') throw new TandemError({ kind: 'route-not-found', path })
  return provider
}

export type FlowRequest = {
  /** Origin that the client asked, and the path below it where the provider shall answer. */
  readonly origin: string
  readonly path: string
  readonly page: string | undefined
  /** The parameter of the page, for errors; `redirect` if it is absent. */
  readonly parameter?: string
  readonly mode: string | undefined
  readonly otp: string | undefined
  readonly prompt: string | null
  /** Other origins to which a login may return. */
  readonly trusted?: readonly string[]
}

/** A login that has begun: the page of the provider, and the token for the browser. */
export type BegunFlow = {
  readonly page: URL
  readonly state: string
  readonly token: string
  readonly callback: URL
}

/** A login that could not begin, and the page that it shall return to. */
export type RefusedFlow = { readonly back: string; readonly error: TandemError }

/**
 * Begins a login. Throws `invalid-query`; without a page to return to also `requests-exceeded` and `unavailable`, which
 * are otherwise for that page.
 */
export async function beginFlow(
  ctx: AccountContext,
  provider: RedirectProvider,
  flowRequest: FlowRequest,
): Promise<BegunFlow | RefusedFlow> {
  const address = publicAddress(ctx, flowRequest.origin)
  const page =
    flowRequest.page === undefined
      ? null
      : toPage(ctx, provider, {
          url: flowRequest.page,
          address,
          trusted: flowRequest.trusted ?? [],
          parameter: flowRequest.parameter,
        })
  if (page !== null && flowRequest.mode === 'json')
    throw invalidQuery('mode', 'Expected "cookie" or "session" for "mode" with "redirect", but received "json"')
  try {
    await ctx.attempts.begin(attemptOf(ctx, provider))
    return await openFlow(ctx, provider, { flowRequest, address, page })
  } catch (error) {
    if (page === null || !(error instanceof TandemError)) throw error
    return { back: page, error }
  }
}

type OpenedFlow = { readonly flowRequest: FlowRequest; readonly address: string; readonly page: string | null }

async function openFlow(
  ctx: Pick<Context, 'clock' | 'ids' | 'project' | 'security'>,
  provider: RedirectProvider,
  { flowRequest, address, page }: OpenedFlow,
): Promise<BegunFlow> {
  const id = ctx.ids.uuid()
  const callback = new URL(`${address}${flowRequest.path}`)
  const mode = flowRequest.mode ?? (page === null ? 'json' : provider.mode)
  const secrets = secretsOf(id, tokenSettings(ctx))
  const begun = await provider.begin({ ...secrets, callback: callback.href, prompt: flowRequest.prompt })
  const own = { id, provider: provider.name, callback: callback.href, page, mode, otp: flowRequest.otp ?? null }
  const times = { issuedAt: ctx.clock(), ttl: flowTtl }
  const token = signFlow({ ...own, memory: begun.memory }, times, tokenSettings(ctx))
  return { page: begun.page, state: secrets.state, token, callback }
}

/** What limits of logins count. */
export const attemptOf = ({ request }: Pick<Context, 'request'>, { name }: Provider) =>
  ({ action: 'provider-login', account: name, ip: request.ip }) as const

/**
 * The address of the server that the client asked, if the operator lists it; otherwise its usual one. A proxy may have
 * taken away the path of the address.
 */
export function publicAddress(ctx: Pick<Context, 'providers' | 'server'>, asked: string): string {
  const { publicUrls } = providersOf(ctx)
  const usual = ctx.server.address()
  const { origin } = new URL(asked)
  return (
    publicUrls.find((each) => each === asked) ??
    [usual, ...publicUrls].find((each) => new URL(each).origin === origin) ??
    usual
  )
}

/**
 * The page to return to: of this server, or one that the operator lists, with equal origin and path. It is compared as
 * the browser will read it.
 */
export function toPage(
  ctx: Pick<Context, 'providers'>,
  provider: RedirectProvider,
  {
    url,
    address,
    trusted,
    parameter = 'redirect',
  }: {
    readonly url: string
    readonly address: string
    readonly trusted: readonly string[]
    readonly parameter?: string | undefined
  },
): string {
  const page = URL.parse(url, `${address}/`)
  const own = [address, ...providersOf(ctx).publicUrls, ...trusted].map((each) => new URL(each).origin)
  const isPlain = page !== null && page.username === '' && page.password === ''
  if (isPlain && isWeb(page) && own.includes(page.origin)) return page.href
  if (isPlain && provider.pages.some((each) => isSamePage(page, new URL(each)))) return page.href
  const reason = `Expected a page of this server, or one that the server allows, for "${parameter}" but received ${describe(url)}`
  throw invalidQuery(parameter, reason)
}

const isWeb = ({ protocol }: URL): boolean => protocol === 'http:' || protocol === 'https:'

/** Origins of non-standard schemes are all "null", so their parts are compared. */
const isSamePage = (a: URL, b: URL): boolean =>
  a.protocol === b.protocol && a.host === b.host && a.pathname === b.pathname

/** A login whose provider has answered this browser. */
export type AnsweredFlow = Flow & { readonly expires: Date }

/**
 * The login that the browser began, if the answer belongs to it. Throws `invalid-token` or `token-expired`. Nothing is
 * used up yet: an answer that does not belong to it ends nothing.
 */
export function matchFlow(
  ctx: Pick<Context, 'project' | 'clock' | 'security'>,
  provider: Provider,
  { token, state, isOwnPage }: FlowProof,
): AnsweredFlow {
  if (token === undefined || (state === null && isOwnPage !== true)) throw new TandemError({ kind: 'invalid-token' })
  const flow = readFlow(token, provider.name, { ...tokenSettings(ctx), now: ctx.clock() })
  if (state !== null && !isSameText(secretsOf(flow.id, tokenSettings(ctx)).state, state))
    throw new TandemError({ kind: 'invalid-token' })
  return flow
}

/** The token of the browser, and the text that the provider gave back. */
export type FlowProof = {
  readonly token: string | undefined
  readonly state: string | null
  /** Whether a page that the server trusts sends the answer, so that nobody else can. */
  readonly isOwnPage?: boolean
}

/**
 * The user of an answered login, who has proven everything. Each login works once, also on other replicas. Throws
 * `invalid-token` for one that was used, and what the provider and the rules of accounts throw.
 */
export async function identifyFlow(
  ctx: Context,
  provider: RedirectProvider,
  { flow, parameters }: { readonly flow: AnsweredFlow; readonly parameters: URLSearchParams },
): Promise<SessionUser> {
  const isFirst = await useOnce(ctx.db, flow.id, { now: ctx.clock(), expires: flow.expires })
  if (!isFirst) throw new TandemError({ kind: 'invalid-token' })
  const secrets = secretsOf(flow.id, tokenSettings(ctx))
  const { callback, memory } = flow
  // A page that the server trusts may leave the state out; the cookie has proven the same.
  const complete = new URLSearchParams(parameters)
  if (!complete.has('state')) complete.set('state', secrets.state)
  const identity = await provider.finish({ ...secrets, callback, parameters: complete, memory })
  const user = await findOrCreateAccount(ctx, provider, identity)
  await spendFlowCode(ctx, user, flow.otp)
  await ctx.attempts.succeed(attemptOf(ctx, provider))
  return { ...user, origin: originOf(provider, identity.session) }
}
