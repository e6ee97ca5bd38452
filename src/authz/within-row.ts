/** Rights to single rows: to one that is shown with other values, such as a version, and to the own account. */
import { equals, matchNone } from '../domain/query/filter.ts'
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
