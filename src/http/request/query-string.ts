/** Query strings with nested brackets, parsed within limits into objects without prototype. */
import qs from 'qs'
import { invalidQuery, TandemError } from '../../domain/rights/errors.ts'
import { requestBounds } from '../settings.ts'

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
  refuseReservedNames(text)
  try {
    return qs.parse(text, options)
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    const reason = `Expected at most ${options.depth} levels, ${options.arrayLimit} list elements and ${options.parameterLimit} parameters for the query string but received more`
    throw new TandemError({ kind: 'invalid-query', name: 'query', reason }, { cause })
  }
}

/** Checks names only, so that searching for "constructor" stays possible. */
const refuseReservedNames = (text: string): void => {
  if (!/proto|constructor|%(?!5[bd])/i.test(text)) return
  for (const pair of text.split('&')) {
    const name = decode(pair.split('=', 1)[0] ?? '')
    const found = name.split(/[[\]]+/).find((part) => reserved.has(part))
    if (found !== undefined) throw refusedName(found)
  }
}

const refusedName = (name: string): TandemError =>
  invalidQuery(name, `"${name}" cannot be the name of a parameter or field`)

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The same check for query values that came as JSON text or in the body of a SEARCH. */
export const refuseReservedKeys = (value: unknown, depth = 0): void => {
  if (typeof value !== 'object' || value === null) return
  if (depth > requestBounds.jsonDepth) {
    const reason = `Expected at most ${requestBounds.jsonDepth} levels of nesting but received more`
    throw invalidQuery('query', reason)
  }
  for (const [key, each] of Object.entries(value)) {
    if (reserved.has(key)) throw refusedName(key)
    refuseReservedKeys(each, depth + 1)
  }
}
