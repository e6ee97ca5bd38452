/** `/scim/v2`: users and groups for identity providers, with a token for SCIM or the rights of a user. */
import { asProvisioner } from '../../core/accounts/providers/provisioners.ts'
import { writeItems } from '../../core/items/items.ts'
import type { CurrentScimOperations } from '../../generated/current.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { createScimHandlers } from '../../scim/handlers.ts'

export const scim = createScimHandlers({
  base: () => '/scim/v2',
  open: asProvisioner,
  before: () => {},
  createRoles: writeItems,
}) satisfies Handlers<CurrentScimOperations>
