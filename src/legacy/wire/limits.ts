/** The limits of this generation. */
import type { Limits } from '../../domain/ports/context.ts'

/** Nested lists have no default limit in this generation. Returns the same object for the same limits. */
export function limitsOf(limits: Limits): Limits {
  const known = ownLimits.get(limits) ?? { ...limits, queryDefault: Number.MAX_SAFE_INTEGER }
  ownLimits.set(limits, known)
  return known
}

const ownLimits = new WeakMap<Limits, Limits>()
