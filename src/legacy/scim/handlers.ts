/** SCIM 2.0 below the path of a project, with the rights of the caller. */

import type { LegacyScimOperations } from '../../generated/legacy.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { createScimHandlers } from '../../scim/handlers.ts'
import { assertExplained } from '../handlers/answers.ts'
import { createRoles } from '../model/new-roles.ts'

export const scimHandlers = createScimHandlers({
  base: ({ project }) => `/${project}/scim/v2`,
  open: async (ctx) => ctx,
  before: assertExplained,
  createRoles,
}) satisfies Handlers<LegacyScimOperations>
