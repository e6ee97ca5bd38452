/** Guessing takes many attempts: they are counted per account and per address, and those that succeed are not. */
import type { Counter } from '../counters/counter.ts'
import { networkOf } from '../counters/network.ts'
import type { Attempt, Attempts } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'

/** Null counters count nothing. An address, behind which many may sit, should have more attempts than an account. */
export function createAttempts(
  counters: { readonly perAccount: Counter; readonly perAddress: Counter } | null,
): Attempts {
  if (counters === null) return { begin: async () => {}, succeed: async () => {} }
  const { perAccount, perAddress } = counters
  return {
    begin: async (attempt) => {
      const counts = await Promise.all([perAddress.take(addressKey(attempt)), perAccount.take(accountKey(attempt))])
      const refused = counts.filter(({ allowed }) => !allowed)
      if (refused.length === 0) return
      const resetAfter = Math.max(...refused.map((count) => count.resetAfter))
      const limit = Math.min(...refused.map((count) => count.limit))
      const reset = new Date(Date.now() + resetAfter).toISOString()
      throw new TandemError({
        kind: 'requests-exceeded',
        limit,
        retryAfter: Math.max(1, Math.ceil(resetAfter / 1000)),
        reset,
      })
    },
    /** An address gets back what this attempt took, or one's own account would open the way to all others. */
    succeed: async (attempt) => {
      await Promise.all([perAddress.giveBack(addressKey(attempt)), perAccount.forget(accountKey(attempt))])
    },
  }
}

const accountKey = ({ action, account }: Attempt): string => `${action}:${account.slice(0, 255)}`
const addressKey = ({ action, ip }: Attempt): string => `${action}:${networkOf(ip)}`
