/** Privilege escalation check: whether an actor has every right that it grants to others. */
import type { Access, Rule } from '../domain/rights/actor.ts'
import type { PermissionRow, PolicyGrant } from '../domain/rights/stored-rights.ts'
import type { Schema } from '../domain/schema/schema.ts'
import { covers } from './grants.ts'
import { toRules } from './rules.ts'

/** Whether the access includes everything that the policy grants. A policy that the access already holds adds only its flags. */
export function holdsPolicy(access: Access, policy: PolicyGrant, schema: Schema): boolean {
  if (access.admin) return true
  if (policy.admin_access || (policy.app_access && !access.app)) return false
  return access.policies.includes(policy.id) || holdsPermissions(access, policy.permissions, schema)
}

/** Whether each permission is covered. A permission without effect today is not covered: it may take effect later. */
export function holdsPermissions(access: Access, rows: readonly PermissionRow[], schema: Schema): boolean {
  if (access.admin) return true
  const { rules, ignored } = toRules(rows, schema)
  return ignored.length === 0 && rules.length === rows.length && rules.every((rule) => isCovered(rule, access.rules))
}

/**
 * A rule is covered if for each of its fields there is a held rule with the same filter and validation, or with none.
 * Presets write fields too: each preset must be covered, or must be the same in the held rule.
 */
function isCovered(rule: Rule, held: readonly Rule[]): boolean {
  const able = held.filter(
    (other) =>
      other.collection === rule.collection &&
      other.action === rule.action &&
      (other.filter.kind === 'all' || isSame(other.filter, rule.filter)) &&
      (other.validation === null || isSame(other.validation, rule.validation)) &&
      (other.presets === null || isSame(other.presets, rule.presets)),
  )
  const { fields } = rule
  if (fields === '*') return able.some((other) => other.fields === '*')
  const isAble = (field: string): boolean => able.some((other) => covers(other, field))
  const set = able.some((other) => other.presets !== null) ? [] : Object.keys(rule.presets ?? {})
  return able.length > 0 && fields.every(isAble) && set.every(isAble)
}

const isSame = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right)
