/** Maps errors to the string codes of this generation. */
import type { ErrorKind, TandemError } from '../../domain/rights/errors.ts'
import type { FailureOf, Row } from './error-forms.ts'
import { rows } from './error-rows.ts'

type Entry = { readonly status: number; readonly message: string; readonly extensions: { readonly code: string } }

const fault: Entry = {
  status: 500,
  message: 'An unexpected error occurred.',
  extensions: { code: 'INTERNAL_SERVER_ERROR' },
}

function toEntry<Kind extends ErrorKind>(failure: FailureOf<Kind>): Entry {
  const row = rows[failure.kind] as unknown as Row<Kind>
  return {
    status: row.status,
    message: row.message(failure),
    extensions: { ...row.more?.(failure), code: row.code },
  }
}

/**
 * The body of an error response: the first failure as `error`, all of them as `errors`. Null stands for an unexpected
 * error.
 */
export function toErrorBody(
  error: TandemError | null,
  request?: { readonly headers: { readonly [name: string]: unknown } },
): {
  readonly status: number
  readonly body: object
  readonly headers?: { readonly [name: string]: string }
} {
  const entries = error === null ? [fault] : error.failures.map((failure) => toEntry(failure))
  const first = entries[0] ?? fault
  const status = entries.every((entry) => entry.status === first.status) ? first.status : 500
  const position = error === null || error.operation === null ? {} : { operation: error.operation }
  const { code, ...more } = { ...first.extensions, ...position }
  const errors = entries.map(({ message, extensions }) => ({ message, extensions: { ...extensions, ...position } }))
  // tus clients expect the protocol header in error responses too.
  const protocol = request?.headers['tus-resumable'] === undefined ? {} : { 'tus-resumable': '1.0.0' }
  const headers = { ...protocol, ...headersOf(error) }
  const body = { error: { code, message: first.message, ...more }, errors }
  return Object.keys(headers).length === 0 ? { status, body } : { status, body, headers }
}

function headersOf(error: TandemError | null): { readonly [name: string]: string } {
  for (const failure of error?.failures ?? []) {
    if ('retryAfter' in failure && failure.retryAfter !== undefined)
      return { 'retry-after': String(failure.retryAfter) }
    if (failure.kind === 'range-not-satisfiable') return { 'content-range': `bytes */${failure.size}` }
    if (failure.kind === 'unsupported-version') return { 'tus-version': failure.supported }
    if (failure.kind === 'method-not-allowed') return { allow: failure.allowed.join(', ') }
  }
  return {}
}
