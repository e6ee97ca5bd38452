/** Reads of users: the rows that the mock was given. */
import { systemHandlers } from '../../../src/current/handlers/collection-handlers.ts'
import { visiblePlace } from '../../../src/current/wire/collections.ts'
import type { Context } from '../../../src/domain/ports/context.ts'
import { TandemError } from '../../../src/domain/rights/errors.ts'
import type { AnyHandler } from '../../../src/http/app/handlers.ts'
import { jsonText } from '../../../src/http/reply/reply.ts'

const { readMany, readOne } = systemHandlers('platform_users')

type Given = Parameters<typeof readOne>[1]

export const people: { readonly [operationId: string]: AnyHandler } = {
  readUsers: readMany,
  readUser: readOne,
  async readMe(ctx: Context, input: Given) {
    if (ctx.actor.kind !== 'user') throw new TandemError({ kind: 'unauthenticated' })
    const id = ctx.actor.user
    if (!visiblePlace(ctx).view.byCore.has('platform_users')) return jsonText(JSON.stringify({ data: { id } }))
    return readOne(ctx, { ...input, path: { id } })
  },
}
