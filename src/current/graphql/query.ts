/** Converts a GraphQL selection to a `Query`: the same tree, with the names of the schema. */

import { matchAll } from '../../domain/query/filter.ts'
import type { Query, Selected, SelectedAny, Selection } from '../../domain/query/query.ts'
import type { Field } from '../../domain/schema/schema.ts'
import type { Asked } from '../../graphql/asked.ts'
import { parseRows } from '../wire/level.ts'
import { fieldNamed, type Place, toCall } from '../wire/place.ts'
import { toFilterJson } from './filter.ts'

/** Where a selection is: its collection, its depth, and the name of its arguments in errors. */
type At = { readonly collection: string; readonly depth: number; readonly path: string; readonly place: Place }

/** The query of a list field. */
export const toListQuery = (asked: Asked, collection: string, place: Place): Query =>
  queryOnce(asked, place, () => levelQuery(asked, { collection, depth: 1, path: '', place }))

/** The query of one item by key. */
export const toItemQuery = (asked: Asked, collection: string, place: Place): Query =>
  queryOnce(asked, place, () => levelQuery({ ...asked, args: {} }, { collection, depth: 1, path: '', place }))

type Known = Pick<Place, 'view' | 'limits'> & { readonly query: Query }

const queries = new WeakMap<Asked, Known>()

/** Returns the same `Query` for equal selections, because caches are keyed by it. */
export function queryOnce(asked: Asked, { view, limits }: Place, make: () => Query): Query {
  const known = queries.get(asked)
  if (known?.view === view && known.limits === limits) return known.query
  const query = make()
  queries.set(asked, { view, limits, query })
  return query
}

/** The query for written items; only sorting applies. */
export const toWrittenQuery = (asked: Asked, collection: string, place: Place): Query => {
  const { filter, sort, limit, offset, page, search } = asked.args
  return toListQuery({ ...asked, args: { filter, sort, limit, offset, page, search } }, collection, place)
}

function levelQuery(asked: Asked, at: At): Query {
  return { ...frameOf(asked.args, at), selection: toSelection(asked.fields, at) }
}

/** The query without its selection. */
export function frameOf(args: Asked['args'], { collection, depth, path, place }: At): Query {
  const params = { ...args, filter: toFilterJson(args['filter'], collection, place) }
  const names = { key: (parameter: string) => parameter, shown: (parameter: string) => `${path}${parameter}` }
  return parseRows({ collection, paths: [], params, deep: {}, deepName: '', names, depth }, place)
}

function toSelection(asked: readonly Asked[], at: At): Selection {
  return asked.map((each) => toSelected(each, at))
}

function toSelected(asked: Asked, at: At): Selected {
  const { key, name, parent } = asked
  if (name === '__typename') return { kind: 'constant', key, text: parent }
  const { collection, place } = at
  const called = place.view.byCore.get(collection)?.fields.has(name) === true ? null : /^(.+)_func$/.exec(name)
  if (called !== null) return toFunctions(asked, fieldNamed(place, collection, called[1] as string))
  const field = fieldNamed(place, collection, name)
  const { relation } = field
  const inner = { ...at, depth: at.depth + 1, path: `${at.path}${key}.` }
  if (asked.options.size > 0) return { kind: 'any', key, field: field.name, options: toOptions(asked, inner) }
  if (relation === null || relation.kind === 'many-to-any' || asked.fields.length === 0)
    return { kind: 'field', key, field: field.name }
  const below = { ...inner, collection: relation.collection }
  if (relation.kind === 'one-to-many') return { kind: 'many', key, field: field.name, query: levelQuery(asked, below) }
  return { kind: 'one', key, field: field.name, selection: toSelection(asked.fields, below), filter: matchAll }
}

/** The selected functions of a field. */
function toFunctions({ key, fields }: Asked, { name: field }: Field): Selected {
  const selection = fields.map((each): Selected => {
    if (each.name === '__typename') return { kind: 'constant', key: each.key, text: each.parent }
    const path = typeof each.args['path'] === 'string' ? each.args['path'] : ''
    const call = toCall(each.name === 'json' ? ['json', field, path] : [each.name, field], 'path', () => field)
    return { kind: 'function', key: each.key, ...call }
  })
  return { kind: 'object', key, selection }
}

/** One selection per type of the union; types are named after their collections. */
function toOptions({ options }: Asked, at: At): SelectedAny['options'] {
  return [...options].flatMap(([type, fields]) => {
    const collection = at.place.view.collections.get(type)?.collection
    if (collection === undefined) throw new Error(`No collection has the type ${type}`)
    return [{ collection, selection: toSelection(fields, { ...at, collection }), filter: matchAll }]
  })
}
