/**
 * Validates the requests of an operation and, if the settings ask for it, its answers against the spec. Requests are
 * checked by the public factory of express-openapi-validator. Each path has a document and a validator of its own, so a
 * request costs the same whatever the size of the spec. decisions/0074 says what that document looks like.
 */
import * as OpenApiValidator from 'express-openapi-validator'
import { LRUCache } from 'lru-cache'
import { parseExactly } from '../../domain/conditions/exact-numbers.ts'
import type { Route } from '../../domain/ports/operation.ts'
import { invalidQuery } from '../../domain/rights/errors.ts'
import { refuseReservedKeys } from '../request/query-string.ts'
import {
  enforcementSpec,
  type Node,
  objectParameters,
  partsSchema,
  type SpecDocument,
  searchPath,
} from './enforcement.ts'
import { createReplyCheck, type ReplyCheck, type ReplyParts } from './reply-check.ts'
import { type RequestParts, toReplyFailure, toRequestFailure } from './validation-failure.ts'

/** The checks of one operation, or of its SEARCH form. */
export type OperationCheck = {
  /** Resolves with the coerced parts; throws a TandemError that names the parameter. */
  readonly request: (parts: RequestParts) => Promise<RequestParts>
  /** Throws if the spec does not allow the answer. */
  readonly reply: (parts: ReplyParts) => Promise<void>
}

export type CheckOptions = { readonly strictQuery: boolean; readonly validateResponses: boolean }

/** Creates the checks of operations, keyed by operationId and, for SEARCH, `search:<operationId>`. */
export const createChecks = (
  spec: SpecDocument,
  routes: readonly Route[],
  options: CheckOptions,
): ReadonlyMap<string, OperationCheck> => {
  const validatorOf = createValidators((path, isSearch) => {
    const onPath = routes.filter((route) => route.path === path)
    const { paths } = enforcementSpec(spec, onPath, options)
    return toDocument(spec, paths[isSearch ? searchPath(path) : path] as Operations)
  })
  const checks = new Map<string, OperationCheck>()
  for (const route of routes) {
    const { method, path, operationId } = route
    const objects = objectParameters(spec, route)
    const reply: ReplyCheck = options.validateResponses ? createReplyCheck(spec, route) : () => null
    checks.set(
      operationId,
      createCheck(() => validatorOf(path, false), { method, path, objects }, reply),
    )
    if (!route.search) continue
    const form: Form = { method: 'POST', path: searchPath(path), objects }
    checks.set(
      `search:${operationId}`,
      createCheck(() => validatorOf(path, true), form, reply),
    )
  }
  return checks
}

type InputValues = { readonly [name: string]: unknown }

/** The validator accepts `Infinity` and `1e400` as numbers, and no limit in a schema refuses them. */
const refuseInfinite = (checked: InputValues, sent: InputValues): void => {
  for (const [name, value] of Object.entries(checked)) {
    if (typeof value !== 'number' || Number.isFinite(value)) continue
    const reason = `Expected a finite number for "${name}" but received ${JSON.stringify(sent[name])}`
    throw invalidQuery(name, reason)
  }
}

const createCheck = (validator: () => PathValidator, form: Form, reply: ReplyCheck): OperationCheck => ({
  request: async (parts) => {
    const query = readObjects(parts.query, form.objects)
    const sent = toRequest(form.method, { ...parts, query })
    await validator()(sent).catch((error: unknown) => {
      throw toRequestFailure(error, { ...parts, query }, form.path.startsWith('/@search'))
    })
    refuseInfinite(query, parts.query)
    // Values sent as text were checked when parsed; some of these texts have become objects here.
    refuseReservedKeys(query)
    return { ...parts, path: sent.cookies.params, query, body: sent.body }
  },
  reply: async (parts) => {
    const fault = reply(parts)
    if (fault !== null) throw toReplyFailure(form, parts, fault)
  },
})

/** An operation; `objects`: its query parameters that are objects. */
type Form = { readonly method: string; readonly path: string; readonly objects: ReadonlySet<string> }

type Operations = { readonly [method: string]: Node }

/** The operations of a path, at the path `/` and with their parameters by place: as cookies, which are taken as they are. */
function toDocument({ openapi }: SpecDocument, operations: Operations): object {
  const item = Object.entries(operations).map(([method, operation]) => {
    const places = Object.entries(partsSchema(operation.parameters).properties)
    const parameters = places.map(([name, schema]) => ({ name, in: 'cookie', required: true, schema }))
    return [method, { ...operation, parameters }]
  })
  return { openapi, info: { title: 'enforcement', version: '1' }, paths: { '/': Object.fromEntries(item) as object } }
}

type ValidatedRequest = ReturnType<typeof toRequest>
type Middleware = (req: object, res: object, next: (error?: unknown) => void) => unknown

/** The checks of one path. Coerces the values in place; rejects with the validator's error. */
type PathValidator = (request: ValidatedRequest) => Promise<void>

/** Validators in memory, about 0.1 MB each: the least recently used one makes room and is built again when needed. */
const maxValidators = 250

type ByPath<T> = (path: string, isSearch: boolean) => T

/** A cache of validators by path; `documentOf` builds the document of one path, with all references resolved. */
function createValidators(documentOf: ByPath<object>): ByPath<PathValidator> {
  const cache = new LRUCache<string, PathValidator>({ max: maxValidators })
  return (path, isSearch) => {
    const key = isSearch ? searchPath(path) : path
    const known = cache.get(key)
    if (known !== undefined) return known
    const validator = createValidator(documentOf(path, isSearch))
    cache.set(key, validator)
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
  return (request) => new Promise((resolve, reject) => run(middlewares, request, { resolve, reject }))
}

/** What the middlewares ask an application for. */
const app = { enabled: () => false, param: () => {} }

/** A request for the validator, with its body already read. Parameters are where `toDocument` puts them. */
const toRequest = (method: string, { path, query, headers, body, media }: RequestParts) => ({
  app,
  method,
  path: '/',
  originalUrl: '/',
  baseUrl: '',
  headers: media === null ? {} : { 'content-type': media },
  params: {},
  query: {},
  cookies: { query, headers, params: { ...path } },
  body,
})

/** Objects may be sent as JSON text. What is no JSON is refused by the validator. */
function readObjects(sent: RequestParts['query'], objects: Form['objects']): { [name: string]: unknown } {
  const query: { [name: string]: unknown } = { ...sent }
  for (const name of objects) {
    const { [name]: text } = query
    if (text === '') delete query[name]
    else if (typeof text === 'string') query[name] = parsed(text)
  }
  return query
}

function parsed(text: string): unknown {
  try {
    return parseExactly(text)
  } catch {
    return text
  }
}

type Settling = { readonly resolve: () => void; readonly reject: (error: Error) => void }

/** Runs the middlewares one after the other; rejects with the error that one of them passes to `next`. */
function run([first, ...rest]: readonly Middleware[], request: object, settling: Settling): void {
  if (first === undefined) return settling.resolve()
  first(request, {}, (error) => {
    if (error === undefined) run(rest, request, settling)
    else settling.reject(error instanceof Error ? error : new Error('The validator failed', { cause: error }))
  })
}
