/** Finds an operation that is named in a body: by its operationId, or by method and path. */

import { invalidPayload } from '../../../domain/rights/errors.ts'
import { type Dispatcher, type Endpoint, type Match, matchRoute } from '../dispatch.ts'
import type { BatchOperation } from './step-types.ts'

/** The operation. The values of `path` and `query` may be references. `inPath`: the query string of the named path. */
export type Located<E> = {
  readonly endpoint: Endpoint<E>
  readonly path: { readonly [name: string]: unknown }
  readonly inPath: string
  readonly query: { readonly [name: string]: unknown }
}

/** The names of the parameters of the path, in their order. */
export type ParameterNames = { readonly names: readonly string[] }

type OperationIndex<E> = { readonly dispatcher: Dispatcher<E>; readonly byId: ReadonlyMap<string, Endpoint<E>> }

/** `common`: values of the path of the whole request, such as its project; an operation cannot have others. */
type BatchPosition = { readonly at: string; readonly common: { readonly [name: string]: unknown } }

/** Throws `invalid-payload` for an operation that is not served. */
export function locate<E extends ParameterNames>(
  index: OperationIndex<E>,
  operation: BatchOperation,
  position: BatchPosition,
): Located<E> {
  const { at, common } = position
  const isNamed = operation.operation !== undefined
  if (isNamed === (operation.method !== undefined || operation.path !== undefined)) {
    throw invalidPayload(at, `Expected either "operation" or both "method" and "path" for "${at}"`)
  }
  const { endpoint, path, inPath } = isNamed ? byName(index, operation, position) : byPath(index, operation, at)
  for (const [name, value] of Object.entries(common)) {
    if (path[name] === undefined || path[name] === value) continue
    throw invalidPayload(at, `Expected the "${name}" of the batch for "${at}"`)
  }
  return { endpoint, path, inPath, query: operation.query ?? {} }
}

type FoundOperation<E> = Omit<Located<E>, 'query'>

/** The query string of the named path and of further values. */
export const searchOf = (inPath: string, query: { readonly [name: string]: unknown }): string =>
  [inPath, textOf(query)].filter((each) => each !== '').join('&')

function byName<E extends ParameterNames>(
  { byId }: OperationIndex<E>,
  { operation = '', parameters = {} }: BatchOperation,
  { at, common }: BatchPosition,
): FoundOperation<E> {
  const endpoint = byId.get(operation)
  if (endpoint === undefined) throw notServed(`${at}.operation`, operation)
  const input = { ...common, ...parameters }
  return { endpoint, path: valuesOf(endpoint.names, input, at), inPath: '' }
}

function byPath<E extends ParameterNames>(
  { dispatcher }: OperationIndex<E>,
  { method, path: sent, parameters = {} }: BatchOperation,
  at: string,
): FoundOperation<E> {
  if (method === undefined || sent === undefined) {
    throw invalidPayload(at, `Expected both "method" and "path" for "${at}"`)
  }
  const [path = '', inPath = ''] = sent.split(/\?(.*)/s, 2)
  const group = path.startsWith('/') ? dispatcher.find(path) : null
  const match = group === null ? null : matchRoute(group, { method, path, isOwn: () => true })
  if (match === null || match.endpoint === null) throw notServed(`${at}.path`, `${method} ${path}`)
  const { endpoint, parameters: inOrder } = match as Extract<Match<E>, { readonly parameters: readonly string[] }>
  const raw = Object.fromEntries(endpoint.names.map((name, index) => [name, inOrder[index] ?? '']))
  const used = new Set<string>()
  const values = Object.entries(raw).map(([name, text]) => {
    const [, reference] = /^\{(\w+)\}$/.exec(decoded(text, at)) ?? []
    if (reference === undefined) return [name, decoded(text, at)]
    used.add(reference)
    return [name, valuesOf([reference], pick(parameters, reference), at)[reference]]
  })
  assertAllUsed(parameters, used, at)
  return { endpoint, path: Object.fromEntries(values) as PathValues, inPath }
}

type PathValues = { readonly [name: string]: unknown }

const pick = (input: { readonly [name: string]: unknown }, name: string) =>
  Object.hasOwn(input, name) ? { [name]: input[name] } : {}

/** The values of these names, and no others. */
function valuesOf(names: readonly string[], input: { readonly [name: string]: unknown }, at: string): PathValues {
  const missing = names.find((name) => !Object.hasOwn(input, name))
  if (missing !== undefined) {
    throw invalidPayload(`${at}.parameters`, `Expected a value for "${missing}" in "${at}.parameters"`)
  }
  assertAllUsed(input, new Set(names), at)
  return Object.fromEntries(names.map((name) => [name, input[name]]))
}

function assertAllUsed(input: { readonly [name: string]: unknown }, used: ReadonlySet<string>, at: string): void {
  const other = Object.keys(input).find((name) => !used.has(name))
  if (other === undefined) return
  throw invalidPayload(`${at}.parameters`, `Expected no value for "${other}" in "${at}.parameters"`)
}

function decoded(text: string, at: string): string {
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    throw invalidPayload(`${at}.path`, `Expected percent-encoded UTF-8 for "${at}.path"`, cause)
  }
}

/** As a query string: lists of texts and numbers with commas, objects as JSON text. */
function textOf(query: { readonly [name: string]: unknown }): string {
  return new URLSearchParams(
    Object.entries(query).flatMap(([name, value]): [string, string][] => {
      if (Array.isArray(value) && value.every((each) => typeof each === 'string' || typeof each === 'number'))
        return [[name, value.join(',')]]
      return [[name, typeof value === 'string' ? value : JSON.stringify(value)]]
    }),
  ).toString()
}

const notServed = (name: string, received: string) =>
  invalidPayload(name, `Expected an operation of this API for "${name}" but received "${received.slice(0, 200)}"`)
