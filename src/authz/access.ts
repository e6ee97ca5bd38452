/** Looks up what an actor may do: its policies, from where they count, and the rules in them. */
import type { Access } from '../domain/actor.ts'
import type { Database } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import { hashText } from '../domain/hash-text.ts'
import type { Schema } from '../domain/schema.ts'
import { isAddressAllowed } from './addresses.ts'
import { appRules } from './app-rules.ts'
import { type IgnoredPermission, type PermissionRow, toRules } from './rules.ts'

export type AccessOwner =
  | { readonly kind: 'public' }
  /** Both are uuids. */
  | { readonly kind: 'user'; readonly user: string; readonly role: string | null }
  /** Nobody in it; null is the public. */
  | { readonly kind: 'role'; readonly role: string | null }

export type LoadedAccess = {
  readonly access: Access
  /** The role and its ancestors, nearest first. */
  readonly roles: readonly string[]
  /** Whether any of the policies wants its holders to have a second factor. */
  readonly enforcesTfa: boolean
  /** Rows that grant less than they say: worth a line in the log. */
  readonly ignored: readonly IgnoredPermission[]
}

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
  const { rows } = await db.run({
    name: 'load-access',
    text: accessText,
    values: [role, who.kind === 'user' ? who.user : null],
  })
  const [found] = rows as readonly AccessRow[]
  if (found === undefined) throw new Error('The look-up of policies answered without a row')
  const policies = found.policies.filter(({ ip_access: list }) => isAddressAllowed((list ?? '').split(','), ip))
  if (who.kind === 'user' && policies.length === 0 && found.policies.length > 0) {
    throw new TandemError({ kind: 'invalid-ip' })
  }
  const enforcesTfa = policies.some((policy) => policy.enforce_tfa)
  return { roles: found.roles, enforcesTfa, ...toAccess(policies, found.permissions, schema) }
}

type PolicyRow = {
  readonly id: string
  readonly ip_access: string | null
  readonly admin_access: boolean
  readonly app_access: boolean
  readonly enforce_tfa: boolean
}

type PolicyPermission = PermissionRow & { readonly policy: string }

type AccessRow = {
  readonly roles: readonly string[]
  readonly policies: readonly PolicyRow[]
  readonly permissions: readonly PolicyPermission[]
}

/** The depth keeps roles that are their own ancestors from looping. */
const accessText = `
with recursive lineage (id, parent, depth) as (
  select id, parent, 0 from platform_roles where id = $1::uuid
  union all
  select r.id, r.parent, l.depth + 1 from platform_roles r join lineage l on r.id = l.parent where l.depth < 20
), held as (
  select distinct p.id, p.ip_access, p.admin_access, p.app_access, p.enforce_tfa
  from platform_access a join platform_policies p on p.id = a.policy
  where a."user" = $2::uuid or a.role in (select id from lineage)
    or ($1::uuid is null and a.role is null and a."user" is null)
)
select
  (select coalesce(json_agg(id order by depth), '[]') from (select id, min(depth) as depth from lineage group by id) l) as roles,
  (select coalesce(json_agg(h order by h.id), '[]') from held h) as policies,
  (select coalesce(json_agg(p order by p.id), '[]') from platform_permissions p
    where p.policy in (select id from held)) as permissions`

function toAccess(
  held: readonly PolicyRow[],
  permissions: readonly PolicyPermission[],
  schema: Schema,
): Omit<LoadedAccess, 'roles' | 'enforcesTfa'> {
  const policies = held.map(({ id }) => id)
  const admin = held.some((policy) => policy.admin_access)
  const app = held.some((policy) => policy.app_access || policy.admin_access)
  const rows = permissions.filter(({ policy }) => policies.includes(policy))
  const { rules, ignored } = admin ? { rules: [], ignored: [] } : toRules(rows, schema)
  const text = JSON.stringify([policies, admin, app, admin ? [] : rows, schema.version])
  const access: Access = {
    admin,
    app,
    policies,
    rules: app && !admin ? [...rules, ...appRules(schema)] : rules,
    fingerprint: `${hashText(text)}${hashText(`again ${text}`)}`,
  }
  return { access, ignored }
}
