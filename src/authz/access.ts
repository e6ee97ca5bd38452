/** The rights of an actor: its policies, the addresses for which they apply, and their rules. */
import type { Access, Rule } from '../domain/rights/actor.ts'
import { TandemError } from '../domain/rights/errors.ts'
import type { HeldAccess, LevelRow, PolicyRow } from '../domain/rights/stored-rights.ts'
import { hashText } from '../domain/schema/hash-text.ts'
import type { Schema } from '../domain/schema/schema.ts'
import { isAddressAllowed } from './addresses.ts'
import { appRules } from './app-rules.ts'
import { withinReadable } from './history-rules.ts'
import { demandsOfLevels, originsOfLevels } from './levels.ts'
import { type IgnoredPermission, toRules } from './rules.ts'

export type AccessOwner =
  | { readonly kind: 'public' }
  | { readonly kind: 'user'; readonly user: string; readonly role: string | null }
  /** A role without a user; null is the public role. */
  | { readonly kind: 'role'; readonly role: string | null }

export type LoadedAccess = {
  readonly access: Access
  /** The role and its ancestors, nearest first. */
  readonly roles: readonly string[]
  /** Whether any of the policies requires a second factor. */
  readonly enforcesTfa: boolean
  /** Permission rows that grant less than they say; the caller logs them. */
  readonly ignored: readonly IgnoredPermission[]
  /** Of each rule of the access, where it comes from. */
  readonly origins: ReadonlyMap<Rule, RuleOrigin>
}

/** A stored permission of a policy, a level of a role, or what everybody with access to the application may do. */
export type RuleOrigin =
  | { readonly kind: 'permission'; readonly row: HeldAccess['permissions'][number] }
  | { readonly kind: 'level'; readonly row: LevelRow }
  | { readonly kind: 'app' }

/** Whether what the policy grants counts from the address. */
export const countsFrom = ({ ip_access: list }: Pick<PolicyRow, 'ip_access'>, ip: string | null): boolean =>
  isAddressAllowed((list ?? '').split(','), ip)

/** Rights from what is held, as they count from the address. Throws `invalid-ip` when a user's policies all exclude it. */
export function accessFrom(schema: Schema, found: HeldAccess, who: AccessOwner, ip: string | null): LoadedAccess {
  if (who.kind === 'user' && !isAddressAllowed((found.role_ip ?? '').split(','), ip)) {
    throw new TandemError({ kind: 'invalid-ip' })
  }
  const policies = found.policies.filter((policy) => countsFrom(policy, ip))
  if (who.kind === 'user' && policies.length === 0 && found.policies.length > 0) {
    throw new TandemError({ kind: 'invalid-ip' })
  }
  const enforcesTfa = found.role_tfa === true || policies.some((policy) => policy.enforce_tfa)
  return { roles: found.roles, enforcesTfa, ...toAccess(policies, found, schema) }
}

function toAccess(
  held: HeldAccess['policies'],
  { permissions, levels }: Pick<HeldAccess, 'permissions' | 'levels'>,
  schema: Schema,
): Omit<LoadedAccess, 'roles' | 'enforcesTfa'> {
  const policies = held.map(({ id }) => id)
  const admin = held.some((policy) => policy.admin_access)
  const app = held.some((policy) => policy.app_access || policy.admin_access)
  const rows = permissions.filter(({ policy }) => policies.includes(policy))
  const { origins: stored, ignored } = toRules(admin ? [] : rows, schema)
  const ofApp = app && !admin ? appRules(schema) : []
  const levelled = originsOfLevels(admin ? [] : levels, schema)
  const revisions = [...(schema.collections.get('platform_revisions')?.fields.keys() ?? [])]
  const staged = withinReadable(levelled, [...stored.keys(), ...levelled.keys(), ...ofApp], revisions)
  const demands = admin ? [] : demandsOfLevels(levels)
  const origins = new Map<Rule, RuleOrigin>([
    ...[...stored].map(([rule, row]) => [rule, { kind: 'permission', row }] as const),
    ...[...staged].map(([rule, row]) => [rule, { kind: 'level', row }] as const),
    ...ofApp.map((rule) => [rule, { kind: 'app' }] as const),
  ])
  const text = JSON.stringify([policies, admin, app, admin ? [] : rows, admin ? [] : levels, schema.version])
  const access: Access = {
    admin,
    app,
    policies,
    rules: [...origins.keys()],
    ...(demands.length === 0 ? {} : { demands }),
    fingerprint: `${hashText(text)}${hashText(`again ${text}`)}`,
  }
  return { access, ignored, origins }
}
