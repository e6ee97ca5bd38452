/**
 * The only code that depends on internals of express-openapi-validator, which is pinned to 5.6.2 and covered by
 * `openapi-validator.test.ts`.
 *
 * Its `metadataMiddleware` finds the operation by trying every path. It therefore runs once per operation; the result
 * (`req.openapi`) is cached, and requests go straight to `requestMiddleware`. The middlewares are selected by name.
 * They get a plain object instead of the real request and can change only that copy.
 */
import url from 'node:url'
import * as OpenApiValidator from 'express-openapi-validator'
import specValidator from 'express-openapi-validator/dist/framework/openapi.schema.validator.js'
import { mayLoseDigits, parseExactly } from '../../domain/conditions/exact-numbers.ts'
import type { Parameter } from './known-values.ts'

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

type Next = (error?: unknown) => void
type Middleware = (req: object, res: object, next: Next) => unknown
export type Middlewares = {
  readonly metadata: Middleware
  readonly request: Middleware
}
/** The validator's metadata of an operation. */
export type Learned = {
  readonly schema: { readonly parameters?: readonly Parameter[] }
  readonly pathParams: object
}

/** Method and path of an operation in the document. */
export type Form = { readonly method: string; readonly path: string }

/**
 * The validator calls `url.parse` for each request. Until Node has printed its deprecation warning, each call inspects
 * the stack (7 µs). So the warning is triggered once, muted.
 */
const quietUrlParse = (): void => {
  const before = process.noDeprecation ?? false
  process.noDeprecation = true
  url.parse('/')
  process.noDeprecation = before
}

/**
 * The validator also compiles the OpenAPI meta-schema (100 to 200 ms per document), even if spec validation is
 * disabled. Our specs are validated at build time, so a no-op replaces that check.
 */
const withoutSpecCheck = (): void => {
  const NoopSpecValidator = class {
    validate = () => ({ errors: [] })
  }
  Object.assign(specValidator, { OpenAPISchemaValidator: NoopSpecValidator })
}

/** The middlewares for one document. Answers are checked by `reply-check.ts`, which compiles each schema once. */
export const pickMiddlewares = (apiSpec: object): Middlewares => {
  quietUrlParse()
  withoutSpecCheck()
  const all = OpenApiValidator.middleware({
    apiSpec: apiSpec as never,
    validateApiSpec: false,
    validateRequests: { allowUnknownQueryParameters: true, coerceTypes: false },
    validateResponses: false,
    validateSecurity: false,
    fileUploader: false,
  }) as unknown as readonly Middleware[]
  const named = (name: string): Middleware | null => all.find((each) => each.name === name) ?? null
  const metadata = named('metadataMiddleware')
  const request = named('requestMiddleware')
  if (metadata === null || request === null)
    throw new Error('express-openapi-validator does not have the pinned version')
  return { metadata, request }
}

/** Runs the validator's own look-up with a path of the operation's form. */
export const learnOperation = async (metadata: Middleware, form: Form): Promise<Learned> => {
  const path = form.path.replaceAll(/\{[^}]+\}/g, '0')
  const app = { enabled: () => false }
  const facade: { openapi?: Learned; [member: string]: unknown } = {
    app,
    method: form.method,
    path,
    originalUrl: path,
    baseUrl: '',
    params: {},
  }
  await run(metadata, facade)
  if (facade.openapi === undefined) throw new Error(`${form.method} ${form.path} is not in the spec`)
  return facade.openapi
}

/** A stand-in for the request. `slim`: the validator has already compiled the operation. */
export const toFacade = (form: Form, learned: Learned, parts: RequestParts, slim: boolean) => {
  const all = learned.schema.parameters ?? []
  const parameters = slim ? all.filter((each) => isUnread(each, parts)) : all
  return {
    method: form.method,
    path: form.path,
    originalUrl: '/',
    headers: parts.media === null ? withoutType(parts.headers) : { ...parts.headers, 'content-type': parts.media },
    params: parts.path,
    query: withDigitsOf(parts.query, all),
    cookies: parts.cookies,
    body: parts.body,
    openapi: { ...learned, pathParams: parts.path, schema: { ...learned.schema, parameters } },
  }
}

/** The validator would round the numbers of objects that are sent as JSON text. */
function withDigitsOf(query: RequestParts['query'], parameters: readonly Parameter[]): { [name: string]: unknown } {
  const read = { ...query }
  for (const { name, style, content } of parameters) {
    const value = read[name]
    if (typeof value !== 'string' || (style !== 'deepObject' && content === undefined) || !mayLoseDigits(value))
      continue
    try {
      read[name] = parseExactly(value)
    } catch {
      // What is no JSON is refused by the validator.
    }
  }
  return read
}

/**
 * The validator deserializes each parameter by its style before the compiled schema checks it. This matters only for
 * lists and objects sent as one text, so all others are omitted. (Parsing an object again would cost 5 µs for an
 * exception.)
 */
const isUnread = ({ name, in: place, style, content, schema }: Parameter, parts: RequestParts): boolean => {
  if (place !== 'query') return true
  const value = parts.query[name]
  if (value === undefined || typeof value === 'object') return false
  return style === 'deepObject' || content !== undefined || schema?.type === 'array' || schema?.type === 'object'
}

const withoutType = (headers: RequestParts['headers']): RequestParts['headers'] =>
  headers['content-type'] === undefined ? headers : { ...headers, 'content-type': undefined }

/** Runs a middleware; rejects with the error that it passes to `next`. */
export const run = (middleware: Middleware, req: object, res: object = {}): Promise<void> =>
  new Promise((resolve, reject) => {
    const done = (error?: unknown): void => {
      if (error === undefined) resolve()
      else reject(error instanceof Error ? error : new Error('The validator failed', { cause: error }))
    }
    middleware(req, res, done)
  })
