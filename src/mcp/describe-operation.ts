/** One operation in a form that an agent can read: its parameters and schemas, with references replaced. */

import { type Operation, type OperationIndex, resolve } from './operations.ts'

type Json = { readonly [key: string]: unknown }

/**
 * Levels of references that are replaced. Deeper ones are named by `schema`, as an operation of its own describes them;
 * lists of values are always shown.
 */
const depths = [3, 2, 1, 0] as const

/** Characters of a description, about 6,000 tokens. */
const mostText = 24_000

/** The description as JSON text: as deep as it stays within 24,000 characters. */
export function describeOperation({ document }: OperationIndex, operation: Operation): string {
  const texts = depths.map((depth) => () => JSON.stringify(toDescription(document, operation, depth)))
  const [first, ...others] = texts as [() => string, ...(() => string)[]]
  let text = first()
  for (const other of others) {
    if (text.length <= mostText) break
    text = other()
  }
  return text
}

function toDescription(document: Json, { id, method, path, definition, parameters }: Operation, depth: number): Json {
  const {
    description = '',
    requestBody,
    responses,
  } = definition as {
    readonly description?: string
    readonly requestBody?: Json
    readonly responses: Json
  }
  const answers = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  return {
    operation: id,
    method,
    path,
    description,
    parameters: parameters
      .filter((each) => each.in === 'path' || each.in === 'query')
      .map(({ name, in: location, required = false, description: text, schema }) => {
        return { name, in: location, required, description: text, schema: replaced(document, schema, depth) }
      }),
    ...(requestBody === undefined ? {} : { body: ofContent(document, requestBody, depth) }),
    answers: Object.fromEntries(answers.map(([status, each]) => [status, ofContent(document, each as Json, depth)])),
  }
}

function ofContent(document: Json, value: Json, depth: number): unknown {
  const { content, description } = resolve(document, value)
  const json = (content as { readonly 'application/json'?: Json } | undefined)?.['application/json']
  return json === undefined ? { description } : { description, schema: replaced(document, json['schema'], depth) }
}

function replaced(document: Json, value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each) => replaced(document, each, depth))
  const { $ref: reference } = value as Json
  if (typeof reference === 'string') {
    const target = resolve(document, value as Json)
    if ('enum' in target) return replaced(document, target, depth)
    if (depth === 0) return { schema: reference.slice(reference.lastIndexOf('/') + 1) }
    return replaced(document, target, depth - 1)
  }
  const shown = Object.entries(value).filter(([name]) => !name.startsWith('x-') && name !== 'example')
  return Object.fromEntries(shown.map(([name, each]) => [name, replaced(document, each, depth)]))
}
