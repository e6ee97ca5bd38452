/** `filter[<field>][<operator>]=<value>` → `Filter`. */

import { inDigits, parseExactly } from '../../domain/conditions/exact-numbers.ts'
import { describe, refuseQuery } from '../../domain/conditions/literals.ts'
import { splitPath } from '../../domain/query/field-path.ts'
import { and, type Filter, or } from '../../domain/query/filter.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { parseFieldCondition } from './conditions.ts'
import { members, toText } from './lists.ts'
import { fieldNamed, type ParseScope, targetOf } from './parse-scope.ts'

const mostConditions = 1000
/** Maximum number of conditions on related items: each becomes a subquery. */
const mostRelated = 100

/** One condition, and whether it has `logical=or`. */
type Link = { readonly filter: Filter; readonly or: boolean }

/** `word` is the operator's spelling. */
type Condition = { readonly word: string; readonly raw: unknown; readonly or: boolean; readonly name: string }

/**
 * Parses the filter. Conditions are combined with AND. Consecutive ones with `logical=or` form one group with the
 * condition before them, so that conditions outside the filter (status, permissions) are never weakened.
 */
export function parseFilter(raw: unknown, collection: string, scope: ParseScope): Filter {
  if (raw === undefined || raw === '') return and()
  const links: Link[] = []
  for (const [path, value] of Object.entries(toObject(raw))) {
    const conditions = conditionsOf(value, `filter.${path}`)
    // A list without conditions has no effect, but its field must be there.
    if (conditions.length === 0) inFilter(() => fieldNamed(scope, collection, splitPath(path)[0] ?? ''))
    for (const condition of conditions) {
      const filter = inFilter(() => parsePath(path, condition, collection, scope))
      if (filter !== null) links.push({ filter, or: condition.or })
    }
    if (links.length > mostConditions) refuseQuery('filter', `at most ${mostConditions} conditions`, links.length)
  }
  const related = links.filter(({ filter }) => filter.kind === 'related').length
  if (related > mostRelated) refuseQuery('filter', `at most ${mostRelated} conditions on related items`, related)
  return joinLinks(links)
}

/** Marks fields that do not exist for the caller as those of a condition, which have a code of their own. */
function inFilter<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    const failure = error instanceof TandemError ? error.failures[0] : null
    if (failure?.kind !== 'field-not-found') throw error
    throw new TandemError({ ...failure, within: 'filter' }, { cause: error })
  }
}

/** Groups each run of OR conditions with its predecessor. */
function joinLinks(links: readonly Link[]): Filter {
  const groups: Filter[][] = []
  for (const link of links) {
    const last = groups.at(-1)
    if (link.or && last !== undefined) last.push(link.filter)
    else groups.push([link.filter])
  }
  return and(...groups.map((group) => or(...group)))
}

function toObject(raw: unknown): object {
  const value = typeof raw === 'string' ? parseJson(raw) : raw
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  return refuseQuery('filter', 'conditions by field', raw)
}

function parseJson(text: string): unknown {
  try {
    return inDigits(parseExactly(text))
  } catch (cause) {
    const reason = `Expected conditions by field for "filter" but received ${describe(text)}`
    throw new TandemError({ kind: 'invalid-query', name: 'filter', reason }, { cause })
  }
}

/**
 * Parses `[f]=v`, `[f][op]=v`, `[f][op]=v&[f][op2]=w`, `[f][0][op]=v&[f][1][op]=w`. A `logical` of its own, as in
 * `[f]=v&[f][logical]=or`, applies to all conditions on the field.
 */
function conditionsOf(value: unknown, name: string): readonly Condition[] {
  if (typeof value !== 'object' || value === null) return [{ word: 'eq', raw: value, or: false, name }]
  if (!Array.isArray(value) && !isIndexed(value)) return conditionsOfObject(value, name)
  const parts = members(value).map((each, index) => {
    const at = `${name}.${index}`
    if (typeof each !== 'object' || each === null) return conditionsOf(each, at)
    return Array.isArray(each) ? refuseQuery(at, 'a condition', each) : conditionsOfObject(each, at)
  })
  const isOr = members(value).some((each) => typeof each === 'object' && each !== null && isLoneOr(each))
  return parts.flat().map((condition) => (isOr ? { ...condition, or: true } : condition))
}

function conditionsOfObject(value: object, name: string): readonly Condition[] {
  const entries = Object.entries(value)
  const isOr = entries.some(([word, raw]) => word === 'logical' && isOrWord(raw, name))
  return entries.flatMap(([word, raw]) =>
    word === 'logical' ? [] : [{ word, raw, or: isOr, name: `${name}.${word}` }],
  )
}

const isLoneOr = (value: object): boolean => {
  const entries = Object.entries(value)
  return entries.length === 1 && entries[0]?.[0] === 'logical' && isOrWord(entries[0][1], 'filter')
}

const isIndexed = (value: object): boolean => {
  const keys = Object.keys(value)
  return keys.length > 0 && keys.every((key) => /^\d{1,5}$/.test(key))
}

function isOrWord(raw: unknown, name: string): boolean {
  const word = toText(raw).toLowerCase()
  if (word === 'or' || word === 'and') return word === 'or'
  return refuseQuery(`${name}.logical`, '"and" or "or"', raw)
}

/** Dots lead through relations: some related row must match. Null if the condition has no effect. */
function parsePath(path: string, condition: Condition, collection: string, scope: ParseScope): Filter | null {
  const segments = splitPath(path)
  if (segments.length > scope.limits.depth) refuseQuery('filter', `at most ${scope.limits.depth} names in a path`, path)
  return parseSegments(segments, condition, collection, scope)
}

function parseSegments(
  segments: readonly string[],
  condition: Condition,
  collection: string,
  scope: ParseScope,
): Filter | null {
  const [name = '', ...rest] = segments
  const named = fieldNamed(scope, collection, name)
  if (rest.length === 0) return parseFieldCondition(named, condition, collection, scope)
  const related = targetOf(scope, collection, named)
  const filter = parseSegments(rest, condition, related, scope)
  if (filter === null) return null
  return { kind: 'related', field: named.field.name, collection: related, quantifier: 'some', filter }
}
