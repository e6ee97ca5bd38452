/** An OpenAPI document as a list of operations that requests are matched with. */

import { LineCounter, parse, parseDocument } from 'yaml'
import { asText } from '../http/text.ts'

export type JsonSchema = { readonly [keyword: string]: unknown }
export type Node = { readonly [key: string]: unknown }

export type SpecParameter = {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly schema: JsonSchema
  readonly example: unknown
}

export type SpecResponse = {
  readonly pointer: string
  /** Schema by media type; null if the media type has none. */
  readonly content: ReadonlyMap<string, JsonSchema | null>
}

export type SpecOperation = {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly pointer: string
  readonly isPublic: boolean
  readonly parameters: readonly SpecParameter[]
  readonly hasBody: boolean
  readonly bodyTypes: readonly string[]
  /** By status, `default` included. */
  readonly responses: ReadonlyMap<string, SpecResponse>
}

export type ServedSpec = {
  readonly document: Node
  readonly operations: readonly SpecOperation[]
  /** Finds the operation of a method and a path below the base address. */
  readonly find: (method: string, path: string) => SpecOperation | null
  /** Line of a JSON pointer in the text that was read; null if the text is one line. */
  readonly lineOf: (pointer: string) => number | null
}

const methods = ['get', 'post', 'put', 'patch', 'delete', 'options', 'head'] as const

/** Reads JSON or YAML. Throws for other text. */
export function readSpec(text: string): ServedSpec {
  const document = parseText(text)
  const operations = Object.entries((document.paths ?? {}) as Node).flatMap(([path, item]) =>
    methods
      .filter((method) => method in (item as Node))
      .map((method) => toOperation(document, path, method, item as Node)),
  )
  return { document, operations, find: finder(operations), lineOf: (pointer) => lineOf(text, pointer) }
}

export function parseText(text: string): Node {
  const value: unknown = /^\s*\{/.test(text) ? JSON.parse(text) : parse(text)
  if (typeof value !== 'object' || value === null) throw new Error('Expected an OpenAPI document')
  return value as Node
}

/** Resolves a `#/…` reference; returns other values unchanged. */
export function follow(root: Node, value: unknown): Node {
  const ref = (value as { readonly $ref?: unknown } | null)?.$ref
  if (typeof ref !== 'string' || !ref.startsWith('#/')) return (value ?? {}) as Node
  const steps = ref.slice(2).split('/').map(unescape)
  return follow(
    root,
    steps.reduce<unknown>((node, step) => (node as Node | undefined)?.[step], root),
  )
}

const unescape = (step: string): string => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
const escape = (step: string): string => step.replaceAll('~', '~0').replaceAll('/', '~1')

function toOperation(root: Node, path: string, method: string, item: Node): SpecOperation {
  const node = item[method] as Node
  const pointer = `/paths/${escape(path)}/${method}`
  const body = node.requestBody === undefined ? null : follow(root, node.requestBody)
  const security = node.security ?? root.security
  const parameters = [...((item.parameters ?? []) as readonly unknown[]), ...((node.parameters ?? []) as unknown[])]
  return {
    id: asText(node.operationId ?? `${method.toUpperCase()} ${path}`),
    method: method.toUpperCase(),
    path,
    pointer,
    isPublic: Array.isArray(security) && security.length === 0,
    parameters: parameters.map((each) => toParameter(follow(root, each))),
    hasBody: body !== null,
    bodyTypes: Object.keys(body?.content ?? {}),
    responses: new Map(
      Object.entries((node.responses ?? {}) as Node).map(([status, each]) => [
        status,
        toResponse(follow(root, each), `${pointer}/responses/${status}`),
      ]),
    ),
  }
}

function toParameter(node: Node): SpecParameter {
  const [first] = Object.values((node.examples ?? {}) as { readonly [name: string]: Node })
  return {
    name: String(node.name),
    in: String(node.in),
    required: node.required === true,
    schema: (node.schema ?? {}) as JsonSchema,
    example: first?.value ?? node.example,
  }
}

const toResponse = (node: Node, pointer: string): SpecResponse => ({
  pointer,
  content: new Map(
    Object.entries((node.content ?? {}) as { readonly [type: string]: Node }).map(([type, media]) => [
      type,
      (media.schema as JsonSchema | undefined) ?? null,
    ]),
  ),
})

/** Paths without parameters win over templates. */
function finder(operations: readonly SpecOperation[]): ServedSpec['find'] {
  const patterns = operations.map((operation) => ({
    operation,
    parameters: operation.path.split('{').length - 1,
    pattern: new RegExp(
      `^${operation.path.replace(/[.+*?^$()|[\]\\]/g, String.raw`\$&`).replace(/\{[^}]+\}/g, '[^/]+')}$`,
    ),
  }))
  const ordered = patterns.toSorted((a, b) => a.parameters - b.parameters)
  return (method, path) => {
    const wanted = method === 'SEARCH' ? 'GET' : method
    return (
      ordered.find(({ operation, pattern }) => operation.method === wanted && pattern.test(path))?.operation ?? null
    )
  }
}

function lineOf(text: string, pointer: string): number | null {
  if (!text.trim().includes('\n')) return null
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const path = pointer.split('/').slice(1).map(unescape)
  for (let length = path.length; length > 0; length -= 1) {
    const steps = path.slice(0, length).map((step) => (/^\d{3}$/.test(step) ? [step, Number(step)] : [step]))
    for (const last of steps.at(-1) ?? []) {
      const node: unknown = document.getIn([...path.slice(0, length - 1), last], true)
      const range = (node as { readonly range?: readonly number[] } | undefined)?.range
      if (range?.[0] !== undefined) return lines.linePos(range[0]).line
    }
  }
  return null
}
