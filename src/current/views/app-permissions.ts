/** Built-in rules for app users in the form of stored permissions, so that clients see them beside the others. */
import { appRules } from '../../authz/app-rules.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Filter, Literal, Value } from '../../domain/query/filter.ts'
import type { Query } from '../../domain/query/query.ts'
import type { Rule } from '../../domain/rights/actor.ts'
import type { Schema } from '../../domain/schema/schema.ts'

/** A built-in rule in the form of a stored permission. */
export type AppPermission = {
  readonly policy: null
  readonly role: null
  readonly collection: string
  readonly action: Rule['action']
  readonly permissions: object | null
  readonly validation: object | null
  readonly presets: object | null
  readonly fields: readonly string[]
}

/** All built-in rules; they belong to no policy. */
export const appPermissions = (schema: Schema): readonly AppPermission[] =>
  appRules(schema).map(({ collection, action, fields, filter, validation, presets }) => ({
    policy: null,
    role: null,
    collection,
    action,
    permissions: filter.kind === 'all' ? null : toJson(filter),
    validation: validation === null ? null : toJson(validation),
    presets: presets === null ? null : toWords(presets),
    fields: fields === '*' ? ['*'] : fields,
  }))

/**
 * Appends the caller's built-in rules to the JSON text of a list, with the requested fields and `system`. A list of
 * only some permissions stays unchanged.
 */
export function withAppPermissions(list: string, { actor, schema }: Context, asked: Query): string {
  if (actor.kind !== 'user' || !actor.access.app || !isWhole(asked)) return list
  const rows = appPermissions(schema).map((row) => JSON.stringify({ ...shownOf(row, asked), system: true }))
  if (rows.length === 0) return list
  return `${list === '[]' ? '[' : `${list.slice(0, -1)},`}${rows.join(',')}]`
}

const isWhole = ({ filter, search, page, aggregation, distinct }: Query): boolean =>
  filter.kind === 'all' && search === null && page.offset === 0 && aggregation === null && distinct === undefined

function shownOf(row: AppPermission, { selection }: Query): object {
  if (selection.some(({ kind }) => kind === 'wildcard')) return row
  const values = new Map(Object.entries(row))
  const shown = selection.flatMap((each) =>
    each.kind === 'field' && values.has(each.field) ? [[each.key, values.get(each.field)] as const] : [],
  )
  return Object.fromEntries(shown)
}

function toJson(filter: Filter): object {
  if (filter.kind === 'and') return { _and: filter.filters.map(toJson) }
  if (filter.kind === 'or') return { _or: filter.filters.map(toJson) }
  if (filter.kind !== 'compare' || filter.operand.kind !== 'field') throw new Error('Unexpected application rule')
  const [value = true] = filter.values
  const word = toWord(value)
  return { [filter.operand.field]: { [`_${filter.operator}`]: filter.operator === 'in' ? [word] : word } }
}

const toWords = (presets: NonNullable<Rule['presets']>): object =>
  Object.fromEntries(
    Object.entries(presets).map(([field, value]) => [field, Array.isArray(value) ? value : toWord(value as Value)]),
  )

const words: { readonly [kind: string]: string } = {
  'current-user': '$CURRENT_USER',
  'current-roles': '$CURRENT_ROLES',
  'current-policies': '$CURRENT_POLICIES',
}

function toWord(value: Value): Literal {
  if (typeof value !== 'object' || value === null) return value
  return words[String(value['kind'])] ?? null
}
