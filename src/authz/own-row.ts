/** The right of users to read their own account, where their role has no rule on users. */

import { equals } from '../domain/query/filter.ts'
import type { Actor, Rule } from '../domain/rights/actor.ts'

const collection = 'platform_users'

/** The actor with the right to read these fields of its own account, unless it has a rule for reading users. */
export function readingItself(actor: Actor, fields: readonly string[]): Actor {
  if (actor.kind !== 'user' || actor.access.admin || actor.access.awaitsSecondFactor === true) return actor
  if (actor.access.rules.some((rule) => rule.collection === collection && rule.action === 'read')) return actor
  const own: Rule = {
    collection,
    action: 'read',
    fields,
    filter: equals('id', { kind: 'current-user', path: [] }),
    validation: null,
    presets: null,
  }
  const rules = [...actor.access.rules, own]
  return { ...actor, access: { ...actor.access, rules, fingerprint: `${actor.access.fingerprint} reading itself` } }
}
