/** Generates cases from a spec: requests that must succeed, and requests that must be rejected. */

import { follow, type JsonSchema } from '../verify/src/spec/document.ts'
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
import { oncePerQuestion, parameterQuestion, parameterSet, propertyQuestion, schemaText } from './questions.ts'
import type { Operation, Parameter, Spec } from './spec.ts'
import type { Validate } from './validate.ts'

/** Above the body limit of the world's server; made once, because every case of an operation with a body has it. */
const tooLarge = JSON.stringify({ text: 'a'.repeat(2_000_000) })

/** All cases of a spec. */
export function casesOf(spec: Spec, validate: Validate, faults: DataFaults): readonly Case[] {
  const all = spec.operations.flatMap((operation) => [
    ...positiveCases(spec, operation),
    ...parameterCases(spec, validate, operation),
    ...bodyCases(spec, validate, operation),
    ...(isShared(operation) ? [] : [unreadable(spec, operation)]),
    ...dataCases(operation, faults),
    ...(operation.secured ? credentialCases(operation) : []),
  ])
  return oncePerQuestion(all)
}

/** Paths of both specs. Requests without a sign of a legacy client get errors of the current generation. */
const isShared = ({ generation, path }: Operation): boolean =>
  generation === 'legacy' && /^\/server\/(ping|info)$/.test(path)

/** All operations reject query strings that could pollute object prototypes. */
const unreadable = (spec: Spec, operation: Operation): Case => {
  const rule = 'a parameter named __proto__'
  // Without parameters of its own, an operation has no other query string that is refused.
  const isOnly = !operation.parameters.some((each) => each.in === 'query')
  const question = isOnly ? null : `${parameterSet(spec, operation)}\n${rule}`
  const draft = { ...good(operation), query: [['__proto__[a]', '1']] as const }
  return toCase(operation, draft, { ...refused, rule, name: '__proto__', needsData: true, question })
}

const credentialCases = (operation: Operation): readonly Case[] =>
  (['unknown', 'forged'] as const).map((credentials) =>
    toCase(operation, good(operation), { ...refused, rule: `${credentials} token`, credentials }),
  )

function positiveCases(spec: Spec, operation: Operation): readonly Case[] {
  const plain = good(operation)
  const bodies = operation.body?.examples ?? [{ name: 'plain', value: undefined }]
  const parameters = operation.parameters.flatMap((parameter) => {
    const values = [...parameter.examples, ...boundaries(parameter)]
    return values.flatMap(({ name, value }, at) =>
      spellings(operation, parameter, value).map(([spelling, draft], way) => {
        const rule = `${parameter.name}: ${name}${spelling}`
        const isOwn = operation.method === 'GET' && at === 0 && way === 0
        const question = isOwn
          ? null
          : parameterQuestion(spec, operation, parameter.name, `${rule} ${JSON.stringify(value)}`)
        return toCase(operation, draft, { ...accepted, rule, question })
      }),
    )
  })
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
      const [own, ...others] = [...cases, ...searchCases(operation, parameter, schema, validate)]
      const repeated = others.map((each) => ({
        ...each,
        question: parameterQuestion(spec, operation, name, each.rule),
      }))
      return own === undefined ? [] : [own, ...repeated]
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
  const damages = body?.schema == null || isRawBody(body) ? [] : damagesOf(validate, spec, operation)
  return [...searchBodies, ...damages, ...(body === null && !search ? [] : brokenBodies(plain, body))].map(
    ({ draft, ...rest }) => toCase(operation, draft, { ...refused, ...rest }),
  )
}

type Damaged = Pick<Case, 'rule' | 'name' | 'question'> & { readonly draft: Draft }

/**
 * Every operation gets a body that is a number; every record has each of its properties damaged once, and each kind of
 * property is damaged in all ways once. The properties of a record are damaged where it is created, and not again
 * where it is changed.
 */
function damagesOf(validate: Validate, spec: Spec, operation: Operation): readonly Damaged[] {
  const schema = operation.body?.schema ?? {}
  const record = `${spec.generation} body ${schemaText(schema)}`
  const named = new Set<string>()
  const questionOf = (each: Damage): string | null => {
    const { name, rule, property } = each
    if (name === null) return rule === 'is number' ? null : `${record} ${rule}`
    if (property === null || !named.has(name)) {
      if (property !== null) named.add(name)
      return `${record} ${name} ${rule}`
    }
    return propertyQuestion(spec, property, rule)
  }
  return (operation.body?.examples ?? []).flatMap(({ name: example, value }) =>
    damagedBodies(validate, spec, schema, value)
      .filter(({ name }) => name === null || !isCreatedElsewhere(spec, operation))
      .filter(({ rule }) => rule !== 'unknown key' || !operation.ignoresUnknown)
      .map((damage) => ({
        rule: `body ${example}: ${damage.name ?? 'all'} ${damage.rule}`,
        name: 'oneOf' in follow(spec, schema) ? null : damage.name,
        draft: { ...good(operation), body: damage.value },
        question: questionOf(damage),
      })),
  )
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
    { rule: 'body is too large', draft: { ...plain, text: tooLarge } },
    ...((body?.required ?? false) ? [{ rule: 'no body', draft: { ...without, body: undefined } }] : []),
  ]
}
