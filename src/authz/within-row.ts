/** Rights to a row that is shown with other values, such as a version: they cover what is readable in both states. */

import { matchNone } from '../domain/query/filter.ts'
import type { Access, Actor, Rule } from '../domain/rights/actor.ts'
import { isUnlimited, rulesFor } from './grants.ts'

/**
 * The actor with its read rules on the collection reduced to the fields that are readable in the stored row. `met` are
 * the rules that match the stored row. Other fields can still be selected; they are null.
 */
export function withinRow(actor: Actor, collection: string, met: ReadonlySet<Rule>): Actor {
  if (actor.kind === 'system' || isUnlimited(actor)) return actor
  const reading = rulesFor(actor, collection, 'read')
  const held = fieldsOf(reading.filter((rule) => met.has(rule)))
  if (held === '*') return actor
  const cut = reading.flatMap((rule): readonly Rule[] => [
    { ...rule, fields: rule.fields === '*' ? held : rule.fields.filter((field) => held.includes(field)) },
    { ...rule, filter: matchNone },
  ])
  const rules = [...actor.access.rules.filter((rule) => !reading.includes(rule)), ...cut]
  const access: Access = { ...actor.access, rules, fingerprint: `${actor.access.fingerprint} ${held.join(',')}` }
  return { ...actor, access }
}

function fieldsOf(rules: readonly Rule[]): Rule['fields'] {
  const fields = new Set<string>()
  for (const rule of rules) {
    if (rule.fields === '*') return '*'
    for (const field of rule.fields) fields.add(field)
  }
  return [...fields]
}
