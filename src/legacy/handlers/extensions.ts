/** Extensions of the application, and endpoints, both added by operators. */
import { ownUser } from '../../core/accounts/users.ts'
import { askEndpoint } from '../../core/server/custom-endpoints.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { ExtensionKind } from '../../domain/ports/extensions.ts'
import type { LegacyExtensionsOperations } from '../../generated/legacy.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { json, jsonText, text } from '../../http/reply/reply.ts'

const list = (kind: ExtensionKind) => async (ctx: Pick<Context, 'actor' | 'server'>) => {
  ownUser(ctx)
  return json({ data: [...(ctx.server.extensions?.list(kind) ?? [])] })
}

export const extensions = {
  readInterfaces: list('interfaces'),
  readLayouts: list('layouts'),
  readModules: list('modules'),
  readPages: list('pages'),
  readProjectInterfaces: list('interfaces'),
  readProjectLayouts: list('layouts'),
  readProjectModules: list('modules'),
  readProjectPages: list('pages'),

  async readCustomEndpoint(ctx, { path, request }) {
    const answer = await askEndpoint(ctx, path.id, request)
    return typeof answer === 'string' ? text(answer, 'text/plain; charset=utf-8') : jsonText(JSON.stringify(answer))
  },
} satisfies Handlers<LegacyExtensionsOperations>
