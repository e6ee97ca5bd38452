/** Generates invalid values from valid ones; the validator confirms that they are invalid. */
import { follow, type JsonSchema } from '../spec/document.ts'
import type { Validate } from '../spec/validate.ts'

/** An invalid value, the violated rule, and the name (of a parameter or key) that the error should contain. */
export type Damage = {
  readonly rule: string
  readonly name: string | null
  readonly value: unknown
  /** The schema of the damaged key; null if another part of the body is damaged. */
  readonly property: JsonSchema | null
}

const foreign: readonly unknown[] = [null, 5, true, 'text', [], {}, [[]]]

/** Mutations of a body: missing and unknown keys, wrong types and values out of range, on the first two levels. */
export function damagedBodies(validate: Validate, root: object, schema: JsonSchema, good: unknown): readonly Damage[] {
  const all = [...damagedTop(good), ...damagedKeys(root, schema, good)]
  const seen = new Set<string>()
  return all.filter(({ rule, name, value }) => {
    const label = `${rule} ${name}`
    if (seen.has(label) || validate(schema, value) === null) return false
    seen.add(label)
    return true
  })
}

function damagedTop(good: unknown): readonly Damage[] {
  return foreign
    .filter((value) => typeName(value) !== typeName(good))
    .map((value) => ({ rule: `is ${typeName(value)}`, name: null, property: null, value }))
}

function damagedKeys(root: object, schema: JsonSchema, good: unknown): readonly Damage[] {
  if (!isRecord(good)) return []
  const properties = propertiesOf(root, schema)
  const existing = Object.keys(properties).flatMap((name) => {
    const { [name]: _, ...without } = good
    const property = follow(root, properties[name])
    const bad = [...(isRead(root, schema, property) ? foreign.filter(isNoScalar) : foreign), ...outOfBounds(property)]
    return [
      { rule: 'missing', name, property: null, value: without },
      ...bad.map((value) => ({ rule: `is ${summary(value)}`, name, property, value: { ...good, [name]: value } })),
    ]
  })
  const unknown = { ...good, unexpected_key: 1 }
  return [...existing, { rule: 'unknown key', name: 'unexpected_key', property: null, value: unknown }]
}

/** Written records take numbers and booleans for text, as their columns do. */
const isRead = (root: object, schema: JsonSchema, { type }: JsonSchema): boolean =>
  'x-derived' in follow(root, schema) && [type].flat().includes('string')

const isNoScalar = (value: unknown): boolean => typeof value !== 'number' && typeof value !== 'boolean'

/** Properties of an object schema, including those of its alternatives. */
function propertiesOf(root: object, schema: JsonSchema): { readonly [name: string]: JsonSchema } {
  const { properties, oneOf, anyOf, allOf } = follow(root, schema) as {
    readonly [keyword: string]: readonly JsonSchema[]
  }
  const alternatives = [...(oneOf ?? []), ...(anyOf ?? []), ...(allOf ?? [])]
  return Object.assign({}, ...alternatives.map((each) => propertiesOf(root, each)), properties)
}

/** Values just outside the range of a scalar schema. */
export function outOfBounds(schema: JsonSchema): readonly unknown[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, enum: words, format, pattern } = schema
  const values: unknown[] = []
  if (typeof minimum === 'number') values.push(minimum - 1)
  if (typeof maximum === 'number') values.push(maximum < 2 ** 53 - 1 ? maximum + 1 : 1e300)
  if (typeof minLength === 'number' && minLength > 0) values.push('a'.repeat(minLength - 1))
  if (typeof maxLength === 'number' && maxLength <= 20_000) values.push('a'.repeat(maxLength + 1))
  if (typeof minItems === 'number' && minItems > 0) values.push([])
  if (typeof maxItems === 'number' && maxItems <= 1000) values.push(Array.from({ length: maxItems + 1 }, () => 'a'))
  if (Array.isArray(words)) values.push('no-such-word')
  if (typeof format === 'string' || typeof pattern === 'string') values.push('!!')
  return values
}

function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : typeof value
}

function summary(value: unknown): string {
  if (typeof value === 'string' && value.length > 20) return `a text of ${value.length}`
  if (Array.isArray(value) && value.length > 5) return `a list of ${value.length}`
  return value === '' ? 'empty' : JSON.stringify(value)
}
