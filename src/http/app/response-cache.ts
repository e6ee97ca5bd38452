/**
 * The response cache for GET. The key holds everything that an answer depends on, above all the caller and its
 * permissions, so that no caller ever gets an answer made for another.
 */

import { type AnsweredRow, recordReads, tagsOfChanges } from '../../cache/answer-tags.ts'
import type { AnswerCache } from '../../cache/answers.ts'
import { announce } from '../../core/announcements.ts'
import { toKey } from '../../core/rows/keys.ts'
import { tablesWithEffects } from '../../core/server/tables-with-effects.ts'
import { memoizeBy } from '../../domain/memoize.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import type { Access } from '../../domain/rights/actor.ts'
import { jsonText, type Reply } from '../reply/reply.ts'
import type { HttpRequest } from '../request/request.ts'
import type { CacheSettings } from '../settings.ts'
import { fromEntry, mark, textOf, toEntry } from './cached-replies.ts'
import type { AnyHandler, HandlerInput } from './handlers.ts'
import type { GenerationParts } from './served-generation.ts'

/** `counted`: called for each read, with whether the cache answered. */
export type ResponseCache = {
  readonly cache: AnswerCache
  readonly settings: CacheSettings
  readonly counted?: (isHit: boolean) => void
}

type Served = Pick<GenerationParts, 'name' | 'routes' | 'handlers'>

/** Logins, the server's state, and answers that differ each time. */
const uncachedTags: ReadonlySet<string> = new Set([
  'auth',
  'server',
  'projects',
  'shares',
  'utils',
  'schema',
  'uploads',
])

/** Tags and operations whose writes change no readable data. */
const neverPurging: ReadonlySet<string> = new Set([
  'auth',
  'server',
  'mail',
  'projects',
  'hashString',
  'matchHash',
  'clearCache',
])

/** The cache of a project; null = none. */
export type FindResponseCache = (project: string) => ResponseCache | null

/** Wraps the handlers of a generation with the project's cache; writes purge it if the settings say so. */
export function withResponseCache({ name, routes, handlers }: Served, find: FindResponseCache): Served['handlers'] {
  const around = routes.map(({ operationId, method, tag }): readonly [string, AnyHandler | undefined] => {
    const handler = handlers[operationId]
    if (handler === undefined) return [operationId, handler]
    const isOne = operationId === 'readItem'
    if (method === 'GET')
      return [operationId, uncachedTags.has(tag) ? handler : caching(handler, { generation: name, isOne }, find)]
    if (method === 'OPTIONS' || neverPurging.has(tag) || neverPurging.has(operationId)) return [operationId, handler]
    const writesItems = tag === 'items' && writingItems.has(operationId)
    return [operationId, purging(handler, { tag, writesItems, alone: writingAlone.get(operationId) ?? null }, find)]
  })
  return { ...handlers, ...Object.fromEntries(around) } as Served['handlers']
}

/** Whether the body of a request decides if it writes. */
const isOfBody = (tag: string): boolean => tag === 'graphql'

/** Operations that write nothing but items, whose changes are known. */
const writingItems: ReadonlySet<string> = new Set([
  'createItems',
  'updateItems',
  'deleteItems',
  'updateItem',
  'deleteItem',
])

/** Operations that write rows of one system collection, and nothing that rights depend on. */
const writingAlone: ReadonlyMap<string, string> = new Map([['trackPage', 'platform_users']])

type Input = HandlerInput<{ readonly path?: { readonly collection?: string; readonly id?: string } }>

const caching =
  (handler: AnyHandler, { generation, isOne }: CachedOperation, find: FindResponseCache): AnyHandler =>
  (ctx, input: Input) => {
    const responseCache = find(ctx.project)
    if (responseCache === null || !isCacheable(ctx, input.request, responseCache.settings))
      return handler(ctx, input as never)
    const { db, tags } = recordReads(ctx.db)
    const make = (): Promise<Reply> => handler({ ...ctx, db }, input as never)
    const row = isOne ? answeredRow(ctx, input.path ?? {}) : null
    return readCached(ctx, { make, tags: () => tags(row), key: keyOf(ctx, input.request, generation) }, responseCache)
  }

/** `isOne`: reads one item by its key. */
type CachedOperation = { readonly generation: string; readonly isOne: boolean }

/** The row in the spelling of its column. */
function answeredRow(
  { view, schema }: Pick<Context, 'schema' | 'view'>,
  { collection: named, id }: NonNullable<Input['path']>,
): AnsweredRow | null {
  const collection = schema.collections.get(view.collections.get(named ?? '')?.collection ?? '')
  if (collection === undefined || id === undefined || collection.keyColumns.length === 0 || collection.singleton)
    return null
  try {
    return { collection: collection.name, key: String(toKey(collection, id)) }
  } catch {
    return null
  }
}

