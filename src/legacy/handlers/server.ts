/** Information about the server and its projects. */
import { ownUser } from '../../core/accounts/users.ts'
import { readPublicSettings, updateDatabase } from '../../core/server/server.ts'
import type { Context } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { LegacyServerOperations } from '../../generated/legacy.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { empty, json, text } from '../../http/reply/reply.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import { fieldTypes } from '../model/field-types.ts'
import { toProjectFacts, toServerFacts } from '../views/facts.ts'

/** Facts about the project and the server that the caller may read. */
async function answerFacts(
  ctx: Pick<Context, 'db' | 'actor' | 'server' | 'files'>,
  { request }: { readonly request: HttpRequest },
) {
  const settings = await readPublicSettings(ctx)
  if (ctx.actor.kind !== 'user') return json({ data: { api: toProjectFacts(settings, request.origin) }, public: true })
  return json({ data: toServerFacts(ctx, settings, request.origin) })
}

export const server = {
  async pingServer() {
    return text('pong')
  },

  async readServerInfo(ctx, { request }) {
    if (ctx.actor.kind !== 'user') throw new TandemError({ kind: 'unauthenticated' })
    return json({ data: toServerFacts(ctx, await readPublicSettings(ctx), request.origin) })
  },

  async readTypes(ctx) {
    ownUser(ctx)
    return json({ data: Object.keys(fieldTypes).map((name) => ({ name })) })
  },

  async runUpdate(ctx) {
    await updateDatabase(ctx)
    return empty()
  },

  readProjectInfo: answerFacts,
  readInfo: answerFacts,
} satisfies Handlers<LegacyServerOperations>
