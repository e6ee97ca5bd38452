/** Facts about the server and its projects. */
import { readPublicSettings } from '../../core/server.ts'
import { TandemError } from '../../domain/errors.ts'
import type { LegacyServerOperations } from '../../generated/legacy.ts'
import type { Handlers } from '../../http/handlers.ts'
import { json, text } from '../../http/reply.ts'
import { toProjectFacts, toServerFacts } from '../facts.ts'

export const server = {
  async pingServer() {
    return text('pong')
  },

  async readServerInfo(ctx, { request }) {
    if (ctx.actor.kind !== 'user') throw new TandemError({ kind: 'unauthenticated' })
    return json({ data: toServerFacts(ctx, await readPublicSettings(ctx), request.origin) })
  },

  async readProjectInfo(ctx, { request }) {
    const settings = await readPublicSettings(ctx)
    if (ctx.actor.kind !== 'user')
      return json({ data: { api: toProjectFacts(settings, request.origin) }, public: true })
    return json({ data: toServerFacts(ctx, settings, request.origin) })
  },
} satisfies Handlers<LegacyServerOperations>
