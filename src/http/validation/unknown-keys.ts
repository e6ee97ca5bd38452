/** Keys of a body that the spec does not know, for operations that ignore them (`x-ignores-unknown`). */
import { isRecord } from '../../domain/is-record.ts'
import type { Route } from '../../domain/ports/operation.ts'
import type { SpecDocument } from './enforcement.ts'

type Node = { readonly [key: string]: unknown }

/** Returns the body without such keys; `ignored` takes their paths. */
export type DropUnknown = (body: unknown, ignored: Set<string>) => unknown

/** Null for operations that refuse unknown keys. */
export const unknownKeysOf = (spec: SpecDocument, { path, method }: Route): DropUnknown | null => {
  const operation = ((spec.paths as Node)[path] as Node | undefined)?.[method.toLowerCase()] as Node | undefined
  if (operation?.['x-ignores-unknown'] !== true) return null
  const { content } = operation['requestBody'] as { readonly content: Node }
  const { schema } = content['application/json'] as { readonly schema: Node }
  return (body, ignored) => withKnownKeys(body, schema, { spec, path: '', ignored })
}

type SpecPosition = { readonly spec: SpecDocument; readonly path: string; readonly ignored: Set<string> }

/** The value without the keys that its schema does not know. */
export const withKnownKeys = (value: unknown, schema: Node | undefined, position: SpecPosition): unknown => {
  const resolvedSchema = resolved(schema, Array.isArray(value), position.spec)
  if (Array.isArray(value))
    return value.map((each) => withKnownKeys(each, resolvedSchema['items'] as Node | undefined, position))
  const { properties, additionalProperties } = resolvedSchema as {
    readonly properties?: Node
    additionalProperties?: unknown
  }
  if (!isRecord(value) || properties === undefined) return value
  const entries = Object.entries(value).flatMap(([key, each]) => {
    const path = position.path === '' ? key : `${position.path}.${key}`
    if (Object.hasOwn(properties, key))
      return [[key, withKnownKeys(each, properties[key] as Node, { ...position, path })]]
    if (additionalProperties !== false) return [[key, each]]
    position.ignored.add(path)
    return []
  })
  return Object.fromEntries(entries) as unknown
}

/** Of alternatives, the one for lists or the one for other values. */
const resolved = (schema: Node | undefined, isList: boolean, spec: SpecDocument): Node => {
  const { $ref: reference, oneOf } = (schema ?? {}) as { readonly $ref?: string; readonly oneOf?: readonly Node[] }
  if (reference !== undefined) {
    const { schemas } = spec.components as { readonly schemas: { readonly [name: string]: Node } }
    return resolved(schemas[reference.split('/').at(-1) ?? ''], isList, spec)
  }
  if (oneOf === undefined) return schema ?? {}
  const alternatives = oneOf.map((each) => resolved(each, isList, spec))
  return alternatives.find((each) => (each['type'] === 'array') === isList) ?? {}
}
