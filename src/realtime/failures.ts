/** Kinds of errors that end more than one answer. */
import { type ErrorKind, TandemError } from '../domain/rights/errors.ts'

const kindOf = (error: unknown): ErrorKind | null => (error instanceof TandemError ? error.failures[0].kind : null)

/** Whether the token has ended: the caller may bring another one. */
export const isExpired = (error: unknown): boolean => kindOf(error) === 'token-expired'

const lost: ReadonlySet<ErrorKind | null> = new Set<ErrorKind>([
  'unknown-token',
  'invalid-token',
  'user-suspended',
  'user-inactive',
  'invalid-ip',
])

/** Whether the caller no longer exists: its session or its user has ended. */
export const isLost = (error: unknown): boolean => lost.has(kindOf(error))
