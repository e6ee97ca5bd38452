/** `/policies`: sets of permissions. */
import { readPolicyFlags } from '../../../core/access/permissions.ts'
import type { CurrentPoliciesOperations } from '../../../generated/current.ts'
import type { Handlers } from '../../../http/app/handlers.ts'
import { json } from '../../../http/reply/reply.ts'
import { systemHandlers } from '../collection-handlers.ts'

const { readMany, readOne, create, updateMany, updateOne, deleteMany, deleteOne } = systemHandlers('platform_policies')

export const policies = {
  readPolicies: readMany,
  readPolicy: readOne,
  createPolicies: create,
  updatePolicies: updateMany,
  updatePolicy: updateOne,
  deletePolicies: deleteMany,
  deletePolicy: deleteOne,

  async readPolicyGlobals(ctx) {
    const { app, admin, tfa } = await readPolicyFlags(ctx)
    return json({ data: { app_access: app, admin_access: admin, enforce_tfa: tfa } })
  },
} satisfies Handlers<CurrentPoliciesOperations>
