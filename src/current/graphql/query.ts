/** Converts a GraphQL selection to a `Query`: the same tree, with the names of the schema. */

import { refuseQuery } from '../../domain/conditions/literals.ts'
import { isRecord } from '../../domain/is-record.ts'
import { matchAll } from '../../domain/query/filter.ts'
import type { Query, Selected, SelectedAny, Selection } from '../../domain/query/query.ts'
import type { Field } from '../../domain/schema/schema.ts'
import { findCollection } from '../../domain/schema/view.ts'
import { isName } from '../../graphql/schema/names.ts'
import { cursorField } from '../../graphql/schema/output-types.ts'
import type { SelectedField } from '../../graphql/selected-field.ts'
import { withCursor, withSelectedCursor } from '../wire/cursor.ts'
import { parseRows } from '../wire/level.ts'
import { fieldNamed, type ParseScope, toCall } from '../wire/parse-scope.ts'

/** Where a selection is: its collection, its depth, and the name of its arguments in errors. */
type LevelOptions = {
  readonly collection: string
  readonly depth: number
  readonly path: string
  readonly scope: ParseScope
  /** Whether the rows are those of a list. */
  readonly isList?: boolean
}

export const toListQuery = (selected: SelectedField, collection: string, scope: ParseScope): Query =>
  levelQuery(selected, { collection, depth: 1, path: '', scope })

export const toItemQuery = (selected: SelectedField, collection: string, scope: ParseScope): Query =>
  toListQuery({ ...selected, args: {} }, collection, scope)

/** The query for written items; only sorting applies. */
export const toWrittenQuery = (selected: SelectedField, collection: string, scope: ParseScope): Query => {
  const { filter, sort, limit, offset, page, search } = selected.args
  return toListQuery({ ...selected, args: { filter, sort, limit, offset, page, search } }, collection, scope)
}

/** The query of the changes of a collection: each selection of the item is an object of the row. */
export function toChangesQuery({ args, fields }: SelectedField, collection: string, scope: ParseScope): Query {
  const at: LevelOptions = { collection, depth: 1, path: '', scope }
  const { filter, search } = args
  const selection = fields
    .filter(({ name }) => name === 'data')
    .map((each): Selected => ({ kind: 'object', key: each.key, selection: toSelection(each.fields, at) }))
  return { ...frameOf({ filter, search }, at), selection }
}

function levelQuery(selected: SelectedField, at: LevelOptions, sortField?: string | null): Query {
  const selection = toSelection(selected.fields, { ...at, isList: true })
  const list = { shown: shownAt(at), ...(sortField === undefined ? {} : { sortField }) }
  const query = withSelectedCursor({ ...frameOf(selected.args, at), selection }, at.scope, list)
  return withCursor(query, selected.args['cursor'], at.scope, list)
}

const shownAt =
  ({ path }: LevelOptions) =>
  (parameter: string): string =>
    `${path}${parameter}`

/** The query without its selection. */
export function frameOf(args: SelectedField['args'], at: LevelOptions): Query {
  const { collection, depth, scope } = at
  const params = { ...args, filter: toFilterJson(args['filter'], collection, scope) }
  const names = { key: (parameter: string) => parameter, shown: shownAt(at) }
  return parseRows({ collection, paths: [], params, deep: {}, deepName: '', names, depth }, scope)
}

function toSelection(fields: readonly SelectedField[], at: LevelOptions): Selection {
  return fields.map((each) => toSelected(each, at))
}

function toSelected(selected: SelectedField, at: LevelOptions): Selected {
  const { key, name, parent } = selected
  if (name === '__typename') return { kind: 'constant', key, text: parent }
  const { collection, scope } = at
  if (isCursor(selected, at)) {
    if (at.isList !== true) refuseQuery(`${at.path}${key}`, `"${name}" in the items of a list only`, key)
    return { kind: 'cursor', key, sort: [] }
  }
  const called = scope.view.byCore.get(collection)?.fields.has(name) === true ? null : /^(.+)_func$/.exec(name)
  if (called !== null) return toFunctions(selected, fieldNamed(scope, collection, called[1] as string))
  const field = fieldNamed(scope, collection, name)
  const { relation } = field
  const inner = { ...at, isList: false, depth: at.depth + 1, path: `${at.path}${key}.` }
  if (selected.options.size > 0) return { kind: 'any', key, field: field.name, options: toOptions(selected, inner) }
  if (relation === null || relation.kind === 'many-to-any' || selected.fields.length === 0)
    return { kind: 'field', key, field: field.name }
  const below = { ...inner, collection: relation.collection }
  if (relation.kind === 'one-to-many')
    return { kind: 'many', key, field: field.name, query: levelQuery(selected, below, relation.sortField) }
  const filter = Object.keys(selected.args).length === 0 ? matchAll : frameOf(selected.args, below).filter
  return { kind: 'one', key, field: field.name, selection: toSelection(selected.fields, below), filter }
}

