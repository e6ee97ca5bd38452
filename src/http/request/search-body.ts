/** The body of a SEARCH: parameters in the forms of a query string, or null. */

import { parseExactly } from '../../domain/conditions/exact-numbers.ts'
import { isRecord } from '../../domain/is-record.ts'
import { parseOr } from '../../domain/parse-or.ts'

export type SearchNames = {
  /** Every query parameter of the operation. */
  readonly parameters: readonly string[]
  /** Parameters that are objects; they may also be JSON text. */
  readonly objects: ReadonlySet<string>
}

/**
 * Parses JSON text of object parameters and drops parameters that are null, which counts as absent. Invalid text stays
 * and fails validation, like unknown names. A body without a query has an empty one.
 */
export const readSearchBody = (body: unknown, names: SearchNames): unknown => {
  if (!isRecord(body)) return body
  const { query = {} } = body
  if (!isRecord(query)) return body
  const input = Object.entries(query).filter(([name, value]) => !isNothing(name, value, names))
  const read = input.map(([name, value]) => [name, names.objects.has(name) ? readText(value) : value])
  return { ...body, query: Object.fromEntries(read) }
}

/** As in a query string, empty text is no object. */
const isNothing = (name: string, value: unknown, { parameters, objects }: SearchNames): boolean =>
  value === null ? parameters.includes(name) : value === '' && objects.has(name)

const readText = (value: unknown): unknown => (typeof value === 'string' ? parseOr(value, value, parseExactly) : value)
