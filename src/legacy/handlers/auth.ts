/** Login, also by identity providers, tokens and password reset. */
import { requestPasswordReset, resetPassword, resetToRandomPassword } from '../../core/accounts/password-reset.ts'
import {
  beginFlow,
  findRedirectProvider,
  identifyFlow,
  matchFlow,
  providersOf,
} from '../../core/accounts/providers/flows.ts'
import { exchangeRequestToken } from '../../core/accounts/request-tokens.ts'
import { awaitsSecondFactor } from '../../core/accounts/second-factor.ts'
import { endSession, extendSession, login, openSession } from '../../core/accounts/sessions.ts'
import type { LegacyAuthOperations } from '../../generated/legacy.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { assertTrustedPage } from '../../http/app/trusted-page.ts'
import { readFlowCookie, withFlow, withoutFlow } from '../../http/reply/flow-cookie.ts'
import { json, jsonText, redirect, withCookies } from '../../http/reply/reply.ts'
import { readOwnUser } from '../views/users.ts'
import { findSession, readSession } from '../wire/credentials.ts'
import { toWire } from '../wire/errors.ts'
import { isFromTrustedPage, redirectRefused, redirectToPage } from '../wire/provider-reply.ts'
import { createToken, expiredCookies, sessionCookie } from '../wire/session-cookie.ts'

export const auth = {
  async authenticate(ctx, { body, query }) {
    const session = await login(ctx, { ...body, otp: body.otp ?? undefined })
    const user = await readOwnUser(ctx, session.user.id)
    const more = (await awaitsSecondFactor(ctx, session.user.id, session.user.role)) ? demanded : ''
    if ((body.mode ?? query.mode) === 'cookie') {
      return withCookies(jsonText(`{"data":{"user":${user}}${more},"public":true}`), [sessionCookie(ctx, session)])
    }
    const token = JSON.stringify(await createToken(ctx, session))
    return jsonText(`{"data":{"token":${token},"user":${user}}${more},"public":true}`)
  },

  async refresh(ctx, { body, request }) {
    const sessionToken = readSession(ctx, request, body?.token ?? undefined)
    const session = await extendSession(ctx, sessionToken.session)
    if (sessionToken.by === 'cookie') return withCookies(json({ public: true }), [sessionCookie(ctx, session)])
    return json({ data: { token: await createToken(ctx, session) }, public: true })
  },

  async logout(ctx, { request }) {
    const session = findSession(ctx, request)
    if (session !== null) await endSession(ctx, session)
    return withCookies(json({ public: true }), expiredCookies(ctx, request))
  },

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
    const parameter = 'redirect_url'
    const wanted = { origin, path: callback, page, parameter, mode, otp: undefined, prompt: null, trusted }
    const begun = await beginFlow(ctx, provider, wanted)
    const isLed = isFromTrustedPage(request)
    if ('back' in begun) return redirectRefused(begun, request, isLed)
    const leading = redirect(begun.page.href)
    const reply = json({ data: { authorization_url: begun.page.href, state: begun.state }, public: true })
    return isLed ? withFlow(leading, provider, begun) : withFlow(reply, provider, begun)
  },

  async loginByProvider(ctx, { path, body, request }) {
    assertTrustedPage(request)
    const provider = findRedirectProvider(ctx, path.provider, request.path)
    const { state = null } = body
    const proof = { token: readFlowCookie(request, provider.name), state, isOwnPage: true }
    const flow = matchFlow(ctx, provider, proof)
    const user = await identifyFlow(ctx, provider, { flow, parameters: new URLSearchParams({ ...body }) })
    const token = await createToken(ctx, await openSession(ctx, user))
    return withoutFlow(json({ data: { token }, public: true }), provider, flow)
  },

  async finishProviderLogin(ctx, { path, request }) {
    const provider = findRedirectProvider(ctx, path.provider, request.path)
    const parameters = new URLSearchParams(request.url.slice(request.path.length))
    const token = readFlowCookie(request, provider.name)
    const flow = matchFlow(ctx, provider, { token, state: parameters.get('state') })
    return withoutFlow(await redirectToPage(ctx, { provider, flow, parameters, request }), provider, flow)
  },

  async finishProviderLoginByForm(ctx, { path, body, request }) {
    const provider = findRedirectProvider(ctx, path.provider, request.path)
    const texts = Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    const parameters = new URLSearchParams(texts)
    const state = body.state ?? body.RelayState ?? ''
    const flow = matchFlow(ctx, provider, { token: readFlowCookie(request, provider.name), state })
    return withoutFlow(await redirectToPage(ctx, { provider, flow, parameters, request }), provider, flow)
  },

  async createAccessToken(ctx, { body }) {
    const session = await exchangeRequestToken(ctx, body.request_token)
    return json({ data: { token: await createToken(ctx, session) }, public: true })
  },

  async requestPasswordReset(ctx, { body }) {
    const { email, reset_url: page = null } = body
    await requestPasswordReset(ctx, email, page === null || page === '' ? undefined : page)
    return json({ public: true })
  },

  async resetPassword(ctx, { body }) {
    await resetPassword(ctx, body.token, body.password)
    return json({ public: true })
  },

  async resetToRandomPassword(ctx, { path, request }) {
    if (request.method !== 'HEAD') await resetToRandomPassword(ctx, path.token)
    return json({ public: true })
  },
} satisfies Handlers<LegacyAuthOperations>

const { code, message } = toWire({ kind: 'second-factor-demanded' })

/** The error beside a successful login that still requires a second factor. */
const demanded = `,"error":${JSON.stringify({ code, message })}`
