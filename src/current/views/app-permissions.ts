/** Rules that are not stored as permissions, so that clients see them beside the others. */
import { appRules } from '../../authz/app-rules.ts'
import { readDerivedRules } from '../../core/access/own-levels.ts'
import type { ReadContext } from '../../domain/ports/context.ts'
import type { Query } from '../../domain/query/query.ts'
import type { Rule } from '../../domain/rights/actor.ts'
import type { LevelRow } from '../../domain/rights/stored-rights.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import { type RuleJson, ruleToJson } from './rule-json.ts'
import { showNames } from './system-names.ts'

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
