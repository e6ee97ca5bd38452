/** Login, refresh and logout, with tokens of the mock's own. */
import type { Context } from '../../../src/domain/ports/context.ts'
import { invalidPayload } from '../../../src/domain/rights/errors.ts'
import type { AnyHandler } from '../../../src/http/app/handlers.ts'
import { type Cookie, empty, json, withCookies } from '../../../src/http/reply/reply.ts'
import type { HttpRequest } from '../../../src/http/request/request.ts'
import { type Actors, accessTtl, type Session } from '../actors.ts'

type Mode = 'json' | 'cookie' | 'session'

type Given = {
  readonly body?: {
    readonly email?: string
    readonly password?: string
    readonly refresh_token?: string
    readonly mode?: Mode
  }
  readonly request: HttpRequest
}

const refreshCookie = 'platform_refresh_token'
const sessionCookie = 'platform_session_token'

export function sessionHandlers(actors: Actors): { readonly [operationId: string]: AnyHandler } {
  return {
    login: async (_ctx: Context, { body }: Given) =>
      tokens(actors.login(body?.email ?? '', body?.password ?? ''), body?.mode ?? 'json'),
    refreshSession: async (_ctx: Context, { body, request }: Given) => {
      const mode = body?.mode ?? (body?.refresh_token === undefined ? 'cookie' : 'json')
      return tokens(actors.refresh(proofOf(body, request)), mode)
    },
    logout: async (_ctx: Context, { body, request }: Given) => {
      actors.logout(proofOf(body, request))
      const named = [refreshCookie, sessionCookie].filter((name) => name in request.cookies)
      return withCookies(
        empty(),
        named.map((name) => cookie(name, null)),
      )
    },
  } satisfies { readonly [operationId: string]: AnyHandler }
}

function proofOf(body: Given['body'], { cookies }: HttpRequest): string {
  const token = body?.refresh_token ?? cookies[refreshCookie] ?? cookies[sessionCookie]
  if (token !== undefined && token !== '') return token
  throw invalidPayload('refresh_token', 'Expected a refresh token in "refresh_token" or in a cookie but received none')
}

function tokens({ accessToken, refreshToken }: Session, mode: Mode) {
  if (mode === 'session')
    return withCookies(json({ data: { expires: accessTtl } }), [cookie(sessionCookie, accessToken)])
  const data = { expires: accessTtl, access_token: accessToken }
  if (mode === 'json') return json({ data: { ...data, refresh_token: refreshToken } })
  return withCookies(json({ data }), [cookie(refreshCookie, refreshToken)])
}

const cookie = (name: string, value: string | null): Cookie => ({
  name,
  value,
  secure: null,
  sameSite: 'lax',
  httpOnly: true,
})
