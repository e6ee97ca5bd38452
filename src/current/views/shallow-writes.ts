/**
 * The schemas of writes name each other at any depth: a role may bring its users, with their policies and so on.
 * Validating proxies and generators walk every way through such schemas, which takes them minutes. In a served document
 * the second level is described, and what is below it is any object.
 */

type Json = { readonly [key: string]: unknown }
type Schemas = { readonly [name: string]: unknown }

const prefix = '#/components/schemas/'

/** Schemas of bodies that end after two levels. */
export function withShallowWrites(schemas: Schemas): Schemas {
  const nested = Object.entries(schemas).flatMap(([name, schema]) =>
    isForm(name, schema) ? [[`${name}Nested`, replaceRefs(schema, (to) => openOf(schemas, to))] as const] : [],
  )
  const names = new Set(nested.map(([name]) => name))
  const own = Object.entries(schemas).map(([name, schema]) => {
    const isWrite = isForm(name, schema) || isRelated(name, schema)
    return [name, isWrite ? replaceRefs(schema, (to) => nestedOf(names, to)) : schema] as const
  })
  return Object.fromEntries([...own, ...nested])
}

/** Schemas that create or change a record. */
const isForm = (name: string, schema: unknown): boolean => isDerived(name, schema, ['Input', 'Patch'])

/** Schemas that change a list of related records. */
const isRelated = (name: string, schema: unknown): boolean => isDerived(name, schema, ['Related'])

function isDerived(name: string, schema: unknown, forms: readonly string[]): boolean {
  const from = (schema as Json)['x-derived']
  return typeof from === 'string' && forms.some((form) => name === from + form)
}

const nestedOf = (names: ReadonlySet<string>, to: string): Json | null =>
  names.has(`${to}Nested`) ? { $ref: `${prefix}${to}Nested` } : null

/** Any object in place of a record, and any list or object in place of a list of records. */
function openOf(schemas: Schemas, to: string): Json | null {
  const schema = schemas[to] ?? {}
  if (isForm(to, schema)) return { type: 'object', additionalProperties: true }
  return isRelated(to, schema) ? { type: ['array', 'object'], items: {}, additionalProperties: true } : null
}

/** The schema with other ones in place of references; null keeps one. */
function replaceRefs(schema: unknown, replacement: (to: string) => Json | null): unknown {
  if (Array.isArray(schema)) return schema.map((each) => replaceRefs(each, replacement))
  if (typeof schema !== 'object' || schema === null) return schema
  const { $ref } = schema as Json
  if (typeof $ref === 'string' && $ref.startsWith(prefix)) return replacement($ref.slice(prefix.length)) ?? schema
  return Object.fromEntries(Object.entries(schema).map(([name, each]) => [name, replaceRefs(each, replacement)]))
}
