/** Nobody grants more than it holds: rows of access collections, judged after they were written. */
import { holdsPermissions, holdsPolicy } from '../../authz/covered.ts'
import { faultOf } from '../../authz/rules.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Written } from '../../domain/ports/write-log.ts'
import type { Access } from '../../domain/rights/actor.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import type { PermissionRow, PolicyGrant } from '../../domain/rights/stored-rights.ts'
import { findGrantedPolicies, findPermissions, type WrittenRights } from '../../sql/statements/access.ts'

/** By whom these columns of a user are set, that user can become the other, or let it in. */
const identity = ['role', 'status', 'password', 'email', 'token', 'tfa_secret', 'provider', 'external_identifier']

const settings = 'platform_settings'

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
    registration: {
      changed: keysOf(written, settings, ['public_registration_role', 'public_registration_email_filter']).length > 0,
      switched: keysOf(written, settings, ['public_registration']),
      verification: keysOf(written, settings, ['public_registration_verify_email']),
    },
  })
  const permissions = await readPermissions(ctx, keysOf(written, 'platform_permissions', null))
  const holds = (access: Access): boolean =>
    found.every((policy) => holdsPolicy(access, policy, ctx.schema)) &&
    holdsPermissions(access, permissions, ctx.schema)
  if (holds(actor.access)) return
  throw gained()
}

/** Levels are for administrators to give: nothing compares them with what the writer holds. */
export function assertLevelsAllowed({ actor }: Context, written: readonly Written[]): void {
  if (actor.kind === 'system' || actor.access.admin) return
  if (written.some(({ collection }) => collection === 'platform_role_levels')) throw gained()
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
    throw invalidPayload(fault.name, fault.reason)
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

async function readGrants({ db }: Context, written: WrittenRights): Promise<readonly PolicyGrant[]> {
  const { registration, ...keys } = written
  const { changed, switched, verification } = registration
  const lists = [...Object.values(keys), switched, verification]
  if (!changed && lists.every((each) => each.length === 0)) return []
  return findGrantedPolicies(db, written)
}

const readPermissions = async ({ db }: Context, keys: readonly string[]): Promise<readonly PermissionRow[]> =>
  keys.length === 0 ? [] : findPermissions(db, keys)
