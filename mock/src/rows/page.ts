/** The rows of one level: filter, archive, search, order and page. */
import type { Query } from '../../../src/domain/query/query.ts'
import { TandemError } from '../../../src/domain/rights/errors.ts'
import { compareStored, textOf } from './compare.ts'
import type { Env } from './env.ts'
import { isTrue, matches } from './filter.ts'
import { fieldOf, type Level, valueOf } from './links.ts'
import { isBehind, sorted } from './sort.ts'
import { plain, toStored } from './stored.ts'

/** The rows of the query among those given, in order and cut to its page. */
export function pageOf(env: Env, levels: readonly Level[], query: Query, preferred: string | null): readonly Level[] {
  const ordered = sorted(env, rowsFor(env, levels, query), query.sort, preferred)
  const { after } = query
  return cut(after === undefined ? ordered : ordered.filter((level) => isBehind(env, level, query.sort, after)), query)
}

export function cut<T>(rows: readonly T[], { page: { limit, offset } }: Query): readonly T[] {
  return limit === null ? rows.slice(offset) : rows.slice(offset, offset + limit)
}

/** The rows that the conditions of the query let through. */
export function rowsFor(env: Env, levels: readonly Level[], query: Query): readonly Level[] {
  const matching = levels.filter(
    (level) => isTrue(matches(env, level, query.filter)) && isShown(level, query) && isFound(env, level, query),
  )
  return query.distinct === undefined ? matching : firstOfEach(env, matching, query, query.distinct)
}

export function isShown(level: Level, { archive: asked }: Query): boolean {
  const { archive } = level.collection
  if (asked.kind === 'all' || archive === null) return true
  const value = valueOf(level, archive.field)
  const text = value === null ? null : textOf(fieldOf(level.collection, archive.field), value)
  if (asked.kind === 'live') return text === null || !archive.archived.includes(text)
  return text !== null && asked.values.includes(text)
}

function isFound(env: Env, level: Level, { search, searchFields = [] }: Query): boolean {
  if (search === null) return true
  const text = search.trim()
  return searchFields.some(({ field: name, guard }) => {
    const field = fieldOf(level.collection, name)
    const value = valueOf(level, name)
    if (value === null || field.concealed || field.column === null) return false
    if (guard !== undefined && !isTrue(matches(env, level, guard))) return false
    if (field.type === 'string' || field.type === 'text') return plain(value).toLowerCase().includes(text.toLowerCase())
    const wanted = readings[field.type]?.test(text) === true ? toStored(field, text) : null
    return wanted !== null && compareStored(field, value, wanted) === 0
  })
}

const whole = /^[+-]?\d{1,19}$/
const number = /^[+-]?\d{1,30}(\.\d{1,30})?$/

/** Texts that are searched for in columns of each type. */
const readings: { readonly [type: string]: RegExp } = {
  integer: whole,
  bigInteger: whole,
  float: number,
  decimal: number,
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
}

function firstOfEach(env: Env, levels: readonly Level[], query: Query, names: readonly string[]): readonly Level[] {
  const [one] = levels
  if (one === undefined) return levels
  if (one.collection.keyColumns.length !== 1) {
    const reason = `Expected a collection with a key of one column for the groups of "${query.collection}"`
    throw new TandemError({ kind: 'invalid-query', name: 'groups', reason })
  }
  const groups = Map.groupBy(sorted(env, levels, query.sort, null), (level) =>
    JSON.stringify(names.map((name) => valueOf(level, name))),
  )
  return [...groups.values()].map(([first]) => first as Level)
}
