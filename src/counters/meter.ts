/** Adds up amounts per key in a time window: in memory, or in Redis for all replicas together. */
import { RateLimiterRes } from 'rate-limiter-flexible'
import { type CounterOptions, createLimiter } from './counter.ts'

/** The sum of a key. `resetAfter`: milliseconds until its window ends. */
export type WindowSum = { readonly amount: number; readonly resetAfter: number }

export type Meter = {
  readonly add: (key: string, amount: number) => Promise<WindowSum>
  readonly read: (key: string) => Promise<WindowSum>
}

/** No key is ever over it, so none is blocked. */
const unlimited = Number.MAX_SAFE_INTEGER - 1

/** Creates a meter. If Redis is not available, each replica adds up on its own. */
export function createMeter({ name, seconds, redis }: Omit<CounterOptions, 'points'>): Meter {
  const limiter = createLimiter({ name, points: unlimited, seconds, redis })
  const toSum = (result: RateLimiterRes | null): WindowSum => ({
    amount: result?.consumedPoints ?? 0,
    resetAfter: Math.max(0, result?.msBeforeNext ?? seconds * 1000),
  })
  return {
    add: async (key, amount) => {
      try {
        return toSum(await limiter.consume(key, amount))
      } catch (refused) {
        if (refused instanceof RateLimiterRes) return toSum(refused)
        throw refused
      }
    },
    read: async (key) => toSum(await limiter.get(key)),
  }
}
