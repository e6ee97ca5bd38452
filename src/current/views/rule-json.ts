/** Rules in the form of stored permissions. */
import type { Filter, Literal, Value } from '../../domain/query/filter.ts'
import type { Rule } from '../../domain/rights/actor.ts'

/** A rule in the form of a stored permission that belongs to no policy. */
export type RuleJson = {
  readonly policy: null
  /** The role that a rule is derived for; null for the rules of all app users. */
  readonly role: string | null
  readonly collection: string
  readonly action: Rule['action']
  readonly permissions: object | null
  readonly validation: object | null
  readonly presets: object | null
  readonly fields: readonly string[]
}

export const ruleToJson = (rule: Rule, role: string | null): RuleJson => {
  const { collection, action, fields, filter, validation, presets } = rule
  return {
    policy: null,
    role,
    collection,
    action,
    permissions: filter.kind === 'all' ? null : toJson(filter),
    validation: validation === null ? null : toJson(validation),
    presets: presets === null ? null : toWords(presets),
    fields: fields === '*' ? ['*'] : fields,
  }
}

function toJson(filter: Filter): object {
  if (filter.kind === 'and') return { _and: filter.filters.map(toJson) }
  if (filter.kind === 'or') {
    // A condition on a field that is not submitted never fails, so that this alternative need not be said.
    const [only, ...more] = filter.filters.filter((each) => each.kind !== 'not')
    return only !== undefined && more.length === 0 ? toJson(only) : { _or: filter.filters.flatMap(alternative) }
  }
  if (filter.kind === 'related') return { [filter.field]: toJson(filter.filter) }
  if (filter.kind !== 'compare' || filter.operand.kind !== 'field') throw new Error('Unexpected rule')
  const { operator, values } = filter
  const [value = true] = values
  const operand = listed.has(operator) ? values.map(toWord) : toWord(value)
  return { [filter.operand.field]: { [`_${operator}`]: operand } }
}

const alternative = (filter: Filter): readonly object[] => (filter.kind === 'not' ? [] : [toJson(filter)])

const listed: ReadonlySet<string> = new Set(['in', 'nin'])

const toWords = (presets: NonNullable<Rule['presets']>): object =>
  Object.fromEntries(
    Object.entries(presets).map(([field, value]) => [field, Array.isArray(value) ? value : toWord(value as Value)]),
  )

const words: { readonly [kind: string]: string } = {
  'current-user': '$CURRENT_USER',
  'current-role': '$CURRENT_ROLE',
  'current-roles': '$CURRENT_ROLES',
  'current-policies': '$CURRENT_POLICIES',
}

function toWord(value: Value): Literal {
  if (typeof value !== 'object' || value === null) return value
  return words[String(value['kind'])] ?? null
}
