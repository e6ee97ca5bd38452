import type { RuleOrigin } from '../../authz/access.ts'
import type { Filter } from '../../domain/query/filter.ts'
import type { Rule } from '../../domain/rights/actor.ts'
import type { Failure } from '../../domain/rights/errors.ts'

export type JudgedRule = {
  readonly rule: Rule
  /** For people. */
  readonly name: string
  readonly keys: RuleKeys
  /** Why the rule alone does not allow the request; empty if it does. */
  readonly refusals: readonly Failure[]
  /** The conditions that the item does not meet. */
  readonly unmet: readonly Filter[]
}

/** Keys of the rows that the rule comes from. */
export type RuleKeys = {
  readonly kind: RuleOrigin['kind']
  readonly permission?: number
  readonly level?: number
  readonly policy?: string
  readonly role?: string
  /** Of a level that is about the items with one status. */
  readonly status?: string
}
