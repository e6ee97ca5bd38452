/** The response cache: texts by key with a lifetime, in memory or in Redis. */
import { createHash } from 'node:crypto'
import KeyvRedis from '@keyv/redis'
import { Keyv } from 'keyv'
import { LRUCache } from 'lru-cache'
import type { Log } from '../domain/ports/context.ts'
import type { OpenRedis } from './redis.ts'

export type AnswerCache = {
  /** Undefined if the key is not cached or the store is not available. */
  readonly read: (key: string) => Promise<string | undefined>
  /** `since` is the value of `epoch` when the response was computed. A response from before a purge is not cached. */
  readonly keep: (key: string, answer: string, since: number) => Promise<void>
  readonly epoch: () => number
  /** Removes all entries. */
  readonly purge: () => Promise<void>
}

export type AnswerCacheOptions = {
  readonly namespace: string
  /** Lifetime in milliseconds. */
  readonly ttl: number
  /** Null = in memory. */
  readonly redis: OpenRedis | null
  readonly log: Log
}

/** Creates the cache. A failing store behaves like an empty one. */
export function createAnswerCache({ namespace, ttl, redis, log }: AnswerCacheOptions): AnswerCache {
  const store = openStore(namespace, ttl, redis)
  let failures = 0
  store.on('error', (error: unknown) => {
    failures += 1
    log.debug({ err: error }, 'The response cache is not available')
  })
  let epoch = 0
  /** A purge has failed, so the store may contain stale responses. */
  let isStale = false
  let running: Promise<void> | null = null
  let waiting: Promise<void> | null = null
  const clear = async (): Promise<void> => {
    const before = failures
    await store.clear()
    // The store swallows its errors and only emits them, so they are counted.
    const failed = failures > before
    if (failed && !isStale)
      log.warn({}, 'The response cache could not be purged; it is not used until a purge succeeds')
    isStale = failed
  }
  /** Purges that are requested during a purge share the next one. */
  const purge = (): Promise<void> => {
    epoch += 1
    if (running === null) {
      running = clear().finally(() => {
        running = null
      })
      return running
    }
    waiting ??= running.then(() => {
      waiting = null
      return purge()
    })
    return waiting
  }
  return {
    purge,
    epoch: () => epoch,
    read: async (key) => {
      if (isStale) await purge()
      if (isStale) return undefined
      const found = await store.get<unknown>(digest(key)).catch(() => undefined)
      return typeof found === 'string' ? found : undefined
    },
    keep: async (key, answer, since) => {
      if (isStale || since !== epoch) return
      await store.set(digest(key), answer).catch(() => false)
    },
  }
}

/** Characters of all answers and their keys together. */
const mostCharacters = 64 * 1024 * 1024

/** Answers in memory. One that is too long by itself is not kept. Keyv looks after the time of each. */
export const createAnswerStore = (most: number = mostCharacters) => {
  const answers = new LRUCache<string, string>({
    maxSize: most,
    sizeCalculation: (value, key) => key.length + value.length,
  })
  return {
    get: (key: string): string | undefined => answers.get(key),
    set: (key: string, value: string): void => void answers.set(key, value),
    delete: (key: string): boolean => answers.delete(key),
    clear: (): void => answers.clear(),
  }
}

const openStore = (namespace: string, ttl: number, redis: OpenRedis | null): Keyv => {
  if (redis === null) return new Keyv({ store: createAnswerStore(), ttl })
  const adapter = new KeyvRedis(redis.client, { namespace, throwOnConnectError: false })
  return new Keyv({ store: adapter, namespace, useKeyPrefix: false, ttl })
}

/** Keys contain tokens and queries and can be long, so they are hashed. */
const digest = (key: string): string => createHash('sha256').update(key).digest('base64url')
