/** The response cache: texts by key with a lifetime, in memory or in Redis. */
import { createHash } from 'node:crypto'
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

/** Where answers are. What fails rejects. */
type Store = {
  readonly get: (key: string) => Promise<string | null | undefined>
  readonly set: (key: string, answer: string) => Promise<unknown>
  readonly clear: () => Promise<void>
}

/** Creates the cache. A failing store behaves like an empty one. */
export function createAnswerCache({ namespace, ttl, redis, log }: AnswerCacheOptions): AnswerCache {
  const store = redis === null ? createAnswerStore(ttl) : createRedisStore(redis.client, namespace, ttl)
  const onFailure = (error: unknown): undefined => {
    log.debug({ err: error }, 'The response cache is not available')
  }
  let epoch = 0
  /** A purge has failed, so the store may contain stale responses. */
  let isStale = false
  let running: Promise<void> | null = null
  let waiting: Promise<void> | null = null

  const clear = async (): Promise<void> => {
    const failed = await store.clear().then(
      () => false,
      (error: unknown) => {
        onFailure(error)
        return true
      },
    )
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
      return (await store.get(digest(key)).catch(onFailure)) ?? undefined
    },
    keep: async (key, answer, since) => {
      if (isStale || since !== epoch) return
      await store.set(digest(key), answer).catch(onFailure)
    },
  }
}

/** Characters of all answers and their keys together. */
const mostCharacters = 64 * 1024 * 1024

/** Answers in memory. One that is too long by itself is not kept. */
export function createAnswerStore(ttl: number, most: number = mostCharacters): Store {
  const answers = new LRUCache<string, string>({
    ttl,
    maxSize: most,
    sizeCalculation: (value, key) => key.length + value.length,
  })
  return {
    get: async (key) => answers.get(key),
    set: async (key, answer) => void answers.set(key, answer),
    clear: async () => answers.clear(),
  }
}

/** Answers in Redis, under names that begin with the namespace. */
function createRedisStore(client: OpenRedis['client'], namespace: string, ttl: number): Store {
  const nameOf = (key: string): string => `${namespace}:${key}`
  // The namespace is no pattern.
  const all = { MATCH: nameOf('*').replaceAll(/[?[\]\\^-]|\*(?!$)/g, String.raw`\$&`), COUNT: 1000 }
  return {
    get: (key) => client.get(nameOf(key)),
    set: (key, answer) => client.set(nameOf(key), answer, { PX: ttl }),
    clear: async () => {
      for await (const names of client.scanIterator(all)) if (names.length > 0) await client.unlink(names)
    },
  }
}

/** Keys contain tokens and queries and can be long, so they are hashed. */
const digest = (key: string): string => createHash('sha256').update(key).digest('base64url')
