/** Parameters of one level of a query: plain names at the root, names with `_` in `deep`. */

import { parseFilter } from '../../domain/conditions/filter-json.ts'
import { isWellFormedText, refuseQuery } from '../../domain/conditions/literals.ts'
import { splitPath } from '../../domain/query/field-path.ts'
import { type Filter, matchAll } from '../../domain/query/filter.ts'
import type { Page, Query } from '../../domain/query/query.ts'
import { parseAggregation } from './aggregation.ts'
import { type ParameterNames, readInteger, readJson, readNames, readObject, readText } from './lists.ts'
import type { ParseScope } from './parse-scope.ts'
import { parseSort } from './sort.ts'

/** Raw parameters from a query string or from JSON. */
export type QueryInput = { readonly [parameter: string]: unknown }

/** One level of a query: its collection, fields and parameters. */
export type Level = {
  readonly collection: string
  readonly paths: readonly (readonly string[])[]
  readonly params: QueryInput
  /** Parameters of nested levels, by field. */
  readonly deep: QueryInput
  /** The name of `deep` in errors; `deep.tags` one level down. */
  readonly deepName: string
  readonly names: ParameterNames
  readonly depth: number
}

export const rootNames: ParameterNames = { key: (parameter) => parameter, shown: (parameter) => parameter }

/** Parses which rows of a level are requested, without a selection. */
export function parseRows(level: Level, scope: ParseScope): Query {
  const { collection, params, names } = level
  const raw = (parameter: string): unknown => params[names.key(parameter)]
  const aggregation = parseAggregation(
    { aggregate: raw('aggregate'), groupBy: raw('groupBy') },
    { collection, names, scope },
  )
  return {
    collection,
    selection: [],
    filter: readFilter(level, scope),
    search: readText(raw('search'), names.shown('search')),
    sort: parseSort(readNames(raw('sort'), names.shown('sort')), aggregation, {
      collection,
      name: names.shown('sort'),
      depth: level.depth,
      aliases: readAliases(level),
      scope,
    }),
    page: readPage(level, scope),
    aggregation,
    archive: { kind: 'all' },
    counts: [],
  }
}

type FilterLevel = Pick<Level, 'collection' | 'params' | 'names' | 'depth'>

/** Parses the filter of a level; no filter matches all rows. */
export function readFilter(level: FilterLevel, { schema, view, limits }: ParseScope): Filter {
  const { collection, params, names, depth } = level
  const raw = params[names.key('filter')]
  if (raw === undefined || raw === null || raw === '') return matchAll
  const name = names.shown('filter')
  const options = { name, depth: limits.depth - depth + 1, dynamicPaths: false }
  return parseFilter(readJson(raw, name), { schema, view, collection }, options)
}

function readPage({ params, names }: Level, { limits }: ParseScope): Page {
  const integer = (parameter: string, least: number): number | null =>
    readInteger(params[names.key(parameter)], names.shown(parameter), least)
  const wanted = integer('limit', -1)
  const { queryMax, queryDefault } = limits
  if (queryMax !== null && wanted !== null && wanted > queryMax) {
    refuseQuery(names.shown('limit'), `at most ${queryMax} items`, wanted)
  }
  const limit = wanted === null ? Math.min(queryDefault, queryMax ?? queryDefault) : wanted === -1 ? queryMax : wanted
  const offset = integer('offset', 0) ?? 0
  const page = integer('page', 0) ?? 0
  if (page === 0 || limit === null || wanted === -1) return { limit, offset }
  const start = limit * (page - 1)
  if (!Number.isSafeInteger(start)) refuseQuery(names.shown('page'), 'a page within reach', page)
  return { limit, offset: start }
}

/** Reads aliases such as `headline` → `title`; refuses paths. */
export function readAliases({ params, names }: Pick<Level, 'params' | 'names'>): ReadonlyMap<string, string> {
  const raw = params[names.key('alias')]
  if (raw === undefined) return noAliases
  const shown = names.shown('alias')
  const members = Object.entries(readObject(raw, shown))
  if (members.length > mostAliases) refuseQuery(shown, `at most ${mostAliases} names`, members.length)
  const entries = members.map(([name, field]) => {
    if (typeof field !== 'string' || field === '') return refuseQuery(`${shown}.${name}`, 'the name of a field', field)
    const [own = '', ...others] = splitPath(field)
    if (name.includes('.') || others.length > 0) refuseQuery(`${shown}.${name}`, 'names without dots', field)
    if (!isWellFormedText(name)) refuseQuery(shown, 'names without NUL characters and lone surrogates', name)
    return [name, own] as const
  })
  return new Map(entries)
}

const mostAliases = 1000
const noAliases: ReadonlyMap<string, string> = new Map()
