/** Parses the query parameters of this generation into a core `Query`. */
import { hasKey, toKey } from '../../core/rows/keys.ts'
import { refuseQuery, toLiteral } from '../../domain/conditions/literals.ts'
import { splitPath, unescaped } from '../../domain/query/field-path.ts'
import { and, compare, type Filter, matchNone, type Value } from '../../domain/query/filter.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Page, Query, Sort, SortStep } from '../../domain/query/query.ts'
import { rowsOf } from '../../domain/query/rows-of.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { isIdentityCollection } from '../../domain/schema/identity.ts'
import { holdsValue } from '../../domain/schema/references.ts'
import type { Collection, Schema } from '../../domain/schema/schema.ts'
import { rememberParsed } from '../../http/request/query-string.ts'
import { parseArchive, parseStatuses } from './archive.ts'
import { closedFields } from './closed-relations.ts'
import { parseFilter } from './filter.ts'
import { toInteger, toNames, toText, toWords } from './lists.ts'
import { countsFor, type MetaKey, parseMeta } from './meta.ts'
import { collectionNamed, fieldNamed, keyOf, type NamedField, type ParseScope, targetOf } from './parse-scope.ts'
import { parseSelection, toPath } from './selection.ts'
import { toFilterValue } from './values.ts'

/** Query parameters by name, validated against the spec. */
export type Parameters = { readonly [name: string]: unknown }

/** A requested read: the query and the form of its answer. */
export type Read = {
  readonly query: Query
  /** Whether `data` is the first row instead of a list. */
  readonly single: boolean
  readonly meta: ReadonlySet<MetaKey>
  /** Fields of which more was asked than the caller may read. */
  readonly closed?: readonly string[]
}

/** Default `limit` of a list where the project has no other one. */
const usualLimit = 200

/**
 * Parses the parameters of a list.
 * @example parseQuery({ fields: 'id,title', sort: '-id' }, 'articles', place).query.sort // one descending key
 */
export function parseQuery(parameters: Parameters, collection: string, scope: ParseScope): Read {
  return rememberParsed(scope, ['list', collection, parameters], () => parseList(parameters, collection, scope))
}

function parseList(parameters: Parameters, collection: string, scope: ParseScope): Read {
  const found = collectionNamed(scope, collection)
  const { name } = found
  const meta = parseMeta(parameters.meta)
  const single = isTruthy(parameters.single)
  const shape = parseShape(parameters, name, scope)
  const distinct = toNames(parameters.groups, 'groups').map((each) => columnNamed(unescaped(each), name, scope))
  const input = parseSort(parameters.sort, name, scope)
  const statuses = toWords(parameters.status, 'status')
  const query: Query = {
    ...shape,
    filter: and(parseFilter(parameters.filter, name, scope), parseStatuses(statuses, found, scope)),
    search: parseSearch(parameters.q),
    ...(input.length === 0 ? {} : { sort: input }),
    page: single ? { ...parsePage(parameters, scope), limit: 1 } : parsePage(parameters, scope),
    counts: countsFor(meta),
    ...(distinct.length > 0 ? { distinct } : {}),
  }
  return { query, single, meta, ...closedOf(parameters, name, scope) }
}

/** Parses the parameters of a read by keys; one key reads one row, several separated by commas a list. */
export function parseKeyedQuery(parameters: Parameters, collection: string, keys: string, scope: ParseScope): Read {
  const { name } = collectionNamed(scope, collection)
  const list = splitKeys(keys)
  const read = parseAnswer(parameters, name, true, scope)
  return { ...read, query: { ...read.query, filter: filterByKeys(list, name, scope) }, single: list.length === 1 }
}

/** Parses how the answer to a write shows its rows; core adds which rows. */
export function parseAnswer(parameters: Parameters, collection: string, single: boolean, scope: ParseScope): Read {
  const input = scope.view.byCore.has(collection) ? parameters : {}
  return rememberParsed(scope, ['answer', collection, single, input], () => ({
    query: parseShape(input, collection, scope),
    single,
    meta: parseMeta(input.meta),
    ...closedOf(input, collection, scope),
  }))
}

function closedOf(parameters: Parameters, collection: string, scope: ParseScope): Pick<Read, 'closed'> {
  const words = toNames(parameters.fields, 'fields')
  const closed = words.length === 0 ? [] : closedFields(words.map(toPath), collection, scope)
  return closed.length === 0 ? {} : { closed }
}

/** Splits `1,2,3` into distinct keys. */
export function splitKeys(keys: string): readonly string[] {
  return [...new Set(toWords(keys, 'id'))]
}

/** A filter for rows with these keys. An impossible key matches nothing. */
export function filterByKeys(keys: readonly string[], collection: string, scope: ParseScope): Filter {
  const target = scope.schema.collections.get(collection)
  if (target !== undefined && target.keyColumns.length !== 1) {
    const existing = keys.flatMap((key) => toKnownKey(target, key) ?? [])
    return existing.length === 0 ? matchNone : hasKey(target, existing)
  }
  const named = keyOf(scope, collection)
  const values = keys.map((key) => toKeyValue(key, named)).filter((value) => value !== null)
  return values.length === 0 ? matchNone : compare(named.field.name, values.length === 1 ? 'eq' : 'in', values)
}