/** A column of this name takes its place. */
const isCursor = ({ name }: SelectedField, { collection, scope }: LevelOptions): boolean =>
  name === cursorField && scope.view.byCore.get(collection)?.fields.has(name) !== true

function toFunctions({ key, fields }: SelectedField, { name: field }: Field): Selected {
  const selection = fields.map((each): Selected => {
    if (each.name === '__typename') return { kind: 'constant', key: each.key, text: each.parent }
    const path = typeof each.args['path'] === 'string' ? each.args['path'] : ''
    const call = toCall(each.name === 'json' ? ['json', field, path] : [each.name, field], 'path', () => field)
    return { kind: 'function', key: each.key, ...call }
  })
  return { kind: 'object', key, selection }
}

/** One selection per type of the union; types are named after their collections. */
function toOptions({ options }: SelectedField, at: LevelOptions): SelectedAny['options'] {
  return [...options].flatMap(([type, fields]) => {
    const collection = at.scope.view.collections.get(type)?.collection
    if (collection === undefined) throw new Error(`No collection has the type ${type}`)
    return [{ collection, selection: toSelection(fields, { ...at, collection }), filter: matchAll }]
  })
}

/** Converts filter arguments of GraphQL to the JSON filter language; only some names differ. */
type Json = { readonly [name: string]: unknown }

/** `day_func: {year: …}` becomes `year(day)`, `item__pages` becomes `item:pages`; nulls are ignored. */
function toFilterJson(filter: unknown, collection: string, scope: ParseScope): unknown {
  if (!isRecord(filter)) return filter
  return Object.fromEntries(
    Object.entries(filter).flatMap(([name, value]): readonly (readonly [string, unknown])[] => {
      if (value === null && !name.startsWith('_')) return []
      if (isLogical(name)) return [[name, listOf(value).map((each) => toFilterJson(each, collection, scope))]]
      if (name === '_some' || name === '_none') return [[name, toFilterJson(value, collection, scope)]]
      return toCondition(name, value, collection, scope)
    }),
  )
}

const isLogical = (name: string): boolean => name === '_and' || name === '_or'

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : value === null ? [] : [value])

type Conditions = readonly (readonly [string, unknown])[]

function toCondition(name: string, value: unknown, collection: string, scope: ParseScope): Conditions {
  const field = fieldOf(name, collection, scope)
  if (field === undefined) return toSpelled(name, value, collection, scope)
  const { relation } = field
  if (!isRecord(value)) return [[name, value]]
  if (relation === null || relation.kind === 'many-to-any') return [[name, withoutNulls(value)]]
  const inner = toFilterJson(value, relation.collection, scope)
  return relation.kind === 'many-to-one' ? toOne(name, inner, relation.collection, scope) : [[name, inner]]
}

/** A null in a list equals nothing. */
function withoutNulls(operators: Json): Json {
  const entries = Object.entries(operators).map(([operator, value]) => {
    const isList = (operator === '_in' || operator === '_nin') && Array.isArray(value)
    return [operator, isList ? value.filter((each: unknown) => each !== null) : value] as const
  })
  return Object.fromEntries(entries)
}

function fieldOf(name: string, collection: string, { schema, view }: ParseScope): Field | undefined {
  const core = view.byCore.get(collection)?.fields.get(name)?.field
  return core === undefined ? undefined : schema.collections.get(collection)?.fields.get(core)
}

const nullness: ReadonlySet<string> = new Set(['_null', '_nnull'])

/** A test for null refers to the field that holds the key; a related item always has a key. */
function toOne(name: string, inner: unknown, collection: string, { schema }: ParseScope): Conditions {
  const key = schema.collections.get(collection)?.primaryKey ?? ''
  if (!isRecord(inner) || !isRecord(inner[key])) return [[name, inner]]
  const { [key]: wanted, ...others } = inner
  const operators = Object.entries(wanted as Json)
  const own = Object.fromEntries(operators.filter(([operator]) => nullness.has(operator)))
  const rest = Object.fromEntries(operators.filter(([operator]) => !nullness.has(operator)))
  const related = { ...others, ...(Object.keys(rest).length === 0 ? {} : { [key]: rest }) }
  return [[name, { ...own, ...related }]]
}

/** A name that is not a field: a function, or a collection of a many-to-any relation. */
function toSpelled(name: string, value: unknown, collection: string, parseScope: ParseScope): Conditions {
  const called = /^(.+)_func$/.exec(name)?.[1]
  if (called !== undefined && fieldOf(called, collection, parseScope) !== undefined && isRecord(value))
    return Object.entries(value).flatMap(([each, conditions]) =>
      conditions === null ? [] : [[`${each}(${called})`, conditions] as const],
    )
  const scope = /^(.+?)__(.+)$/.exec(name)
  if (scope === null) return [[name, value]]
  const target = findCollection(parseScope.view, scope[2] as string)
  if (target === undefined || !isName(scope[2] as string)) return [[name, value]]
  return [[`${scope[1]}:${scope[2]}`, toFilterJson(value, target.collection, parseScope)]]
}
