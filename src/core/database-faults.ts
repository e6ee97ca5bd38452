/** What errors of the database mean to those who answer requests. */
import type { Log } from '../domain/ports/context.ts'
import type { TandemError } from '../domain/rights/errors.ts'
import { refusalOf } from '../sql/errors/refusals.ts'

export { isOutdated } from '../sql/errors/errors.ts'

/** Whether the database reports the error: it may be one that the server does not know. */
export const isOfDatabase = (error: unknown): boolean => refusalOf(error) !== null

/**
 * Logs what the database said when it refused a request, which callers see in part. False if it said nothing, and for
 * errors about its own state.
 */
export function noteRefusal(log: Pick<Log, 'info'>, subject: object, error: TandemError | null): boolean {
  const refusal = error === null || error.failures[0].kind === 'unavailable' ? null : refusalOf(error)
  if (refusal === null) return false
  log.info({ ...subject, refusal }, 'Database refused a request')
  return true
}
