/** Errors of the server as the forms and messages of react-admin expect them. */
import { isApiError } from '@tandem/sdk/current'
import { HttpError } from 'react-admin'

type Failure = { readonly message?: string; readonly extensions?: { readonly code?: string; readonly field?: string } }

const failuresOf = (body: unknown): readonly Failure[] =>
  typeof body === 'object' && body !== null && 'errors' in body && Array.isArray(body.errors) ? body.errors : []

/** The body of the error names fields, whose inputs then show the message. */
export function toHttpError(error: unknown): unknown {
  if (!isApiError(error)) return error
  const failures = failuresOf(error.body)
  const entries = failures.flatMap(({ message, extensions }) =>
    extensions?.field === undefined ? [] : [[extensions.field, message ?? ''] as const],
  )
  const body = { code: error.code, ...(entries.length > 0 && { errors: Object.fromEntries(entries) }) }
  return new HttpError(error.message, error.status, body)
}

/** The code of an error of the server, also after `toHttpError`. */
export function codeOf(error: unknown): string | null {
  if (isApiError(error)) return String(error.code)
  if (error instanceof HttpError) return (error.body as { code?: string } | undefined)?.code ?? ''
  return null
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
