/**
 * The response cache: texts by key with a lifetime, in memory or in Redis. Each text has the tags of what it was made
 * from, and the moment before it was made. A purge notes its own moment for some tags; a text is true as long as none of
 * its tags was purged since. So nothing has to be searched, and a text that was made while its rows changed is never
 * used, whoever keeps it last.
 */
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Log } from '../domain/ports/context.ts'
import type { OpenRedis } from './redis.ts'

export type AnswerCache = {
  /** Undefined if the key is not cached, no longer true, or the store is not available. */
  readonly read: (key: string) => Promise<TaggedAnswer | undefined>
  /** The moment before an answer is made; null if the store is not available, so that nothing is kept. */
  readonly begin: () => Promise<number | null>
  /** `since` is the value of `begin`. */
  readonly keep: (key: string, answer: TaggedAnswer, since: number | null) => Promise<void>
  /** Purges the answers with one of these tags; without tags, all. */
  readonly purge: (tags?: readonly string[]) => Promise<void>
}

export type TaggedAnswer = { readonly text: string; readonly tags: readonly string[] }

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
  readonly set: (key: string, entry: string) => Promise<unknown>
  /** Grows with time, and is the same for all who share the store. */
  readonly now: () => Promise<number>
  /** The moment of the latest purge of one of the tags; 0 = none. */
  readonly purgedAt: (tags: readonly string[]) => Promise<number>
  readonly notePurge: (tags: readonly string[]) => Promise<unknown>
}

/** A tag that every answer has. */
const every = '*'

/** Creates the cache. A failing store behaves like an empty one. */
export function createAnswerCache({ namespace, ttl, redis, log }: AnswerCacheOptions): AnswerCache {
  const store = redis === null ? createAnswerStore(ttl) : createRedisStore(redis.client, namespace, ttl)
  const onFailure = (error: unknown): undefined => {
    log.debug({ err: error }, 'The response cache is not available')
  }
  /**
   * The store may contain stale responses: a purge has failed, or Redis lost its connection, may have been restored from
   * a snapshot, or has what another process could not purge before it ended. Everything is purged before it is used.
   */
  let isStale = redis !== null
  let losses = 0
  redis?.onLoss(() => {
    isStale = true
    losses += 1
  })
  const purge = async (tags: readonly string[] = [every]): Promise<void> => {
    const before = losses
    const failed = await store.notePurge(isStale ? [every] : tags).then(
      () => false,
      (error: unknown) => {
        onFailure(error)
        return true
      },
    )
    if (failed && !isStale)
      log.warn({}, 'The response cache could not be purged; it is not used until a purge succeeds')
    isStale = failed || losses !== before
  }
  const isTrue = async (since: number, tags: readonly string[]): Promise<boolean> =>
    (await store.purgedAt([every, ...tags])) < since
  return {
    purge,
    begin: async () => (await store.now().catch(onFailure)) ?? null,
    read: async (key) => {
      if (isStale) await purge()
      if (isStale) return undefined
      try {
        const entry = await store.get(digest(key))
        if (entry == null) return undefined
        const { since, ...answer } = parseEntry(entry)
        return (await isTrue(since, answer.tags)) ? answer : undefined
      } catch (error) {
        return onFailure(error)
      }
    },
    keep: async (key, { text, tags }, since) => {
      if (isStale || since === null) return
      try {
        // The answer would never be read; skipping it leaves room for others.
        if (await isTrue(since, tags)) await store.set(digest(key), `${JSON.stringify([since, ...tags])}\n${text}`)
      } catch (error) {
        onFailure(error)
      }
    },
  }
}

function parseEntry(entry: string): TaggedAnswer & { readonly since: number } {
  const at = entry.indexOf('\n')
  const [since, ...tags] = JSON.parse(entry.slice(0, at)) as readonly [number, ...string[]]
  return { since, tags, text: entry.slice(at + 1) }
}

/** Characters of all answers and their keys together. */
const mostCharacters = 64 * 1024 * 1024

/** Tags with a moment of their own. When there are more, all answers are purged instead. */
const mostTags = 20_000

/** Answers in memory. An answer longer than the limit is not cached. */
export function createAnswerStore(ttl: number, most: number = mostCharacters): Store {
  const answers = new LRUCache<string, string>({
    ttl,
    maxSize: most,
    sizeCalculation: (value, key) => key.length + value.length,
  })
  const purges = new Map<string, number>()
  let count = 0
  return {
    get: async (key) => answers.get(key),
    set: async (key, entry) => void answers.set(key, entry),
    // Between two purges.
    now: async () => count + 0.5,
    purgedAt: async (tags) => Math.max(...tags.map((tag) => purges.get(tag) ?? 0)),
    notePurge: async (tags) => {
      count += 1
      const isFull = purges.size + tags.length > mostTags
      if (tags.includes(every) || isFull) {
        purges.clear()
        answers.clear()
      }
      for (const tag of isFull ? [every] : tags) purges.set(tag, count)
    },
  }
}

/**
 * Answers in Redis, under names that begin with the namespace. Moments are those of its clock, in microseconds, and are
 * kept as long as an answer could be: a Redis that evicts must not evict what has a longer time to live.
 */
function createRedisStore(client: OpenRedis['client'], namespace: string, ttl: number): Store {
  const nameOf = (key: string): string => `${namespace}:${key}`
  const tagOf = (tag: string): string => `${namespace}:tag:${tag}`
  const now = async (): Promise<number> => {
    const [seconds, microseconds] = (await client.sendCommand(['TIME'])) as unknown as readonly [string, string]
    return Number(seconds) * 1_000_000 + Number(microseconds)
  }
  return {
    get: (key) => client.get(nameOf(key)),
    set: (key, entry) => client.set(nameOf(key), entry, { PX: ttl }),
    now,
    purgedAt: async (tags) => Math.max(...(await client.mGet(tags.map(tagOf))).map((at) => Number(at ?? 0))),
    notePurge: async (tags) => {
      const at = String(await now())
      await Promise.all(tags.map((tag) => client.set(tagOf(tag), at, { PX: ttl * 2 })))
    },
  }
}

/** Keys contain tokens and queries and can be long, so they are hashed. */
const digest = (key: string): string => createHash('sha256').update(key).digest('base64url')
