/** Who administers the project: active users who can prove who they are and hold a policy that gives it. */
import { isAddressAllowed } from '../authz/addresses.ts'
import type { Database } from '../domain/context.ts'

/** Whether there is an administrator who may ask from this address (null = from some address). */
export async function hasAdministrator(db: Database, ip: string | null): Promise<boolean> {
  const { rows } = await db.run({ text: selectLists, values: [], name: 'administrators' })
  const lists = rows as readonly { readonly ip_access: string | null }[]
  return lists.some(({ ip_access: list }) => ip === null || isAddressAllowed((list ?? '').split(','), ip))
}

/**
 * The address lists of the policies by which somebody administers. Roles give what they hold to those below
 * them; who would need a second factor and could not set one up does not count.
 */
const selectLists = `
with recursive held (role, ip_access) as (
  select a.role, p.ip_access from platform_access a join platform_policies p on p.id = a.policy
    where p.admin_access and a.role is not null
  union
  select r.id, h.ip_access from platform_roles r join held h on r.parent = h.role
), demanding (role) as (
  select a.role from platform_access a join platform_policies p on p.id = a.policy
    where p.enforce_tfa and a.role is not null
  union
  select r.id from platform_roles r join demanding d on r.parent = d.role
), able as (
  select id, role from platform_users u where status = 'active' and
    (token is not null or (email is not null and (password is not null or provider <> 'default'))) and
    (tfa_secret is not null or (email is not null and password is not null and provider = 'default') or not (
      coalesce(role in (select role from demanding), false) or exists (
        select 1 from platform_access a join platform_policies p on p.id = a.policy
          where p.enforce_tfa and a."user" = u.id)))
)
select h.ip_access from held h where exists (select 1 from able u where u.role = h.role)
union
select p.ip_access from platform_access a join platform_policies p on p.id = a.policy
  join able u on u.id = a."user" where p.admin_access`
