/**
 * The checks of operations against the spec. Each path has a document and a validator of its own, so a request costs the
 * same whatever the size of the spec. Most values are texts of some length, and objects or records of any content: these
 * pass as they are, and a request of nothing else needs no validator.
 */

import { LRUCache } from 'lru-cache'
import { isRecord } from '../../domain/is-record.ts'
import { entryOf, memoizeBy, memoizeByBoth } from '../../domain/memoize.ts'
import type { Route } from '../../domain/ports/operation.ts'
import { refuseReservedKeys } from '../request/query-string.ts'
import { enforcementSpec, type Node, type SpecDocument, searchPath } from './enforcement.ts'
import { createReplyCheck, type ReplyCheck, type ReplyParts } from './reply-check.ts'
import { createValidate, type Form, nameOf, type Validate } from './validate.ts'
import { type RequestParts, toReplyFailure } from './validation-failure.ts'

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

const createCheck = (validator: () => PathValidator, form: Form, reply: ReplyCheck): OperationCheck => {
  const name = nameOf(form)
  return {
    request: async (parts) => {
      const path = validator()
      const remaining = path.plainValues.get(name)?.(parts) ?? null
      if (remaining === null) return path.validate(form, parts)
      const query =
        remaining.key === ''
          ? parts.query
          : { ...parts.query, ...(await checkRemaining(path, form, { parts, remaining })) }
      // Values sent as text were checked when parsed; some of these texts have become objects here.
      refuseReservedKeys(query)
      return query === parts.query ? parts : { ...parts, query }
    },
    reply: async (parts) => {
      const fault = reply(parts)
      if (fault !== null) throw toReplyFailure(form, parts, fault)
    },
  }
}

/** Checks the values that are not plain, and remembers what they become. */
async function checkRemaining(
  validator: PathValidator,
  form: Form,
  { parts, remaining }: { readonly parts: RequestParts; readonly remaining: Remaining },
): Promise<RequestParts['query']> {
  const { passed } = validator
  const key = nameOf(form) + remaining.key
  const before = passed.get(key)
  if (before !== undefined) return before
  const { query } = await validator.validate(form, { ...parts, query: remaining.query })
  const coerced = Object.fromEntries(Object.keys(remaining.query).map((name) => [name, query[name]]))
  if (key.length <= longestPassed) passed.set(key, coerced)
  return coerced
}

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
    const document = enforcementSpec(spec, ofPath, { strictQuery })
    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => [nameOf({ path, method }), operation as Node] as const),
    )
    return {
      validate: createValidate(document),
      plainValues: new Map(operations.map(([name, operation]) => [name, createPlainValues(operation)])),
      passed: new LRUCache({ max: mostPassed }),
    }
  }
  return (path, strictQuery) =>
    entryOf<string, PathValidator>(cache, `${strictQuery} ${path}`, () => make(path, strictQuery))
})

type Values = { readonly [name: string]: unknown }

/** The values of query and path that are not plain and need the validator; `key` identifies them in the cache. */
export type Remaining = { readonly query: Values; readonly key: string }

/** Finds them; null if the validator has to see the whole request. */
export type PlainValues = (parts: RequestParts) => Remaining | null

type Parameter = { readonly in: string; readonly name: string; readonly required?: boolean; readonly schema?: Node }

/** For an operation of an enforcement document. */
export function createPlainValues(operation: Node): PlainValues {
  const parameters = (operation.parameters ?? []) as readonly Parameter[]
  const checks = (location: string): ReadonlyMap<string, IsPlain> =>
    new Map(parameters.filter((each) => each.in === location).map(({ name, schema = {} }) => [name, plainFor(schema)]))
  const [path, query] = [checks('path'), checks('query')]
  const headers = [...checks('header').keys()].map((name) => name.toLowerCase())
  const isPlainBody = createPlainBody(operation.requestBody as Body | undefined)
  const isWhole = parameters.some(isChecked)
  return (parts) => {
    if (isWhole || !isPlainBody(parts) || headers.some((name) => parts.headers[name] !== undefined)) return null
    // The validator reads names with brackets as objects.
    if (Object.keys(parts.query).some((name) => name.includes('['))) return null
    const names = remaining(path, parts.path)
    const rest = remaining(query, parts.query)
    return names === none && rest === none ? nothing : { query: rest, key: JSON.stringify([names, rest]) }
  }
}

type Body = { readonly content: { readonly [media: string]: { readonly schema: Node } } }

/** Whether the body passes as it is: records of any content, which are checked against the connected schema. */
function createPlainBody(requestBody: Body | undefined): (parts: RequestParts) => boolean {
  if (requestBody === undefined) return ({ body }) => body === undefined
  return ({ body, media }) => {
    const schema = media === null ? undefined : requestBody.content[media]?.schema
    return schema !== undefined && isPlainRecords(schema, body)
  }
}

function isPlainRecords(schema: Node, body: unknown): boolean {
  const { oneOf } = schema
  if (Array.isArray(oneOf)) {
    const fitting = (oneOf as readonly Node[]).filter((form) => isPlainRecords(form, body))
    return fitting.length === 1 && Object.keys(schema).length === 1
  }
  if (!Array.isArray(body)) return plainFor(schema)(body)
  const { type, items, ...rest } = schema
  if (type !== 'array' || items === undefined || Object.keys(rest).length > 0) return false
  return body.every(plainFor(items as Node))
}

/** Whether the absence of the parameter is an error, or gives it a value; cookies are always checked. */
const isChecked = ({ in: location, required = false, schema = {} }: Parameter): boolean =>
  location === 'cookie' || (location !== 'path' && required) || schema.default !== undefined

const none: Values = {}
const nothing: Remaining = { query: none, key: '' }

function remaining(checks: ReadonlyMap<string, IsPlain>, values: Values): Values {
  let typed: { [name: string]: unknown } | null = null
  for (const name of Object.keys(values)) {
    if (checks.get(name)?.(values[name]) === false) (typed ??= {})[name] = values[name]
  }
  return typed ?? none
}

/** Whether the schema allows the value and leaves it as it is, by its length or its type alone. */
type IsPlain = (value: unknown) => boolean

const textKeys: ReadonlySet<string> = new Set(['type', 'minLength', 'maxLength', 'items', 'minItems', 'maxItems'])

const plainFor = memoizeBy((schema: Node): IsPlain => {
  const { type, minLength = 0, maxLength = Number.POSITIVE_INFINITY, additionalProperties } = schema
  const names = Object.keys(schema)
  const isOfTexts = type === 'string' || (Array.isArray(type) && type.includes('string'))
  const isOfPlainTexts = isOfTexts && names.every((name) => textKeys.has(name))
  const isOfRecords = type === 'object' && additionalProperties === true && names.length === 2
  return (value) => {
    if (typeof value !== 'string') return isOfRecords && isRecord(value)
    // Schemas count characters, which may have two units each.
    return isOfPlainTexts && value.length <= Number(maxLength) && (minLength === 0 || (minLength === 1 && value !== ''))
  }
})
