/**
 * OpenAPI documents in version 3.0, for generators that read no 3.1. The older form says less: a value that may have one
 * of several types is a value of any type, and the schema of JSON text in a parameter is left out.
 */
import { isRecord } from '../../domain/is-record.ts'

type Node = { readonly [key: string]: unknown }

/** The document, or some of its members, in version 3.0.3; the given one stays as it is. */
export function toOlderSpec(document: object): Node {
  const { webhooks: _webhooks, ...rest } = document as Node
  return mapValues(rest, (value, key) => {
    if (key === 'openapi') return '3.0.3'
    if (key === 'info') return olderInfo(value as Node)
    if (key === 'components') return mapValues(value as Node, olderComponents)
    return key === 'paths' ? olderParts(value) : value
  })
}

const olderComponents = (named: unknown, kind: string): unknown =>
  kind === 'schemas' ? mapValues(named as Node, olderSchema) : olderParts(named)

/** Licenses have no `identifier` in 3.0. */
function olderInfo({ license, ...info }: Node): Node {
  if (license === undefined) return info
  const { identifier: _identifier, ...rest } = license as Node
  return { ...info, license: rest }
}

/** Everything around schemas: paths, operations, parameters, bodies, answers, headers. */
function olderParts(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(olderParts)
  if (!isRecord(node)) return node
  return mapValues(node, (value, key) => {
    if (key === 'schema') return olderSchema(value)
    if (key === 'requestBody') return olderBody(olderParts(value) as Node)
    return literals.has(key) ? value : olderParts(value)
  })
}

/** A file in a body is required: generators know no optional files. */
const olderBody = (body: Node): Node =>
  JSON.stringify(body).includes('"format":"binary"') ? { ...body, required: true } : body

const literals: ReadonlySet<string> = new Set(['example', 'examples'])

/** A schema of 3.1 as one of 3.0. */
function olderSchema(schema: unknown): unknown {
  if (schema === true) return {}
  if (!isRecord(schema)) return schema
  if ('$ref' in schema) return olderReference(schema)
  return withOneType(withoutAlternatives(withOlderKeywords(schema)))
}

/** Beside a reference, 3.0 reads nothing, so that the reference moves into `allOf`. */
function olderReference({ $ref, ...beside }: Node): Node {
  return Object.keys(beside).length === 0 ? { $ref } : { allOf: [{ $ref }], ...beside }
}

/** The keywords in which the versions differ. */
function withOlderKeywords(schema: Node): Node {
  const entries = Object.entries(schema).map(([key, value]) => olderKeyword(key, value, 'properties' in schema))
  return Object.assign({}, ...entries) as Node
}

function olderKeyword(key: string, value: unknown, hasProperties: boolean): Node {
  switch (key) {
    case 'contentMediaType':
    case 'contentSchema':
      return {}
    case 'const':
      return { enum: [value] }
    case 'examples':
      return { example: (value as readonly unknown[])[0] }
    case 'exclusiveMinimum':
      return { minimum: value, exclusiveMinimum: true }
    case 'exclusiveMaximum':
      return { maximum: value, exclusiveMaximum: true }
    case 'properties':
      return { properties: mapValues(value as Node, olderSchema) }
    case 'allOf':
      return { allOf: (value as readonly unknown[]).map(olderSchema) }
    // Objects are open by default; generators that see this beside properties make subclasses of maps.
    case 'additionalProperties':
      return value !== false && hasProperties ? {} : { additionalProperties: olderSchema(value) }
    case 'items':
    case 'not':
      return { [key]: olderSchema(value) }
    default:
      return { [key]: value }
  }
}

/**
 * A schema without `anyOf` and `oneOf`, from which many generators make types that do not compile. What is left beside
 * null is the schema; other alternatives are a value of any type.
 */
function withoutAlternatives({ anyOf, oneOf, ...schema }: Node): Node {
  const all = [anyOf, oneOf].filter((each) => each !== undefined).flat()
  if (all.length === 0) return schema
  const values = all.filter((each) => !isNull(each))
  const nullable = values.length < all.length ? { nullable: true } : {}
  const [only] = values
  if (values.length > 1 || !isRecord(only)) return { ...ofAnyType(schema), ...nullable }
  const own = olderSchema(only) as Node
  return { ...('$ref' in own ? { allOf: [own] } : own), ...schema, ...nullable }
}

const isNull = (schema: unknown): boolean => isRecord(schema) && schema['type'] === 'null'

/** Keywords that apply to values of every type. */
const ofAnyType = (schema: Node): Node =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => annotations.has(key) || key.startsWith('x-')))

const annotations: ReadonlySet<string> = new Set([
  'description',
  'example',
  'readOnly',
  'writeOnly',
  'deprecated',
  'default',
])

/** One type, `nullable` where null is one of them; a value of any type where several are left. */
function withOneType(schema: Node): Node {
  if (!Array.isArray(schema['type'])) return withItems(schema)
  const { type: _types, ...rest } = schema
  const types = (schema['type'] as readonly string[]).filter((type) => type !== 'null')
  const nullable = types.length < (schema['type'] as readonly string[]).length ? { nullable: true } : {}
  if (types.length > 1) return { ...ofAnyType(rest), ...nullable }
  return withItems({ type: types[0], ...withoutNullValue(rest), ...nullable })
}

/** `nullable` states it; generators take a null among the values for a text. */
const withoutNullValue = ({ enum: values, ...schema }: Node): Node =>
  Array.isArray(values) ? { ...schema, enum: values.filter((value) => value !== null) } : schema

/** Arrays need `items` in 3.0. */
const withItems = (schema: Node): Node =>
  schema['type'] === 'array' && schema['items'] === undefined ? { ...schema, items: {} } : schema

const mapValues = (node: Node, change: (value: unknown, key: string) => unknown): Node =>
  Object.fromEntries(Object.entries(node).map(([key, value]) => [key, change(value, key)]))
