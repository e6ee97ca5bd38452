/**
 * Validates the requests of an operation and, if the settings ask for it, its answers against the spec. Requests are
 * checked by the public factory of express-openapi-validator. Each path has a document and a validator of its own, so a
 * request costs the same whatever the size of the spec.
 */
import * as OpenApiValidator from 'express-openapi-validator'
import { LRUCache } from 'lru-cache'
import { mayLoseDigits, parseExactly } from '../../domain/conditions/exact-numbers.ts'
import { entryOf, memoizeByBoth } from '../../domain/memoize.ts'
import type { Route } from '../../domain/ports/operation.ts'
import { invalidQuery } from '../../domain/rights/errors.ts'
import { refuseReservedKeys } from '../request/query-string.ts'
import { type EnforcementDocument, enforcementSpec, type Node, type SpecDocument, searchPath } from './enforcement.ts'
import { createPlainValues, type PlainValues, type Remaining } from './plain-values.ts'
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
  const validatorOf = validatorsOf(spec, routes)
  const checks = new Map<string, OperationCheck>()
  for (const route of routes) {
    const { method, path, operationId } = route
    const validator = (): PathValidator => validatorOf(path, options.strictQuery)
    const reply: ReplyCheck = options.validateResponses ? createReplyCheck(spec, route) : () => null
    checks.set(operationId, createCheck(validator, { method, path }, reply))
    if (route.search)
      checks.set(`search:${operationId}`, createCheck(validator, { method: 'POST', path: searchPath(path) }, reply))
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
    const path = validator()
    const remaining = path.plainValues.get(nameOf(form))?.(parts) ?? null
    if (remaining === null) return checkAll(path, form, parts)
    const isPlain = remaining.key === ''
    const query = isPlain
      ? parts.query
      : { ...parts.query, ...(await checkRemaining(path, form, { ...parts, remaining })) }
    // Values sent as text were checked when parsed; some of these texts have become objects here.
    refuseReservedKeys(query)
    return { ...parts, query }
  },
  reply: async (parts) => {
    const fault = reply(parts)
    if (fault !== null) throw toReplyFailure(form, parts, fault)
  },
})

/** Checks the values that are not plain, and remembers what they become. */
async function checkRemaining(
  validator: PathValidator,
  form: Form,
  { remaining, ...parts }: RequestParts & { readonly remaining: Remaining },
): Promise<RequestParts['query']> {
  const { passed } = validator
  const key = nameOf(form) + remaining.key
  const before = passed.get(key)
  if (before !== undefined) return before
  const { query } = await checkAll(validator, form, { ...parts, query: remaining.query })
  const coerced = Object.fromEntries(Object.keys(remaining.query).map((name) => [name, query[name]]))
  if (key.length <= longestPassed) passed.set(key, coerced)
  return coerced
}

async function checkAll({ validate }: PathValidator, form: Form, parts: RequestParts): Promise<RequestParts> {
  const sent = toRequest(form, parts)
  await validate(sent).catch((error: unknown) => {
    throw toRequestFailure(error, { ...parts, query: sent.query }, form.path.startsWith('/@search'))
  })
  const { params, query, body } = sent
  refuseInfinite({ ...params, ...query }, { ...parts.path, ...parts.query })
  refuseReservedKeys(query)
  return { ...parts, path: params, query, body }
}

/** Method and path of an operation in the document. */
type Form = { readonly method: string; readonly path: string }

const nameOf = ({ method, path }: Form): string => `${method.toLowerCase()} ${path}`

/** The request as the validator sees it; it replaces values by their coerced form. */
type ValidatedRequest = { params: RequestParts['path']; query: { [name: string]: unknown }; body: unknown }
type Middleware = (req: object, res: object, next: (error?: unknown) => void) => unknown

/** Coerces the values in place; rejects with the validator's error. */
type Validate = (request: ValidatedRequest) => Promise<void>

type PathValidator = {
  readonly validate: Validate
  /** By `nameOf` the form. */
  readonly plainValues: ReadonlyMap<string, PlainValues>
  /** The coerced values of those that have passed and are not plain. */
  readonly passed: LRUCache<string, RequestParts['query']>
}

/** Number of these per path, and of the characters of each. */
const mostPassed = 100
const longestPassed = 200

/** Validators in memory, about 0.1 MB each: the least recently used one makes room and is built again when needed. */
const maxValidators = 250

type ValidatorOf = (path: string, strictQuery: boolean) => PathValidator

/** A cache of validators by path, for all applications of the process that serve the same routes. */
const validatorsOf = memoizeByBoth((spec: SpecDocument, routes: readonly Route[]): ValidatorOf => {
  const cache = new LRUCache<string, PathValidator>({ max: maxValidators })
  const make = (path: string, strictQuery: boolean): PathValidator => {
    const ofPath = routes.filter((route) => route.path === path)
    return createValidator(enforcementSpec(spec, ofPath, { strictQuery }))
  }
  return (path, strictQuery) =>
    entryOf<string, PathValidator>(cache, `${strictQuery} ${path}`, () => make(path, strictQuery))
})

function createValidator(apiSpec: EnforcementDocument): PathValidator {
  const operations = Object.entries(apiSpec.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [nameOf({ path, method }), operation as Node] as const),
  )
  const plainValues = new Map(operations.map(([name, operation]) => [name, createPlainValues(operation)]))
  let middlewares: readonly Middleware[] | undefined
  const validate: Validate = async (request) => {
    middlewares ??= middlewaresOf(apiSpec)
    for (const middleware of middlewares) await run(middleware, request)
  }
  return { validate, plainValues, passed: new LRUCache({ max: mostPassed }) }
}

/**
 * The documents are checked when the specs are built, so the validator does not check them again. It compiles the schema
 * of OpenAPI nevertheless, for 40 to 150 ms: plain requests do without.
 */
const middlewaresOf = (apiSpec: EnforcementDocument) =>
  OpenApiValidator.middleware({
    apiSpec: apiSpec as never,
    validateApiSpec: false,
    validateRequests: { allowUnknownQueryParameters: true, coerceTypes: false },
    validateResponses: false,
    validateSecurity: false,
    fileUploader: false,
  }) as unknown as readonly Middleware[]

/** The members of an application that the middlewares use. */
const app = { enabled: () => false, param: () => {} }

/** A request for the validator: its URL in the form of the document, its body already read. */
const toRequest = ({ method, path }: Form, parts: RequestParts) => {
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
