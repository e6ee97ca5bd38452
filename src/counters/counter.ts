/** Counts events, and adds up amounts, per key in a time window: in memory, or in Redis for all replicas together. */
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'

/** The state of a key after counting. */
export type Count = {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Milliseconds until the window of the key ends. */
  readonly resetAfter: number
}

export type Counter = {
  /** Counts one event. */
  readonly take: (key: string) => Promise<Count>
  readonly giveBack: (key: string) => Promise<void>
  readonly forget: (key: string) => Promise<void>
}

export type CounterOptions = {
  /** Prefix of keys, which separates counters in one store. */
  readonly name: string
  readonly points: number
  readonly seconds: number
  /** The Redis client; null = in memory. */
  readonly redis: object | null
}

/** Counts in memory, or in Redis; in memory again while Redis is not available. */
function createLimiter({ name, points, seconds, redis }: CounterOptions): RateLimiterMemory | RateLimiterRedis {
  const shared = { keyPrefix: `tandem:${name}`, points, duration: seconds }
  const own = new RateLimiterMemory(shared)
  if (redis === null) return own
  return new RateLimiterRedis({
    ...shared,
    storeClient: redis,
    useRedisPackage: true,
    rejectIfRedisNotReady: true,
    insuranceLimiter: own,
    // Keys over the limit are blocked in memory, without a query to Redis.
    inMemoryBlockOnConsumed: points + 1,
  })
}

/** Creates a counter. If Redis is not available, each replica counts on its own, so limits still apply. */
export function createCounter({ name, points, seconds, redis }: CounterOptions): Counter {
  const limiter = createLimiter({ name, points, seconds, redis })
  const toCount = (result: RateLimiterRes, allowed: boolean): Count => ({
    allowed,
    limit: points,
    remaining: Math.max(0, result.remainingPoints),
    resetAfter: Math.max(0, result.msBeforeNext),
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
