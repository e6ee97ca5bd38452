/** Generates cases from a spec: requests that must succeed, and requests that must be rejected. */

import { follow, type JsonSchema } from '../spec/document.ts'
import type { Operation, Parameter, Spec } from '../spec/operations.ts'
import type { Validate } from '../spec/validate.ts'
import { accepted, bodyOf, type Case, type Draft, good, isRawBody, refused, spellings, toCase } from './case.ts'
import { type Damage, damagedBodies } from './mutations.ts'
import { parameterCases } from './parameter-cases.ts'
import { parameterQuestion, parameterSet, propertyQuestion, schemaText } from './questions.ts'

export const casesOf = (spec: Spec, validate: Validate, operation: Operation): readonly Case[] => [
  ...positiveCases(spec, operation),
  ...parameterCases(spec, validate, operation),
  ...bodyCases(spec, validate, operation),
  pollution(spec, operation),
  ...(operation.secured ? credentialCases(operation) : []),
]

/** All operations reject query strings that could pollute object prototypes. */
const pollution = (spec: Spec, operation: Operation): Case => {
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

function boundaries(parameter: Parameter): readonly { readonly name: string; readonly value: unknown }[] {
  const { minimum, maximum } = parameter.schema
  return [minimum, maximum].flatMap((value) => (typeof value === 'number' ? [{ name: String(value), value }] : []))
}

/** Above the body limit of a server that is set up for it; made once, because every operation with a body has it. */
const tooLarge = JSON.stringify({ text: 'a'.repeat(200_000) })

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
