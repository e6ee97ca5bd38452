/** Counts per key within a window of time: in memory, or in Redis, where replicas count together. */
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'

/** How a key stands after it was counted. */
export type Count = {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Milliseconds until the window of this key ends. */
  readonly resetAfter: number
}

export type Counter = {
  /** Counts one more. */
  readonly take: (key: string) => Promise<Count>
  /** Takes one back. */
  readonly giveBack: (key: string) => Promise<void>
  readonly forget: (key: string) => Promise<void>
}

export type CounterOptions = {
  /** Tells counters in one store apart. */
  readonly name: string
  readonly points: number
  readonly seconds: number
  /** A client of Redis; null counts in memory. */
  readonly redis: object | null
}

/** While Redis cannot be reached each replica counts for itself, so that an outage neither lets all pass nor stops all. */
export function createCounter({ name, points, seconds, redis }: CounterOptions): Counter {
  const shared = { keyPrefix: `tandem:${name}`, points, duration: seconds }
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
          // Who is over the limit is refused without asking Redis again.
          inMemoryBlockOnConsumed: points + 1,
        })
  const toCount = (found: RateLimiterRes, allowed: boolean): Count => ({
    allowed,
    limit: points,
    remaining: Math.max(0, found.remainingPoints),
    resetAfter: Math.max(0, found.msBeforeNext),
  })
  return {
    take: async (key) => {
      try {
        return toCount(await limiter.consume(key), true)
      } catch (refused) {
        if (refused instanceof RateLimiterRes) return toCount(refused, false)
        throw refused
      }
    },
    giveBack: async (key) => void (await limiter.reward(key)),
    forget: async (key) => void (await limiter.delete(key)),
  }
}
