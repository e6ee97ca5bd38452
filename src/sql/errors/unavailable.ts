/** Errors of all vendors for statements that the database did not answer. */
import { type Failure, TandemError } from '../../domain/rights/errors.ts'

export const unavailable = (reason: string): Failure => ({
  kind: 'unavailable',
  service: 'database',
  reason,
  retryAfter: 1,
})

/** The cause, for example a wrong password, is for the operator and only logged. */
export const databaseUnavailable = (reason: string, cause?: unknown): TandemError =>
  new TandemError(unavailable(reason), { cause })

/** For reads that nobody waits for. */
export const clientGone = (): TandemError =>
  new TandemError({ kind: 'unavailable', service: 'api', reason: 'The client has disconnected', retryAfter: 1 })
