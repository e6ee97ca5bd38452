/** Rights to a row that is read as if it held other values: neither state of it shows more than the actor may see. */
import type { Access, Actor, Rule } from '../domain/actor.ts'
import { matchNone } from '../domain/filter.ts'
import { isUnlimited, rulesFor } from './grants.ts'

/**
 * The actor with its rules about reading the collection cut to the fields that it may read of the row as it is
 * stored, where `met` are the rules that match that row. Other fields can still be named, and are null.
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
