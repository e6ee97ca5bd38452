/** Which cases ask the same question, although they ask different operations. */

import { follow, type JsonSchema } from '../spec/document.ts'
import type { Operation, Spec } from '../spec/operations.ts'
import type { Case } from './case.ts'

/** One case per question: the first. Cases without a question are all kept, unless their request is a repetition. */
export function oncePerQuestion<Each extends Case>(cases: readonly Each[]): readonly Each[] {
  const names = new Set<string>()
  return cases.filter((each) => {
    const existing = [requestText(each), ...(each.question === null ? [] : [each.question])]
    if (existing.some((text) => names.has(text))) return false
    for (const text of existing) names.add(text)
    return true
  })
}

/** Everything that the server and the judge of its answer see of a case. */
const requestText = (each: Case): string => {
  const { generation, id } = each.operation
  return JSON.stringify({ ...each, operation: [generation, id], rule: null, question: null })
}

/** Words about a schema, which do not change what it accepts. */
const words = new Set(['description', 'example', 'examples', 'title'])

/** A schema as text: equal for schemas that accept the same values. */
export const schemaText = (schema: unknown): string =>
  JSON.stringify(schema, (key, value: unknown) => (words.has(key) ? undefined : value))

/** Operations with the same text read their query strings and headers alike. Path parameters are told apart by themselves. */
export function parameterSet(spec: Spec, { method, parameters, search }: Operation): string {
  const isRead = method === 'GET' ? 'read' : 'write'
  const set = parameters
    .filter((each) => each.in !== 'path')
    .map((each) => `${each.in} ${each.name} ${each.required} ${schemaText(follow(spec, each.schema))}`)
  return [spec.generation, isRead, search, ...set.toSorted()].join('\n')
}

/** What a case with this value of a parameter asks, whatever the operation. */
export function parameterQuestion(spec: Spec, operation: Operation, name: string, rule: string): string {
  const parameter = operation.parameters.find((each) => each.name === name)
  if (parameter?.in !== 'path') return `${parameterSet(spec, operation)}\n${rule}`
  return [spec.generation, 'path', name, schemaText(follow(spec, parameter.schema)), rule].join('\n')
}

/** What a damaged property asks, whatever the record that has it. */
export const propertyQuestion = (spec: Spec, property: JsonSchema, rule: string): string =>
  [spec.generation, 'property', schemaText(property), rule].join('\n')
