/**
 * Finds the values of a request that the validator has to see. Most are texts of some length or objects of any content:
 * these pass as they are, and a request of nothing else needs no validator.
 */
import type { Node } from './enforcement.ts'
import type { RequestParts } from './validation-failure.ts'

type Values = { readonly [name: string]: unknown }

/** The values that are not plain: those of the query, and a text of these and those of the path; empty if there are none. */
export type Remaining = { readonly query: Values; readonly key: string }

/** Finds them in a request without a body; null if the validator has to see the whole request. */
export type PlainValues = (parts: RequestParts) => Remaining | null

type Parameter = { readonly in: string; readonly name: string; readonly required?: boolean; readonly schema?: Node }

/** For an operation of an enforcement document. */
export function createPlainValues(operation: Node): PlainValues {
  const parameters = (operation.parameters ?? []) as readonly Parameter[]
  const schemas = (place: string): ReadonlyMap<string, Node> =>
    new Map(parameters.filter((each) => each.in === place).map(({ name, schema = {} }) => [name, schema]))
  const [path, query] = [schemas('path'), schemas('query')]
  const headers = [...schemas('header').keys()].map((name) => name.toLowerCase())
  const isWhole = operation.requestBody !== undefined || parameters.some(isChecked)
  return (parts) => {
    if (isWhole || parts.body !== undefined || headers.some((name) => parts.headers[name] !== undefined)) return null
    // The validator reads names with brackets as objects.
    if (Object.keys(parts.query).some((name) => name.includes('['))) return null
    const names = remaining(path, parts.path)
    const rest = remaining(query, parts.query)
    return names === none && rest === none ? nothing : { query: rest, key: JSON.stringify([names, rest]) }
  }
}

/** Whether the absence of the parameter is an error, or gives it a value; cookies are always checked. */
const isChecked = ({ in: place, required = false, schema = {} }: Parameter): boolean =>
  place === 'cookie' || (place !== 'path' && required) || schema.default !== undefined

const none: Values = {}
const nothing: Remaining = { query: none, key: '' }

function remaining(schemas: ReadonlyMap<string, Node>, values: Values): Values {
  let found: { [name: string]: unknown } | null = null
  for (const name of Object.keys(values)) {
    const schema = schemas.get(name)
    if (schema !== undefined && !isPlain(schema, values[name])) (found ??= {})[name] = values[name]
  }
  return found ?? none
}

const textKeys: ReadonlySet<string> = new Set(['type', 'minLength', 'maxLength', 'items', 'minItems', 'maxItems'])

/** Whether the schema allows the value and leaves it as it is, by its length or its type alone. */
function isPlain(schema: Node, value: unknown): boolean {
  if (typeof value === 'string') {
    const { type, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema
    const isOfTexts = type === 'string' || (Array.isArray(type) && type.includes('string'))
    if (!isOfTexts || !Object.keys(schema).every((key) => textKeys.has(key))) return false
    // Schemas count characters, which may have two units each.
    return value.length <= Number(maxLength) && (minLength === 0 || (minLength === 1 && value !== ''))
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return (
    isObject && schema.type === 'object' && schema.additionalProperties === true && Object.keys(schema).length === 2
  )
}
