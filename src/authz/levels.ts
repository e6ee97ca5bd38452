/**
 * Rules of a role that is described in levels: none, mine, role or full, for a collection or for each status of its
 * items, with lists of fields and statuses that are left out. Pure.
 */

import {
  and,
  type Comparison,
  compare,
  type DynamicValue,
  equals,
  type Filter,
  matchAll,
  or,
  type Value,
} from '../domain/query/filter.ts'
import type { Action, Rule } from '../domain/rights/actor.ts'
import type { LevelRow } from '../domain/rights/stored-rights.ts'
import type { Collection, Field, Schema } from '../domain/schema/schema.ts'

/** The rules that the rows of one role make, each with its row. */
export function originsOfLevels(rows: readonly LevelRow[], schema: Schema): ReadonlyMap<Rule, LevelRow> {
  const byCollection = Map.groupBy(counting(rows), ({ collection }) => collection)
  const entries = [...byCollection].flatMap(([name, own]) => {
    const collection = schema.collections.get(name)
    const names = schema.otherNames?.get(name)
    if (collection === undefined) return []
    return own.flatMap((row) => rulesOf(row, collection, names).map((rule) => [rule, row] as const))
  })
  return new Map(entries)
}

/** Why a row gives no right to the action; null where it gives one. `rows`: all levels of the roles. */
export function faultOfLevel(
  row: LevelRow,
  action: Exclude<Action, 'share'>,
  at: { readonly collection: Collection; readonly rows: readonly LevelRow[] },
): LevelFault | null {
  const { collection, rows } = at
  if (!counting(rows).includes(row)) return 'replaced'
  if (row.status !== null && statusField(collection) === null) return 'no-status-field'
  if (rowsAt(row[action], action, collection) !== null)
    return action === 'read' && hidesAll(fieldsLeft(row.read_field_blacklist, collection), collection)
      ? 'no-field'
      : null
  const level = row[action] ?? 'none'
  return level === 'none' ? 'none' : levels.has(level) ? 'no-owner' : 'unknown'
}

/**
 * `replaced`: levels of statuses count in its place, or it is for forms alone. `no-status-field`: it is about a status of
 * items that have none. `none`: its level is `none`. `unknown`: its word is no level. `no-owner`: items have no owner.
 * `no-field`: it hides all fields.
 */
export type LevelFault = 'replaced' | 'no-status-field' | 'none' | 'unknown' | 'no-owner' | 'no-field'

/** The levels that allow something. */
const levels: ReadonlySet<string> = new Set(['mine', 'role', 'full'])

/** Where statuses have rows the one without a status does not count; those that begin with `$` are for forms alone. */
export function counting(rows: readonly LevelRow[]): readonly LevelRow[] {
  return [...Map.groupBy(rows, ({ role }) => role).values()].flatMap(countingOf)
}

function countingOf(rows: readonly LevelRow[]): readonly LevelRow[] {
  const real = rows.filter(({ status }) => status?.startsWith('$') !== true)
  const staged = new Set(real.filter(({ status }) => status !== null).map(({ collection }) => collection))
  return real.filter(({ collection, status }) => status !== null || !staged.has(collection))
}

function rulesOf(row: LevelRow, collection: Collection, names: Names): readonly Rule[] {
  const status = statusField(collection)
  const stage = row.status === null || status === null ? matchAll : is(status, row.status)
  if (row.status !== null && status === null) return []
  const limits = { row, collection, status, names }
  const actions = ['create', 'read', 'update', 'delete'] as const
  return actions.flatMap((action) => {
    const rows = rowsAt(row[action], action, collection)
    const rule = rows === null ? null : toRule(action, and(stage, rows), limits)
    return rule === null || (action === 'read' && hidesAll(rule.fields, collection)) ? [] : [rule]
  })
}

/** Fields by the names that rows may use for them, in addition to their own. */
type Names = ReadonlyMap<string, string> | undefined

type Limits = {
  readonly row: LevelRow
  readonly collection: Collection
  readonly status: Field | null
  readonly names: Names
}

function toRule(action: Exclude<Action, 'share'>, filter: Filter, limits: Limits): Rule {
  const { row, collection, status, names: others } = limits
  const hidden = action === 'read' ? row.read_field_blacklist : row.write_field_blacklist
  const validation =
    action === 'create' || action === 'update' ? validationOf(action, row, { collection, status }) : matchAll
  return {
    collection: collection.name,
    action,
    fields: action === 'delete' ? '*' : fieldsLeft(hidden, collection, others),
    filter: action === 'create' ? matchAll : filter,
    validation: validation.kind === 'all' ? null : validation,
    presets: null,
  }
}

