/** `/permissions`: what a policy allows. */
import { readItems } from '../../core/items.ts'
import { readItemRights, summarizeRights } from '../../core/permissions.ts'
import type { Context } from '../../domain/context.ts'
import type { Key } from '../../domain/mutation.ts'
import type { CurrentPermissionsOperations } from '../../generated/current.ts'
import type { Handlers } from '../../http/handlers.ts'
import { json, jsonText } from '../../http/reply.ts'
import { jsonOf } from '../../sql/read.ts'
import { withAppPermissions } from '../app-permissions.ts'
import { systemHandlers } from '../collection-handlers.ts'
import { openSystemCollection } from '../collections.ts'
import { readFormat } from '../export.ts'
import { parseQuery } from '../query.ts'
import { serializeList } from '../serialize.ts'

const name = 'platform_permissions'

const { readMany, readOne, create, updateMany, updateOne, deleteMany, deleteOne } = systemHandlers(name)

export const permissions = {
  async readPermissions(ctx, input) {
    const query = { ...input.query, limit: -1 }
    if (readFormat(query.export) !== null || input.keys !== undefined) return readMany(ctx, { ...input, query })
    const { collection, visible } = openSystemCollection(ctx, name, 'read')
    const asked = parseQuery(query, collection.name, visible)
    const result = await readItems(ctx, asked)
    return jsonText(serializeList({ ...result, pieces: [withAppPermissions(jsonOf(result), ctx, asked)] }))
  },

  readPermission: readOne,
  createPermissions: create,
  updatePermissions: updateMany,
  updatePermission: updateOne,
  deletePermissions: deleteMany,
  deletePermission: deleteOne,

  async readMyPermissions(ctx) {
    return json({ data: await summarizeRights(ctx) })
  },

  async readCollectionPermissions(ctx, { path }) {
    return json({ data: await ownRights(ctx, path.collection, null) })
  },

  async readItemPermissions(ctx, { path }) {
    return json({ data: await ownRights(ctx, path.collection, path.id) })
  },
} satisfies Handlers<CurrentPermissionsOperations>

async function ownRights(ctx: Context, named: string, key: Key | null) {
  return readItemRights(ctx, ctx.view.collections.get(named)?.collection ?? named, key)
}