/** The text of a key of several columns, or null when no row can have it. */
function toKnownKey(collection: Collection, key: string): Key | null {
  try {
    return toKey(collection, key)
  } catch {
    return null
  }
}

/** Converts a key to its column; null if no row can have it. */
function toKeyValue(key: string, named: NamedField): Value | null {
  try {
    return toFilterValue(key, named, (expected) => refuseQuery('id', expected, key))
  } catch (error) {
    if (error instanceof TandemError) return null
    throw error
  }
}

/** Sorts by the key that clients see. */
const byNumber: readonly Sort[] = [{ kind: 'field', path: [], field: 'number', descending: false }]

/** The common part of lists, single items and answers to writes; it selects all rows. */
function parseShape(parameters: Parameters, collection: string, scope: ParseScope): Query {
  const selection = parseSelection(
    toNames(parameters.fields, 'fields'),
    toWords(parameters.lang, 'lang'),
    collection,
    scope,
  )
  return {
    ...rowsOf(collection, selection),
    sort: isIdentityCollection(collection) ? byNumber : [],
    archive: parseArchive(toWords(parameters.status, 'status'), collection, selection, scope),
  }
}

/** Whether a switch is on. */
export const isTruthy = (raw: unknown): boolean =>
  !['', '0', 'false', 'null', 'undefined'].includes(toText(raw).toLowerCase())

function parseSearch(raw: unknown): string | null {
  if (raw === undefined || raw === null || raw === '') return null
  return toLiteral(raw, { type: 'text', column: null }, (expected) => refuseQuery('q', expected, raw)) as string
}

export type ListScope = Pick<ParseScope, 'limits' | 'schema'>

/** The setting `default_limit` of the project. */
function limitOf({ settings: { listLimit = usualLimit } = {} }: Schema, most: number | null): number {
  return listLimit === -1 ? -1 : Math.min(listLimit, most ?? listLimit)
}

/** `-1` selects all rows from the start; `page` needs a limit, and `offset` overrides it. */
export function parsePage({ limit: rawLimit, offset, page }: Parameters, { limits, schema }: ListScope): Page {
  const most = limits.queryMax
  const isGiven = rawLimit !== undefined && rawLimit !== ''
  const limit = isGiven ? toInteger(rawLimit, 'limit', -1) : limitOf(schema, most)
  if (limit === -1) return { limit: most, offset: 0 }
  if (most !== null && limit > most) refuseQuery('limit', `a whole number not above ${most}`, rawLimit)
  if (offset !== undefined && offset !== '') {
    return { limit, offset: Math.max(0, toInteger(offset, 'offset', Number.MIN_SAFE_INTEGER)) }
  }
  if (!isGiven || page === undefined || page === '') return { limit, offset: 0 }
  const skipped = (Math.max(1, toInteger(page, 'page', Number.MIN_SAFE_INTEGER)) - 1) * limit
  return Number.isSafeInteger(skipped) ? { limit, offset: skipped } : refuseQuery('page', 'a smaller number', page)
}

function parseSort(raw: unknown, collection: string, scope: ParseScope): readonly Sort[] {
  return toNames(raw, 'sort').map((word) => {
    const descending = word.startsWith('-')
    const path = descending || word.startsWith('+') ? word.slice(1) : word
    return path === '?' ? { kind: 'random', descending: false } : parseSortKey(path, descending, collection, scope)
  })
}

/** Nulls come last in both directions. */
function parseSortKey(path: string, descending: boolean, collection: string, scope: ParseScope): Sort {
  const names = splitPath(path)
  if (names.length > scope.limits.depth) refuseQuery('sort', `at most ${scope.limits.depth} names in a path`, path)
  const steps: SortStep[] = []
  let at = collection
  for (const name of names.slice(0, -1)) {
    const named = fieldNamed(scope, at, name)
    at = targetOf(scope, at, named)
    steps.push({ field: named.field.name, collection: at })
  }
  const { field, view } = fieldNamed(scope, at, names.at(-1) ?? '')
  if (!holdsValue(field)) {
    const reason = `Unable to sort by "${view.name}" field because it is an alias`
    throw new TandemError({ kind: 'unprocessable', reason })
  }
  const canBeNull = field.column?.nullable !== false || steps.length > 0
  return { kind: 'field', path: steps, field: field.name, descending, ...(canBeNull ? { nulls: 'last' } : {}) }
}

function columnNamed(name: string, collection: string, scope: ParseScope): string {
  const { field } = fieldNamed(scope, collection, name)
  if (!holdsValue(field)) throw new TandemError({ kind: 'field-not-found', collection, field: name })
  return field.name
}
