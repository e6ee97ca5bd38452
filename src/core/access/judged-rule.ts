import type { RuleOrigin } from '../../authz/access.ts'
import type { Filter } from '../../domain/query/filter.ts'
import type { Rule } from '../../domain/rights/actor.ts'
import type { Failure } from '../../domain/rights/errors.ts'

export type JudgedRule = {
  readonly rule: Rule
  /** For people. */
  readonly name: string
  readonly record: RuleRecord
  /** Why the rule alone does not allow the request; empty if it does. */
  readonly refusals: readonly Failure[]
  /** The conditions that the item does not meet. */
  readonly unmet: readonly Filter[]
}

/** Where the rule comes from: keys and names of rows. */
export type RuleRecord = {
  readonly kind: RuleOrigin['kind']
  readonly permission?: number
  readonly level?: number
  readonly policy?: string
  readonly policy_name?: string
  readonly role?: string
  readonly role_name?: string
  /** Of a level that is about the items with one status. */
  readonly status?: string
}
