/** Loads the rights of an actor. */
import { type AccessOwner, accessFrom, type LoadedAccess } from '../../authz/access.ts'
import { untilSecondFactor } from '../../authz/second-factor.ts'
import type { Database } from '../../domain/ports/context.ts'
import type { Actor } from '../../domain/rights/actor.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { HeldAccess } from '../../domain/rights/stored-rights.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import { readHeldAccess } from '../../sql/statements/access.ts'
import type { TokenOwner } from '../../sql/statements/sessions.ts'

/**
 * The policies of a user, its role and the role's ancestors; without a role, the public policies (without role and
 * user). Throws `invalid-ip` if all policies of a user exclude the address.
 */
export async function loadAccess(
  db: Database,
  schema: Schema,
  who: AccessOwner,
  ip: string | null,
): Promise<LoadedAccess & { readonly held: HeldAccess }> {
  const role = who.kind === 'public' ? null : who.role
  const held = await readHeldAccess(db, role, who.kind === 'user' ? who.user : null)
  return { ...accessFrom(schema, held, who, ip), held }
}

/** What rights depend on besides the user. */
type AccessScope = { readonly db: Database; readonly schema: Schema; readonly ip: string | null }

type UserActor = Extract<Actor, { kind: 'user' }>

/**
 * The actor of a user, with its rights as they count now and from the address. Throws `user-suspended`,
 * `user-inactive`, `invalid-ip`.
 */
export async function loadUserActor(
  { db, schema, ip }: AccessScope,
  owner: Pick<TokenOwner, 'id' | 'role' | 'status' | 'has_tfa'>,
  session: string | null,
): Promise<{ readonly actor: UserActor; readonly loaded: LoadedAccess }> {
  if (owner.status !== 'active') {
    throw new TandemError({ kind: owner.status === 'suspended' ? 'user-suspended' : 'user-inactive' })
  }
  const who = { kind: 'user', user: owner.id, role: owner.role } as const
  const loaded = await loadAccess(db, schema, who, ip)
  const { access: full, enforcesTfa, roles } = loaded
  const access = enforcesTfa && !owner.has_tfa ? untilSecondFactor(full, schema) : full
  return { actor: { ...who, roles, access, session }, loaded }
}
