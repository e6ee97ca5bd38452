/** `Idempotency-Key`: handlers of operations that accept it answer a repeated request with the stored answer. */
import { findAnswer, type KeyedRequest, onceByKey, type StoredAnswer } from '../../../core/batch/once-by-key.ts'
import type { Context } from '../../../domain/ports/context.ts'
import type { Route } from '../../../domain/ports/operation.ts'
import { invalidQuery } from '../../../domain/rights/errors.ts'
import { type Reply, textOfJson, withHeaders } from '../../reply/reply.ts'
import { readThrough } from '../../request/read-through.ts'
import type { HttpRequest } from '../../request/request.ts'
import type { AnyHandler, HandlerInput, Once } from '../handlers.ts'
import type { GenerationParts } from '../served-generation.ts'

const header = 'idempotency-key'

type Served = Pick<GenerationParts, 'name' | 'routes' | 'handlers'>

/** The handlers of a generation, those of operations with the header wrapped. */
export function withKeys({ name, routes, handlers }: Served): Served['handlers'] {
  const keyed = routes.flatMap((route): readonly (readonly [string, AnyHandler])[] => {
    const { operationId, headers = [] } = route
    const handler = handlers[operationId]
    if (handler === undefined || !headers.includes(header)) return []
    return [[operationId, route.receives === true ? onceReceived(name, handler) : onceWithKey(name, route, handler)]]
  })
  return { ...handlers, ...Object.fromEntries(keyed) }
}

type Input = HandlerInput<{ readonly body?: unknown }>

const onceWithKey =
  (generation: string, { changesModel }: Route, handler: AnyHandler): AnyHandler =>
  async (ctx, input: Input) => {
    const key = input.request.headers[header]
    if (typeof key !== 'string') return handler(ctx, input as never)
    const keyed = { key, request: textOf(generation, input), changesModel: changesModel === true }
    return answerOnce(ctx, keyed, (inner) => handler(inner, input as never))
  }

/**
 * The handler receives contents, which may take long, and then answers by `once`, in the transaction that keeps the
 * answer. A repetition is read to its end, but not stored: only its digest is compared.
 */
const onceReceived =
  (generation: string, handler: AnyHandler): AnyHandler =>
  async (ctx, input: Input) => {
    const key = input.request.headers[header]
    if (typeof key !== 'string') return handler(ctx, input as never)
    const { digest, drain } = readThrough(input.request)
    const textNow = () => textOf(generation, input, digest())
    const compare = await findAnswer(ctx, key)
    if (compare !== null) {
      if (input.body === undefined) await drain()
      return replayed(compare(textNow()))
    }
    const once: Once = (outer, work) => answerOnce(outer, { key, request: textNow() }, work) as never
    return handler(ctx, { ...input, once } as never)
  }

async function answerOnce(ctx: Context, keyed: KeyedRequest, work: (inner: Context) => Promise<Reply>): Promise<Reply> {
  const done = await onceByKey(ctx, keyed, async (inner) => {
    const answer = await work(inner)
    if (answer.undone === true) return { answer, stored: null }
    return { answer, stored: answer.hasSecret === true ? 'secret' : toStoredAnswer(answer) }
  })
  return 'answer' in done ? done.answer : replayed(done.stored)
}

const replayed = (stored: StoredAnswer): Reply => withHeaders(toReply(stored), { 'idempotency-replayed': 'true' })

/** Identifies the content of the request. The caller is compared separately, so tokens are left out. */
function textOf(generation: string, { request, body }: Input, received: string | null = null): string {
  const { method, path, headers, query } = request
  const { access_token: _token, ...withoutToken } = query
  const all = [generation, method, path, withoutToken, body ?? null, headers['if-match'] ?? null]
  return JSON.stringify(received === null ? all : [...all, received])
}

/** Cookies are not stored: they contain tokens. */
function toStoredAnswer({ status, body, headers = {} }: Reply): StoredAnswer {
  if (body === null) return { status, body: null, headers }
  if (body.kind !== 'json' && body.kind !== 'json-text') throw new Error('Only JSON is kept under a key')
  const typed = body.type === undefined ? headers : { ...headers, 'content-type': body.type }
  return { status, body: textOfJson(body), headers: typed }
}

function toReply({ status, body, headers: { 'content-type': type, ...headers } }: StoredAnswer): Reply {
  const content =
    body === null ? null : { kind: 'json-text' as const, text: body, ...(type === undefined ? {} : { type }) }
  return { status, body: content, headers }
}

const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'SEARCH', 'OPTIONS'])

/** Whether the header would promise what is not so: no answer is kept, or what is done cannot be undone. */
export const refusesKey = ({ method, headers = [] }: Route): boolean =>
  !reading.has(method) && !headers.includes(header)

export function refuseKey({ operationId }: Route, request: HttpRequest): void {
  if (request.headers[header] === undefined) return
  const reason = `Expected no header "Idempotency-Key" for ${operationId}: its answer is not kept`
  throw invalidQuery('Idempotency-Key', reason)
}
