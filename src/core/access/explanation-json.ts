/** An explanation of rights as JSON, for clients and for the command line. */
import { filterText } from '../../domain/conditions/filter-text.ts'
import { writeFilter } from '../../domain/conditions/write-filter.ts'
import type { ExplainedAction, Explanation } from './explain-rights.ts'
import { holderText } from './explained-subject.ts'
import type { JudgedRule } from './judged-rules.ts'

/** Policies that are not held are left out. */
export function toExplanationJson({ schema, subject, collection, actions }: Explanation) {
  const { user, roles, policies, held } = subject
  const shown = [...policies.values()].filter(({ through }) => through.length > 0)
  return {
    user: user === null ? null : { id: user.id, email: user.email },
    roles: [...roles].map(([id, name]) => ({ id, name })),
    policies: shown.map(({ id, name, admin_access, app_access, through, counts }) => ({
      id,
      name,
      admin_access,
      app_access,
      through: through.map(holderText),
      holders: [...through],
      counts,
    })),
    levels: held.levels.filter((row) => row.collection === collection),
    collection,
    actions: actions.map((each) => toActionJson(each, { schema, collection })),
  }
}

export type ExplanationJson = ReturnType<typeof toExplanationJson>

type Scope = Parameters<typeof writeFilter>[1]

function toActionJson({ action, granted, causes, rules, rows, fields }: ExplainedAction, at: Scope) {
  const statement = rows?.statement ?? null
  const sql = statement === null ? {} : { sql: statement.text, values: [...statement.values] }
  return {
    action,
    granted,
    causes: [...causes],
    rules: rules.map((each) => toRuleJson(each, at)),
    rows: rows === null ? null : { text: rows.text, filter: rows.filter && writeFilter(rows.filter, at), ...sql },
    fields: [...fields],
  }
}

function toRuleJson({ rule, name, record, refusals }: JudgedRule, at: Scope) {
  return {
    ...record,
    name,
    grants: refusals.length === 0,
    fields: rule.fields === '*' ? ['*'] : [...rule.fields],
    rows: rule.action === 'create' ? 'new items' : filterText(rule.filter),
    filter: rule.action === 'create' ? null : writeFilter(rule.filter, at),
    validation: rule.validation === null ? null : filterText(rule.validation),
    presets: rule.presets === null ? null : { ...rule.presets },
  }
}
