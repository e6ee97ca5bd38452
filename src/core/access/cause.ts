/** Why something is denied, or ignored. */

export type Cause = {
  readonly code: CauseCode
  readonly message: string
  /** Keys of the rows to look at. */
  readonly permission?: number
  readonly level?: number
  readonly policy?: string
  readonly role?: string
}

const causeCodes = [
  'administrator',
  'administrator-demanded',
  'app-access-missing',
  'rule',
  'user-suspended',
  'user-inactive',
  'invalid-ip',
  'second-factor-demanded',
  'collection-unknown',
  'collection-without-table',
  'field-unknown',
  'item-missing',
  'item-not-covered',
  'field-not-covered',
  'field-unreadable',
  'values-refused',
  'comment-demanded',
  'database-refuses',
  'rule-ignored',
  'policy-address',
  'policy-not-held',
  'level-not-held',
  'level',
  'other-action',
  'no-rule',
  'refused',
] as const

export type CauseCode = (typeof causeCodes)[number]
