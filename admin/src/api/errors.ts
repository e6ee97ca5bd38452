/** Errors of the server as the forms and messages of react-admin expect them. */
import { isApiError } from '@tandem/sdk/current'
import { HttpError } from 'react-admin'
import { plainProblem } from './problem-texts.ts'
import { fieldProblems, problemLines } from './problems.ts'

/**
 * What is wrong with a form: fields with their problems, or the form as a whole. A form without problems counts as saved,
 * and can be left without a question.
 */
export function formProblems(error: unknown): object {
  const fields = isApiError(error) ? fieldProblems(error.body) : {}
  return Object.keys(fields).length > 0 ? fields : { root: { server: messageOf(error) } }
}

/** The body of the error names fields, whose inputs then show the message. */
export function toHttpError(error: unknown): unknown {
  if (!isApiError(error)) {
    if (!(error instanceof TypeError)) return error
    return Object.assign(new Error(messageOf(error), { cause: error }), { body: { errors: formProblems(error) } })
  }
  // After a conflict, the form is saved by the choice between both versions.
  const errors = error.code === 'PRECONDITION_FAILED' ? {} : { errors: formProblems(error) }
  return new HttpError(problemLines(error.body) ?? error.message, error.status, { code: error.code, ...errors })
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
