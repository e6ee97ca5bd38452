/** The operations of an OpenAPI document, with resolved parameters, bodies and responses. */
import { asText } from '../http/text.ts'
import { escapeStep, follow, type JsonSchema, type Node } from './document.ts'

export type GenerationName = 'current' | 'legacy'

type Example = { readonly name: string; readonly value: unknown }

export type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly required: boolean
  /** Not required, but nothing is asked without it. */
  readonly usual: boolean
  readonly schema: JsonSchema
  readonly examples: readonly Example[]
}

/** A request body or a response. */
export type Content = {
  readonly pointer: string
  readonly mediaTypes: readonly string[]
  readonly required: boolean
  /** Schema of the first media type; null if there is none. */
  readonly schema: JsonSchema | null
  /** Schema by media type; null if the media type has none. */
  readonly schemas: ReadonlyMap<string, JsonSchema | null>
  readonly examples: readonly Example[]
  /** Headers of a response, with their examples. */
  readonly headers: { readonly [name: string]: string }
  /** Names of the headers that the response may have, in lower case. */
  readonly headerNames: ReadonlySet<string>
}

export type Operation = {
  readonly generation: GenerationName
  readonly id: string
  readonly method: string
  readonly path: string
  readonly pointer: string
  readonly search: boolean
  /** Whether properties that the spec does not know are left out, and named in a header. */
  readonly ignoresUnknown: boolean
  /** Whether other users are rejected before the request is validated. */
  readonly administratorsOnly: boolean
  /** Whether credentials are read. */
  readonly secured: boolean
  readonly parameters: readonly Parameter[]
  readonly body: Content | null
  /** By status code. */
  readonly responses: ReadonlyMap<number, Content>
  /** The response for every other status; null if there is none. */
  readonly otherwise: Content | null
}

export type Spec = {
  readonly generation: GenerationName
  readonly document: Node
  readonly components: Node
  readonly operations: readonly Operation[]
}

const methods = ['get', 'post', 'put', 'patch', 'delete', 'options', 'head'] as const

/** Reads a parsed OpenAPI document. */
export function toSpec(document: Node, generation: GenerationName = 'current'): Spec {
  const operations = Object.entries((document['paths'] ?? {}) as Node).flatMap(([path, item]) =>
    methods
      .filter((method) => method in (item as Node))
      .map((method) => toOperation(document, { generation, path, method }, item as Node)),
  )
  return { generation, document, components: (document['components'] ?? {}) as Node, operations }
}

function toOperation(root: Node, key: Pick<Operation, 'generation' | 'path' | 'method'>, item: Node): Operation {
  const node = item[key.method] as Node
  const pointer = `/paths/${escapeStep(key.path)}/${key.method}`
  const security = node['security'] ?? root['security']
  const parameters = [...listOf(item['parameters']), ...listOf(node['parameters'])]
  const answers = Object.entries((node['responses'] ?? {}) as Node).map(
    ([status, each]) => [status, toContent(follow(root, each), `${pointer}/responses/${status}`)] as const,
  )
  const method = key.method.toUpperCase()
  return {
    ...key,
    method,
    id: asText(node['operationId'] ?? `${method} ${key.path}`),
    pointer,
    search: node['x-search'] === true,
    ignoresUnknown: node['x-ignores-unknown'] === true,
    administratorsOnly: node['x-administrators-only'] === true,
    secured: !(Array.isArray(security) && security.length === 0),
    parameters: parameters.map((each) => toParameter(follow(root, each))),
    body: 'requestBody' in node ? toContent(follow(root, node['requestBody']), `${pointer}/requestBody`) : null,
    responses: new Map(
      answers.flatMap(([status, content]) => (status === 'default' ? [] : [[Number(status), content] as const])),
    ),
    otherwise: answers.find(([status]) => status === 'default')?.[1] ?? null,
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** What the text of a parameter holds, if it is JSON. */
const valueSchema = (schema: JsonSchema): JsonSchema =>
  schema['contentMediaType'] === 'application/json' ? ((schema['contentSchema'] ?? {}) as JsonSchema) : schema

function toParameter(node: Node): Parameter {
  return {
    name: String(node['name']),
    in: node['in'] as Parameter['in'],
    required: node['required'] === true,
    usual: node['x-usual'] === true,
    schema: valueSchema((node['schema'] ?? {}) as JsonSchema),
    examples: examplesOf(node),
  }
}

function toContent(node: Node, pointer: string): Content {
  const content = Object.entries((node['content'] ?? {}) as { readonly [type: string]: Node })
  const media = content[0]?.[1]
  const headers = Object.entries((node['headers'] ?? {}) as { readonly [name: string]: Node })
  return {
    pointer,
    mediaTypes: content.map(([type]) => type),
    required: node['required'] === true,
    schema: (media?.['schema'] as JsonSchema | undefined) ?? null,
    schemas: new Map(content.map(([type, { schema }]) => [type, (schema as JsonSchema | undefined) ?? null])),
    examples: media === undefined ? [] : examplesOf(media),
    headers: Object.fromEntries(
      headers.flatMap(([name, { example }]) => (example === undefined ? [] : [[name, example as string]])),
    ),
    headerNames: new Set(headers.map(([name]) => name.toLowerCase())),
  }
}

function examplesOf(node: Node): readonly Example[] {
  const named = Object.entries((node['examples'] ?? {}) as { readonly [name: string]: { readonly value: unknown } })
  if (named.length > 0) return named.map(([name, { value }]) => ({ name, value }))
  return 'example' in node ? [{ name: 'example', value: node['example'] }] : []
}
