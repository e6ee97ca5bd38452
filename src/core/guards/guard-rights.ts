/** Checks written access rows: nobody can grant more rights than they have. */
import { holdsPermissions, holdsPolicy } from '../../authz/covered.ts'
import { faultOf } from '../../authz/rules.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import type { Written } from '../../domain/ports/write-log.ts'
import type { Access } from '../../domain/rights/actor.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import type { PermissionRow, PolicyGrant } from '../../domain/rights/stored-rights.ts'
import { findGrantedPolicies, findPermissions, type WrittenRights } from '../../sql/statements/accounts/access.ts'

/** Columns of a user whose value gives control over the account. */
const identity = ['role', 'status', 'password', 'email', 'token', 'tfa_secret', 'provider', 'external_identifier']

const settings = 'platform_settings'

/** Columns that users may change in their own row without holding the same rights. */
const own = ['password', 'email', 'token']

/**
 * Throws `forbidden` if the rows grant rights that the writer does not have, or let the writer take over such rights.
 * Administrators have all rights.
 */
export async function assertNothingGained(
  ctx: ReadContext & Pick<Context, 'provisions'>,
  written: readonly Written[],
): Promise<void> {
  const { actor } = ctx
  assertOwnerStays(ctx, written)
  if (actor.kind === 'system' || (actor.access.admin && ctx.provisions !== true)) return
  const self = actor.kind === 'user' ? actor.user : null
  const users = keysOf(written, 'platform_users', identity).filter(
    (key) =>
      key !== self || changed(written, self).some((column) => identity.includes(column) && !own.includes(column)),
  )
  const grants = await readGrants(ctx, {
    users,
    roles: keysOf(written, 'platform_roles', ['parent']),
    access: keysOf(written, 'platform_access', ['role', 'user', 'policy']),
    policies: keysOf(written, 'platform_policies', ['admin_access', 'app_access', 'ip_access', 'enforce_tfa']),
    shares: keysOf(written, 'platform_shares', null),
    registration: {
      changed: keysOf(written, settings, ['public_registration_role', 'public_registration_email_filter']).length > 0,
      switched: keysOf(written, settings, ['public_registration']),
      verification: keysOf(written, settings, ['public_registration_verify_email']),
    },
  })
  const permissions = await readPermissions(ctx, keysOf(written, 'platform_permissions', null))
  const holds = (access: Access): boolean =>
    grants.every((policy) => holdsPolicy(access, policy, ctx.schema)) &&
    holdsPermissions(access, permissions, ctx.schema)
  if (ctx.provisions === true ? grants.every((policy) => !policy.admin_access) : holds(actor.access)) return
  throw gained()
}

/** An API key cannot take over the account of its user: it would outlive the key, and have all of the user's rights. */
function assertOwnerStays({ actor }: Pick<Context, 'actor'>, written: readonly Written[]): void {
  if (actor.kind !== 'user' || actor.key === undefined) return
  if (!changed(written, actor.user).some((column) => identity.includes(column))) return
  throw new TandemError({ kind: 'forbidden', reason: 'An API key cannot change how its user logs in' })
}

/** Only administrators may write levels, because levels are not compared with the writer's rights. */
export function assertLevelsAllowed({ actor }: Pick<Context, 'actor'>, written: readonly Written[]): void {
  if (actor.kind === 'system' || actor.access.admin) return
  if (written.some(({ collection }) => collection === 'platform_role_levels')) throw gained()
}

const gained = (): TandemError =>
  new TandemError({ kind: 'forbidden', reason: 'Users cannot grant more rights than they have' })

/**
 * Throws `invalid-payload` for a permission with an invalid condition, and under `limits.strict` for one that names a
 * missing collection or field. Otherwise such a permission is stored and has no effect while the name is missing. For
 * other actors than administrators a missing name has the same error as a missing right.
 */
export async function assertRulesUsable(
  ctx: ReadContext & Pick<Context, 'log'>,
  written: readonly Written[],
): Promise<void> {
  const { actor, schema, limits, log } = ctx
  const isAdmin = actor.kind === 'system' || actor.access.admin
  for (const row of await readPermissions(ctx, keysOf(written, 'platform_permissions', ruleColumns))) {
    const fault = faultOf(row, schema)
    if (fault === null) continue
    if (fault.isUnknownName && !isAdmin) throw gained()
    if (!fault.isUnknownName || limits.strict === true) throw invalidPayload(fault.name, fault.reason)
    log.warn({ permission: row.id, reason: fault.reason }, 'Stored a permission without effect')
  }
}

const ruleColumns = ['collection', 'action', 'fields', 'permissions', 'validation', 'presets']

/** Keys of rows that were inserted, or updated in one of these columns (null = in any column). */
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

async function readGrants({ db }: Pick<Context, 'db'>, written: WrittenRights): Promise<readonly PolicyGrant[]> {
  const { registration, ...keys } = written
  const { changed, switched, verification } = registration
  const lists = [...Object.values(keys), switched, verification]
  if (!changed && lists.every((each) => each.length === 0)) return []
  return findGrantedPolicies(db, written)
}

const readPermissions = async (
  { db }: Pick<Context, 'db'>,
  keys: readonly string[],
): Promise<readonly PermissionRow[]> => (keys.length === 0 ? [] : findPermissions(db, keys))
