/** `/auth`: sessions and their tokens. */
import { requestPasswordReset, resetPassword } from '../../core/accounts/password-reset.ts'
import { endSession, extendSession, login, logout, refresh } from '../../core/accounts/sessions.ts'
import { renewShareSession } from '../../core/shares/share-sessions.ts'
import type { CurrentAuthOperations } from '../../generated/current.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { empty, json, withCookies } from '../../http/reply/reply.ts'
import { expiredCookies, findProof, findRenewal, replyShareTokens, replyTokens } from '../wire/session-reply.ts'

export const auth = {
  async readProviders() {
    return json({ data: [], disableDefault: false })
  },

  async login(ctx, { body }) {
    const { mode = 'json', ...input } = body
    return replyTokens(ctx, await login(ctx, input), mode)
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
