/** The feed of a project: recorded changes in their order. One reader per process serves all listeners. */
import type { Database, Log } from '../../domain/ports/context.ts'
import type { Feed, OnEvents } from '../../domain/ports/feed.ts'
import {
  eventsInterval,
  hasUnplaced,
  lockFeed,
  placeEvents,
  pruneEvents,
  readEvents,
  readFeed,
} from '../../sql/statements/feed/events.ts'
import type { Announcements } from '../announcements.ts'
import { createRecorder, type Recorder } from './recording.ts'

export type FeedSettings = {
  /** Milliseconds for which events are kept, and for which changes are recorded after the last listener has left. */
  readonly retention: number
  /** Number of events that are kept. */
  readonly most: number
}

export type OpenFeed = Feed & {
  /** Whether changes are recorded for webhooks. */
  readonly hasWebhooks: () => boolean
  /** Waits for running work and starts no more. */
  readonly close: () => Promise<void>
}

type FeedDependencies = { readonly announcements: Announcements; readonly log: Log; readonly settings: FeedSettings }

const batch = 500
/** How often the feed is read while changes come: those that come meanwhile are placed, read and judged together. */
const pace = 50
/** How often the feed is looked at without a notification, in case one was lost, where the database notifies. */
const lookAgain = 5_000
const minute = 60_000

/** Opens the feed. Nothing is read while nobody listens. */
export async function createFeed(db: Database, { announcements, log, settings }: FeedDependencies): Promise<OpenFeed> {
  const recorder = await createRecorder(db, { announcements, log, retention: settings.retention })
  const report = (error: unknown): void => log.warn({ err: error }, 'The feed of changes could not be read')
  const reader = createReader(db, announcements, report)
  const endUpkeep = keepUp(db, { recorder, reader, settings, report })
  return {
    records: recorder.records,
    relearn: recorder.relearn,
    hasWebhooks: recorder.hasWebhooks,
    async place() {
      await recorder.begin()
      await placeAll(db)
      return readFeed(db)
    },
    listen: ({ last }, onEvents) => reader.add(onEvents, last),
    async *replay({ after, upTo }) {
      for (let at = after; at < upTo; ) {
        const events = await readEvents(db, { after: at, upTo, limit: batch })
        const last = events.at(-1)
        if (last === undefined) return
        yield events
        at = last.position
      }
    },
    async close() {
      endUpkeep()
      await reader.close()
      await recorder.close()
    },
  }
}

/** Gives places to all committed events that have none. */
export async function placeAll(db: Database): Promise<void> {
  while (await hasUnplaced(db)) {
    const placed = await db.transaction(async (inner) => placeEvents(inner, await lockFeed(inner), batch))
    if (placed < batch) return
  }
}

type Report = (error: unknown) => void

/** Reads on from its place whenever it is woken, and passes each batch on to all listeners. */
function createReader(db: Database, announcements: Announcements, report: Report) {
  const listeners = new Set<OnEvents>()
  const state = { position: 0, isStale: false, isPassing: false, isClosed: false }
  let reading: Promise<void> | null = null
  let stopHearing: (() => void) | null = null
  let endPause: (() => void) | null = null

  const pass = async (): Promise<void> => {
    await placeAll(db)
    for (;;) {
      const events = await readEvents(db, { after: state.position, limit: batch })
      const last = events.at(-1)
      if (last === undefined) return
      // Whoever comes while the batch is passed on, has begun after it.
      state.position = last.position
      for (const onEvents of Array.from(listeners)) await onEvents(events).catch(report)
    }
  }
  const pause = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  // The first change is read at once. What comes within the pause after it waits for its end.
  const drain = async (): Promise<void> => {
    while (state.isStale && !state.isClosed && listeners.size > 0) {
      state.isStale = false
      state.isPassing = true
      const begin = performance.now()
      await pass().catch(report)
      state.isPassing = false
      if (!state.isClosed) await pause(Math.max(0, pace - (performance.now() - begin)))
    }
  }
  const wake = (): void => {
    if (state.isClosed || listeners.size === 0) return
    state.isStale = true
    reading ??= drain().finally(() => {
      reading = null
    })
  }
  const leave = (own: OnEvents): void => {
    listeners.delete(own)
    if (listeners.size > 0) return
    stopHearing?.()
    stopHearing = null
  }
  return {
    wake,
    isBusy: () => listeners.size > 0,
    /** `last`: the place to begin from, if nobody listened before. */
    add(onEvents: OnEvents, last: number) {
      if (listeners.size === 0 && !state.isPassing) state.position = last
      const own: OnEvents = (events) => onEvents(events)
      listeners.add(own)
      stopHearing ??= announcements.on('events', wake)
      wake()
      return { after: state.position, stop: () => leave(own) }
    },
    async close(): Promise<void> {
      state.isClosed = true
      endPause?.()
      stopHearing?.()
      await reading
    },
  }
}

type Upkeep = {
  readonly recorder: Recorder
  readonly reader: ReturnType<typeof createReader>
  readonly settings: FeedSettings
  readonly report: Report
}

/** Looks for events whose notification was lost, goes on recording while somebody listens, and deletes old events. */
function keepUp(db: Database, { recorder, reader, settings, report }: Upkeep): () => void {
  const { retention: age, most } = settings
  const prune = async (): Promise<void> => {
    for (let pruned = batch; pruned === batch; )
      pruned = await db.transaction((inner) => pruneEvents(inner, { age, most, batch }))
  }
  const everyMinute = (): void => {
    if (reader.isBusy()) recorder.begin().catch(report)
    if (recorder.sinceEnd() < age || recorder.hasWebhooks()) prune().catch(report)
  }
  const timers = [setInterval(reader.wake, eventsInterval(db) ?? lookAgain), setInterval(everyMinute, minute)]
  for (const timer of timers) timer.unref()
  return () => {
    for (const timer of timers) clearInterval(timer)
  }
}
