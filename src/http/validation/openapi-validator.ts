/**
 * Checks requests by the public factory of express-openapi-validator. Each path has a document and a validator of its
 * own, so a request costs the same whatever the size of the spec.
 */
import * as OpenApiValidator from 'express-openapi-validator'
import { LRUCache } from 'lru-cache'
import { mayLoseDigits, parseExactly } from '../../domain/conditions/exact-numbers.ts'

/** The parts of a request that the spec describes. Validation replaces values by their coerced form. */
export type RequestParts = {
  readonly path: { readonly [name: string]: string }
  readonly query: { readonly [name: string]: unknown }
  readonly body: unknown
  /** One of the route's media types as written in the spec; null without a body. */
  readonly media: string | null
  readonly headers: { readonly [name: string]: unknown }
  readonly cookies: { readonly [name: string]: string }
}

/** Method and path of an operation in the document. */
export type Form = { readonly method: string; readonly path: string }

/** The request as the validator sees it; it replaces values by their coerced form. */
export type ValidatedRequest = { params: RequestParts['path']; query: { [name: string]: unknown }; body: unknown }
type Middleware = (req: object, res: object, next: (error?: unknown) => void) => unknown

/** The checks of one path. Coerces the values in place; rejects with the validator's error. */
export type PathValidator = (request: ValidatedRequest) => Promise<void>

/** Validators in memory, about 0.1 MB each: the least recently used one makes room and is built again when needed. */
const maxValidators = 250

/** A cache of validators by path; `documentOf` builds the document of one path, with all references resolved. */
export function createValidators(documentOf: (path: string) => object): (path: string) => PathValidator {
  const cache = new LRUCache<string, PathValidator>({ max: maxValidators })
  return (path) => {
    const validator = cache.get(path) ?? createValidator(documentOf(path))
    cache.set(path, validator)
    return validator
  }
}

/** The documents are checked when the specs are built, so the validator does not check them again. */
function createValidator(apiSpec: object): PathValidator {
  const middlewares = OpenApiValidator.middleware({
    apiSpec: apiSpec as never,
    validateApiSpec: false,
    validateRequests: { allowUnknownQueryParameters: true, coerceTypes: false },
    validateResponses: false,
    validateSecurity: false,
    fileUploader: false,
  }) as unknown as readonly Middleware[]
  return async (request) => {
    for (const middleware of middlewares) await run(middleware, request)
  }
}

/** What the middlewares ask an application for. */
const app = { enabled: () => false, param: () => {} }

/** A request for the validator: its URL in the form of the document, its body already read. */
export const toRequest = ({ method, path }: Form, parts: RequestParts) => {
  const url = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(parts.path[name] ?? ''))
  const { 'content-type': _type, ...headers } = parts.headers
  return {
    app,
    method,
    path: url,
    originalUrl: url,
    baseUrl: '',
    headers: parts.media === null ? headers : { ...headers, 'content-type': parts.media },
    params: parts.path,
    query: withDigits(parts.query),
    cookies: parts.cookies,
    body: parts.body,
  }
}

/** The validator would round the numbers of objects that are sent as JSON text. */
function withDigits(query: RequestParts['query']): { [name: string]: unknown } {
  const exact: { [name: string]: unknown } = {}
  for (const [name, value] of Object.entries(query)) exact[name] = isLossy(value) ? parsed(value) : value
  return exact
}

const isLossy = (value: unknown): value is string =>
  typeof value === 'string' && /^\s*[[{]/.test(value) && mayLoseDigits(value)

/** What is no JSON is refused by the validator. */
function parsed(text: string): unknown {
  try {
    return parseExactly(text)
  } catch {
    return text
  }
}

/** Runs a middleware; rejects with the error that it passes to `next`. */
const run = (middleware: Middleware, request: object): Promise<void> =>
  new Promise((resolve, reject) => {
    const next = (error?: unknown): void => {
      if (error === undefined) resolve()
      else reject(error instanceof Error ? error : new Error('The validator failed', { cause: error }))
    }
    middleware(request, {}, next)
  })
