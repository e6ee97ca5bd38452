/** The texts of a form as the numbers, booleans, nulls and lists that the schema of the body asks for. */

import { isDeepStrictEqual } from 'node:util'
import { parseOr } from '../../domain/parse-or.ts'
import type { Route } from '../../domain/ports/operation.ts'
import { multipartMedia, urlencodedMedia } from '../request/form-body.ts'
import { lookUp, type Node, type SpecDocument } from './enforcement.ts'

export type FormReader = {
  /** Media types of forms that stand for the JSON body. */
  readonly media: readonly string[]
  /** Returns the body with typed values; what the schema has no type for stays text. */
  readonly read: (body: unknown) => unknown
}

/** Null for operations that take no forms. */
export const formsOf = (spec: SpecDocument, { path, method, accepts }: Route): FormReader | null => {
  if (!accepts.includes(urlencodedMedia)) return null
  const operation = ((spec.paths as Node)[path] as Node)[method.toLowerCase()] as Node
  const { content } = followed(spec, operation['requestBody'] as Node) as { readonly content: Node }
  const { schema } = content['application/json'] as { readonly schema: Node }
  // A form with a schema of its own is an upload, which the handler reads.
  const media = [urlencodedMedia, multipartMedia].filter((each) =>
    isDeepStrictEqual((content[each] as Node | undefined)?.['schema'], schema),
  )
  return { media, read: (body) => typed(body, schema, spec) }
}

const followed = (spec: SpecDocument, node: Node): Node => {
  const { $ref: reference } = node
  return typeof reference === 'string' ? followed(spec, lookUp(spec, reference) as Node) : node
}

/** The schema without references, or the alternatives that it consists of. */
const alternatives = (spec: SpecDocument, schema: Node): readonly Node[] => {
  const own = followed(spec, schema)
  const parts = (own['oneOf'] ?? own['anyOf'] ?? own['allOf']) as readonly Node[] | undefined
  return parts === undefined ? [own] : parts.flatMap((each) => alternatives(spec, each))
}

const typesOf = (schema: Node): readonly unknown[] => {
  const { type } = schema
  if (type === undefined) return 'properties' in schema ? ['object'] : ['string']
  return Array.isArray(type) ? type : [type]
}

const typed = (value: unknown, schema: Node, spec: SpecDocument): unknown => {
  const schemas = alternatives(spec, schema)
  if (typeof value === 'string') return typedText(value, new Set(schemas.flatMap(typesOf)))
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = schemas.find((each) => typesOf(each).includes('array'))?.['items'] as Node | undefined
    return items === undefined ? value : value.map((each) => typed(each, items, spec))
  }
  const objects = schemas.filter((each) => typesOf(each).includes('object'))
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      const inner = objects.map((object) => schemaOf(object, name)).find((one) => one !== null)
      return [name, inner == null ? (each as unknown) : typed(each, inner, spec)]
    }),
  )
}

const schemaOf = (schema: Node, name: string): Node | null => {
  const properties = (schema['properties'] ?? {}) as { readonly [name: string]: Node }
  if (Object.hasOwn(properties, name)) return properties[name] ?? null
  const { additionalProperties: others } = schema
  return typeof others === 'object' && others !== null ? (others as Node) : null
}

const booleans: { readonly [text: string]: boolean } = { true: true, '1': true, on: true, false: false, '0': false }

const typedText = (text: string, types: ReadonlySet<unknown>): unknown => {
  if (types.has('string')) return text
  if (text === '') return types.has('null') ? null : types.has('boolean') ? false : text
  if (types.has('boolean') && Object.hasOwn(booleans, text)) return booleans[text]
  if ((types.has('integer') || types.has('number')) && /^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text)
  // An object that a client wrote as one field.
  return types.has('array') || types.has('object') ? parseOr(text, text) : text
}
