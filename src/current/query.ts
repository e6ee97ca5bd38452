/** Query parameters of this generation → `Query`. The same parser reads the root and, with `_` in front, each level of `deep`. */
import { TandemError } from '../domain/errors.ts'
import { type Filter, matchAll } from '../domain/filter.ts'
import { parseFilter } from '../domain/filter-json.ts'
import type { CountName, Page, Query } from '../domain/query.ts'
import { frameOf } from '../http/query-values.ts'
import { parseAggregation } from './aggregation.ts'
import { readInteger, readJson, readObject, readText, readWords, refuse } from './lists.ts'
import type { Place } from './place.ts'
import { parseSelection } from './selection.ts'
import { parseSort } from './sort.ts'

/** Parameters as they came, from a query string or from JSON. */
export type QueryInput = { readonly [parameter: string]: unknown }

/**
 * The query that the parameters ask of a collection. Nothing given asks for all readable fields of the first items.
 * @example parseQuery({ fields: 'id,title', limit: '3' }, 'articles', place)
 */
export function parseQuery(input: QueryInput, collection: string, place: Place): Query {
  const frame = rememberFrame(input, collection, place)
  if (input['filter'] === undefined) return frame
  return { ...frame, filter: readFilter({ collection, params: input, names: rootNames, depth: 1 }, place) }
}

/** Everything but the filter, whose values change from request to request while clients repeat the rest. */
function rememberFrame(input: QueryInput, collection: string, place: Place): Query {
  const values = frameOf(input)
  if (values === null) return rememberText(input, collection, place)
  const { view, limits } = place
  const last = lastFrames.get(values)
  if (last?.collection === collection && last.view === view && last.limits === limits) return last.frame
  const frame = rememberText(input, collection, place)
  lastFrames.set(values, { collection, view, limits, frame })
  return frame
}

type Parsed = Pick<Place, 'view' | 'limits'> & { readonly collection: string; readonly frame: Query }

/** What the frame of a query string was parsed to last. */
const lastFrames = new WeakMap<object, Parsed>()

function rememberText(input: QueryInput, collection: string, place: Place): Query {
  const others = { ...input, filter: undefined }
  const key = `${collection} ${JSON.stringify(others)}`
  const known = framesFor(place)
  const before = known.get(key)
  if (before !== undefined) return before
  const frame = parseRoot(others, collection, place)
  if (key.length <= longestKept) {
    if (known.size >= keptFrames) known.delete(known.keys().next().value as string)
    known.set(key, frame)
  }
  return frame
}

/** Parsing depends on nothing but its arguments: the last results are kept. */
const keptFrames = 500
const longestKept = 2000
const frames = new WeakMap<object, WeakMap<object, Map<string, Query>>>()

function framesFor({ view, limits }: Place): Map<string, Query> {
  const byLimits = frames.get(view) ?? new WeakMap<object, Map<string, Query>>()
  frames.set(view, byLimits)
  const known = byLimits.get(limits) ?? new Map<string, Query>()
  byLimits.set(limits, known)
  return known
}

function parseRoot(input: QueryInput, collection: string, place: Place): Query {
  const words = readWords(input['fields'], 'fields')
  const paths = (words.length === 0 ? ['*'] : words).map((word) => word.split('.'))
  const deepest = paths.find((path) => path.length > place.limits.depth)
  if (deepest !== undefined) refuse('fields', `at most ${place.limits.depth} names in a path`, deepest.join('.'))
  const deep = readObject(input['deep'], 'deep')
  const level = { collection, paths, params: input, deep, deepName: 'deep', names: rootNames, depth: 1 }
  return { ...parseLevel(level, place), counts: readCounts(input['meta']) }
}

/** What is asked at one level: of which collection, for which fields, with which parameters. */
export type Level = {
  readonly collection: string
  readonly paths: readonly (readonly string[])[]
  readonly params: QueryInput
  /** Parameters of the levels below, by field. */
  readonly deep: QueryInput
  /** What errors call `deep`: `deep.tags` one level down. */
  readonly deepName: string
  readonly names: ParameterNames
  readonly depth: number
}

/** How the parameters of a level are spelled: `key` in its object, `shown` in errors. */
export type ParameterNames = {
  readonly key: (parameter: string) => string
  readonly shown: (parameter: string) => string
}

const rootNames: ParameterNames = { key: (parameter) => parameter, shown: (parameter) => parameter }

/** One level, root or nested. */
export function parseLevel(level: Level, place: Place): Query {
  const { collection, params, names } = level
  const raw = (parameter: string): unknown => params[names.key(parameter)]
  const aggregation = parseAggregation(
    { aggregate: raw('aggregate'), groupBy: raw('groupBy') },
    { collection, names, place },
  )
  return {
    collection,
    selection: aggregation === null ? parseSelection(level, place) : [],
    filter: readFilter(level, place),
    search: readText(raw('search'), names.shown('search')),
    sort: parseSort(readWords(raw('sort'), names.shown('sort')), aggregation, {
      collection,
      name: names.shown('sort'),
      depth: level.depth,
      place,
    }),
    page: readPage(level, place),
    aggregation,
    archive: { kind: 'all' },
    counts: [],
  }
}

type FilterLevel = Pick<Level, 'collection' | 'params' | 'names' | 'depth'>

/** The filter of a level; none given matches all. */
export function readFilter(level: FilterLevel, { schema, view, limits }: Place): Filter {
  const { collection, params, names, depth } = level
  const raw = params[names.key('filter')]
  if (raw === undefined || raw === null || raw === '') return matchAll
  const name = names.shown('filter')
  const options = { name, depth: limits.depth - depth + 1, dynamicPaths: false }
  return parseFilter(readJson(raw, name), { schema, view, collection }, options)
}

function readPage({ params, names }: Level, { limits }: Place): Page {
  const integer = (parameter: string, least: number): number | null =>
    readInteger(params[names.key(parameter)], names.shown(parameter), least)
  const asked = integer('limit', -1)
  const { queryMax, queryDefault } = limits
  if (queryMax !== null && asked !== null && asked > queryMax) {
    refuse(names.shown('limit'), `at most ${queryMax} items`, asked)
  }
  const limit = asked === null ? Math.min(queryDefault, queryMax ?? queryDefault) : asked === -1 ? queryMax : asked
  const offset = integer('offset', 0) ?? 0
  const page = integer('page', 0) ?? 0
  if (page === 0 || limit === null || asked === -1) return { limit, offset }
  const start = limit * (page - 1)
  if (!Number.isSafeInteger(start)) refuse(names.shown('page'), 'a page within reach', page)
  return { limit, offset: start }
}

const countNames: { readonly [word: string]: readonly CountName[] } = {
  '*': ['total', 'filtered'],
  total_count: ['total'],
  filter_count: ['filtered'],
}

function readCounts(raw: unknown): readonly CountName[] {
  const words = readWords(raw, 'meta')
  const found = words.flatMap((word) => {
    if (!Object.hasOwn(countNames, word)) return refuse('meta', '*, total_count or filter_count', word)
    return countNames[word] ?? []
  })
  return [...new Set(found)]
}

/** A query that only says which rows: of all of them unless it names a limit. */
export function parseTarget(input: unknown, collection: string, place: Place): Query {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new TandemError({ kind: 'invalid-payload', name: 'query', reason: 'Expected an object for "query"' })
  }
  const { filter, search, sort, limit = -1, offset, page } = input as QueryInput
  return parseRoot({ filter, search, sort, limit, offset, page }, collection, place)
}
