import { memoizeBy } from '../../domain/memoize.ts'
import type { Limits } from '../../domain/ports/settings.ts'

/** Nested lists have no default limit in this generation. Returns the same object for the same limits. */
export const limitsOf = memoizeBy((limits: Limits): Limits => ({ ...limits, queryDefault: Number.MAX_SAFE_INTEGER }))
