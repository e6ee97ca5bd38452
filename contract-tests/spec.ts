/** The bundled specs as a list of operations with resolved parameters and responses. */
import currentSpec from '../src/generated/current-spec.json' with { type: 'json' }
import legacySpec from '../src/generated/legacy-spec.json' with { type: 'json' }

import { follow, type JsonSchema, type Node } from '../verify/src/spec/document.ts'

export type GenerationName = 'current' | 'legacy'

type Example = { readonly name: string; readonly value: unknown }

export type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  /** Not required, but nothing is asked without it. */
  readonly usual: boolean
  readonly schema: JsonSchema
  readonly examples: readonly Example[]
}

/** A request body or a response with its media type; schema null = no content. */
type Content = {
  readonly mediaTypes: readonly string[]
  readonly required: boolean
  readonly schema: JsonSchema | null
  readonly examples: readonly Example[]
  /** Headers of a response, with their examples. */
  readonly headers: { readonly [name: string]: string }
}

export type Operation = {
  readonly generation: GenerationName
  readonly id: string
  readonly method: string
  readonly path: string
  /** Whether the operation is available by SEARCH. */
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
}

export type Spec = {
  readonly generation: GenerationName
  readonly components: JsonSchema
  readonly operations: readonly Operation[]
}

const methods = ['get', 'post', 'put', 'patch', 'delete', 'options'] as const

/** Reads a bundled OpenAPI document. */
function readSpec(generation: GenerationName, document: object): Spec {
  const root = document as { readonly components: Node; readonly paths: { readonly [path: string]: Node } }
  const operations = Object.entries(root.paths).flatMap(([path, item]) =>
    methods
      .filter((method) => method in item)
      .map((method) => toOperation(root, { generation, path, method: method.toUpperCase() }, item[method] as Node)),
  )
  return { generation, components: root.components, operations }
}

/** The specs of both generations. */
export const specs: readonly Spec[] = [readSpec('current', currentSpec), readSpec('legacy', legacySpec)]

type Place = Pick<Operation, 'generation' | 'path' | 'method'>

function toOperation(root: Node, place: Place, node: Node): Operation {
  const parameters = ((node.parameters ?? []) as readonly unknown[]).map((each) => toParameter(follow(root, each)))
  const responses = Object.entries(node.responses as Node).map(
    ([status, each]) => [Number(status), toContent(follow(root, each))] as const,
  )
  return {
    ...place,
    id: String(node.operationId),
    search: node['x-search'] === true,
    ignoresUnknown: node['x-ignores-unknown'] === true,
    administratorsOnly: node['x-administrators-only'] === true,
    secured: !(Array.isArray(node.security) && node.security.length === 0),
    parameters,
    body: node.requestBody === undefined ? null : toContent(follow(root, node.requestBody)),
    responses: new Map(responses),
  }
}

function toParameter(node: Node): Parameter {
  return {
    name: String(node.name),
    in: node.in as Parameter['in'],
    required: node.required === true,
    usual: node['x-usual'] === true,
    schema: node.schema as JsonSchema,
    examples: examplesOf(node),
  }
}

function toContent(node: Node): Content {
  const content = (node.content ?? {}) as { readonly [type: string]: Node }
  const mediaTypes = Object.keys(content)
  const media = mediaTypes[0] === undefined ? undefined : content[mediaTypes[0]]
  return {
    mediaTypes,
    required: node.required === true,
    schema: (media?.schema as JsonSchema | undefined) ?? null,
    examples: media === undefined ? [] : examplesOf(media),
    headers: Object.fromEntries(
      Object.entries((node.headers ?? {}) as { readonly [name: string]: Node }).flatMap(([name, { example }]) =>
        example === undefined ? [] : [[name, example as string]],
      ),
    ),
  }
}

function examplesOf(node: Node): readonly Example[] {
  const named = Object.entries((node.examples ?? {}) as { readonly [name: string]: { readonly value: unknown } })
  if (named.length > 0) return named.map(([name, { value }]) => ({ name, value }))
  return 'example' in node ? [{ name: 'example', value: node.example }] : []
}
