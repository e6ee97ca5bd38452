/** Rights: roles, policies and permissions, for authentication and for checks of writes. */
import type { HeldAccess, LevelRow, PermissionRow, PolicyGrant } from '../../../domain/rights/stored-rights.ts'
import { seedIds } from '../../../domain/schema/identity.ts'
import { jsonPermissions, jsonRows } from '../../dialects/mysql/system-rows.ts'
import { longText } from '../../dialects/mysql/types.ts'
import { allRows, allValues, firstRow, hasRows, type Runner } from '../answers.ts'

/** The depth limit ends cycles of roles; the roles of a cycle are answered more than once. */
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
  (select coalesce(json_agg(id order by depth), '[]') from lineage) as roles,
  (select coalesce(json_agg(h order by h.id), '[]') from held h) as policies,
  (select coalesce(json_agg(p order by p.id), '[]') from platform_permissions p
    where p.policy in (select id from held)) as permissions,
  (select coalesce(json_agg(l order by l.id), '[]') from platform_role_levels l
    where l.role in (select id from lineage) or ($1::uuid is null and l.role = $3::uuid)) as levels,
  (select ip_access from platform_roles where id = $1::uuid) as role_ip,
  (select enforce_tfa from platform_roles where id = $1::uuid) as role_tfa`

const words = ['create', 'read', 'update', 'delete', 'comment', 'explain'] as const
const blacklists = ['read_field_blacklist', 'write_field_blacklist', 'status_blacklist'] as const

/** Lineage and policies are tables of the statement, as above. */
const accessTexts = {
  mysql: `${accessText.slice(0, accessText.indexOf('select\n'))}
