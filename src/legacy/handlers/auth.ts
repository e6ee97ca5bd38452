/** Login, tokens and password reset. */
import { requestPasswordReset, resetPassword, resetToRandomPassword } from '../../core/accounts/password-reset.ts'
import { awaitsSecondFactor } from '../../core/accounts/second-factor.ts'
import { endSession, extendSession, login } from '../../core/accounts/sessions.ts'
import type { LegacyAuthOperations } from '../../generated/legacy.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { json, jsonText, withCookies } from '../../http/reply/reply.ts'
import { readOwnUser } from '../views/users.ts'
import { findSession, readSession } from '../wire/credentials.ts'
import { toWire } from '../wire/errors.ts'
import { createToken, expiredCookies, sessionCookie } from '../wire/session-cookie.ts'
import { providerLogins } from './provider-logins.ts'

export const auth = {
  async authenticate(ctx, { body, query }) {
    const session = await login(ctx, body)
    const user = await readOwnUser(ctx, session.user.id)
    const more = (await awaitsSecondFactor(ctx, session.user.id, session.user.role)) ? demanded : ''
    if ((body.mode ?? query.mode) === 'cookie') {
      return withCookies(jsonText(`{"data":{"user":${user}}${more},"public":true}`), [sessionCookie(ctx, session)])
    }
    const token = JSON.stringify(await createToken(ctx, session))
    return jsonText(`{"data":{"token":${token},"user":${user}}${more},"public":true}`)
  },

  async refresh(ctx, { body, request }) {
    const found = readSession(ctx, request, body?.token)
    const session = await extendSession(ctx, found.session)
    if (found.by === 'cookie') return withCookies(json({ public: true }), [sessionCookie(ctx, session)])
    return json({ data: { token: await createToken(ctx, session) }, public: true })
  },

  async logout(ctx, { request }) {
    const session = findSession(ctx, request)
    if (session !== null) await endSession(ctx, session)
    return withCookies(json({ public: true }), expiredCookies(ctx, request))
  },

  ...providerLogins,

  async requestPasswordReset(ctx, { body }) {
    await requestPasswordReset(ctx, body.email, body.reset_url)
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
