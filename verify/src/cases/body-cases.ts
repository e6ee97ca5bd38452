/** Generates requests whose bodies are damaged. */

import { follow, type JsonSchema } from '../spec/document.ts'
import type { Operation, Spec } from '../spec/operations.ts'
import type { Validate } from '../spec/validate.ts'
import { type Case, type Draft, good, isRawBody, refused, toCase } from './case.ts'
import { type Damage, damagedBodies } from './mutations.ts'
import { propertyQuestion, schemaText } from './questions.ts'

/** Above the body limit of a server that is set up for it; made once, because every operation with a body has it. */
const tooLarge = JSON.stringify({ text: 'a'.repeat(200_000) })

export function bodyCases(spec: Spec, validate: Validate, operation: Operation): readonly Case[] {
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