type CacheableRequest = {
  readonly make: () => Promise<Reply>
  /** Of the answer that was made. */
  readonly tags: () => readonly string[]
  readonly key: string
}

async function readCached(
  ctx: Pick<Context, 'actor' | 'usage'>,
  cacheableRequest: CacheableRequest,
  responseCache: ResponseCache,
): Promise<Reply> {
  const { cache, settings, counted } = responseCache
  const entry = await cache.read(cacheableRequest.key)
  counted?.(entry !== undefined)
  if (entry !== undefined) {
    ctx.usage?.onKey(cacheableRequest.key)
    return mark(fromEntry(entry.text), { status: 'HIT', tags: entry.tags }, ctx, settings)
  }
  const since = await cache.begin()
  const reply = await cacheableRequest.make()
  const text = textOf(reply)
  if (text === null) return reply
  ctx.usage?.made(cacheableRequest.key)
  const tags = cacheableRequest.tags()
  if (settings.maxSize === null || Buffer.byteLength(text) <= settings.maxSize)
    await cache.keep(cacheableRequest.key, { text: toEntry(reply, text), tags }, since)
  return mark({ ...jsonText(text), tag: reply.tag }, { status: 'MISS', tags }, ctx, settings)
}

/** `writesItems`: the operation writes items alone, so that its changes are known. `alone`: it writes that collection. */
type PurgingOperation = { readonly tag: string; readonly writesItems: boolean; readonly alone: string | null }

const purging =
  (handler: AnyHandler, { tag, writesItems, alone }: PurgingOperation, find: FindResponseCache): AnyHandler =>
  async (ctx, input: Input) => {
    const responseCache = find(ctx.project)
    if (responseCache === null || !responseCache.settings.autoPurge) return handler(ctx, input as never)
    const changed: NonNullable<Context['changed']> = new Map(alone === null ? [] : [[alone, null]])
    let isDone = false
    try {
      const reply = await handler(writesItems ? { ...ctx, changed } : ctx, input as never)
      isDone = true
      return reply
    } finally {
      // A write that has committed and fails afterwards has changed rows too.
      const hasWritten = isDone && !isOfBody(tag) ? true : ctx.committed?.() === true
      if (hasWritten && !responseCache.settings.unpurged.includes(input.path?.collection ?? tag))
        await purge(ctx, (writesItems || alone !== null) && isDone ? changed : null, responseCache)
    }
  }

async function purge(
  ctx: Pick<Context, 'db' | 'schema' | 'log'>,
  changed: Context['changed'] | null,
  { cache }: ResponseCache,
): Promise<void> {
  const tags = changed == null ? null : await changedTags(ctx, changed)
  await cache.purge(tags ?? undefined)
  // The write is done, even if other replicas cannot be notified.
  await announce(ctx.db, 'rows', tags === null ? {} : { tags }).catch((error: unknown) =>
    ctx.log.error({ err: error }, 'Failed to tell other replicas to purge their cache'),
  )
}

async function changedTags(
  ctx: Pick<Context, 'db' | 'schema' | 'log'>,
  changed: NonNullable<Context['changed']>,
): Promise<readonly string[] | null> {
  try {
    const tables = await tablesWithEffects(ctx)
    return tagsOfChanges(ctx, changed, (table) => tables.has(table))
  } catch (error) {
    ctx.log.warn({ err: error }, 'The triggers could not be read; the whole cache is purged')
    return null
  }
}

/** Answers that depend on time or chance are not cached. SEARCH is a query with a body. */
function isCacheable(ctx: Pick<Context, 'db' | 'actor'>, request: HttpRequest, settings: CacheSettings): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  // Rows that a transaction reads may be rolled back.
  if (ctx.db.isInner === true) return false
  if (settings.skipAllowed && /\bno-store\b/i.test(String(request.headers['cache-control'] ?? ''))) return false
  if (/(\$|%24)NOW|sort=(\?|%3F)|("|%22)(\?|%3F)("|%22)/i.test(request.url)) return false
  return ctx.actor.kind !== 'system' && !usesTime(ctx.actor.access)
}

/** Whether a rule depends on the time; computed once per set of permissions. */
const usesTime = memoizeBy((access: Access): boolean => JSON.stringify(access.rules).includes('"kind":"now"'))

/** Distinguishes actors by all their properties; their rules are compared by a fingerprint. */
function keyOf(
  { actor, project, schema, limits }: ReadContext & Pick<Context, 'project'>,
  request: HttpRequest,
  generation: string,
): string {
  const who = actor.kind === 'system' ? actor : { ...actor, access: { ...actor.access, rules: null } }
  const { accept = null } = request.headers
  return JSON.stringify([generation, project, schema.version, limits, who, request.origin, accept, request.url])
}
