/** Validates all examples in a spec against their schemas. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { JsonSchema, Media, Operation, SpecModel } from './model.ts'

type Example = { readonly place: string; readonly schema: JsonSchema; readonly value: unknown }

/** The invalid examples, one line each. */
export const createExampleChecker = (spec: SpecModel): readonly string[] => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false })
  ajv.addSchema({ $id: 'spec', components: spec.document.components })
  const compiled = new Map<string, ReturnType<Ajv2020['compile']>>()
  return spec.operations.flatMap(examplesOf).flatMap(({ place, schema, value }) => {
    const text = JSON.stringify(absolute(schema))
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text) as JsonSchema)
    compiled.set(text, validate)
    return validate(value) ? [] : [`the example of ${place} does not fit: ${ajv.errorsText(validate.errors)}`]
  })
}

const examplesOf = ({ id, parameters, requestBody, responses }: Operation): readonly Example[] => [
  ...parameters.flatMap((each) => fromMedia(`${id}, ${each.name}`, each)),
  ...Object.values(requestBody?.content ?? {}).flatMap((media) => fromMedia(`${id}, body`, media)),
  ...Object.entries(responses).flatMap(([status, { content }]) =>
    Object.values(content ?? {}).flatMap((media) => fromMedia(`${id}, ${status}`, media)),
  ),
]

const fromMedia = (place: string, { schema, example, examples }: Media): readonly Example[] =>
  schema === undefined
    ? []
    : [
        ...(example === undefined ? [] : [{ place, schema, value: example }]),
        ...Object.entries(examples ?? {}).map(([name, { value }]) => ({ place: `${place}, ${name}`, schema, value })),
      ]

/** Rewrites `#/components/…` references to the document that was added to the validator. */
const absolute = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(absolute)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, key === '$ref' ? `spec${String(each)}` : absolute(each)]),
  )
}
