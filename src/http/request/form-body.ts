/** Form bodies, read as objects: `a[b]=1` is `{ a: { b: '1' } }`, and `a[]=1` is `{ a: ['1'] }`. */
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import qs from 'qs'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import { requestBounds } from '../settings.ts'
import { parseJson, readBytes } from './body.ts'
import { partsOf } from './multipart.ts'

export const urlencodedMedia = 'application/x-www-form-urlencoded'
export const multipartMedia = 'multipart/form-data'

const options = {
  depth: requestBounds.jsonDepth,
  strictDepth: true,
  arrayLimit: requestBounds.bodyKeys,
  parameterLimit: requestBounds.bodyKeys,
  throwOnLimitExceeded: true,
  plainObjects: true,
  duplicates: 'last',
  allowSparse: true,
} as const

/** Reads the form within the limits of a JSON body. All values are texts. */
export const readFormBody = async (request: IncomingMessage, media: string, limit: number): Promise<unknown> => {
  const bytes = await readBytes(request, limit)
  if (!isUtf8(bytes)) throw invalidPayload(null, 'Expected UTF-8 for the body but received other bytes')
  const pairs = media === multipartMedia ? await pairsOf(bytes, request.headers) : bytes.toString()
  // As JSON, the value obeys the same rules as one in a JSON body.
  return parseJson(Buffer.from(JSON.stringify(parsePairs(pairs), withNames)))
}

/** The fields of a multipart form in the other notation, so that brackets in names mean the same. */
const pairsOf = async (bytes: Buffer, headers: IncomingMessage['headers']): Promise<string> => {
  const pairs: string[] = []
  for await (const part of partsOf(bytes, headers)) {
    if (part.kind === 'file') throw invalidPayload(part.name, `Expected no file for "${part.name}"`)
    pairs.push(`${encodeURIComponent(part.name)}=${encodeURIComponent(part.value)}`)
  }
  return pairs.join('&')
}

const parsePairs = (text: string): unknown => {
  // The parser would drop such fields.
  if (/(^|[&[]|%5b)__proto__(?=[=[\]&]|%5b|%5d|$)/i.test(text)) {
    throw invalidPayload(null, '"__proto__" cannot be the name of a field')
  }
  try {
    return listed(qs.parse(text, options))
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    const reason = `Expected at most ${options.depth} levels and ${options.parameterLimit} fields for the form but received more`
    throw new TandemError({ kind: 'invalid-payload', reason }, { cause })
  }
}

/** Numbers that leave out positions are names: `a[1]=x&a[2]=y` is no list. */
const withNames = (_name: string, value: unknown): unknown =>
  Array.isArray(value) && Object.keys(value).length < value.length ? Object.fromEntries(Object.entries(value)) : value

/** `0[title]=a&1[title]=b` is a list of two. */
const listed = (value: { readonly [name: string]: unknown }): unknown => {
  const names = Object.keys(value)
  return names.length > 0 && names.every((name, at) => name === String(at)) ? Object.values(value) : value
}
