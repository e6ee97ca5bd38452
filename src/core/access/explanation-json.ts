/** An explanation of rights as JSON, for clients and for the command line. */
import { filterText } from '../../domain/conditions/filter-text.ts'
import type { ExplainedAction, Explanation } from './explain-rights.ts'
import type { JudgedRule } from './judged-rule.ts'

/** Policies that are not held are left out. */
export function toExplanationJson({ subject, collection, actions }: Explanation) {
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
      through: [...through],
      counts,
    })),
    levels: held.levels.filter((row) => row.collection === collection),
    collection,
    actions: actions.map(toActionJson),
  }
}

export type ExplanationJson = ReturnType<typeof toExplanationJson>

function toActionJson({ action, granted, causes, rules, rows, fields }: ExplainedAction) {
  const statement = rows?.statement ?? null
  const sql = statement === null ? {} : { sql: statement.text, values: [...statement.values] }
  return {
    action,
    granted,
    causes: [...causes],
    rules: rules.map(toRuleJson),
    rows: rows === null ? null : { text: rows.text, ...sql },
    fields: [...fields],
  }
}

function toRuleJson({ rule, name, keys, refusals }: JudgedRule) {
  return {
    ...keys,
    name,
    grants: refusals.length === 0,
    fields: rule.fields === '*' ? ['*'] : [...rule.fields],
    rows: rule.action === 'create' ? 'new items' : filterText(rule.filter),
    validation: rule.validation === null ? null : filterText(rule.validation),
    presets: rule.presets === null ? null : { ...rule.presets },
  }
}
