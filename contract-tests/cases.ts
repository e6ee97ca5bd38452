/** Generates cases from a spec: requests that must succeed, and requests that must be rejected. */
import {
  accepted,
  asSearch,
  bodyOf,
  type Case,
  type Draft,
  good,
  isRawBody,
  refused,
  spellings,
  toCase,
  withHeader,
} from './case.ts'
import { type DataFaults, dataCases, isAlone } from './data-cases.ts'
import { type Damage, damagedBodies, outOfBounds } from './mutations.ts'
import { follow, type JsonSchema, type Operation, type Parameter, type Spec } from './spec.ts'
import type { Validate } from './validate.ts'

/** A size above the body limit of the world's server. */
const tooLarge = 2_000_000

/** All cases of a spec. */
export function casesOf(spec: Spec, validate: Validate, faults: DataFaults): readonly Case[] {
  return spec.operations.flatMap((operation) => [
    ...positiveCases(operation),
    ...parameterCases(spec, validate, operation),
    ...bodyCases(spec, validate, operation),
    ...(isShared(operation) ? [] : [unreadable(operation)]),
    ...dataCases(operation, faults),
    ...(operation.secured ? credentialCases(operation) : []),
  ])
}

/** The ping has the same path in both specs. Its errors are those of the current generation. */
const isShared = ({ generation, id }: Operation): boolean => generation === 'legacy' && id === 'pingServer'

/** All operations reject query strings that could pollute object prototypes. */
const unreadable = (operation: Operation): Case =>
  toCase(
    operation,
    { ...good(operation), query: [['__proto__[a]', '1']] },
    { ...refused, rule: 'a parameter named __proto__', name: '__proto__', needsData: true },
  )

const credentialCases = (operation: Operation): readonly Case[] =>
  (['unknown', 'forged'] as const).map((credentials) =>
    toCase(operation, good(operation), { ...refused, rule: `${credentials} token`, credentials }),
  )

function positiveCases(operation: Operation): readonly Case[] {
  const plain = good(operation)
  const bodies = operation.body?.examples ?? [{ name: 'plain', value: undefined }]
  const parameters = operation.parameters.flatMap((parameter) =>
    [...parameter.examples, ...boundaries(parameter)].flatMap(({ name, value }) =>
      spellings(operation, parameter, value).map(([spelling, draft]) =>
        toCase(operation, draft, { ...accepted, rule: `${parameter.name}: ${name}${spelling}` }),
      ),
    ),
  )
  return [
    ...bodies.map(({ name, value }) =>
      toCase(
        operation,
        { ...plain, ...(value === undefined ? {} : bodyOf(operation, value)) },
        { ...accepted, rule: `body: ${name}` },
      ),
    ),
    ...parameters,
  ]
}

/** The minimum and the maximum of a number. */
function boundaries(parameter: Parameter): readonly { readonly name: string; readonly value: unknown }[] {
  const { minimum, maximum } = parameter.schema
  return [minimum, maximum].flatMap((value) => (typeof value === 'number' ? [{ name: String(value), value }] : []))
}

function parameterCases(spec: Spec, validate: Validate, operation: Operation): readonly Case[] {
  const plain = good(operation)
  return operation.parameters
    .filter((each) => !isAlone(operation, each.name))
    .flatMap((parameter) => {
      const schema = follow(spec, parameter.schema)
      const texts = wrongTexts(schema).filter((text) => validate(schema, readText(schema, text)) !== null)
      const cases = texts.map((text) => {
        const rule = `${parameter.name} is ${text.length > 20 ? `a text of ${text.length}` : JSON.stringify(text)}`
        return toCase(operation, withText(plain, parameter, text), { ...refused, rule, name: parameter.name })
      })
      const { name } = parameter
      if (parameter.in === 'query' && parameter.required)
        cases.push(
          toCase(
            operation,
            { ...plain, query: plain.query.filter(([each]) => each !== name) },
            { ...refused, rule: `${name} is missing`, name },
          ),
        )
      if (parameter.in === 'query' && validate(schema, { a: '1' }) !== null)
        cases.push(
          toCase(operation, withText(plain, parameter, '1', '[a]'), { ...refused, rule: `${name} is an object`, name }),
        )
      return [...cases, ...searchCases(operation, parameter, schema, validate)]
    })
}

