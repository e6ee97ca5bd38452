/** Looks up what an actor may do. */
import { type AccessOwner, accessFrom, type LoadedAccess } from '../../authz/access.ts'
import type { Database } from '../../domain/ports/context.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import { readHeldAccess } from '../../sql/statements/access.ts'

/**
 * A user's own policies, its role's and those of the role's ancestors; without a role, the public ones
 * (attached to no role and no user). Throws `invalid-ip` when a user's policies all exclude the address.
 */
export async function loadAccess(
  db: Database,
  schema: Schema,
  who: AccessOwner,
  ip: string | null,
): Promise<LoadedAccess> {
  const role = who.kind === 'public' ? null : who.role
  const held = await readHeldAccess(db, role, who.kind === 'user' ? who.user : null)
  return accessFrom(schema, held, who, ip)
}
