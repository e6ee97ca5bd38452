/** `/auth`: sessions and their tokens. */
import { requestPasswordReset, resetPassword } from '../../core/accounts/password-reset.ts'
import {
  beginFlow,
  findRedirectProvider,
  matchFlow,
  providersOf,
  publicAddress,
} from '../../core/accounts/providers/flows.ts'
import { loginWithPassword } from '../../core/accounts/providers/passwords.ts'
import { endByLogoutToken } from '../../core/accounts/providers/sessions.ts'
import { endSession, extendSession, login, logout, refresh } from '../../core/accounts/sessions.ts'
import { renewShareSession } from '../../core/shares/share-sessions.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { CurrentAuthOperations } from '../../generated/current.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { readFlowCookie, withFlow, withoutFlow } from '../../http/reply/flow-cookie.ts'
import { empty, json, redirect, text, withCookies, withHeaders } from '../../http/reply/reply.ts'
import { continueAtProvider, leaveProvider } from '../wire/provider-logout.ts'
import {
  answerFlow,
  answerForm,
  callbackOf,
  findAnswering,
  toForm,
  toPrompt,
  withReason,
} from '../wire/provider-reply.ts'
import { expiredCookies, findProof, findRenewal, replyShareTokens, replyTokens } from '../wire/session-reply.ts'

export const auth = {
  async readProviders(ctx, { query }) {
    const { list, disableDefault } = providersOf(ctx)
    const shown = list.filter(({ kind }) => kind === 'redirect' || query.sessionOnly !== 'true')
    return json({ data: shown.map(({ name, label, driver, icon }) => ({ name, label, driver, icon })), disableDefault })
  },

  async login(ctx, { body }) {
    const { mode = 'json', ...input } = body
    return replyTokens(ctx, await login(ctx, input), mode)
  },

  async beginProviderLogin(ctx, { path, query, request }) {
    const provider = findRedirectProvider(ctx, path.provider, request.path)
    const { redirect: page, mode, otp, prompt } = query
    const wanted = { page, mode, otp, prompt: toPrompt(prompt) }
    const begun = await beginFlow(ctx, provider, { ...wanted, origin: request.origin, path: callbackOf(ctx, provider) })
    if ('back' in begun) return redirect(withReason(begun.back, begun.error, request))
    return withFlow(redirect(begun.page.href), provider, begun)
  },

  async loginByProvider(ctx, { path, body }) {
    const { mode = 'json', ...input } = body
    const session = await loginWithPassword(ctx, path.provider, input)
    return replyTokens(ctx, session, mode)
  },

  async finishProviderLogin(ctx, { path, request }) {
    const provider = findAnswering(ctx, path.provider, { path: request.path, isSaml: false })
    const parameters = new URLSearchParams(request.url.slice(request.path.length))
    const token = readFlowCookie(request, provider.name)
    const flow = matchFlow(ctx, provider, { token, state: parameters.get('state') })
    return withoutFlow(await answerFlow(ctx, { provider, flow, parameters, request }), provider, flow)
  },

  async finishProviderLoginByForm(ctx, { path, body, request }) {
    const provider = findAnswering(ctx, path.provider, { path: request.path, isSaml: false })
    return answerForm(ctx, provider, { form: body, request })
  },

  async finishSamlLogin(ctx, { path, body, request }) {
    const provider = findAnswering(ctx, path.provider, { path: request.path, isSaml: true })
    return answerForm(ctx, provider, { form: body, request })
  },

  async readProviderMetadata(ctx, { path, request }) {
    const provider = findAnswering(ctx, path.provider, { path: request.path, isSaml: true })
    if (provider.describe === null) throw new TandemError({ kind: 'route-not-found', path: request.path })
    return text(
      await provider.describe(`${publicAddress(ctx, request.origin)}${callbackOf(ctx, provider)}`),
      'text/xml',
    )
  },

  async beginSamlLogout(ctx, { path, body, request }) {
    const provider = findAnswering(ctx, path.provider, { path: request.path, isSaml: true })
    return leaveProvider(ctx, provider, { body, request })
  },

  async finishSamlLogout(ctx, { path, request }) {
    const provider = findAnswering(ctx, path.provider, { path: request.path, isSaml: true })
    const parameters = request.url.slice(request.path.length + 1)
    return continueAtProvider(ctx, provider, { message: { binding: 'query', parameters }, request })
  },

  async finishSamlLogoutByForm(ctx, { path, body, request }) {
    const provider = findAnswering(ctx, path.provider, { path: request.path, isSaml: true })
    const parameters = toForm(body)
    return continueAtProvider(ctx, provider, { message: { binding: 'form', parameters }, request })
  },

  async finishProviderLogout(ctx, { path, body, request }) {
    const provider = findAnswering(ctx, path.provider, { path: request.path, isSaml: false })
    await endByLogoutToken(ctx, provider, body.logout_token)
    return withHeaders(empty(), { 'cache-control': 'no-store' })
  },

  async refreshSession(ctx, { body, request }) {
    const proof = findRenewal(ctx, body, request)
    const visit = await renewShareSession(ctx, proof)
    if (visit !== null) return replyShareTokens(ctx, visit, proof.mode)
    const session = await (proof.kind === 'refresh' ? refresh(ctx, proof.token) : extendSession(ctx, proof.session))
    return replyTokens(ctx, session, proof.mode)
  },

  async logout(ctx, { body, request }) {
    const proof = findProof(ctx, body, request)
    await (proof.kind === 'refresh' ? logout(ctx, proof.token) : endSession(ctx, proof.session))
    return withCookies(empty(), expiredCookies(ctx, request))
  },

  async requestPasswordReset(ctx, { body }) {
    await requestPasswordReset(ctx, body.email, body.reset_url)
    return empty()
  },

  async resetPassword(ctx, { body }) {
    await resetPassword(ctx, body.token, body.password)
    return empty()
  },
} satisfies Handlers<CurrentAuthOperations>
