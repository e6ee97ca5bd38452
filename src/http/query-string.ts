/** Query strings: nested brackets, within bounds, on objects without prototype. */
import qs from 'qs'
import { TandemError } from '../domain/errors.ts'
import { parseBrackets } from './bracket-query.ts'
import { requestBounds } from './settings.ts'

const options = {
  depth: requestBounds.queryDepth,
  strictDepth: true,
  arrayLimit: requestBounds.queryArray,
  parameterLimit: requestBounds.queryParameters,
  throwOnLimitExceeded: true,
  plainObjects: true,
} as const

const reserved = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Parses the part after `?`.
 * @example parseQueryString('filter[a][_eq]=1&fields=id,b') // { filter: { a: { _eq: '1' } }, fields: 'id,b' }
 */
export const parseQueryString = (text: string): { readonly [name: string]: unknown } => {
  if (text === '') return Object.create(null) as { readonly [name: string]: unknown }
  const known = flat.get(text)
  if (known !== undefined) return known
  if (!isFlat(text)) return parseNested(text)
  const query = Object.freeze(parseFlat(text))
  if (flat.size >= keptTexts) flat.delete(flat.keys().next().value as string)
  if (text.length <= longestKept) flat.set(text, query)
  return query
}

/** Clients ask the same few things of many items: the last flat query strings are not parsed again. */
const flat = new Map<string, { readonly [name: string]: unknown }>()
const keptTexts = 500
const longestKept = 1000

/** Neither brackets nor escapes nor a name that objects reserve: most requests, and ten times cheaper. */
const isFlat = (text: string): boolean => /^[A-Za-z0-9_=&.,:*$()+-]*$/.test(text) && !/proto|constructor/.test(text)

const parseFlat = (text: string): { readonly [name: string]: unknown } => {
  const query = Object.create(null) as { [name: string]: unknown }
  const pairs = text.split('&')
  if (pairs.length > requestBounds.queryParameters) throw tooMany(requestBounds.queryParameters)
  for (const pair of pairs) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const name = (at < 0 ? pair : pair.slice(0, at)).replaceAll('+', ' ')
    const value = at < 0 ? '' : pair.slice(at + 1).replaceAll('+', ' ')
    const before = query[name]
    if (before === undefined) query[name] = value
    else if (Array.isArray(before)) before.push(value)
    else query[name] = [before, value]
  }
  return query
}

const tooMany = (limit: number): TandemError =>
  new TandemError({
    kind: 'invalid-query',
    name: 'query',
    reason: `Expected at most ${limit} parameters for the query string but received more`,
  })

const parseNested = (text: string): { readonly [name: string]: unknown } => {
  refuseReservedNames(text)
  try {
    return parseBrackets(text, options) ?? qs.parse(text, options)
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw new TandemError(
      {
        kind: 'invalid-query',
        name: 'query',
        reason: `Expected at most ${options.depth} levels, ${options.arrayLimit} list elements and ${options.parameterLimit} parameters for the query string but received more`,
      },
      { cause },
    )
  }
}

/** Looks at names only, so that searching for "constructor" stays possible. */
const refuseReservedNames = (text: string): void => {
  if (!/proto|constructor|%(?!5[bd])/i.test(text)) return
  for (const pair of text.split('&')) {
    const name = decode(pair.split('=', 1)[0] ?? '')
    const found = name.split(/[[\]]+/).find((part) => reserved.has(part))
    if (found !== undefined) throw refusedName(found)
  }
}

const refusedName = (name: string): TandemError =>
  new TandemError({ kind: 'invalid-query', name, reason: `"${name}" cannot be the name of a parameter or field` })

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The same refusal for query values that came as JSON text or in the body of a SEARCH. */
export const refuseReservedKeys = (value: unknown, depth = 0): void => {
  if (typeof value !== 'object' || value === null) return
  if (depth > requestBounds.jsonDepth) {
    const reason = `Expected at most ${requestBounds.jsonDepth} levels of nesting but received more`
    throw new TandemError({ kind: 'invalid-query', name: 'query', reason })
  }
  for (const [key, each] of Object.entries(value)) {
    if (reserved.has(key)) throw refusedName(key)
    refuseReservedKeys(each, depth + 1)
  }
}
