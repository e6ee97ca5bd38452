/** Adds up amounts per key in a time window: in memory, or in Redis for all replicas together. */
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { CounterOptions } from './counter.ts'

/** The sum of a key. `resetAfter`: milliseconds until its window ends. */
export type Sum = { readonly amount: number; readonly resetAfter: number }

export type Meter = {
  readonly add: (key: string, amount: number) => Promise<Sum>
  readonly read: (key: string) => Promise<Sum>
}

/** Creates a meter. If Redis is not available, each replica adds up on its own. */
export function createMeter({ name, seconds, redis }: Omit<CounterOptions, 'points'>): Meter {
  const shared = { keyPrefix: `tandem:${name}`, points: Number.MAX_SAFE_INTEGER, duration: seconds }
  const own = new RateLimiterMemory(shared)
  const limiter =
    redis === null
      ? own
      : new RateLimiterRedis({
          ...shared,
          storeClient: redis,
          useRedisPackage: true,
          rejectIfRedisNotReady: true,
          insuranceLimiter: own,
        })
  const toSum = (found: RateLimiterRes | null): Sum => ({
    amount: found?.consumedPoints ?? 0,
    resetAfter: Math.max(0, found?.msBeforeNext ?? seconds * 1000),
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
