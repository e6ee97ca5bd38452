/** Rules that are not stored as permissions, so that clients see them beside the others. */

import { appRules } from '../../authz/app-rules.ts'
import { readDerivedRules } from '../../core/access/own-levels.ts'
import { showNames } from '../../domain/model/system-spelling.ts'
import type { ReadContext } from '../../domain/ports/context.ts'
import type { Filter, Literal, Value } from '../../domain/query/filter.ts'
import type { Query } from '../../domain/query/query.ts'
import type { Rule } from '../../domain/rights/actor.ts'
import type { LevelRow } from '../../domain/rights/stored-rights.ts'
import type { Schema } from '../../domain/schema/schema.ts'

export const appPermissions = (schema: Schema): readonly RuleJson[] =>
  appRules(schema).map((rule) => ruleToJson(rule, null))

/**
 * Appends to the JSON text of a list the caller's built-in rules, and the rules that levels of roles stand for, with the
 * requested fields, `system` and the `level`. A list of only some permissions stays unchanged.
 */
export async function withSystemRules(list: string, ctx: ReadContext, query: Query): Promise<string> {
  if (ctx.actor.kind !== 'user' || !isWhole(query)) return list
  const show = (row: RuleJson, more: object): string =>
    showNames(JSON.stringify({ ...shownOf(row, query), system: true, ...more }), ctx.view.systemPrefix)
  const builtIn = ctx.actor.access.app ? appPermissions(ctx.schema).map((row) => show(row, {})) : []
  const derived = (await readDerivedRules(ctx)).map(({ rule, row }) =>
    show(ruleToJson(rule, row.role), { level: levelOf(row, rule) }),
  )
  const rows = [...builtIn, ...derived]
  if (rows.length === 0) return list
  return `${list === '[]' ? '[' : `${list.slice(0, -1)},`}${rows.join(',')}]`
}

// Levels do not speak of shares, so that no rule of that action comes from one.
const levelOf = (row: LevelRow, { action }: Rule): object => ({
  id: row.id,
  status: row.status,
  value: action === 'share' ? null : row[action],
})

const isWhole = ({ filter, search, page, aggregation, distinct }: Query): boolean =>
  filter.kind === 'all' && search === null && page.offset === 0 && aggregation === null && distinct === undefined

function shownOf(row: RuleJson, { selection }: Query): object {
  if (selection.some(({ kind }) => kind === 'wildcard')) return row
  const values = new Map(Object.entries(row))
  const shown = selection.flatMap((each) =>
    each.kind === 'field' && values.has(each.field) ? [[each.key, values.get(each.field)] as const] : [],
  )
  return Object.fromEntries(shown)
}

/** A rule in the form of a stored permission that belongs to no policy. */
type RuleJson = {
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

const ruleToJson = (rule: Rule, role: string | null): RuleJson => {
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
    // A condition on a field that is not submitted never fails, so this alternative is omitted.
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
