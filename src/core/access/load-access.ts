import { type AccessOwner, accessFrom, type LoadedAccess } from '../../authz/access.ts'
import { untilSecondFactor } from '../../authz/app-rules.ts'
import type { Database } from '../../domain/ports/context.ts'
import type { Actor } from '../../domain/rights/actor.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { HeldAccess } from '../../domain/rights/stored-rights.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import { readHeldAccess } from '../../sql/statements/accounts/access.ts'
import type { TokenOwner } from '../../sql/statements/accounts/sessions.ts'

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
  const held = await holdingsOf(db, who)
  return { ...accessFrom(schema, held, who, ip), held }
}

/** What a user, a role or the public holds. */
export function holdingsOf(db: Database, who: AccessOwner): Promise<HeldAccess> {
  return readHeldAccess(db, who.kind === 'public' ? null : who.role, who.kind === 'user' ? who.user : null)
}

/**
 * The part of a user's rights that an API key has: those of some of its policies. A second factor that any policy
 * requires stays required.
 */
async function loadPart(
  { db, schema, ip }: AccessScope,
  who: AccessOwner,
  chosen: readonly string[],
): Promise<LoadedAccess> {
  const held = await holdingsOf(db, who)
  const policies = held.policies.filter(({ id }) => chosen.includes(id))
  const { enforcesTfa } = accessFrom(schema, held, who, ip)
  return { ...accessFrom(schema, { ...held, policies, levels: [] }, who, ip), enforcesTfa }
}

/** What rights depend on besides the user. */
type AccessScope = { readonly db: Database; readonly schema: Schema; readonly ip: string | null }

/**
 * The actor of a user, with its rights as they count now and from the address; `policies`: only those. Throws `user-suspended`,
 * `user-inactive`, `invalid-ip`.
 */
export async function loadUserActor(
  { db, schema, ip }: AccessScope,
  owner: Pick<TokenOwner, 'id' | 'role' | 'status' | 'has_tfa'>,
  { session, policies = null }: { readonly session: string | null; readonly policies?: readonly string[] | null },
): Promise<{ readonly actor: Extract<Actor, { kind: 'user' }>; readonly loaded: LoadedAccess }> {
  if (owner.status !== 'active') {
    throw new TandemError({ kind: owner.status === 'suspended' ? 'user-suspended' : 'user-inactive' })
  }
  const who = { kind: 'user', user: owner.id, role: owner.role } as const
  const loaded = await (policies === null
    ? loadAccess(db, schema, who, ip)
    : loadPart({ db, schema, ip }, who, policies))
  const { access: full, enforcesTfa, roles } = loaded
  const access = enforcesTfa && !owner.has_tfa ? untilSecondFactor(full, schema) : full
  return { actor: { ...who, roles, access, session }, loaded }
}
