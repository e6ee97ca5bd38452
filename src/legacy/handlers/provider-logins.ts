/** Logins by identity providers. */
import {
  beginFlow,
  findRedirectProvider,
  identifyFlow,
  matchFlow,
  providersOf,
} from '../../core/accounts/provider-flows.ts'
import { exchangeRequestToken } from '../../core/accounts/request-tokens.ts'
import { openSession } from '../../core/accounts/sessions.ts'
import type { LegacyAuthOperations } from '../../generated/legacy.ts'
import { readFlowCookie, withFlow, withoutFlow } from '../../http/app/flow-cookie.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { assertTrustedPage } from '../../http/app/trusted-page.ts'
import { json, redirect } from '../../http/reply/reply.ts'
import { isFromTrustedPage, leadBack } from '../wire/provider-reply.ts'
import { createToken } from '../wire/session-cookie.ts'

type Own = Pick<
  Handlers<LegacyAuthOperations>,
  'readProviders' | 'beginProviderLogin' | 'loginByProvider' | 'finishProviderLogin' | 'createAccessToken'
>

export const providerLogins = {
  async readProviders(ctx) {
    const names = providersOf(ctx)
      .list.filter(({ kind }) => kind === 'redirect')
      .map(({ name }) => name)
    return json({ data: names, public: true })
  },

  async beginProviderLogin(ctx, { path, query, request }) {
    const provider = findRedirectProvider(ctx, path.provider, request.path)
    const { redirect_url: page, mode } = query
    const callback = `/${ctx.project}/auth/sso/${provider.name}/callback`
    const { origin, trustedOrigins: trusted } = request
    const asked = { origin, path: callback, page, mode, otp: undefined, prompt: null, trusted }
    const begun = await beginFlow(ctx, provider, asked)
    const leading = redirect(begun.page.href)
    const telling = json({ data: { authorization_url: begun.page.href, state: begun.state }, public: true })
    if (isFromTrustedPage(request)) return withFlow(leading, provider.name, begun)
    return withFlow(telling, provider.name, begun)
  },

  async loginByProvider(ctx, { path, body, request }) {
    assertTrustedPage(request)
    const provider = findRedirectProvider(ctx, path.provider, request.path)
    const { state = null } = body
    const proof = { token: readFlowCookie(request, provider.name), state, isOwnPage: true }
    const flow = matchFlow(ctx, provider, proof)
    const user = await identifyFlow(ctx, provider, { flow, parameters: new URLSearchParams({ ...body }) })
    const token = await createToken(ctx, await openSession(ctx, user))
    return withoutFlow(json({ data: { token }, public: true }), flow)
  },

  async finishProviderLogin(ctx, { path, request }) {
    const provider = findRedirectProvider(ctx, path.provider, request.path)
    const parameters = new URLSearchParams(request.url.slice(request.path.length))
    const token = readFlowCookie(request, provider.name)
    const flow = matchFlow(ctx, provider, { token, state: parameters.get('state') })
    return withoutFlow(await leadBack(ctx, { provider, flow, parameters, request }), flow)
  },

  async createAccessToken(ctx, { body }) {
    const session = await exchangeRequestToken(ctx, body.request_token)
    return json({ data: { token: await createToken(ctx, session) }, public: true })
  },
} satisfies Own
