/** Logging in. */
import { extendSession, login } from '../../core/sessions.ts'
import type { LegacyAuthOperations } from '../../generated/legacy.ts'
import type { Handlers } from '../../http/handlers.ts'
import { json, jsonText, withCookies } from '../../http/reply.ts'
import { readSession } from '../credentials.ts'
import { createToken, sessionCookie } from '../session-cookie.ts'
import { readOwnUser } from '../users.ts'

export const auth = {
  async authenticate(ctx, { body, query }) {
    const session = await login(ctx, body)
    const user = await readOwnUser(ctx, session.user.id)
    if ((body.mode ?? query.mode) === 'cookie') {
      return withCookies(jsonText(`{"data":{"user":${user}},"public":true}`), [sessionCookie(ctx, session)])
    }
    const token = JSON.stringify(createToken(ctx, session))
    return jsonText(`{"data":{"token":${token},"user":${user}},"public":true}`)
  },

  async refresh(ctx, { body, request }) {
    const found = readSession(ctx, request, body?.token)
    const session = await extendSession(ctx, found.session)
    if (found.by === 'cookie') return withCookies(json({ public: true }), [sessionCookie(ctx, session)])
    return json({ data: { token: createToken(ctx, session) }, public: true })
  },
} satisfies Handlers<LegacyAuthOperations>
