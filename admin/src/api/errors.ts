/** Errors of the server as the forms and messages of react-admin expect them. */
import { isApiError } from '@tandem/sdk/current'
import { HttpError } from 'react-admin'
import { plainProblem } from './problem-texts.ts'
import { fieldProblems, problemLines } from './problems.ts'

/** The body of the error names fields, whose inputs then show the message. */
export function toHttpError(error: unknown): unknown {
  if (!isApiError(error)) return error instanceof TypeError ? new Error(messageOf(error), { cause: error }) : error
  const errors = fieldProblems(error.body)
  const body = { code: error.code, ...(Object.keys(errors).length > 0 && { errors }) }
  return new HttpError(problemLines(error.body) ?? error.message, error.status, body)
}

/** The code of an error of the server, also after `toHttpError`. */
export function codeOf(error: unknown): string | null {
  if (isApiError(error)) return String(error.code)
  if (error instanceof HttpError) return (error.body as { code?: string } | undefined)?.code ?? ''
  return null
}

/** What to tell people of an error. */
export function messageOf(error: unknown): string {
  if (isApiError(error)) return problemLines(error.body) ?? error.message
  // What `fetch` throws when there is no answer.
  if (error instanceof TypeError) return plainProblem('network')
  return error instanceof Error ? error.message : String(error)
}
