/** `/items/{collection}/changes`: changes as Server-Sent Events (HTML standard, section 9.2). */

import { cursorText } from '../../core/feed/cursors.ts'
import { createPause } from '../../core/recurring.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Seen } from '../../domain/ports/feed.ts'
import type { Query } from '../../domain/query/query.ts'
import type { Actor } from '../../domain/rights/actor.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { CurrentItemsOperations } from '../../generated/current.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { pieces, withHeaders } from '../../http/reply/reply.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import { openCollection } from '../wire/collections.ts'
import { toErrorBody } from '../wire/errors.ts'
import { parseQuery } from '../wire/query.ts'

export const changes = {
  async readItemChanges(ctx, { path, query, request }) {
    const { collection, visible } = openCollection(ctx, path.collection, 'read')
    const { event: kind = null, ...listQuery } = query
    const existing = String(request.headers['last-event-id'] ?? '')
    const wanted = {
      query: parseQuery(listQuery, collection.name, visible),
      kind,
      from: existing === '' ? null : existing,
    }
    const events = await openEvents(ctx, wanted)
    if (!isLive(request)) events.end()
    const stream = pieces('text/event-stream', (write) => pass(events, request, write))
    // Proxies send each event on at once.
    return withHeaders(stream, { 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
  },
} satisfies Pick<Handlers<CurrentItemsOperations>, 'readItemChanges'>

type ChangesRequest = { readonly query: Query; readonly kind: Seen['kind'] | null; readonly from: string | null }

/** Text of events that waits for the client. `end`: nothing follows. */
type Events = {
  readonly take: () => Promise<string | null>
  readonly end: () => void
}

/** A client that is further behind than this is cut; it comes back by the id of its last event. */
const mostWaiting = 1_000_000

/** Begins before the first byte, so that a caller without the right gets an ordinary error. */
async function openEvents(
  ctx: Pick<Context, 'actor' | 'subscriptions' | 'again'>,
  { query, kind, from }: ChangesRequest,
): Promise<Events> {
  const { actor, subscriptions, again } = ctx
  if (subscriptions === undefined || again === undefined) throw new Error('The project has no feed')
  const backlog = createBacklog()
  let end = endOfKey(actor)
  const check = async (): Promise<void> => {
    try {
      const before = end
      end = endOfKey((await again()).actor)
      if (end !== before) backlog.wake()
    } catch (error) {
      backlog.fail(error)
    }
  }
  const { cursor, stop } = await subscriptions.subscribe({
    query,
    caller: again,
    check,
    ...(from === null ? {} : { from }),
    onSeen: (seen) => backlog.add(textOf(kind === null ? seen : seen.filter((each) => each.kind === kind))),
    onGap: () => backlog.add('event: reset\ndata: {}\n\n'),
    onEnd: backlog.fail,
  })
  backlog.begin(`id: ${cursor}\nevent: ready\ndata: {}\n\n`)
  return {
    async take() {
      if (backlog.isIdle()) await backlog.wait(Math.max(0, Math.min(keepAliveInterval, end - Date.now())))
      // Without changes, only this check notices that the caller no longer exists.
      if (backlog.isIdle()) await check()
      return backlog.take()
    },
    end() {
      stop()
      backlog.end()
    },
  }
}

/** The text of events that wait for the client, and their end. */
function createBacklog() {
  let waiting = ''
  let isEnded = false
  const pause = createPause()
  const add = (text: string): void => {
    if (text === '') return
    waiting += text
    if (waiting.length > mostWaiting) isEnded = true
    pause.end()
  }
  const end = (): void => {
    isEnded = true
    pause.end()
  }
  return {
    add,
    end,
    /** Ends with an event of the error. */
    fail: (error: unknown): void => {
      if (isEnded) return
      add(`event: error\ndata: ${JSON.stringify(toErrorBody(error instanceof TandemError ? error : null).body)}\n\n`)
      end()
    },
    /** Puts the text before all other. */
    begin: (text: string): void => void (waiting = text + waiting),
    isIdle: () => waiting === '' && !isEnded,
    /** Until something happens, at most so many milliseconds. */
    wait: pause.take,
    wake: pause.end,
    /** A comment where nothing waits; null after the end. */
    take(): string | null {
      if (waiting === '') return isEnded ? null : ': still here\n\n'
      const text = waiting
      waiting = ''
      return text
    },
  }
}

/** When the API key of the caller ends, in milliseconds. */
const endOfKey = (actor: Actor): number =>
  (actor.kind === 'user' ? actor.key?.expires : null) ?? Number.POSITIVE_INFINITY

/** Whether the client waits for further events, as `EventSource` does. Other clients get the missed ones only. */
const isLive = ({ headers }: HttpRequest): boolean => String(headers['accept'] ?? '').includes('text/event-stream')

/** Milliseconds after which the caller is looked up again, and a comment keeps the connection. */
const keepAliveInterval = 10_000

/** The id comes with the last event of a change, so that a client that comes back has had all of it. */
const textOf = (seen: readonly Seen[]): string =>
  seen
    .map((each) => `id: ${cursorText(each.position, each.at)}\nevent: ${each.kind}\ndata: ${dataOf(each)}\n\n`)
    .join('')

const dataOf = ({ key, json }: Seen): string => json ?? JSON.stringify(key)

async function pass(events: Events, request: HttpRequest, write: (piece: string) => Promise<void>): Promise<void> {
  request.signal.addEventListener('abort', events.end, { once: true })
  try {
    for (let text = await events.take(); text !== null; text = await events.take()) await write(text)
  } finally {
    events.end()
  }
}
