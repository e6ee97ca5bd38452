/**
 * All that is known here of the insides of express-openapi-validator, pinned to 5.6.2 and held in place by
 * `openapi-validator.test.ts`.
 *
 * Its own `metadataMiddleware` looks for the operation by trying every path, so it is run once per operation and what
 * it found (`req.openapi`) is kept; each request then goes straight to its `requestMiddleware`. The middlewares are
 * picked by name. They get a plain object and never the real request, so they change nothing but our copy.
 */
import url from 'node:url'
import * as OpenApiValidator from 'express-openapi-validator'
import specValidator from 'express-openapi-validator/dist/framework/openapi.schema.validator.js'
import type { Parameter } from './known-values.ts'

/** What of a request the spec speaks about. Values are replaced by their coerced form. */
export type RequestParts = {
  readonly path: { readonly [name: string]: string }
  readonly query: { readonly [name: string]: unknown }
  readonly body: unknown
  /** One of the route's media types, as the spec writes it; null without a body. */
  readonly media: string | null
  readonly headers: { readonly [name: string]: unknown }
  readonly cookies: { readonly [name: string]: string }
}

export type ReplyParts = { readonly status: number; readonly type: string | null; readonly value: unknown }

type Next = (error?: unknown) => void
type Middleware = (req: object, res: object, next: Next) => unknown
export type Middlewares = {
  readonly metadata: Middleware
  readonly request: Middleware
  readonly response: Middleware | null
}
/** What the validator has found of an operation. */
export type Learned = {
  readonly schema: {
    readonly parameters?: readonly Parameter[]
    readonly responses: { readonly [status: string]: { readonly content?: object } }
  }
  readonly pathParams: object
}

/** Method and path of an operation in the document. */
export type Form = { readonly method: string; readonly path: string }

/**
 * The validator calls `url.parse` on each request. Until node has warned once that this is deprecated,
 * every call costs a look at the stack (7 µs), so it is allowed to warn now, unheard.
 */
const quietUrlParse = (): void => {
  const before = process.noDeprecation ?? false
  process.noDeprecation = true
  url.parse('/')
  process.noDeprecation = before
}

/**
 * It also compiles the schema of all specs (100 to 200 ms, for each set of operations), even where it is told not to
 * look at the spec. Ours are checked when they are bundled, so here it gets what looks at nothing.
 */
const withoutSpecCheck = (): void => {
  const NoopSpecValidator = class {
    validate = () => ({ errors: [] })
  }
  Object.assign(specValidator, { OpenAPISchemaValidator: NoopSpecValidator })
}

/** The middlewares for one document; the last one where answers are checked. */
export const pickMiddlewares = (apiSpec: object, validateResponses: boolean): Middlewares => {
  quietUrlParse()
  withoutSpecCheck()
  const all = OpenApiValidator.middleware({
    apiSpec: apiSpec as never,
    validateApiSpec: false,
    validateRequests: { allowUnknownQueryParameters: true, coerceTypes: false },
    validateResponses: validateResponses ? { coerceTypes: false, removeAdditional: false } : false,
    validateSecurity: false,
    fileUploader: false,
  }) as unknown as readonly Middleware[]
  const named = (name: string): Middleware | null => all.find((each) => each.name === name) ?? null
  const metadata = named('metadataMiddleware')
  const request = named('requestMiddleware')
  if (metadata === null || request === null)
    throw new Error('express-openapi-validator is not the version it is pinned to')
  return { metadata, request, response: named('responseMiddleware') }
}

/** Runs the validator's own look-up on a path of the operation's form. */
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

/** A request as the validator looks at it. `slim`: it has compiled the operation already. */
export const toFacade = (form: Form, learned: Learned, parts: RequestParts, slim: boolean) => {
  const all = learned.schema.parameters ?? []
  const parameters = slim ? all.filter((each) => isUnread(each, parts)) : all
  return {
    method: form.method,
    path: form.path,
    originalUrl: '/',
    headers: parts.media === null ? withoutType(parts.headers) : { ...parts.headers, 'content-type': parts.media },
    params: parts.path,
    query: { ...parts.query },
    cookies: parts.cookies,
    body: parts.body,
    openapi: { ...learned, pathParams: parts.path, schema: { ...learned.schema, parameters } },
  }
}

/**
 * The validator prepares each parameter by its style before the compiled schema checks it. That changes
 * something only for lists and objects that came as one text; the rest is left out (and an object that is
 * one already would be parsed in vain, 5 µs for the exception).
 */
const isUnread = ({ name, in: place, style, content, schema }: Parameter, parts: RequestParts): boolean => {
  if (place !== 'query') return true
  const value = parts.query[name]
  if (value === undefined || typeof value === 'object') return false
  return style === 'deepObject' || content !== undefined || schema?.type === 'array' || schema?.type === 'object'
}

const withoutType = (headers: RequestParts['headers']): RequestParts['headers'] =>
  headers['content-type'] === undefined ? headers : { ...headers, 'content-type': undefined }

/** Rejects with what the middleware passes on. */
export const run = (middleware: Middleware, req: object, res: object = {}): Promise<void> =>
  new Promise((resolve, reject) => {
    const done = (error?: unknown): void => {
      if (error === undefined) resolve()
      else reject(error instanceof Error ? error : new Error('The validator failed', { cause: error }))
    }
    middleware(req, res, done)
  })

/** What the validator has against an answer; undefined when it has nothing. */
export const findReplyFailure = (
  middleware: Middleware,
  { form, learned }: { readonly form: Form; readonly learned: Learned },
  reply: ReplyParts,
): Promise<unknown> => {
  const res = {
    statusCode: Math.min(reply.status, 499),
    json: () => undefined,
    getHeaders: () => (reply.type === null ? {} : { 'content-type': reply.type }),
  }
  return new Promise<unknown>((resolve) => {
    const facade = { method: form.method, originalUrl: form.path, headers: {}, openapi: learned }
    let installed = false
    const next: Next = (error) => {
      if (installed || error !== undefined) return resolve(error)
      installed = true
      const send = res.json as (value: unknown) => void
      queueMicrotask(() => {
        send.call(res, reply.value)
        resolve(undefined)
      })
    }
    middleware(facade, res, next)
  })
}
