/** Whether rights are among those that somebody holds: what may be granted by one who may not grant everything. */
import type { Access, Rule } from '../domain/actor.ts'
import type { Schema } from '../domain/schema.ts'
import { covers } from './grants.ts'
import { type PermissionRow, toRules } from './rules.ts'

/** A policy as somebody would come to hold it. */
export type PolicyGrant = {
  readonly id: string
  readonly admin_access: boolean
  readonly app_access: boolean
  readonly permissions: readonly PermissionRow[]
}

/** Whether the policy gives nothing that the access lacks. A policy that it holds itself does not, but for its flags. */
export function holdsPolicy(access: Access, policy: PolicyGrant, schema: Schema): boolean {
  if (access.admin) return true
  if (policy.admin_access || (policy.app_access && !access.app)) return false
  return access.policies.includes(policy.id) || holdsPermissions(access, policy.permissions, schema)
}

/** Whether each permission is covered. One that means nothing yet may come to mean something, so it is not. */
export function holdsPermissions(access: Access, rows: readonly PermissionRow[], schema: Schema): boolean {
  if (access.admin) return true
  const { rules, ignored } = toRules(rows, schema)
  return ignored.length === 0 && rules.length === rows.length && rules.every((rule) => isCovered(rule, access.rules))
}

/**
 * Each field is covered by a held rule of the same condition on rows and payloads, or of none. What a rule sets by itself
 * is written as well, into whichever field: that has to be covered too, or to be set by the held rule in the same way.
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
