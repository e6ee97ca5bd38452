/** Values for requests to a deployment whose data is not known: examples of the spec without their references. */
import { follow, type JsonSchema } from '../spec/document.ts'
import type { Operation, Spec } from '../spec/operations.ts'
import { isObject } from './case.ts'

export type Sample = { readonly [name: string]: unknown }

/** The operation with other examples, so that cases derived from it are about these. */
export const withSamples = (operation: Operation, path: Sample, body: unknown): Operation => ({
  ...operation,
  parameters: operation.parameters.map((each) =>
    each.in === 'path' && each.name in path ? { ...each, examples: [{ name: 'own', value: path[each.name] }] } : each,
  ),
  body:
    operation.body === null || body === undefined
      ? operation.body
      : { ...operation.body, examples: [{ name: 'own', value: body }] },
})

/** The first example of a body that is an object. */
export function exampleOf({ body }: Operation): Sample {
  const example = body?.examples.find(({ value }) => isObject(value) && !Array.isArray(value))
  return (example?.value ?? {}) as Sample
}

/** The schema of one record in a body that takes one or several. */
export function recordSchema(spec: Spec, { body }: Operation): JsonSchema {
  const schema = follow(spec.document, body?.schema ?? {})
  const alternatives = [schema['oneOf'], schema['anyOf']].flat() as readonly unknown[]
  const one = alternatives.map((each) => follow(spec.document, each)).find((each) => 'properties' in each)
  return one ?? schema
}

export const propertiesOf = (spec: Spec, schema: JsonSchema): { readonly [name: string]: JsonSchema } =>
  Object.fromEntries(
    Object.entries((schema['properties'] ?? {}) as JsonSchema).map(([name, each]) => [
      name,
      follow(spec.document, each),
    ]),
  )

/** Collection of the record that a property refers to; null if the property is no reference. */
export function referenceOf(spec: Spec, property: JsonSchema): string | null {
  const alternatives = ((property['anyOf'] ?? []) as readonly unknown[]).map((each) => follow(spec.document, each))
  const records = alternatives.flatMap((each) => [each['x-collection'], derivedFrom(spec, each)])
  return records.find((each) => typeof each === 'string') ?? null
}

function derivedFrom(spec: Spec, schema: JsonSchema): unknown {
  const name = schema['x-derived']
  return typeof name === 'string'
    ? follow(spec.document, { $ref: `#/components/schemas/${name}` })['x-collection']
    : null
}
