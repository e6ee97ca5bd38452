/**
 * Guessing takes many attempts: they are counted per account and per address, and those that succeed are not.
 * Mails are counted in the same way, by whom they are for and by who has them sent.
 */
import type { Counter } from '../../counters/counter.ts'
import { networkOf } from '../../counters/network.ts'
import type { Attempt, Attempts, Context } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'

/** Null counts nothing. An address, behind which many may sit, should have more attempts than an account. */
export type AttemptCounters = { readonly perAccount: Counter | null; readonly perAddress: Counter | null }

/** `countersOf` says what counts an action; null counts nothing at all. */
export function createAttempts(countersOf: ((action: Attempt['action']) => AttemptCounters) | null): Attempts {
  if (countersOf === null) return { begin: async () => {}, succeed: async () => {} }
  return {
    begin: async (attempt) => {
      const { perAccount, perAddress } = countersOf(attempt.action)
      const counts = await Promise.all([perAddress?.take(senderKey(attempt)), perAccount?.take(accountKey(attempt))])
      const refused = counts.filter((count) => count !== undefined).filter(({ allowed }) => !allowed)
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
      const { perAccount, perAddress } = countersOf(attempt.action)
      await Promise.all([perAddress?.giveBack(senderKey(attempt)), perAccount?.forget(accountKey(attempt))])
    },
  }
}

const accountKey = ({ action, account }: Attempt): string => `${action}:${account.slice(0, 255)}`
const senderKey = ({ action, ip, user }: Attempt): string => `${action}:${user ?? networkOf(ip)}`

/** Counts a mail to each of the addresses, as they are stored; throws `requests-exceeded` at the first one too many. */
export async function countMails(
  { attempts, actor, request }: Pick<Context, 'attempts' | 'actor' | 'request'>,
  action: Exclude<Attempt['action'], 'login' | 'share'>,
  addresses: readonly string[],
): Promise<void> {
  const sender = { ip: request.ip, ...(actor.kind === 'user' ? { user: actor.user } : {}) }
  for (const account of addresses) await attempts.begin({ action, account, ...sender })
}