select ${jsonRows({ table: 'lineage x', columns: 'id', condition: 'true', order: 'x.depth' })} as roles,
  ${jsonRows({
    table: 'held x',
    columns: { id: 'text', ip_access: 'text', admin_access: 'boolean', app_access: 'boolean', enforce_tfa: 'boolean' },
    condition: 'true',
    order: 'x.id',
  })} as policies,
  ${jsonPermissions('x.policy in (select id from held)')} as permissions,
  ${jsonRows({
    table: 'platform_role_levels x',
    columns: {
      id: 'number',
      collection: 'text',
      role: 'text',
      status: 'text',
      ...Object.fromEntries([...words, ...blacklists].map((name) => [name, 'text' as const])),
    },
    condition: 'x.role in (select id from lineage) or ($1 is null and x.role = $3)',
    order: 'x.id',
  })} as levels,
  (select ip_access from platform_roles where id = $1) as role_ip,
  exists (select 1 from platform_roles where id = $1 and enforce_tfa) as role_tfa`,
}

/** The policies of a user and a role, with the ancestors of the role; without a role, the public policies. */
export async function readHeldAccess(db: Runner, role: string | null, user: string | null): Promise<HeldAccess> {
  const held = await firstRow<HeldAccess>(db, {
    task: 'readHeldAccess',
    text: accessText,
    texts: accessTexts,
    values: [role, user, seedIds.publicRole],
    name: 'load-access',
  })
  if (held === undefined) throw new Error('The look-up of policies answered without a row')
  return { ...held, roles: [...new Set(held.roles)] }
}

/** The levels of these roles; null = of all roles. */
export function findLevels(db: Runner, roles: readonly string[] | null): Promise<readonly LevelRow[]> {
  const text = `select * from platform_role_levels where $1::text[] is null or role::text = any($1::text[]) order by id`
  return allRows(db, { task: 'findLevels', text, values: [roles] })
}

/** Where a level applies. `role`: the id of the role, or its number. */
type LevelScope = { readonly role: string | null; readonly collection: string | null; readonly status: string | null }

const levelsAtTexts = {
  mysql: `select l.id from platform_role_levels l join platform_roles r on r.id = l.role
    where exists (select 1 from json_table($1, '$[*]' columns (role ${longText} path '$.role', collection ${longText} path '$.collection',
        status ${longText} path '$.status')) p
      where p.role in (r.id, cast(r.number as char)) and p.collection = l.collection
        and coalesce(p.status, '') = coalesce(l.status, ''))`,
}

export function findLevelsAt(db: Runner, scopes: readonly LevelScope[]): Promise<readonly number[]> {
  const text = `select l.id from platform_role_levels l join platform_roles r on r.id = l.role
    where exists (select 1 from json_to_recordset($1::json) as p (role text, collection text, status text)
      where p.role in (r.id::text, r.number::text) and p.collection = l.collection
        and coalesce(p.status, '') = coalesce(l.status, ''))`
  return allValues(db, { task: 'findLevelsAt', text, texts: levelsAtTexts, values: [JSON.stringify(scopes)] })
}

/** Whether one of the policies requires a second factor. */
export function demandsSecondFactor(db: Runner, policies: readonly string[]): Promise<boolean> {
  const text = 'select 1 from platform_policies where enforce_tfa and id::text = any($1) limit 1'
  return hasRows(db, { task: 'demandsSecondFactor', text, values: [policies] })
}

/** An active user `u` with a login method. Users who need a second factor and cannot set one up do not count. */
const isAble = `u.status = 'active' and
  (u.token is not null or (u.email is not null and (u.password is not null or u.provider <> 'default'))) and
  (u.tfa_secret is not null or (u.email is not null and u.password is not null and u.provider = 'default') or not (
    coalesce(u.role in (select role from demanding), false) or exists (
      select 1 from platform_access x join platform_policies y on y.id = x.policy
        where y.enforce_tfa and x."user" = u.id)))`

/**
 * The address lists of admin policies. Roles pass their policies to their children. One user of a role is enough, so the
 * users of a role are looked up until one is able (`limit 1` also keeps the planner from reading all users).
 */
const administratorsText = `
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
)
select h.ip_access from held h where (select 1 from platform_users u where u.role = h.role and ${isAble} limit 1) = 1
union
select p.ip_access from platform_access a join platform_policies p on p.id = a.policy
  where p.admin_access and (select 1 from platform_users u where u.id = a."user" and ${isAble} limit 1) = 1`

/** The address lists of the admin policies of active users with a login method; null = any address. */
export function administratorAddresses(db: Runner): Promise<readonly (string | null)[]> {
  const text = administratorsText
  return allValues(db, { task: 'administratorAddresses', text, values: [], name: 'administrators' })
}

/** Roles pass their policies to their children. */
const administratorText = `
with recursive held (role) as (
  select a.role from platform_access a join platform_policies p on p.id = a.policy where p.admin_access
  union
  select r.id from platform_roles r join held h on r.parent = h.role
)
select 1 from platform_users u where u.role in (select role from held where role is not null) or u.id in (
  select a."user" from platform_access a join platform_policies p on p.id = a.policy where p.admin_access
) limit 1`

/** Whether a user has an admin policy, even if the user cannot log in now. */
export const isAdministered = (db: Runner): Promise<boolean> => hasRows(db, { text: administratorText, values: [] })

/** Whether an admin policy is public, without role and user. */
export function isEverybodyAdministrator(db: Runner): Promise<boolean> {
  const text = `select 1 from platform_access a join platform_policies p on p.id = a.policy
    where p.admin_access and a.role is null and a."user" is null limit 1`
  return hasRows(db, { task: 'isEverybodyAdministrator', text, values: [] })
}

const tooHigh = `
with recursive up (parent, depth) as (
  select parent, 1 from platform_roles where parent is not null
  union all
  select r.parent, u.depth + 1 from up u join platform_roles r on r.id = u.parent
    where r.parent is not null and u.depth < 20
)
select 1 from up where depth = 20 limit 1`

/** Whether a role has 20 or more ancestors, or is its own ancestor. */
export const isRoleTreeTooHigh = (db: Runner): Promise<boolean> =>
  hasRows(db, { task: 'isRoleTreeTooHigh', text: tooHigh, values: [] })

/** Written rows of access collections, by their keys as text. */
export type WrittenRights = {
  readonly users: readonly string[]
  readonly roles: readonly string[]
  readonly access: readonly string[]
  readonly policies: readonly string[]
  /** Everybody who has the id of a share has the rights of its role. */
  readonly shares: readonly string[]
  /** Written settings of registration. Disabling it or requiring verification grants nothing. */
  readonly registration: {
    readonly changed: boolean
    readonly switched: readonly string[]
    readonly verification: readonly string[]
  }
}

const grantsText = `
with recursive lineage (id, parent) as (
  select id, parent from platform_roles where id = any($2::uuid[])
    or id in (select role from platform_users where id = any($1::uuid[]))
    or (id in (select public_registration_role from platform_settings) and ($5::boolean or exists (
      select 1 from platform_settings where id::text = any($7) and public_registration
        or id::text = any($8) and not public_registration_verify_email)))
    or id in (select role from platform_shares where id = any($6::uuid[]))
  union
  select r.id, r.parent from platform_roles r join lineage l on r.id = l.parent
), gained (policy) as (
  select policy from platform_access
    where role in (select id from lineage) or "user" = any($1::uuid[]) or id = any($3::uuid[])
  union
  select id from platform_policies where id = any($4::uuid[])
)
select p.id, p.admin_access, p.app_access,
  (select coalesce(json_agg(x order by x.id), '[]') from platform_permissions x where x.policy = p.id) as permissions
from platform_policies p where p.id in (select policy from gained)`

const grantsTexts = {
  mysql: `${grantsText.slice(0, grantsText.indexOf('select p.id'))}
select p.id, p.admin_access, p.app_access, ${jsonPermissions('x.policy = p.id')} as permissions
from platform_policies p where p.id in (select policy from gained)`,
}

/** The policies that somebody may have because of the written rows. */
export function findGrantedPolicies(db: Runner, written: WrittenRights): Promise<readonly PolicyGrant[]> {
  const { users, roles, access, policies, shares, registration } = written
  const { changed, switched, verification } = registration
  return allRows(db, {
    task: 'findGrantedPolicies',
    text: grantsText,
    texts: grantsTexts,
    values: [users, roles, access, policies, changed, shares, switched, verification],
  })
}

export function findPermissions(db: Runner, keys: readonly string[]): Promise<readonly PermissionRow[]> {
  const text = 'select * from platform_permissions where id = any($1::integer[])'
  return allRows(db, { task: 'findPermissions', text, values: [keys] })
}

/** All permissions, in the order of their keys. */
export const findAllPermissions = (db: Runner): Promise<readonly PermissionRow[]> =>
  allRows(db, { text: 'select * from platform_permissions order by id', values: [] })
