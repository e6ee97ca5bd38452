/** Validates values against the JSON schemas of a spec. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { JsonSchema, Node } from './document.ts'

/** The problem of a value in one line; null if it is valid. */
export type Validate = (schema: JsonSchema, value: unknown) => string | null

const validatorCache = new WeakMap<Node, Validate>()

/** The validator of an OpenAPI document of version 3.0 or 3.1, made once per document. */
export function createValidate({ document }: { readonly document: Node }): Validate {
  const validate = validatorCache.get(document) ?? compile(document)
  validatorCache.set(document, validate)
  return validate
}

/** Schemas are compiled when they are first needed. */
function compile({ openapi, components }: Node): Validate {
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false })
  addFormats.default(ajv)
  const { schemas = {} } = (components ?? {}) as { readonly schemas?: { readonly [name: string]: JsonSchema } }
  const isOld = typeof openapi === 'string' && openapi.startsWith('3.0')
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

/** The name of an unknown key is only in the parameters of the error. */
function complaint({ instancePath, message, params }: ErrorObject): string {
  const key: unknown = params['additionalProperty'] ?? ''
  return `${instancePath.replaceAll('/', ' ').trim()} ${message} ${String(key)}`.trim()
}