/** The fields that are not in the list. A name can be that of one field here and of another one there: both are left out. */
function fieldsLeft(list: string | null, { fields }: Collection, others?: Names): Rule['fields'] {
  const listed = namesOf(list)
  const left = [...listed, ...listed.map((name) => others?.get(name) ?? name)]
  return listed.length === 0 ? '*' : [...fields.keys()].filter((name) => !left.includes(name))
}

/** Whether no value is left to read, so that items would be nothing but nulls. */
const hidesAll = (names: Rule['fields'], { fields }: Collection): boolean =>
  names !== '*' && names.every((name) => fields.get(name)?.column == null && fields.get(name)?.relation == null)

type Statuses = Pick<Limits, 'collection' | 'status'>

/** Which statuses may be set: an item is made in its row's status, and goes to a deleted one by the right to delete. */
function validationOf(action: 'create' | 'update', row: LevelRow, { collection, status }: Statuses): Filter {
  if (status === null) return matchAll
  const isKept: Filter = { kind: 'not', filter: { ...compareField(status, 'submitted', []) } }
  const left = namesOf(row.status_blacklist)
  const archived =
    action === 'update' && rowsAt(row.delete, 'delete', collection) === null ? archivedOf(collection, status) : []
  const barred = [...left, ...archived]
  const allowed = barred.length === 0 ? matchAll : or(isKept, compareField(status, 'nin', barred))
  if (action === 'update' || row.status === null) return allowed
  const byDefault = status.column?.defaultValue === row.status ? [isKept] : []
  return and(allowed, or(is(status, row.status), ...byDefault))
}

const archivedOf = ({ archive }: Collection, { name }: Field): readonly string[] =>
  archive?.field === name ? archive.archived : []

/** The rows of a level; null where it allows none. Without an owner only a whole level allows any. */
function rowsAt(level: string | null, action: Action, collection: Collection): Filter | null {
  if (level === null || !levels.has(level)) return null
  if (level === 'full' || action === 'create') return matchAll
  const owner = ownerOf(collection)
  if (owner === null) return null
  if (owner.own.kind === 'current-role') return is(owner.field, owner.own)
  const mine = is(owner.field, owner.own)
  if (level === 'mine') return mine
  const { relation } = owner.field
  const role: Comparison = {
    ...mine,
    operand: { kind: 'field', field: 'role' },
    values: [{ kind: 'current-role', path: [] }],
  }
  if (collection.name === 'platform_users') return or(mine, role)
  if (relation?.kind !== 'many-to-one') return mine
  const users = {
    kind: 'related',
    field: owner.field.name,
    collection: relation.collection,
    quantifier: 'some',
  } as const
  return or(mine, { ...users, filter: role })
}

const user: DynamicValue = { kind: 'current-user', path: [] }
const role: DynamicValue = { kind: 'current-role', path: [] }

/** Whose the rows of system collections are. */
const systemOwners: { readonly [collection: string]: readonly [field: string, own: DynamicValue] } = {
  platform_users: ['id', user],
  platform_roles: ['id', role],
  platform_role_levels: ['role', role],
  platform_activity: ['user', user],
  platform_activity_seen: ['user', user],
  platform_user_roles: ['user', user],
  platform_presets: ['user', user],
  platform_files: ['uploaded_by', user],
  platform_comments: ['user_created', user],
}

export function ownerOf({ name, fields }: Collection): { readonly field: Field; readonly own: DynamicValue } | null {
  const [existing, own] = systemOwners[name] ?? []
  const field = existing === undefined ? undefined : fields.get(existing)
  if (field !== undefined && own !== undefined) return { field, own }
  const owner = [...fields.values()].find(({ special }) => special.includes('user-created'))
  return owner === undefined ? null : { field: owner, own: user }
}

/** The field that holds the status of an item. */
export function statusField({ name, fields, archive }: Collection): Field | null {
  if (name === 'platform_users') return fields.get('status') ?? null
  const declared = [...fields.values()].find(({ meta }) => meta?.['type'] === 'status')
  return declared ?? fields.get(archive?.field ?? '') ?? null
}

export const compareField = ({ name }: Field, operator: Comparison['operator'], values: readonly Value[]): Comparison =>
  compare(name, operator, values)

const is = (field: Field, value: Value): Comparison => equals(field.name, value)

const namesOf = (list: string | null): readonly string[] => (list ?? '').split(',').filter((name) => name !== '')
