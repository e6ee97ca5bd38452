/** The rights of an actor: its policies, the addresses for which they apply, and their rules. */

import { and, type Comparison, compare, matchNone } from '../domain/query/filter.ts'
import type { Access, Rule } from '../domain/rights/actor.ts'
import { TandemError } from '../domain/rights/errors.ts'
import type { HeldAccess, LevelRow, PolicyRow } from '../domain/rights/stored-rights.ts'
import { hashText } from '../domain/schema/hash-text.ts'
import type { Schema } from '../domain/schema/schema.ts'
import { isAddressAllowed } from './addresses.ts'
import { appRules } from './app-rules.ts'
import { demandsOfLevels } from './level-demands.ts'
import { originsOfLevels } from './levels.ts'
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
  /** The origin of each rule of the access. */
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
export function accessFrom(schema: Schema, held: HeldAccess, who: AccessOwner, ip: string | null): LoadedAccess {
  if (who.kind === 'user' && !isAddressAllowed((held.role_ip ?? '').split(','), ip)) {
    throw new TandemError({ kind: 'invalid-ip' })
  }
  const policies = held.policies.filter((policy) => countsFrom(policy, ip))
  if (who.kind === 'user' && policies.length === 0 && held.policies.length > 0) {
    throw new TandemError({ kind: 'invalid-ip' })
  }
  const enforcesTfa = held.role_tfa === true || policies.some((policy) => policy.enforce_tfa)
  return { roles: held.roles, enforcesTfa, ...toAccess(policies, held, schema) }
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

/** The rights of levels on the history, which never exceed the rights on the items themselves. */
const history = 'platform_revisions'
/** The fields that hold what an item contained. */
const contents: ReadonlySet<string> = new Set(['data', 'delta'])
/** Their items are the names of tables and columns. */
const model: ReadonlySet<string> = new Set(['platform_collections', 'platform_fields', 'platform_relations'])

/**
 * Narrows rules of levels that let revisions be read: to collections of which `all` lets some item be read, and their
 * contents to collections of which it lets everything be read. Other rules stay as they are.
 */
function withinReadable<T>(
  origins: ReadonlyMap<Rule, T>,
  all: readonly Rule[],
  names: readonly string[],
): ReadonlyMap<Rule, T> {
  if (![...origins.keys()].some(isOfHistory)) return origins
  const reading = all.filter(({ action, collection }) => action === 'read' && !model.has(collection))
  const some = among(new Set(reading.map(({ collection }) => collection)))
  const whole = among(new Set(reading.filter(isWhole).map(({ collection }) => collection)))
  const plain = names.filter((name) => !contents.has(name))
  return new Map(
    [...origins].flatMap(([rule, origin]): readonly (readonly [Rule, T])[] => {
      if (!isOfHistory(rule)) return [[rule, origin]]
      const fields = rule.fields === '*' ? plain : rule.fields.filter((name) => !contents.has(name))
      return [
        [{ ...rule, fields, filter: and(rule.filter, some) }, origin],
        [{ ...rule, filter: and(rule.filter, whole) }, origin],
      ]
    }),
  )
}

const isOfHistory = ({ collection, action }: Rule): boolean => collection === history && action === 'read'

const isWhole = ({ fields, filter }: Rule): boolean => fields === '*' && filter.kind === 'all'

function among(collections: ReadonlySet<string>): Comparison | typeof matchNone {
  if (collections.size === 0) return matchNone
  return compare('collection', 'in', [...collections])
}
