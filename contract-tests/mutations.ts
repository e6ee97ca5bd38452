/** Values that a schema must refuse: every small damage to a good value, kept when the validator agrees. */
import { follow, type JsonSchema } from './spec.ts'
import type { Validate } from './validate.ts'

/** A damaged value, the rule that it breaks and the name (of a parameter or key) that the error should mention. */
export type Damage = { readonly rule: string; readonly name: string | null; readonly value: unknown }

const foreign: readonly unknown[] = [null, 5, true, 'text', [], {}, [[]]]

/** Damages to a body: missing and unknown keys, wrong types, out of bounds, at the top and one level below. */
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
    .map((value) => ({ rule: `is ${typeName(value)}`, name: null, value }))
}

function damagedKeys(root: object, schema: JsonSchema, good: unknown): readonly Damage[] {
  if (!isRecord(good)) return []
  const properties = propertiesOf(root, schema)
  const known = Object.keys(properties).flatMap((name) => {
    const { [name]: _, ...without } = good
    const bad = [...foreign, ...outOfBounds(follow(root, properties[name]))]
    return [
      { rule: 'missing', name, value: without },
      ...bad.map((value) => ({ rule: `is ${summary(value)}`, name, value: { ...good, [name]: value } })),
    ]
  })
  return [...known, { rule: 'unknown key', name: 'unexpected_key', value: { ...good, unexpected_key: 1 } }]
}

/** Properties of an object schema, those of its alternatives included. */
function propertiesOf(root: object, schema: JsonSchema): { readonly [name: string]: JsonSchema } {
  const { properties, oneOf, anyOf, allOf } = follow(root, schema) as {
    readonly [keyword: string]: readonly JsonSchema[]
  }
  const alternatives = [...(oneOf ?? []), ...(anyOf ?? []), ...(allOf ?? [])]
  return Object.assign({}, ...alternatives.map((each) => propertiesOf(root, each)), properties)
}

/** Values just outside what a scalar schema allows. */
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
