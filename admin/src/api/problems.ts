/** What an answer of the server says of fields. */

type Failure = { readonly message?: string; readonly extensions?: { readonly code?: string; readonly field?: string } }

const failuresOf = (body: unknown): readonly Failure[] =>
  typeof body === 'object' && body !== null && 'errors' in body && Array.isArray(body.errors) ? body.errors : []

/** Codes that the interface has words for, in its language: `app.problem.<code>`. */
const known = new Set([
  'RECORD_NOT_UNIQUE',
  'INVALID_FOREIGN_KEY',
  'NOT_NULL_VIOLATION',
  'VALUE_TOO_LONG',
  'VALUE_OUT_OF_RANGE',
])

/** Field → the key of a text of the interface, or the message of the server. */
export const fieldProblems = (body: unknown): { readonly [field: string]: string } =>
  Object.fromEntries(
    failuresOf(body).flatMap(({ message = '', extensions: { field, code = '' } = {} }) =>
      field === undefined ? [] : [[field, known.has(code) ? `app.problem.${code}` : message] as const],
    ),
  )
