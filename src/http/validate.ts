/**
 * express-openapi-validator in front of every operation, at a cost that does not grow with the spec.
 *
 * Its own `metadataMiddleware` looks for the operation by trying every path, so it is run once per
 * operation and what it found (`req.openapi`) is kept; each request then goes straight to its
 * `requestMiddleware`. The middlewares are picked by name: internals of the pinned version 5.6.2,
 * which `validate.test.ts` holds in place. They get a plain object and never the real request, so
 * they change nothing but our copy, and their caches are keyed by what the spec names.
 */
import url from 'node:url'
import * as OpenApiValidator from 'express-openapi-validator'
import specValidator from 'express-openapi-validator/dist/framework/openapi.schema.validator.js'
import type { Route } from '../domain/operation.ts'
import { enforcementSpec, type SpecDocument, searchPath } from './enforcement.ts'
import { createKnownValues, type KnownValues, type Parameter } from './known-values.ts'
import { refuseReservedKeys } from './query-string.ts'
import { toReplyFailure, toRequestFailure } from './validation-failure.ts'

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

/** The checks of one operation, or of its SEARCH form. */
export type OperationCheck = {
  /** Resolves with the coerced parts, or throws a TandemError that names the parameter. */
  readonly request: (parts: RequestParts) => Promise<RequestParts>
  /** Throws when the answer is not one that the spec has. */
  readonly reply: (parts: ReplyParts) => Promise<void>
}

type Next = (error?: unknown) => void
type Middleware = (req: object, res: object, next: Next) => unknown
type Middlewares = { readonly metadata: Middleware; readonly request: Middleware; readonly response: Middleware | null }
type Learned = { readonly schema: { readonly parameters?: readonly Parameter[] }; readonly pathParams: object }

export type CheckOptions = { readonly strictQuery: boolean; readonly validateResponses: boolean }

/** Checks for some operations of a spec, by operationId and, for SEARCH, `search:<operationId>`. */
export const createChecks = (
  spec: SpecDocument,
  routes: readonly Route[],
  options: CheckOptions,
): ReadonlyMap<string, OperationCheck> => {
  let made: Middlewares | null = null
  const middlewares = (): Middlewares => (made ??= pickMiddlewares(enforcementSpec(spec, routes, options), options))
  const checks = new Map<string, OperationCheck>()
  for (const route of routes) {
    checks.set(route.operationId, createCheck(middlewares, { method: route.method, path: route.path }))
    if (route.search) {
      const form = { method: 'POST', path: searchPath(route.path) }
      checks.set(`search:${route.operationId}`, createCheck(middlewares, form))
    }
  }
  return checks
}

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
  const unlooking = class {
    validate = () => ({ errors: [] })
  }
  Object.assign(specValidator, { OpenAPISchemaValidator: unlooking })
}

const pickMiddlewares = (apiSpec: object, options: CheckOptions): Middlewares => {
  quietUrlParse()
  withoutSpecCheck()
  const all = OpenApiValidator.middleware({
    apiSpec: apiSpec as never,
    validateApiSpec: false,
    validateRequests: { allowUnknownQueryParameters: true, coerceTypes: false },
    validateResponses: options.validateResponses ? { coerceTypes: false, removeAdditional: false } : false,
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

type Form = { readonly method: string; readonly path: string }

const createCheck = (middlewares: () => Middlewares, form: Form): OperationCheck => {
  let learning: Promise<Learned> | null = null
  let known: Learned | null = null
  let values: KnownValues | null = null
  const learn = async (): Promise<Learned> => {
    if (known !== null) return known
    known = await (learning ??= learnOperation(middlewares().metadata, form))
    values ??= createKnownValues(known.schema.parameters ?? [])
    return known
  }
  // The validator compiles an operation from the first request it sees per media type: that one must show all parameters.
  const compiled = new Set<string | null>()
  const request = async (parts: RequestParts): Promise<RequestParts> => {
    const passed = parts.media === null ? (values?.find(parts) ?? null) : null
    if (passed !== null) return passed === parts.query ? parts : { ...parts, query: passed }
    const learned = known ?? (await learn())
    const facade = toFacade(form, learned, parts, compiled.has(parts.media))
    try {
      await run(middlewares().request, facade)
    } catch (error) {
      throw toRequestFailure(error, { ...parts, query: facade.query }, form.path.startsWith('/@search'))
    }
    // What came as text was looked at when it was parsed; of some texts this has made objects.
    refuseReservedKeys(facade.query)
    compiled.add(parts.media)
    if (parts.media === null) values?.keep(parts.query, facade.query)
    return { ...parts, path: facade.params, query: facade.query, body: facade.body }
  }
  return {
    request,
    reply: async (reply) => checkReply(middlewares().response, form, await learn(), reply),
  }
}

/** Runs the validator's own look-up on a path of the operation's form. */
const learnOperation = async (metadata: Middleware, form: Form): Promise<Learned> => {
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

const toFacade = (form: Form, learned: Learned, parts: RequestParts, slim: boolean) => {
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

const run = (middleware: Middleware, req: object, res: object = {}): Promise<void> =>
  new Promise((resolve, reject) => {
    const done = (error?: unknown): void => {
      if (error === undefined) resolve()
      else reject(error instanceof Error ? error : new Error('The validator failed', { cause: error }))
    }
    middleware(req, res, done)
  })

const checkReply = async (
  middleware: Middleware | null,
  form: Form,
  learned: Learned,
  reply: ReplyParts,
): Promise<void> => {
  if (middleware === null) return
  const responses = (learned as unknown as { schema: { responses: { [status: string]: { content?: object } } } }).schema
    .responses
  const declared = responses[String(reply.status)]
  if (declared === undefined) throw toReplyFailure(form, reply, `the status ${reply.status} is not in the spec`)
  if (Object.hasOwn(declared.content ?? {}, '*/*')) return
  if (reply.type !== null && reply.value === undefined) {
    const media = reply.type.split(';', 1)[0] ?? ''
    if (!Object.hasOwn(declared.content ?? {}, media))
      throw toReplyFailure(form, reply, `the media type ${media} is not in the spec`)
    return
  }
  const res = {
    statusCode: Math.min(reply.status, 499),
    json: () => undefined,
    getHeaders: () => (reply.type === null ? {} : { 'content-type': reply.type }),
  }
  const failure = await new Promise<unknown>((resolve) => {
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
  if (failure !== undefined) throw toReplyFailure(form, reply, failure instanceof Error ? failure.message : 'unknown')
}
