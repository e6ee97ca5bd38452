/** Rights as they are stored, with the names of what holds them, to explain what somebody may do. */
import type { PermissionRow, PolicyRow } from '../../../domain/rights/stored-rights.ts'
import { jsonPermissions, jsonRows } from '../../dialects/mysql/system-rows.ts'
import type { TokenOwner } from '../accounts/sessions.ts'
import { allRows, firstRow, type Runner } from '../answers.ts'

/** `role` and `user` null: everybody. `name`: of the role. */
export type PolicyHolder = { readonly role: string | null; readonly user: string | null; readonly name: string | null }

/** `permissions`: those of the policy on the asked collection. `others`: how many other users hold it by themselves. */
export type KnownPolicy = PolicyRow & {
  readonly name: string
  readonly holders: readonly PolicyHolder[]
  readonly others: number
  readonly permissions: readonly PermissionRow[]
}

/** Roles that hold a policy, and the user among its holders. A policy can be attached to any number of other users. */
const policiesText = `
select p.id, p.name, p.ip_access, p.admin_access, p.app_access, p.enforce_tfa,
  (select coalesce(json_agg(json_build_object('role', a.role, 'user', a."user", 'name', r.name) order by a.id), '[]')
    from platform_access a left join platform_roles r on r.id = a.role
    where a.policy = p.id and (a."user" is null or a."user"::text = $3)) as holders,
  (select count(*)::int from platform_access a where a.policy = p.id and a."user"::text <> coalesce($3, '')) as others,
  (select coalesce(json_agg(x order by x.id), '[]') from platform_permissions x
    where x.policy = p.id and x.collection = $2) as permissions
from platform_policies p
where p.id::text = any($1) or exists (select 1 from platform_permissions x where x.policy = p.id and x.collection = $2)
order by p.name, p.id limit 500`

const policiesTexts = {
  mysql: `select p.id, p.name, p.ip_access, p.admin_access, p.app_access, p.enforce_tfa,
  ${jsonRows({
    table: `(select a.id, a.policy, a.role, a."user", r.name from platform_access a
      left join platform_roles r on r.id = a.role where a."user" is null or a."user" = $3) x`,
    columns: { role: 'text', user: 'text', name: 'text' },
    condition: 'x.policy = p.id',
    order: 'x.id',
  })} as holders,
  (select count(*) from platform_access a where a.policy = p.id and a."user" <> coalesce($3, '')) as others,
  ${jsonPermissions('x.policy = p.id and x.collection = $2')} as permissions
from platform_policies p
where p.id = any($1) or exists (select 1 from platform_permissions x where x.policy = p.id and x.collection = $2)
order by p.name, p.id limit 500`,
}

/** The named policies, and those that have a permission on the collection. */
export const findKnownPolicies = (
  db: Runner,
  { policies, collection, user }: { policies: readonly string[]; collection: string; user: string | null },
): Promise<readonly KnownPolicy[]> =>
  allRows(db, { text: policiesText, texts: policiesTexts, values: [policies, collection, user] })

export type RoleName = { readonly id: string; readonly name: string }

export const findRoleNames = (db: Runner, roles: readonly string[]): Promise<readonly RoleName[]> =>
  allRows(db, { text: 'select id, name from platform_roles where id::text = any($1)', values: [roles] })

export type ExplainedUser = TokenOwner & { readonly email: string | null }

/** A user by its id or its address. */
export const findExplainedUser = (db: Runner, named: string): Promise<ExplainedUser | undefined> =>
  firstRow(db, {
    text: `select id, email, role, status, tfa_secret is not null as has_tfa, null as expires from platform_users
      where id::text = lower($1) or lower(email) = lower($1) limit 1`,
    values: [named],
  })
