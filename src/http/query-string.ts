/** Query strings: nested brackets, within bounds, on objects without prototype. */
import qs from 'qs'
import { TandemError } from '../domain/errors.ts'
import { parseBrackets } from './bracket-query.ts'
import { createValues, isOutsideFrames, toFrame, type Values, withinFrame } from './query-values.ts'
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
  const known = frames.get(text)
  if (known !== undefined) return known
  return isFlat(text) ? keepFrame(text, parseFlat(text)) : parseNested(text)
}

/** Texts without the filter, whose values change from request to request while clients repeat the rest. */
const frames = new Map<string, Values>()
const keptTexts = 500
const longestKept = 1000

const keepFrame = (text: string, values: Values): Values => {
  const frame = toFrame(values)
  if (frames.size >= keptTexts) frames.delete(frames.keys().next().value as string)
  if (text.length <= longestKept) frames.set(text, frame)
  return frame
}

/** All in the frame: neither brackets nor escapes nor a name that objects reserve: most requests, and ten times cheaper. */
const isFlat = (text: string): boolean =>
  /^[A-Za-z0-9_=&.,:*$()+-]*$/.test(text) && !/proto|constructor|(?:^|&)filter/.test(text)

const parseFlat = (text: string): Values => {
  const query = createValues()
  if (text === '') return query
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

const parseNested = (text: string): Values => {
  try {
    return parseFramed(text) ?? parseWhole(text)
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

const parseWhole = (text: string): Values => {
  refuseReservedNames(text)
  return parseBrackets(text, options) ?? qs.parse(text, options)
}

/** The usual query with a frame; null for anything else. */
const parseFramed = (text: string): Values | null => {
  const rest: string[] = []
  const own: string[] = []
  for (const pair of text.split('&')) (isOutsideFrames(pair) ? own : rest).push(pair)
  if (rest.length + own.length > options.parameterLimit) return null
  const restText = rest.join('&')
  const frame = frames.get(restText) ?? parseFrame(restText)
  if (frame === null || own.length === 0) return frame
  const ownText = own.join('&')
  refuseReservedNames(ownText)
  const values = parseBrackets(ownText, options)
  return values === null ? null : withinFrame(frame, values)
}

const parseFrame = (text: string): Values | null => {
  refuseReservedNames(text)
  const values = parseBrackets(text, options)
  return values === null ? null : keepFrame(text, values)
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
