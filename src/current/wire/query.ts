/**
 * Parses the query parameters of this generation into a `Query`. The same parser reads the root and, with `_` in
 * front, each level of `deep`.
 */

import type { VersionChoice } from '../../core/history/versions.ts'
import { refuseQuery } from '../../domain/conditions/literals.ts'
import { splitPath } from '../../domain/query/field-path.ts'
import type { CountName, Query } from '../../domain/query/query.ts'
import { invalidPayload } from '../../domain/rights/errors.ts'
import { rememberParsed } from '../../http/request/query-string.ts'
import { withCursor, withSelectedCursor } from './cursor.ts'
import { assertDeep } from './deep.ts'
import { type QueryInput, readFilter, rootNames } from './level.ts'
import { readNames, readObject, readText, readWords } from './lists.ts'
import type { ParseScope } from './parse-scope.ts'
import { parseLevel } from './selection.ts'

/**
 * Parses the parameters of a collection. Without parameters: all readable fields of the first items.
 * @example parseQuery({ fields: 'id,title', limit: '3' }, 'articles', place)
 */
export function parseQuery(input: QueryInput, collection: string, scope: ParseScope): Query {
  const { filter, cursor, ...others } = input
  const parsed = rememberParsed(scope, ['current', collection, others], () => parseRoot(others, collection, scope))
  const query = cursor === undefined ? parsed : withCursor(parsed, cursor, scope, rootNames)
  if (filter === undefined) return query
  return { ...query, filter: readFilter({ collection, params: input, names: rootNames, depth: 1 }, scope) }
}

/** The same for one item, which has neither groups nor an order. */
export function parseOneItem(input: QueryInput, collection: string, scope: ParseScope): Query {
  const { aggregate: _aggregate, groupBy: _groupBy, sort: _sort, ...rest } = input
  return parseQuery(rest, collection, scope)
}

/** The requested version; null for the item itself. System items have no versions. */
export function readVersion(
  { version, versionRaw: raw }: QueryInput,
  collection: string,
  { schema }: Pick<ParseScope, 'schema'>,
): VersionChoice | null {
  if (typeof version !== 'string' || version === 'main') return null
  readText(version, 'version')
  if (schema.collections.get(collection)?.system === true) return null
  return { name: version, raw: raw === '' || raw === 'true' || raw === '1' }
}

function parseRoot(input: QueryInput, collection: string, scope: ParseScope): Query {
  const words = readNames(input['fields'], 'fields')
  const paths = (words.length === 0 ? ['*'] : words).map(splitPath)
  const deepest = paths.find((path) => path.length > scope.limits.depth)
  if (deepest !== undefined) refuseQuery('fields', `at most ${scope.limits.depth} names in a path`, deepest.join('.'))
  const deep = readObject(input['deep'], 'deep')
  const level = { collection, paths, params: input, deep, deepName: 'deep', names: rootNames, depth: 1 }
  const query = { ...withSelectedCursor(parseLevel(level, scope), scope, rootNames), counts: readCounts(input['meta']) }
  assertDeep(level, scope)
  return query
}

const countNames: { readonly [word: string]: readonly CountName[] } = {
  '*': ['total', 'filtered'],
  total_count: ['total'],
  filter_count: ['filtered'],
  estimated_count: ['estimated'],
}

function readCounts(raw: unknown): readonly CountName[] {
  const words = readWords(raw, 'meta')
  const terms = words.flatMap((word) => {
    if (!Object.hasOwn(countNames, word))
      return refuseQuery('meta', '*, total_count, filter_count or estimated_count', word)
    return countNames[word] ?? []
  })
  return [...new Set(terms)]
}

/** Parameters of target queries: those that select rows, and those that are accepted and ignored. */
const targetNames: ReadonlySet<string> = new Set(
  'filter search sort limit offset page fields deep alias aggregate groupBy meta export version'.split(' '),
)

/**
 * Parses a query that selects target rows; all matches unless it has a limit. Throws `invalid-payload` without a
 * filter, a search or a limit: such a query selects all rows only with `"limit": -1`.
 */
export function parseTarget(input: unknown, collection: string, scope: ParseScope): Query {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw invalidPayload('query', 'Expected an object for "query"')
  }
  const unknown = Object.keys(input).find((name) => !targetNames.has(name))
  if (unknown !== undefined) throw invalidPayload('query', `"${unknown}" is not a parameter of "query"`)
  const { filter, search, sort, limit: given, offset, page } = input as QueryInput
  const limit = given === null || given === '' ? undefined : given
  const query = parseRoot({ filter, search, sort, limit: limit ?? -1, offset, page }, collection, scope)
  if (query.filter.kind === 'all' && query.search === null && limit === undefined) {
    throw invalidPayload(
      'query',
      'Expected "filter", "search" or "limit" in "query" but received none; "limit": -1 means all items',
    )
  }
  return query
}
