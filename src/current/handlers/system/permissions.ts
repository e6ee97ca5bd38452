/** `/permissions`: permissions of policies. */
import { explainRights } from '../../../core/access/explain-rights.ts'
import { toExplanationJson } from '../../../core/access/explanation-json.ts'
import { readItemRights, summarizeRights } from '../../../core/access/permissions.ts'
import type { ReadContext } from '../../../domain/ports/context.ts'
import type { Key } from '../../../domain/query/key.ts'
import type { CurrentPermissionsOperations } from '../../../generated/current.ts'
import type { Handlers } from '../../../http/app/handlers.ts'
import { json } from '../../../http/reply/reply.ts'
import { withSystemRules } from '../../views/app-permissions.ts'
import { parseExplain } from '../../wire/explain.ts'
import { systemHandlers } from '../collection-handlers.ts'

const { readMany, readOne, create, updateMany, updateOne, deleteMany, deleteOne } = systemHandlers(
  'platform_permissions',
  { shown: withSystemRules },
)

export const permissions = {
  readPermissions: (ctx, input) => readMany(ctx, { ...input, query: { ...input.query, limit: -1 } }),
  readPermission: readOne,
  createPermissions: create,
  updatePermissions: updateMany,
  updatePermission: updateOne,
  deletePermissions: deleteMany,
  deletePermission: deleteOne,

  async readMyPermissions(ctx) {
    return json({ data: await summarizeRights(ctx) })
  },

  async explainPermissions(ctx, { query }) {
    return json({ data: toExplanationJson(await explainRights(ctx, parseExplain(ctx, query))) })
  },

  async readCollectionPermissions(ctx, { path }) {
    return json({ data: await ownRights(ctx, path.collection, null) })
  },

  async readItemPermissions(ctx, { path }) {
    return json({ data: await ownRights(ctx, path.collection, path.id) })
  },
} satisfies Handlers<CurrentPermissionsOperations>

async function ownRights(ctx: ReadContext, named: string, key: Key | null) {
  return readItemRights(ctx, ctx.view.collections.get(named)?.collection ?? named, key)
}
