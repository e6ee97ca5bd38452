/** Lint rules for the specs in addition to those of OpenAPI. Each rule is a function that returns its findings. */

import { Ajv2020 } from 'ajv/dist/2020.js'
import type { JsonSchema, Media, OpenApiDocument, Operation, SpecModel } from './model.ts'
import { lintOperationProse, lintSchemaProse } from './prose.ts'

type Rule = (operation: Operation, spec: SpecModel) => readonly string[]

const verbs =
  'create|read|update|delete|upsert|authenticate|login|logout|refresh|request|reset|ping|run|search|import|export|apply|diff|hash|match|invite|accept|revert|sort|track|enable|disable|promote|compare|save|install|clear|replace|send|download|explain|begin|finish|rotate|replay'

const operationRules: readonly Rule[] = [
  ({ id }) => (new RegExp(`^(${verbs})([A-Z][A-Za-z0-9]*)?$`).test(id) ? [] : ['operationId is not a verb and a noun']),
  ({ summary }) => (summary === '' ? ['summary is missing'] : []),
  ({ description }) => (description === '' ? ['description is missing'] : []),
  ({ tag }, { document }) =>
    document.tags.some(({ name }) => name === tag) ? [] : [`the tag "${tag}" is not declared`],
  ({ parameters }) =>
    parameters.flatMap((each) =>
      each.in === 'query' && each.allowReserved !== true ? [`allowReserved is missing on ${each.name}`] : [],
    ),
  ({ parameters }) =>
    parameters.flatMap(({ name, schema }) =>
      'oneOf' in schema || 'anyOf' in schema ? [`the parameter ${name} uses oneOf or anyOf`] : [],
    ),
  ({ requestBody }) => missingExamples('the request body', requestBody?.content ?? {}),
  ({ responses }) =>
    Object.entries(responses).flatMap(([status, { content }]) => missingExamples(status, content ?? {})),
  (operation, spec) =>
    expectedErrors(operation, spec).flatMap((status) =>
      status in operation.responses ? [] : [`the answer ${status} is missing`],
    ),
]

const missingExamples = (place: string, content: { readonly [media: string]: Media }): readonly string[] =>
  Object.values(content).flatMap(({ example, examples }) =>
    example === undefined && examples === undefined ? [`an example is missing for ${place}`] : [],
  )

/** Error statuses that all operations of a kind must document. */
const expectedErrors = (
  { secured, parameters, requestBody }: Operation,
  { generation }: SpecModel,
): readonly string[] => [
  ...(parameters.length > 0 || requestBody !== null ? ['400'] : []),
  ...(secured ? ['401', '403'] : []),
  // The legacy generation has one code for all that is wrong about a body as such, and that is 400.
  ...(requestBody === null || generation === 'legacy' ? [] : ['413', '415']),
  '500',
]

/** All findings in a spec, one line each. */
export const lintSpec = (spec: SpecModel): readonly string[] => [
  ...spec.operations.flatMap((operation) =>
    [...operationRules.flatMap((rule) => rule(operation, spec)), ...lintOperationProse(operation)].map(
      (found) => `${spec.generation} ${operation.id}: ${found}`,
    ),
  ),
  ...repeated(spec.operations.map(({ id }) => id)).map(
    (id) => `${spec.generation}: the operationId ${id} exists twice`,
  ),
  ...[...lintSchemas(spec.document), ...lintSchemaProse(spec.document), ...createExampleChecker(spec)].map(
    (found) => `${spec.generation}: ${found}`,
  ),
]

const repeated = (names: readonly string[]): readonly string[] => names.filter((name, at) => names.indexOf(name) !== at)

type SchemaAt = { readonly place: string; readonly schema: { readonly [keyword: string]: unknown } }

const lintSchemas = (document: OpenApiDocument): readonly string[] => {
  const objects = [...findObjects(document, '')]
  const open = objects
    .filter(({ schema }) => !('additionalProperties' in schema))
    .map(({ place }) => `additionalProperties is missing at ${place}`)
  const lists = [...findLists(document, '')]
  return [
    ...open,
    ...atTwoPlaces('the same schema', objects, shapeOf),
    ...atTwoPlaces('the same list of values', lists, (schema) => JSON.stringify(schema.enum)),
    ...cycles(document),
  ]
}

const atTwoPlaces = (
  what: string,
  all: readonly SchemaAt[],
  identity: (schema: SchemaAt['schema']) => string,
): readonly string[] =>
  [...Map.groupBy(all, ({ schema }) => identity(schema)).values()]
    .filter((group) => group.length > 1)
    .map((group) => `${what} at ${group.map(({ place }) => place).join(' and ')}`)

/** Schemas with several values that have no name, those that are derived from records too. */
function* findLists(value: unknown, place: string): Generator<SchemaAt> {
  if (typeof value !== 'object' || value === null) return
  if (
    'enum' in value &&
    Array.isArray(value.enum) &&
    value.enum.length > 1 &&
    !/^\/components\/schemas\/\w+$/.test(place)
  ) {
    yield { place, schema: { ...value } }
  }
  for (const [key, each] of Object.entries(value)) {
    if (key !== 'example' && key !== 'examples') yield* findLists(each, `${place}/${key}`)
  }
}

/** Schemas with properties, except in examples. */
function* findObjects(value: unknown, place: string): Generator<SchemaAt> {
  if (typeof value !== 'object' || value === null) return
  if ('x-derived' in value) return
  if ('type' in value && 'properties' in value && typeof value.properties === 'object') {
    yield { place, schema: { ...value } }
  }
  for (const [key, each] of Object.entries(value)) {
    if (key !== 'example' && key !== 'examples') yield* findObjects(each, `${place}/${key}`)
  }
}

const shapeOf = (schema: SchemaAt['schema']): string => JSON.stringify({ ...schema, description: undefined })

/** Finds cycles of references, which the validator does not support. */
const cycles = (document: OpenApiDocument): readonly string[] => {
  const schemas = document.components.schemas ?? {}
  const refsOf = (name: string): readonly string[] =>
    [...JSON.stringify(schemas[name]).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, ref = '']) => ref)
  // Records may refer to each other; the validator does not follow these references.
  const isRecord = (name: string): boolean => /"x-(collection|derived)":/.test(JSON.stringify(schemas[name]))
  const visit = (name: string, above: readonly string[]): readonly string[] =>
    above.length > 0 && isRecord(name)
      ? []
      : above.includes(name)
        ? [`the schemas ${[...above, name].join(' → ')} are a cycle`]
        : refsOf(name).flatMap((ref) => visit(ref, [...above, name]))
  return [...new Set(Object.keys(schemas).flatMap((name) => visit(name, [])))]
}

/** Validates all examples in a spec against their schemas. */
type Example = { readonly place: string; readonly schema: JsonSchema; readonly value: unknown }

/** The invalid examples, one line each. */
const createExampleChecker = (spec: SpecModel): readonly string[] => {
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
