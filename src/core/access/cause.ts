/** Why something is denied, or ignored. */

import type { RuleOrigin } from '../../authz/access.ts'
import type { LevelFault } from '../../authz/levels.ts'
import type { JsonFilter } from '../../domain/conditions/write-filter.ts'
import type { Action } from '../../domain/rights/actor.ts'
import type { PolicyHolder } from '../../sql/statements/operation/explained.ts'

/** The cause in words, and their parts as data: the records to look at, and what the words say of them. */
export type Cause = Partial<RuleRecord> & {
  readonly code: CauseCode
  readonly message: string
  readonly collection?: string
  readonly action?: string
  /** Those that the rules are about. */
  readonly actions?: Action[]
  readonly field?: string
  /** Those that the rule names; `*` = every field. */
  readonly fields?: string[]
  /** What the rule demands of the item or of the values. */
  readonly filter?: JsonFilter
  /** Who holds the policy; absent if nobody does. */
  readonly holders?: PolicyHolder[]
  /** How many other users hold it. */
  readonly others?: number
  /** From where the policy or the role counts. */
  readonly addresses?: string[]
  /** From where the request is thought to come. */
  readonly ip?: string | null
  /** What the level says of the action, and why that grants nothing. */
  readonly value?: string
  readonly fault?: LevelFault
  readonly reason?: string
}

export type CauseCode =
  | 'administrator'
  | 'administrator-demanded'
  | 'app-access-missing'
  | 'rule'
  | 'user-suspended'
  | 'user-inactive'
  | 'invalid-ip'
  | 'second-factor-demanded'
  | 'collection-unknown'
  | 'collection-without-table'
  | 'field-unknown'
  | 'item-missing'
  | 'item-not-covered'
  | 'field-not-covered'
  | 'field-unreadable'
  | 'values-refused'
  | 'comment-demanded'
  | 'database-refuses'
  | 'rule-ignored'
  | 'policy-address'
  | 'policy-not-held'
  | 'level-not-held'
  | 'level'
  | 'other-action'
  | 'no-rule'
  | 'refused'

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
