/** Kept answers: text by key, for a while, in memory or in Redis. */
import { createHash } from 'node:crypto'
import KeyvRedis from '@keyv/redis'
import { Keyv } from 'keyv'
import type { Log } from '../domain/context.ts'
import { createBoundedMap } from './bounded-map.ts'
import type { OpenRedis } from './redis.ts'

export type AnswerCache = {
  /** Undefined when there is none, or the store does not answer. */
  readonly read: (key: string) => Promise<string | undefined>
  /** `since` is what `epoch` gave when the answer began to be made: one from before a purge is not kept. */
  readonly keep: (key: string, answer: string, since: number) => Promise<void>
  readonly epoch: () => number
  /** Forgets all. */
  readonly purge: () => Promise<void>
}

export type AnswerCacheOptions = {
  readonly namespace: string
  /** Milliseconds. */
  readonly ttl: number
  /** Null keeps them in memory. */
  readonly redis: OpenRedis | null
  readonly log: Log
}

/** A store that fails is as good as an empty one. */
export function createAnswerCache({ namespace, ttl, redis, log }: AnswerCacheOptions): AnswerCache {
  const store = openStore(namespace, ttl, redis)
  let failures = 0
  store.on('error', (error: unknown) => {
    failures += 1
    log.debug({ err: error }, 'The cache of answers does not answer')
  })
  let epoch = 0
  /** A purge failed: what the store holds may be older than it. */
  let isStale = false
  let running: Promise<void> | null = null
  let waiting: Promise<void> | null = null
  const clear = async (): Promise<void> => {
    const before = failures
    await store.clear()
    // The store reports its failures and nothing else.
    const failed = failures > before
    if (failed && !isStale) log.warn({}, 'The cache of answers could not be purged and is not used until it is')
    isStale = failed
  }
  /** Purges that come during one share the next. */
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

const openStore = (namespace: string, ttl: number, redis: OpenRedis | null): Keyv => {
  if (redis === null) return new Keyv({ store: createBoundedMap(), ttl })
  const adapter = new KeyvRedis(redis.client, { namespace, throwOnConnectError: false })
  return new Keyv({ store: adapter, namespace, useKeyPrefix: false, ttl })
}

/** Keys hold tokens and texts of queries, and may be long. */
const digest = (key: string): string => createHash('sha256').update(key).digest('base64url')
