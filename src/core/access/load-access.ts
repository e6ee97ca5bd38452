/** Loads the rights of an actor. */
import { type AccessOwner, accessFrom, type LoadedAccess } from '../../authz/access.ts'
import type { Database } from '../../domain/ports/context.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import { readHeldAccess } from '../../sql/statements/access.ts'

/**
 * The policies of a user, its role and the role's ancestors; without a role, the public policies (without role and
 * user). Throws `invalid-ip` if all policies of a user exclude the address.
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
