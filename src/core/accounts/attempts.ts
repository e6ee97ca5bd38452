/**
 * Counts failed attempts per account and per address, against guessing. Mails are counted in the same way, per
 * recipient and per sender.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Counter } from '../../counters/counter.ts'
import { networkOf } from '../../counters/network.ts'
import type { Attempt, Attempts, Context } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'

/** Null = not counted. An address should have a higher limit than an account, because many users can share it. */
export type AttemptCounters = { readonly perAccount: Counter | null; readonly perAddress: Counter | null }

/** `countersOf`: the counters of an action; null = not counted. */
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
    /**
     * A success returns only this attempt to the address. Otherwise an attacker could reset the counter of the address
     * with an own account.
     */
    succeed: async (attempt) => {
      const { perAccount, perAddress } = countersOf(attempt.action)
      await Promise.all([perAddress?.giveBack(senderKey(attempt)), perAccount?.forget(accountKey(attempt))])
    },
  }
}

const accountKey = ({ action, account }: Attempt): string => `${action}:${account.slice(0, 255)}`
const senderKey = ({ action, ip, user }: Attempt): string => `${action}:${user ?? networkOf(ip)}`

/** Runs a login as one counted attempt, which takes at least the configured minimum time. */
export async function asAttempt<T>(
  { attempts, request, security }: Pick<Context, 'attempts' | 'request' | 'security'>,
  { action, account }: Pick<Attempt, 'action' | 'account'>,
  login: () => Promise<T>,
): Promise<T> {
  const attempt = { action, account, ip: request.ip }
  const stall = sleep(security.loginStall)
  try {
    await attempts.begin(attempt)
    const result = await login()
    await attempts.succeed(attempt)
    return result
  } finally {
    await stall
  }
}

/**
 * Counts a mail to each address, in stored spelling. Throws `requests-exceeded` at the first address over its limit.
 */
export async function countMails(
  { attempts, actor, request }: Pick<Context, 'attempts' | 'actor' | 'request'>,
  action: Exclude<Attempt['action'], 'login' | 'provider-login' | 'share'>,
  addresses: readonly string[],
): Promise<void> {
  const sender = { ip: request.ip, ...(actor.kind === 'user' ? { user: actor.user } : {}) }
  for (const account of addresses) await attempts.begin({ action, account, ...sender })
}
