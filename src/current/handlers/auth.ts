/** `/auth`: sessions and their tokens. */
import { requestPasswordReset, resetPassword } from '../../core/accounts/password-reset.ts'
import { beginFlow, findRedirectProvider, matchFlow, providersOf } from '../../core/accounts/provider-flows.ts'
import { endSession, extendSession, login, logout, refresh } from '../../core/accounts/sessions.ts'
import { renewShareSession } from '../../core/shares/share-sessions.ts'
import type { CurrentAuthOperations } from '../../generated/current.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { empty, json, withCookies } from '../../http/reply/reply.ts'
import { answerFlow, flowCookie, toPrompt, toProvider, withoutFlow } from '../wire/provider-reply.ts'
import { expiredCookies, findProof, findRenewal, replyShareTokens, replyTokens } from '../wire/session-reply.ts'

export const auth = {
  async readProviders(ctx, { query }) {
    const { list, disableDefault } = providersOf(ctx)
    const shown = list.filter(({ kind }) => query.sessionOnly !== 'true' || kind === 'redirect')
    return json({ data: shown.map(({ name, label, driver, icon }) => ({ name, label, driver, icon })), disableDefault })
  },

  async login(ctx, { body }) {
    const { mode = 'json', ...input } = body
    return replyTokens(ctx, await login(ctx, input), mode)
  },

  async beginProviderLogin(ctx, { path, query, request }) {
    const provider = findRedirectProvider(ctx, path.provider, request.path)
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
    return toProvider(provider.name, begun)
  },

  async finishProviderLogin(ctx, { path, request }) {
    const provider = findRedirectProvider(ctx, path.provider, request.path)
    const parameters = new URLSearchParams(request.url.slice(request.path.length))
    const token = request.cookies[flowCookie(provider.name)]
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
