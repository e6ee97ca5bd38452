import { forbidden, hasRules, isUnlimited } from '../../authz/grants.ts'
import { readOwnLevels } from '../../core/access/own-levels.ts'
import type { QueryContext } from '../../domain/ports/context.ts'
import type { LegacyPermissionsOperations } from '../../generated/legacy.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { jsonText } from '../../http/reply/reply.ts'
import { createLevels } from '../model/new-levels.ts'
import { collectionNamed } from '../wire/parse-scope.ts'
import { systemHandlers } from './collection-handlers.ts'

const { readMany, readOne, create, updateMany, updateOne, deleteOne } = systemHandlers('platform_role_levels', {
  writer: createLevels,
})

/** Only administrators write permissions, and they may read the result. */
const shown = async <R extends { readonly status: number }>(reply: Promise<R>) =>
  (await reply) as Exclude<R, { readonly status: 204 }>

const silent = async <R extends { readonly status: number }>(reply: Promise<R>) =>
  (await reply) as Exclude<R, { readonly status: 200 }>

/** Collections that the caller has no rights on are refused like missing ones. */
function assertKnown(ctx: QueryContext, name: string): void {
  if (!isUnlimited(ctx.actor) && !hasRules(ctx.actor, name)) throw forbidden('read', name)
  collectionNamed(ctx, name)
}

export const permissions = {
  readPermissions: readMany,
  readPermission: readOne,
  createPermissions: (ctx, input) => shown(create(ctx, input)),
  updatePermissions: (ctx, input) => shown(updateMany(ctx, input)),
  updatePermission: (ctx, input) => shown(updateOne(ctx, input)),
  deletePermission: (ctx, input) => silent(deleteOne(ctx, input)),

  async readMyPermissions(ctx) {
    const rows = await readOwnLevels(ctx)
    return jsonText(JSON.stringify({ data: rows, ...(ctx.actor.kind === 'public' ? { public: true } : {}) }))
  },

  async readMyCollectionPermissions(ctx, { path }) {
    const name = ctx.view.byCore.get(path.collection)?.name ?? path.collection
    const rows = (await readOwnLevels(ctx)).filter(({ collection }) => collection === name)
    if (rows.length === 0) assertKnown(ctx, path.collection)
    const data = rows.length === 1 ? rows[0] : rows
    return jsonText(JSON.stringify({ data, ...(ctx.actor.kind === 'public' ? { public: true } : {}) }))
  },
} satisfies Handlers<LegacyPermissionsOperations>
