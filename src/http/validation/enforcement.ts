/**
 * Cuts the published spec into small documents for the validator: a few operations each, with references inlined (the
 * specs have no cycles) and without anything that is not checked. The cost of compiling an operation then depends on
 * its chunk, not on the size of the spec.
 */
import type { Route } from '../../domain/ports/operation.ts'

/** A bundled OpenAPI document, as `src/generated/<generation>-spec.json` holds it. */
export type SpecDocument = {
  readonly openapi: string
  readonly info: object
  readonly tags?: readonly object[]
  readonly paths: object
  readonly components: object
}

export type Node = { readonly [key: string]: unknown }

/**
 * The path under which the SEARCH form is checked. OpenAPI 3.1 has no SEARCH, so it becomes a POST beside the original
 * path.
 */
export const searchPath = (path: string): string => `/@search${path}`

const dropped = new Set([
  'description',
  'summary',
  'example',
  'examples',
  'tags',
  'operationId',
  'security',
  'x-search',
  'x-codeSamples',
  'x-derived',
])

/** A document for the validator. */
export type EnforcementDocument = ReturnType<typeof enforcementSpec>

/** Builds a document with these operations. */
export const enforcementSpec = (
  spec: SpecDocument,
  routes: readonly Route[],
  options: { readonly strictQuery: boolean },
) => {
  const paths: { [path: string]: { [method: string]: unknown } } = {}
  for (const route of routes) {
    const raw = (spec.paths as Node)[route.path] as Node
    // Answers are checked by `reply-check.ts`.
    const wanted = { ...(raw[route.method.toLowerCase()] as Node), responses: {} }
    const operation = inline(spec, wanted) as Node
    const item = (paths[route.path] ??= {})
    item[route.method.toLowerCase()] = withJsonBody(withOptionalBody(operation))
    if (route.search) paths[searchPath(route.path)] = { post: toSearch(operation, options.strictQuery) }
  }
  return { openapi: spec.openapi, info: { title: 'enforcement', version: '1' }, paths }
}

/** States `required: false` explicitly; otherwise the validator asks for a media type. */
const withOptionalBody = (operation: Node): Node =>
  operation.requestBody === undefined
    ? operation
    : { ...operation, requestBody: { required: false, ...(operation.requestBody as Node) } }

/** Whether bodies of a media type are read as a whole and checked. */
export const isJsonMedia = (media: string): boolean => /^application\/([\w.-]+\+)?json$/.test(media)

/** Bodies that are not JSON are read by the handler; for the validator the operation has no body. */
const withJsonBody = (operation: Node): Node => {
  const { requestBody, ...rest } = operation as { readonly requestBody?: { readonly content: Node } }
  if (requestBody === undefined) return operation
  const all = Object.entries(requestBody.content)
  const read = all.filter(([media]) => isJsonMedia(media))
  if (read.length === all.length) return operation
  return read.length === 0
    ? rest
    : { ...rest, requestBody: { ...requestBody, required: false, content: Object.fromEntries(read) } }
}

const toSearch = (operation: Node, strictQuery: boolean): Node => {
  const parameters = (operation.parameters ?? []) as readonly Node[]
  const queryParameters = parameters.filter((each) => each.in === 'query')
  const query = queryParameters.map((each) => [each.name, each.schema])
  const required = queryParameters.filter((each) => each.required === true).map(({ name }) => name)
  // Lists are also read by keys.
  const keys = query.some(([name]) => name === 'filter')
    ? { keys: { type: 'array', items: { type: ['string', 'integer'] } } }
    : {}
  const schema = {
    type: 'object',
    properties: {
      query: { type: 'object', properties: Object.fromEntries(query), required, additionalProperties: !strictQuery },
      ...keys,
    },
    additionalProperties: false,
  }
  return {
    parameters: parameters.filter((each) => each.in !== 'query'),
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: operation.responses,
  }
}

/** Names of query parameters that are objects; the spec gives them a style that accepts brackets and JSON text. */
export const objectParameters = (spec: SpecDocument, { path, method }: Route): ReadonlySet<string> => {
  const item = (spec.paths as Node)[path] as Node | undefined
  const operation = (item?.[method.toLowerCase()] ?? {}) as Node
  const parameters = inline(spec, operation.parameters ?? []) as readonly Node[]
  return new Set(parameters.filter(({ style }) => style === 'deepObject').map(({ name }) => String(name)))
}

/** Written records are checked against the connected schema, which is stricter. */
const inline = (spec: SpecDocument, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((each) => inline(spec, each))
  if (typeof value !== 'object' || value === null) return value
  const { $ref: ref, 'x-derived': derived, ...beside } = value as Node
  if (typeof ref === 'string') return inline(spec, { ...(lookUp(spec, ref) as Node), ...beside })
  if (derived !== undefined && 'properties' in value) return anyObject
  const stored = Object.entries(value).filter(([key]) => !dropped.has(key))
  return Object.fromEntries(
    stored.map(([key, each]) => [key, key === 'properties' ? inlineNamed(spec, each as Node) : inline(spec, each)]),
  )
}

const anyObject = { type: 'object', additionalProperties: true } as const

/** Inside `properties`, `description` is a property name and not a keyword. */
const inlineNamed = (spec: SpecDocument, properties: Node): Node =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, inline(spec, schema)]))

export const lookUp = (spec: SpecDocument, ref: string): unknown => {
  const [, , kind = '', name = ''] = ref.split('/')
  return ((spec.components as Node)[kind] as Node | undefined)?.[name]
}
