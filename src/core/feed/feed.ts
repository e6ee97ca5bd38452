/**
 * The feed of a project: whether changes are recorded, and recorded changes in their order. One reader per process
 * serves all listeners.
 */
import type { Database, Log } from '../../domain/ports/context.ts'
import type { Feed, FeedEvent, FeedListener, Listening } from '../../domain/ports/feed.ts'
import {
  extendFeed,
  hasOlder,
  hasUnplaced,
  lockFeed,
  placeEvents,
  pruneEvents,
  readEvents,
  readFeed,
  readTransaction,
  readWatched,
} from '../../sql/statements/feed.ts'
import { type Announcements, announce } from '../announcements.ts'

export type FeedSettings = {
  /** Milliseconds for which events are kept, and for which changes are recorded after the last listener has left. */
  readonly retention: number
  /** Number of events that are kept. */
  readonly most: number
}

export type OpenFeed = Feed & {
  /** Waits for running work and starts no more. */
  readonly close: () => Promise<void>
}

type Around = { readonly announcements: Announcements; readonly log: Log; readonly settings: FeedSettings }

const batch = 500
/** How often the feed is looked at without a notification, in case one was lost. */
const lookAgain = 5_000
const minute = 60_000
/** How long other replicas may take to hear that somebody listens, and unfinished transactions to end. */
const patience = { heard: 150, finished: 2_000, step: 20 } as const

const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })

/** Reads at once whether somebody listens. */
export async function createFeed(db: Database, { announcements, log, settings }: Around): Promise<OpenFeed> {
  const listeners = new Set<Pick<FeedListener, 'onEvents'>>()
  let until = 0
  let watched: ReadonlySet<string> = new Set()
  let position = 0
  let closed = false
  let reading: Promise<void> | null = null
  let isStale = false
  let opening: Promise<void> | null = null

  const note = (remaining: number): void => {
    until = performance.now() + remaining
  }
  const learn = async (): Promise<void> => {
    const state = await readFeed(db)
    const names = await readWatched(db)
    note(state.remaining)
    watched = new Set(names)
  }
  const failing = (error: unknown): void => {
    if (!closed) log.warn({ err: error }, 'The feed of changes could not be read')
  }

  /** Gives places to what was committed, then reads on. */
  const read = async (): Promise<void> => {
    await placeAll(db)
    for (;;) {
      const events = await readEvents(db, { after: position, limit: batch })
      const last = events.at(-1)
      if (last === undefined) return
      position = last.position
      for (const { onEvents } of [...listeners]) await onEvents(events).catch(failing)
    }
  }
  const wake = (): void => {
    if (closed || listeners.size === 0) return
    isStale = true
    reading ??= drain().finally(() => {
      reading = null
    })
  }
  const drain = async (): Promise<void> => {
    while (isStale && !closed && listeners.size > 0) {
      isStale = false
      await read().catch(failing)
    }
  }

  /** Moves the end of recording. Where nothing was recorded, waits until all writers know. */
  const extend = async (): Promise<void> => {
    if (until - performance.now() > settings.retention / 2) return
    const wasOff = until <= performance.now()
    const { state, transaction } = await db.transaction(async (inner) => {
      const extended = await extendFeed(inner, settings.retention)
      await announce(inner, 'feed')
      return { state: extended, transaction: await readTransaction(inner) }
    })
    note(state.remaining)
    if (!wasOff) return
    await sleep(patience.heard)
    for (let waited = 0; waited < patience.finished; waited += patience.step) {
      if (!(await hasOlder(db, transaction))) return
      await sleep(patience.step)
    }
    log.warn({}, 'A transaction began before anybody listened, and its changes are not told')
  }
  const ready = async (): Promise<void> => {
    opening ??= extend().finally(() => {
      opening = null
    })
    await opening
  }

  const prune = async (): Promise<void> => {
    const { retention: age, most } = settings
    while (!closed && (await db.transaction((inner) => pruneEvents(inner, { age, most, batch }))) === batch);
  }
  const everyMinute = (): void => {
    if (listeners.size > 0) ready().catch(failing)
    if (until + settings.retention > performance.now()) prune().catch(failing)
  }

  await learn()
  const stops = [
    announcements.on('events', wake),
    announcements.on('feed', () => void learn().catch(failing)),
    announcements.on('schema', () => void learn().catch(failing)),
  ]
  const timers = [setInterval(wake, lookAgain), setInterval(everyMinute, minute)]
  for (const timer of timers) timer.unref()

  return {
    records: (collection) => until > performance.now() && !watched.has(collection) && !untold.has(collection),
    async listen(listener): Promise<Listening> {
      await ready()
      await placeAll(db)
      const { last, floor } = await readFeed(db)
      if (listeners.size === 0 && reading === null) position = last
      const started = position
      const own = { onEvents: listener.onEvents }
      listeners.add(own)
      wake()
      if (listener.from !== undefined && (listener.from < floor || listener.from > last)) listener.onGap?.()
      return { position: started, stop: () => void listeners.delete(own) }
    },
    async *replay({ after, upTo }) {
      for (let at = after; at < upTo; ) {
        const events: readonly FeedEvent[] = await readEvents(db, { after: at, upTo, limit: batch })
        const last = events.at(-1)
        if (last === undefined) return
        yield events
        at = last.position
      }
    },
    async close() {
      closed = true
      for (const timer of timers) clearInterval(timer)
      for (const stop of stops) stop()
      await Promise.allSettled([reading, opening])
    },
  }
}

/** What the server writes about itself, and secrets of others. */
const untold: ReadonlySet<string> = new Set(['platform_activity', 'platform_revisions', 'platform_sessions'])

/** Gives places to all committed events that have none. */
export async function placeAll(db: Database): Promise<void> {
  while (await hasUnplaced(db)) {
    const placed = await db.transaction(async (inner) => placeEvents(inner, await lockFeed(inner), batch))
    if (placed < batch) return
  }
}
