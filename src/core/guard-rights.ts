/** Nobody grants more than it holds: rows of access collections, judged after they were written. */
import { holdsPermissions, holdsPolicy, type PolicyGrant } from '../authz/covered.ts'
import { faultOf, type PermissionRow } from '../authz/rules.ts'
import type { Access } from '../domain/actor.ts'
import type { Context, Written } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'

/** By whom these columns of a user are set, that user can become the other, or let it in. */
const identity = ['role', 'status', 'password', 'email', 'token', 'tfa_secret', 'provider', 'external_identifier']

/** What of oneself one may change without holding anything. */
const own = ['password', 'email', 'token']

/**
 * Throws `forbidden` when the rows give anybody, or let the writer take over, rights that the writer
 * does not hold. Administrators hold everything.
 */
export async function assertNothingGained(ctx: Context, written: readonly Written[]): Promise<void> {
  const { actor } = ctx
  if (actor.kind === 'system' || actor.access.admin) return
  const self = actor.kind === 'user' ? actor.user : null
  const users = keysOf(written, 'platform_users', identity).filter(
    (key) =>
      key !== self || changed(written, self).some((column) => identity.includes(column) && !own.includes(column)),
  )
  const found = await readGrants(ctx, {
    users,
    roles: keysOf(written, 'platform_roles', ['parent']),
    access: keysOf(written, 'platform_access', ['role', 'user', 'policy']),
    policies: keysOf(written, 'platform_policies', ['admin_access', 'app_access', 'ip_access', 'enforce_tfa']),
    shares: keysOf(written, 'platform_shares', null),
    registration: keysOf(written, 'platform_settings', ['public_registration_role']).length > 0,
  })
  const permissions = await readPermissions(ctx, keysOf(written, 'platform_permissions', null))
  const holds = (access: Access): boolean =>
    found.every((policy) => holdsPolicy(access, policy, ctx.schema)) &&
    holdsPermissions(access, permissions, ctx.schema)
  if (holds(actor.access)) return
  throw gained()
}

const gained = (): TandemError => new TandemError({ kind: 'forbidden', reason: 'Nobody can grant more than it holds' })

/**
 * Throws `invalid-payload` for a permission that could not be used as it was saved: it names what does
 * not exist, or holds a condition that nobody understands. To others than administrators what is missing
 * looks like what they do not hold.
 */
export async function assertRulesUsable(ctx: Context, written: readonly Written[]): Promise<void> {
  const { actor, schema } = ctx
  const isAdmin = actor.kind === 'system' || actor.access.admin
  for (const row of await readPermissions(ctx, keysOf(written, 'platform_permissions', ruleColumns))) {
    const fault = faultOf(row, schema)
    if (fault === null) continue
    if (fault.isUnknownName && !isAdmin) throw gained()
    throw new TandemError({ kind: 'invalid-payload', name: fault.name, reason: fault.reason })
  }
}

const ruleColumns = ['collection', 'action', 'fields', 'permissions', 'validation', 'presets']

/** Keys of rows that were inserted, or updated in one of these columns (null = in any). */
function keysOf(written: readonly Written[], collection: string, columns: readonly string[] | null): readonly string[] {
  return written
    .filter((each) => each.collection === collection && each.kind !== 'delete')
    .filter((each) => columns === null || each.columns.some((column) => columns.includes(column)))
    .flatMap(({ keys }) => keys)
}

const changed = (written: readonly Written[], user: string | null): readonly string[] =>
  written
    .filter(({ collection, keys }) => collection === 'platform_users' && user !== null && keys.includes(user))
    .flatMap(({ columns }) => columns)

type Asked = {
  readonly users: readonly string[]
  readonly roles: readonly string[]
  readonly access: readonly string[]
  readonly policies: readonly string[]
  /** Whoever has a share's id may do what its role may. */
  readonly shares: readonly string[]
  /** The role that registration gives. */
  readonly registration: boolean
}

async function readGrants({ db }: Context, asked: Asked): Promise<readonly PolicyGrant[]> {
  const { users, roles, access, policies, shares, registration } = asked
  const counted = [users, roles, access, policies, shares].reduce((sum, keys) => sum + keys.length, 0)
  if (counted === 0 && !registration) return []
  const { rows } = await db.run({ text: selectGrants, values: [users, roles, access, policies, registration, shares] })
  return rows as readonly PolicyGrant[]
}

const selectGrants = `
with recursive lineage (id, parent) as (
  select id, parent from platform_roles where id::text = any($2)
    or id in (select role from platform_users where id::text = any($1))
    or ($5::boolean and id in (select public_registration_role from platform_settings))
    or id in (select role from platform_shares where id::text = any($6))
  union
  select r.id, r.parent from platform_roles r join lineage l on r.id = l.parent
), gained (policy) as (
  select policy from platform_access
    where role in (select id from lineage) or "user"::text = any($1) or id::text = any($3)
  union
  select id from platform_policies where id::text = any($4)
)
select p.id, p.admin_access, p.app_access,
  (select coalesce(json_agg(x order by x.id), '[]') from platform_permissions x where x.policy = p.id) as permissions
from platform_policies p where p.id in (select policy from gained)`

async function readPermissions({ db }: Context, keys: readonly string[]): Promise<readonly PermissionRow[]> {
  if (keys.length === 0) return []
  const { rows } = await db.run({ text: 'select * from platform_permissions where id::text = any($1)', values: [keys] })
  return rows as readonly PermissionRow[]
}
