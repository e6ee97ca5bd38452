/** Reads and validates the input of an operation. */
import type { IncomingMessage } from 'node:http'
import { withDigits } from '../../domain/conditions/exact-numbers.ts'
import type { Route } from '../../domain/ports/operation.ts'
import { invalidPayload, invalidQuery, TandemError } from '../../domain/rights/errors.ts'
import { assertNotEncoded, readJsonBody } from '../request/body.ts'
import { readDocumentBody } from '../request/document-body.ts'
import { multipartMedia, readFormBody, urlencodedMedia } from '../request/form-body.ts'
import { refuseReservedKeys } from '../request/query-string.ts'
import { type HttpRequest, hasBody } from '../request/request.ts'
import { readSearchBody } from '../request/search-body.ts'
import type { OperationCheck } from './checks.ts'
import { isJsonMedia } from './enforcement.ts'
import type { FormReader } from './form-values.ts'
import type { DropUnknown } from './unknown-keys.ts'

/** Rules for reading the requests of an operation. */
export type InputRules = {
  readonly route: Route
  readonly check: OperationCheck
  /** The known query parameters if unknown ones are refused; otherwise null. */
  readonly onlyQuery: ReadonlySet<string> | null
  readonly maxPayload: number
  /** Drops unknown keys of the body; null if they are refused. */
  readonly dropUnknown?: DropUnknown | null
  /** Whether the JSON body may also be sent as a file (`x-document`). */
  readonly document?: boolean
  /** Where the JSON body may also be sent as a form. */
  readonly forms?: FormReader | null
  /** Query parameters that are objects; used for SEARCH only. */
  readonly objects?: ReadonlySet<string>
}

export type OperationParts = {
  readonly path: { readonly [name: string]: string }
  readonly query: { readonly [name: string]: unknown }
  readonly body: unknown
  /** Paths of keys of the body that were ignored. */
  readonly ignored?: ReadonlySet<string>
  readonly keys?: readonly (string | number)[]
}

/** Reads and validates a request with the operation's own method. */
export const readInput = async (
  req: IncomingMessage,
  request: HttpRequest,
  path: OperationParts['path'],
  rules: InputRules,
): Promise<OperationParts> => {
  if (rules.onlyQuery !== null) refuseUnknownQuery(request.query, rules.onlyQuery)
  const sent = mediaOf(req, rules.route.accepts, rules.route.bodyRequired)
  const form = sent === null ? null : formOf(sent, rules)
  const isJson = sent !== null && isJsonMedia(sent)
  // The handler reads other bodies itself, after it has checked whether the caller may send one.
  const sentBody = form !== null ? await form(req) : isJson ? await readJsonBody(req, rules.maxPayload) : undefined
  const media = form !== null ? 'application/json' : isJson ? sent : null
  return checkInput(request, { path, body: sentBody, media }, rules)
}

type Read = Pick<OperationParts, 'path' | 'body'> & { readonly media: string | null }

export const checkInput = async (
  { headers, cookies, query }: HttpRequest,
  { path, body: sent, media }: Read,
  rules: InputRules,
): Promise<OperationParts> => {
  if (rules.onlyQuery !== null) refuseUnknownQuery(query, rules.onlyQuery)
  const ignored = new Set<string>()
  const body = withKeysInDigits(rules.route.method, rules.dropUnknown?.(sent, ignored) ?? sent)
  const parts = await rules.check.request({ path, query, body, media, headers, cookies })
  return { path: parts.path, query: parts.query, body: parts.body, ignored }
}

/** Reads a form in place of a JSON body; null if the body is no form. */
const formOf = (sent: string, rules: InputRules): ((req: IncomingMessage) => Promise<unknown>) | null => {
  const { document, forms, maxPayload } = rules
  if (sent === multipartMedia && document === true) return (req) => readDocumentBody(req, maxPayload)
  if (forms == null || !forms.media.includes(sent)) return null
  return async (req) => forms.read(await readFormBody(req, sent, maxPayload))
}

/**
 * Reads and validates a SEARCH, whose body takes the place of the query string. Without a body it returns everything.
 */
export const readSearchInput = async (
  req: IncomingMessage,
  request: HttpRequest,
  path: OperationParts['path'],
  rules: InputRules,
): Promise<OperationParts> => {
  if (rules.onlyQuery !== null) refuseUnknownQuery(request.query, rules.onlyQuery)
  const media = mediaOf(req, ['application/json'], false)
  const sent = (media === null ? undefined : await readJsonBody(req, rules.maxPayload)) ?? {}
  const body = readSearchBody(sent, { parameters: rules.route.query, objects: rules.objects ?? new Set() })
  const { headers, cookies } = request
  const parts = await rules.check.request({ path, query: {}, body, media: 'application/json', headers, cookies })
  const { query = {}, keys } = parts.body as { query?: OperationParts['query']; keys?: readonly (string | number)[] }
  refuseReservedKeys(query)
  return { path: parts.path, query, body: undefined, ...(keys === undefined ? {} : { keys }) }
}

/** Keys are numbers or texts in the spec. Those that a double cannot hold are texts. */
const withKeysInDigits = (method: string, body: unknown): unknown => {
  if (method.toLowerCase() === 'delete' && Array.isArray(body)) return body.map(withDigits)
  if (typeof body !== 'object' || body === null || !('keys' in body) || !Array.isArray(body.keys)) return body
  const isOfKeys = method.toLowerCase() === 'delete' || 'data' in body
  return isOfKeys ? { ...body, keys: body.keys.map(withDigits) } : body
}

const refuseUnknownQuery = (query: OperationParts['query'], names: ReadonlySet<string>): void => {
  const name = Object.keys(query).find((each) => !names.has(each))
  if (name !== undefined) {
    throw invalidQuery(name, `"${name}" is not a parameter of this operation`)
  }
}

const mediaOf = (req: IncomingMessage, accepts: readonly string[], required: boolean): string | null => {
  const mediaType = (req.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  // A form without fields has no bytes.
  const isEmptyForm = mediaType === urlencodedMedia && accepts.includes(mediaType)
  if (!hasBody(req) && !isEmptyForm) {
    if (!required) return null
    throw invalidPayload(null, 'Expected a body but received nothing')
  }
  if (accepts.length === 0) return null
  assertNotEncoded(req)
  if (accepts.includes(mediaType)) return mediaType
  throw new TandemError({ kind: 'unsupported-media-type', mediaType, expected: accepts.join(', ') })
}
