/** Paths of URLs, normalized once, and query strings with nested brackets, parsed within limits into objects without prototype. */

import type { RequestHandler } from 'express'
import { LRUCache } from 'lru-cache'
import qs from 'qs'
import { memoizeBy } from '../../domain/memoize.ts'
import type { Context } from '../../domain/ports/context.ts'
import { invalidQuery, TandemError } from '../../domain/rights/errors.ts'
import type { View } from '../../domain/schema/view.ts'
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
    const reservedPart = name.split(/[[\]]+/).find((part) => reserved.has(part))
    if (reservedPart !== undefined) throw refusedName(reservedPart)
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

/** Characters that mean the same encoded and plain (RFC 3986, section 2.3). */
const unreserved = /^[A-Za-z0-9._~-]$/

/**
 * The URL with one slash at its beginning, and with the unreserved characters of its path decoded (RFC 3986, section
 * 6.2.2.2). Routes, projects and limits then see one spelling of each path. Other characters stay encoded, so that the
 * path has the same segments. Clients whose base address ends with a slash send two.
 * @example normalizeUrl('//%61/items/a%2Fb?x=%61') // '/a/items/a%2Fb?x=%61'
 */
export const normalizeUrl = (url: string): string => {
  const start = url.startsWith('//') ? url.search(/(?<=\/)(?!\/)/) - 1 : 0
  const end = url.indexOf('?')
  const path = url.slice(start, end < 0 ? url.length : end)
  return (path.includes('%') ? path.replaceAll(/%[0-9a-f]{2}/gi, decodeCode) : path) + (end < 0 ? '' : url.slice(end))
}

const decodeCode = (code: string): string => {
  const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
  return unreserved.test(character) ? character : code
}

export const normalizePath: RequestHandler = (req, _res, next) => {
  req.url = normalizeUrl(req.url)
  next()
}

export type ParseContext = Pick<Context, 'view' | 'limits'> & Partial<Pick<Context, 'actor'>>

/** Limits per view (each schema version has its own). Longer queries are parsed each time. */
const cacheLimits = { queries: 1000, characters: 2000 } as const

/** Limits are those of a project, so their text is made once. */
const textOf = memoizeBy((limits: object) => JSON.stringify(limits))

const resultsOf = memoizeBy<View, LRUCache<string, object>>(() => new LRUCache({ max: cacheLimits.queries }))

/**
 * Returns the cached result of `parse`, or calls it. `inputs` is plain data: everything that `parse` reads.
 */
export function rememberParsed<T extends object>(ctx: ParseContext, inputs: readonly unknown[], parse: () => T): T {
  const { view, limits, actor } = ctx
  const key = `${rightsOf(actor)} ${textOf(limits)} ${JSON.stringify(inputs)}`
  const results = resultsOf(view)
  const before = results.get(key)
  if (before !== undefined) return before as T
  const made = parse()
  if (key.length <= cacheLimits.characters) results.set(key, made)
  return made
}

const rightsOf = (actor: ParseContext['actor']): string =>
  actor === undefined || actor.kind === 'system' ? '' : actor.access.fingerprint
