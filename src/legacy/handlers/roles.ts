import { TandemError } from '../../domain/rights/errors.ts'
import type { LegacyRolesOperations } from '../../generated/legacy.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { createRoles } from '../model/new-roles.ts'
import { splitKeys } from '../wire/query.ts'
import { systemHandlers } from './collection-handlers.ts'

const { readMany, readOne, create, updateMany, updateOne, deleteOne } = systemHandlers('platform_roles', {
  writer: createRoles,
})

const userRoles = systemHandlers('platform_user_roles')

/** The roles of administrators and of the public. */
const protectedRoles: ReadonlySet<number> = new Set([1, 2])

export const roles = {
  readRoles: readMany,
  readRole: readOne,
  createRoles: create,
  updateRoles: updateMany,
  updateRole: updateOne,
  readUserRoles: userRoles.readMany,
  readUserRole: userRoles.readOne,

  async deleteRole(ctx, input) {
    if (splitKeys(input.path.id).some((key) => protectedRoles.has(Number(key)))) {
      throw new TandemError({ kind: 'unauthenticated' })
    }
    return deleteOne(ctx, input)
  },
} satisfies Handlers<LegacyRolesOperations>
