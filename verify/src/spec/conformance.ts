/** Compares answers with the spec: status, content type, required, types, no further properties. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Exchange } from '../http/exchange.ts'
import { Mismatch } from '../run/mismatch.ts'
import type { JsonSchema, Node, ServedSpec, SpecResponse } from './document.ts'

/** Throws a `Mismatch` for an answer that the spec does not describe. */
export type Conforms = (exchange: Exchange) => void

/** `base` is the path of the base address, which is not part of the paths of the spec. */
export function createConforms(spec: ServedSpec, base: string): Conforms {
  const validate = createValidate(spec.document)
  return (exchange) => {
    const { pathname, searchParams } = new URL(exchange.request.address)
    const operation = spec.find(exchange.request.method, pathname.slice(base.length))
    if (operation === null || isUnchanged(exchange)) return
    const response = operation.responses.get(String(exchange.status)) ?? operation.responses.get('default')
    if (response === undefined) {
      throw new Mismatch(`${operation.id} answers a status that its spec does not list`, {
        exchange,
        expected: [...operation.responses.keys()].join(', '),
        received: `${exchange.status}: ${exchange.text.slice(0, 300)}`,
        pointer: `${operation.pointer}/responses`,
      })
    }
    // The media type of an exported list can be that of the list with its envelope.
    if (!searchParams.has('export')) checkBody(operation.id, exchange, response, validate)
  }
}

/** The answer to a condition of the request, which HTTP defines for every read. */
const isUnchanged = ({ status, request }: Exchange): boolean => status === 304 && 'if-none-match' in request.headers

type Validate = (schema: JsonSchema, value: unknown) => string | null

function checkBody(id: string, exchange: Exchange, { content, pointer }: SpecResponse, validate: Validate): void {
  const { mediaType, json, text } = exchange
  const isEmpty = content.size === 0
  if (isEmpty ? text !== '' : !content.has(mediaType) && !content.has('*/*')) {
    throw new Mismatch(`${id} answers another content type than its spec lists`, {
      exchange,
      expected: isEmpty ? 'no body' : [...content.keys()].join(', '),
      received: mediaType === '' ? text.slice(0, 300) : mediaType,
      pointer,
    })
  }
  const schema = content.get(mediaType)
  if (schema === undefined || schema === null || !mediaType.includes('json')) return
  const complaint = validate(schema, json ?? text)
  if (complaint === null) return
  throw new Mismatch(`${id} answers a body that does not fit its schema`, {
    exchange,
    expected: complaint,
    received: text.slice(0, 1000),
    pointer,
  })
}

function createValidate(document: Node): Validate {
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true, logger: false })
  addFormats.default(ajv)
  const { schemas = {} } = (document.components ?? {}) as { readonly schemas?: { readonly [name: string]: JsonSchema } }
  const isOld = String(document.openapi).startsWith('3.0')
  const prepare = (schema: JsonSchema): JsonSchema => (isOld ? (withNull(schema) as JsonSchema) : schema)
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(prepare(schema), `#/components/schemas/${name}`)
  const compiled = new Map<JsonSchema, ValidateFunction>()
  return (schema, value) => {
    const check = compiled.get(schema) ?? ajv.compile({ ...prepare(schema) })
    compiled.set(schema, check)
    return check(value) ? null : (check.errors ?? []).map(complaint).join(', ')
  }
}

/** OpenAPI 3.0 writes `nullable: true` for what 3.1 writes as a type. */
function withNull(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withNull)
  if (typeof node !== 'object' || node === null) return node
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, withNull(value)]))
  if (copy['nullable'] !== true || typeof copy['type'] !== 'string') return copy
  return { ...copy, type: [copy['type'], 'null'] }
}

function complaint({ instancePath, message, params }: ErrorObject): string {
  const key: unknown = params['additionalProperty'] ?? ''
  return `${instancePath || 'the body'} ${message ?? ''} ${String(key)}`.trim()
}
