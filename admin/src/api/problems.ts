/** What an answer of the server says of fields. */
import { toTitle } from '../model/names.ts'
import { type Failure, problemText } from './problem-texts.ts'

const failuresOf = (body: unknown): readonly Failure[] =>
  typeof body === 'object' && body !== null && 'errors' in body && Array.isArray(body.errors) ? body.errors : []

/** Field → what is wrong with its value. */
export const fieldProblems = (body: unknown): { readonly [field: string]: string } =>
  Object.fromEntries(
    failuresOf(body).flatMap((failure) => {
      const field = failure.extensions?.field
      return field === undefined || field === null ? [] : [[field, problemText(failure)] as const]
    }),
  )

/** All that an answer says is wrong, a line each, with the fields; null if the body is none of an error. */
export function problemLines(body: unknown): string | null {
  const lines = failuresOf(body).map((failure) => {
    const { field } = failure.extensions ?? {}
    return field ? `${toTitle(field)}: ${problemText(failure)}` : problemText(failure)
  })
  return lines.length === 0 ? null : [...new Set(lines)].join('\n')
}
