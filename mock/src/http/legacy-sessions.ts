/** Login, refresh and logout of the legacy generation, with tokens of the mock's own. */
import type { Context } from '../../../src/domain/ports/context.ts'
import { invalidPayload } from '../../../src/domain/rights/errors.ts'
import type { AnyHandler } from '../../../src/http/app/handlers.ts'
import { type Cookie, json, jsonText, withCookies } from '../../../src/http/reply/reply.ts'
import type { HttpRequest } from '../../../src/http/request/request.ts'
import { readOwnUser } from '../../../src/legacy/views/users.ts'
import { cookieName, findToken } from '../../../src/legacy/wire/credentials.ts'
import type { Actors } from '../actors.ts'
import { asSeen } from './legacy.ts'

type Given = {
  readonly query: { readonly mode?: string }
  readonly body?: {
    readonly email?: string
    readonly password?: string
    readonly token?: string
    readonly mode?: string
  }
  readonly request: HttpRequest
}

const project = '_'

export function legacySessionHandlers(actors: Actors): { readonly [operationId: string]: AnyHandler } {
  const handlers = {
    authenticate: async (ctx: Context, { body, query }: Given) => {
      const { user, accessToken } = actors.login(body?.email ?? '', body?.password ?? '')
      const row = await readOwnUser(ctx, user.id)
      if ((body?.mode ?? query.mode) === 'cookie')
        return withCookies(jsonText(`{"data":{"user":${row}},"public":true}`), [cookie(accessToken)])
      return jsonText(`{"data":{"token":${JSON.stringify(accessToken)},"user":${row}},"public":true}`)
    },
    refresh: async (_ctx: Context, { body, request }: Given) => {
      const token = body?.token ?? request.cookies[cookieName(project)] ?? ''
      if (token === '') throw invalidPayload('token', 'token: This value should not be blank.')
      const { accessToken } = actors.refresh(token)
      if (body?.token === undefined) return withCookies(json({ public: true }), [cookie(accessToken)])
      return json({ data: { token: accessToken }, public: true })
    },
    logout: async (_ctx: Context, { request }: Given) => {
      const found = findToken(request, project)
      if (found !== null) actors.logout(found.token)
      return withCookies(json({ public: true }), cookieName(project) in request.cookies ? [cookie(null)] : [])
    },
  }
  return Object.fromEntries(
    Object.entries(handlers).map(([id, handler]) => [id, asSeen(handler as unknown as AnyHandler)]),
  )
}

const cookie = (value: string | null): Cookie => ({
  name: cookieName(project),
  value,
  secure: null,
  sameSite: 'lax',
  httpOnly: true,
})
