/**
 * The response cache for GET. The key holds everything that an answer depends on, above all the caller and its
 * permissions, so that no caller ever gets an answer made for another.
 */

import type { AnswerCache } from '../../cache/answers.ts'
import { announce } from '../../core/announcements.ts'
import { memoizeBy } from '../../domain/memoize.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Route } from '../../domain/ports/operation.ts'
import type { Access } from '../../domain/rights/actor.ts'
import { jsonText, type Reply, withHeaders } from '../reply/reply.ts'
import type { HttpRequest } from '../request/request.ts'
import type { CacheSettings } from '../settings.ts'
import type { AnyHandler, HandlerInput } from './handlers.ts'

/** `counted`: told of each read, and whether the cache answered. */
export type Keeping = {
  readonly cache: AnswerCache
  readonly settings: CacheSettings
  readonly counted?: (isHit: boolean) => void
}

type Served = {
  readonly name: string
  readonly routes: readonly Route[]
  readonly handlers: { readonly [operationId: string]: AnyHandler }
}

/** Logins, the server's state, and answers that differ each time. */
const neverKept: ReadonlySet<string> = new Set(['auth', 'server', 'projects', 'shares', 'utils', 'schema', 'uploads'])

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
export type FindKeeping = (project: string) => Keeping | null

/** Wraps the handlers of a generation with the project's cache; writes purge it if the settings say so. */
export function keepAnswers({ name, routes, handlers }: Served, find: FindKeeping): Served['handlers'] {
  const around = routes.map(({ operationId, method, tag }): readonly [string, AnyHandler | undefined] => {
    const handler = handlers[operationId]
    if (handler === undefined) return [operationId, handler]
    if (method === 'GET') return [operationId, neverKept.has(tag) ? handler : readingKept(handler, name, find)]
    if (method === 'OPTIONS' || neverPurging.has(tag) || neverPurging.has(operationId)) return [operationId, handler]
    return [operationId, purging(handler, tag, find)]
  })
  return { ...handlers, ...Object.fromEntries(around) } as Served['handlers']
}

const isEither = (tag: string): boolean => tag === 'graphql'

type Input = HandlerInput<{ readonly path?: { readonly collection?: string } }>

const readingKept =
  (handler: AnyHandler, generation: string, find: FindKeeping): AnyHandler =>
  (ctx, input: Input) => {
    const keeping = find(ctx.project)
    const make = (): Promise<Reply> => handler(ctx, input as never)
    if (keeping === null || !mayBeKept(ctx, input.request, keeping.settings)) return make()
    return readKept(ctx, { make, key: keyOf(ctx, input.request, generation) }, keeping)
  }

type CacheableRequest = { readonly make: () => Promise<Reply>; readonly key: string }

async function readKept(
  ctx: Context,
  { make, key }: CacheableRequest,
  { cache, settings, counted }: Keeping,
): Promise<Reply> {
  const found = await cache.read(key)
  counted?.(found !== undefined)
  if (found !== undefined) return mark(fromEntry(found), 'HIT', ctx, settings)
  const since = cache.epoch()
  const reply = await make()
  const text = textOf(reply)
  if (text === null) return reply
  if (settings.maxSize === null || Buffer.byteLength(text) <= settings.maxSize)
    await cache.keep(key, toEntry(reply, text), since)
  return mark({ ...jsonText(text), tag: reply.tag }, 'MISS', ctx, settings)
}

const purging =
  (handler: AnyHandler, tag: string, find: FindKeeping): AnyHandler =>
  async (ctx, input: Input) => {
    const reply = await handler(ctx, input as never)
    const keeping = find(ctx.project)
    if (keeping === null || !keeping.settings.autoPurge) return reply
    const { cache, settings } = keeping
    // The body decides whether the operation reads or writes.
    if (isEither(tag) && ctx.committed?.() !== true) return reply
    if (settings.unpurged.includes(input.path?.collection ?? tag)) return reply
    await cache.purge()
    // The write is done, even if other replicas cannot be told.
    await announce(ctx.db, 'rows').catch((error: unknown) =>
      ctx.log.error({ err: error }, 'Failed to tell other replicas to purge their cache'),
    )
    return reply
  }

/** The content tag, if any, is on a line of its own before the text. */
const toEntry = ({ tag }: Reply, text: string): string =>
  `${tag === undefined ? '' : `${tag.content}${tag.isWhole ? '' : '.'}`}\n${text}`

function fromEntry(entry: string): Reply {
  const at = entry.indexOf('\n')
  const content = entry.slice(0, at)
  const reply = jsonText(entry.slice(at + 1))
  if (content === '') return reply
  return { ...reply, tag: { content: content.replace('.', ''), isWhole: !content.endsWith('.') } }
}

/** Answers that depend on time or chance are not cached. SEARCH is a query with a body. */
function mayBeKept(ctx: Context, request: HttpRequest, settings: CacheSettings): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  if (settings.skipAllowed && /\bno-store\b/i.test(String(request.headers['cache-control'] ?? ''))) return false
  if (/(\$|%24)NOW|sort=(\?|%3F)|("|%22)(\?|%3F)("|%22)/i.test(request.url)) return false
  return ctx.actor.kind !== 'system' && !usesTime(ctx.actor.access)
}

/** Whether a rule depends on the time; computed once per set of permissions. */
const usesTime = memoizeBy((access: Access): boolean => JSON.stringify(access.rules).includes('"kind":"now"'))

/** Distinguishes actors by everything known about them; a fingerprint stands for their rules. */
function keyOf({ actor, project, schema, limits }: Context, request: HttpRequest, generation: string): string {
  const who = actor.kind === 'system' ? actor : { ...actor, access: { ...actor.access, rules: null } }
  const { accept = null } = request.headers
  return JSON.stringify([generation, project, schema.version, limits, who, request.origin, accept, request.url])
}

/** Null for responses that are not plain text: files, cookies, headers, errors. */
function textOf({ status, body, headers, cookies }: Reply): string | null {
  if (status !== 200 || body === null || headers !== undefined || cookies !== undefined) return null
  if (body.kind === 'json') return body.type === undefined ? JSON.stringify(body.value) : null
  return body.kind === 'json-text' && body.type === undefined ? [body.text].flat().join('') : null
}

function mark(reply: Reply, status: 'HIT' | 'MISS', { actor }: Context, settings: CacheSettings): Reply {
  const { statusHeader, autoPurge, ttl, sharedMaxAge } = settings
  const age = `max-age=${Math.floor(ttl / 1000)}`
  const shared = sharedMaxAge === null ? '' : `, s-maxage=${sharedMaxAge}`
  const told = actor.kind === 'public' ? `public, ${age}${shared}` : `private, ${age}`
  return withHeaders(reply, {
    ...(autoPurge ? {} : { 'cache-control': told }),
    ...(statusHeader === null ? {} : { [statusHeader]: status }),
  })
}
