/** `/auth`: sessions and their tokens. */
import { requestPasswordReset, resetPassword } from '../../core/accounts/password-reset.ts'
import { beginFlow, findRedirectProvider, matchFlow, providersOf } from '../../core/accounts/provider-flows.ts'
import { loginWithPassword } from '../../core/accounts/provider-passwords.ts'
import { endSession, extendSession, login, logout, refresh } from '../../core/accounts/sessions.ts'
import { renewShareSession } from '../../core/shares/share-sessions.ts'
import type { CurrentAuthOperations } from '../../generated/current.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { readFlowCookie, withFlow, withoutFlow } from '../../http/reply/flow-cookie.ts'
import { empty, json, redirect, withCookies } from '../../http/reply/reply.ts'
import { answerFlow, canReturn, findReturning, toPrompt } from '../wire/provider-reply.ts'
import { expiredCookies, findProof, findRenewal, replyShareTokens, replyTokens } from '../wire/session-reply.ts'

export const auth = {
  async readProviders(ctx, { query }) {
    const { list, disableDefault } = providersOf(ctx)
    const shown = list.filter(({ kind }) => (kind === 'redirect' ? canReturn(ctx) : query.sessionOnly !== 'true'))
    return json({ data: shown.map(({ name, label, driver, icon }) => ({ name, label, driver, icon })), disableDefault })
  },

  async login(ctx, { body }) {
    const { mode = 'json', ...input } = body
    return replyTokens(ctx, await login(ctx, input), mode)
  },

  async beginProviderLogin(ctx, { path, query, request }) {
    const provider = findReturning(ctx, path.provider, request.path)
    const { redirect: page, mode, otp, prompt } = query
    const callback = `/auth/login/${provider.name}/callback`
    const begun = await beginFlow(ctx, provider, {
      origin: request.origin,
      path: callback,
      page,
      mode,
      otp,
      prompt: toPrompt(prompt),
    })
    return withFlow(redirect(begun.page.href), provider.name, begun)
  },

  async loginByProvider(ctx, { path, body, request }) {
    const { mode = 'json', ...input } = body
    const session = await loginWithPassword(ctx, { name: path.provider, path: request.path }, input)
    return replyTokens(ctx, session, mode)
  },

  async finishProviderLogin(ctx, { path, request }) {
    const provider = findRedirectProvider(ctx, path.provider, request.path)
    const parameters = new URLSearchParams(request.url.slice(request.path.length))
    const token = readFlowCookie(request, provider.name)
    const flow = matchFlow(ctx, provider, { token, state: parameters.get('state') })
    return withoutFlow(await answerFlow(ctx, { provider, flow, parameters, request }), flow)
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
