/** `/roles`: groups of users. */
import { ownRoles } from '../../../core/accounts/users.ts'
import type { CurrentRolesOperations } from '../../../generated/current.ts'
import type { Handlers } from '../../../http/app/handlers.ts'
import { json } from '../../../http/reply/reply.ts'
import { visibleScope } from '../../wire/collections.ts'
import { systemHandlers } from '../collection-handlers.ts'

const rolesCollection = 'platform_roles'

const { readMany, readList, readOne, create, updateMany, updateOne, deleteMany, deleteOne } =
  systemHandlers(rolesCollection)

export const roles = {
  readRoles: readMany,
  readRole: readOne,
  createRoles: create,
  updateRoles: updateMany,
  updateRole: updateOne,
  deleteRoles: deleteMany,
  deleteRole: deleteOne,

  async readMyRoles(ctx, { path, query, request }) {
    const keys = ownRoles(ctx)
    const isReadable = visibleScope(ctx).view.byCore.has(rolesCollection)
    if (isReadable) return readList(ctx, { path, request, query: { ...query, limit: -1 }, keys })
    return json({ data: keys.map((id) => ({ id })) })
  },
} satisfies Handlers<CurrentRolesOperations>
