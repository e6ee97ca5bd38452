/** `tandem explain`: the rights of an actor, and the rule behind each. */

import { ConfigError } from '../config/error.ts'
import { explainRights } from '../core/access/explain-rights.ts'
import { type ExplanationJson, toExplanationJson } from '../core/access/explanation-json.ts'
import { isRecord } from '../domain/is-record.ts'
import { parseOr } from '../domain/parse-or.ts'
import { type Changes, toChanges } from '../domain/query/mutation.ts'
import type { Action } from '../domain/rights/actor.ts'
import { coreView } from '../domain/schema/core-view.ts'
import { createContext } from './context.ts'
import { print, withTables } from './database.ts'

export type ExplainOptions = {
  readonly user: string
  readonly collection: string
  readonly action?: Action
  readonly item?: string
  readonly field?: string
  readonly values?: string
  readonly ip?: string
  readonly json: boolean
}

/** Prints the explanation, for people or as the API answers. */
export const printExplanation = (options: ExplainOptions): Promise<void> =>
  withTables(async (db, config) => {
    const { user, collection, action = null, item = null, field = null, ip = null } = options
    const values = options.values === undefined ? null : parseValues(options.values)
    const ctx = await createContext(db, config, { generation: { createView: coreView }, command: 'tandem explain' })
    const question = { user, collection, action, key: item, field, values, ip }
    const explanation = toExplanationJson(await explainRights(ctx, question))
    if (options.json) print(JSON.stringify({ data: explanation }, null, 2))
    else for (const line of linesOf(explanation)) print(line)
  })

function parseValues(text: string): Changes {
  const values = parseOr(text, null)
  if (!isRecord(values)) throw new ConfigError('--values', 'a JSON object', text)
  return toChanges(values)
}

function linesOf({ user, roles, policies, actions, collection }: ExplanationJson): readonly string[] {
  const who = user === null ? 'Callers without a token' : (user.email ?? user.id)
  const lines = policies.map(({ name, through, counts }) => {
    return `  policy "${name}" through ${through.join(', ')}${counts ? '' : ' (does not count from this address)'}`
  })
  return [
    `${who}: roles ${roles.length === 0 ? 'none' : roles.map(({ name }) => name).join(', ')}`,
    ...lines,
    ...actions.flatMap((each) => actionLines(each, collection)),
  ]
}

function actionLines(
  { action, granted, causes, rules, rows, fields }: ExplanationJson['actions'][number],
  collection: string,
): readonly string[] {
  const partial = fields.map(({ field, rows: on }) => (on === null ? field : `${field} (where ${on})`))
  return [
    `${action} ${collection}: ${granted ? 'granted' : 'refused'}`,
    ...causes.map(({ message }) => `  because: ${message}`),
    ...rules.map(
      ({ name, grants, rows: reached }) => `  rule: ${name}, ${reached}: ${grants ? 'grants' : 'does not grant'}`,
    ),
    ...(rows === null ? [] : [`  items: ${rows.text}`]),
    ...(rows === null || !('sql' in rows) ? [] : [`  sql: ${rows.sql} ${JSON.stringify(rows.values)}`]),
    ...(partial.length === 0 ? [] : [`  fields: ${partial.join(', ')}`]),
  ]
}