/** Candidates for invalid values; the validator decides which are invalid. */
function wrongTexts(schema: { readonly [keyword: string]: unknown }): readonly string[] {
  const bounds = outOfBounds(schema).map((value) => (Array.isArray(value) ? value.join(',') : String(value)))
  return ['x', '1.5', '[1]', '"text"', ...bounds].filter((text) => text !== '' && text.length < 6000)
}

/** Converts a query text to the type of its schema, if possible. */
function readText(schema: { readonly [keyword: string]: unknown }, text: string): unknown {
  if (schema.type === 'integer' || schema.type === 'number') return Number.isNaN(Number(text)) ? text : Number(text)
  if (schema.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  if (schema.type !== 'object') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The parameter with this text; with `key`, as a member of an object. */
function withText(plain: Draft, parameter: Parameter, text: string, key = ''): Draft {
  if (parameter.in === 'header') return withHeader(plain, parameter.name, text)
  if (parameter.in === 'path') return { ...plain, path: { ...plain.path, [parameter.name]: text } }
  return {
    ...plain,
    query: [...plain.query.filter(([name]) => name !== parameter.name), [`${parameter.name}${key}`, text]],
  }
}

/** SEARCH has a JSON body, so invalid values can have wrong types. */
function searchCases(
  operation: Operation,
  parameter: Parameter,
  schema: { readonly [keyword: string]: unknown },
  validate: Validate,
): readonly Case[] {
  if (!operation.search || parameter.in !== 'query') return []
  const values = [[[]], ...outOfBounds(schema)].filter((value) => validate(schema, value) !== null)
  return values.slice(0, 2).map((value) =>
    toCase(operation, asSearch(good(operation), { [parameter.name]: value }), {
      ...refused,
      rule: `${parameter.name} is ${JSON.stringify(value).slice(0, 20)} by SEARCH`,
      name: parameter.name,
    }),
  )
}

function bodyCases(spec: Spec, validate: Validate, operation: Operation): readonly Case[] {
  const { body, search } = operation
  const plain = good(operation)
  const wrongQueries = search ? [{ query: 5 }, 5, { query: {}, unexpected_key: 1 }] : []
  const searchBodies = wrongQueries.map((value) => ({
    rule: `SEARCH ${JSON.stringify(value)}`,
    draft: { ...plain, query: [], body: value },
  }))
  const damages = (body?.examples ?? []).flatMap(({ name, value }) =>
    body?.schema == null || isRawBody(body)
      ? []
      : damagesOf(validate, spec, operation, { schema: body.schema, value }).map((damage) => ({
          rule: `body ${name}: ${damage.name ?? 'all'} ${damage.rule}`,
          name: 'oneOf' in follow(spec, body.schema) ? null : damage.name,
          draft: { ...plain, body: damage.value },
        })),
  )
  return [...searchBodies, ...damages, ...(body === null && !search ? [] : brokenBodies(plain, body))].map(
    ({ draft, ...rest }) => toCase(operation, draft, { ...refused, ...rest }),
  )
}

type Good = { readonly schema: JsonSchema; readonly value: unknown }

/** Properties of a record are damaged in create cases only, not again for update. */
function damagesOf(validate: Validate, spec: Spec, operation: Operation, { schema, value }: Good): readonly Damage[] {
  const all = damagedBodies(validate, spec, schema, value)
  return isCreatedElsewhere(spec, operation) ? all.filter(({ name }) => name === null) : all
}

function isCreatedElsewhere(spec: Spec, operation: Operation): boolean {
  const schema = bodySchema(spec, operation)
  const record = schema['x-derived']
  if (record === undefined || operation.method !== 'PATCH' || 'oneOf' in schema) return false
  return spec.operations.some((each) => each.method === 'POST' && bodySchema(spec, each)['x-derived'] === record)
}

const bodySchema = (spec: Spec, { body }: Operation): JsonSchema => follow(spec, body?.schema ?? {})

function brokenBodies(
  plain: Draft,
  body: Operation['body'],
): readonly { readonly rule: string; readonly draft: Draft }[] {
  const { body: _, text: __, ...without } = plain
  return [
    ...(body === null || !isRawBody(body) ? [{ rule: 'body is not JSON', draft: { ...plain, text: '{"a":' } }] : []),
    { rule: 'body of another media type', draft: { ...plain, mediaType: 'application/x-unknown', text: 'a' } },
    { rule: 'body is too large', draft: { ...plain, text: JSON.stringify({ text: 'a'.repeat(tooLarge) }) } },
    ...((body?.required ?? false) ? [{ rule: 'no body', draft: { ...without, body: undefined } }] : []),
  ]
}
