/** The feed of a project: recorded changes in their order. One reader per process serves all listeners. */

import type { Database, Log } from '../../domain/ports/context.ts'
import type { Feed, OnEvents } from '../../domain/ports/feed.ts'
import { repeatedTransaction } from '../../sql/errors/conflicts.ts'
import {
  assignEventPositions,
  hasUnplaced,
  lockFeed,
  lookAtFeed,
  pruneEvents,
  readEvents,
  readFeed,
  readInstant,
} from '../../sql/statements/feed/events.ts'
import type { Announcements } from '../announcements.ts'
import { createPause } from '../recurring.ts'
import { createRecorder, type Recorder } from './recording.ts'

export type FeedSettings = {
  /** Milliseconds for which events are stored, and for which recording continues after the last listener has left. */
  readonly retention: number
  /** Maximum number of stored events. */
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
/**
 * Milliseconds between two reads of the feed while there are listeners; events between them are processed together.
 * `idle` applies after `after` milliseconds without a change.
 */
const paces = { busy: 50, idle: 100, after: 2_000 } as const
/** The pause after a failed read. */
const pauseAfterFailure = 1_000
const minute = 60_000

/** Opens the feed. It is read only while there are listeners. */
export async function createFeed(db: Database, { announcements, log, settings }: FeedDependencies): Promise<OpenFeed> {
  const recorder = await createRecorder(db, { announcements, log, retention: settings.retention })
  const report = (error: unknown): void => log.warn({ err: error }, 'The feed of changes could not be read')
  const reader = createReader(db, report)
  const endUpkeep = startUpkeep(db, { recorder, reader, settings, report })
  return {
    records: recorder.records,
    relearn: recorder.relearn,
    hasWebhooks: recorder.hasWebhooks,
    async position() {
      await recorder.begin()
      await assignPositions(db)
      return readFeed(db)
    },
    instantAt: (position) => readInstant(db, position),
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

/** Assigns positions to all committed events that have none. */
export async function assignPositions(db: Database): Promise<void> {
  while (await hasUnplaced(db)) {
    const placed = await repeatedTransaction(db, async (inner) =>
      assignEventPositions(inner, await lockFeed(inner), batch),
    )
    if (placed < batch) return
  }
}

type Report = (error: unknown) => void

/** `took`: duration of the last check for new events. A slow database is polled less often. */
type ReaderState = { position: number; changed: number; took: number; isPassing: boolean; isClosed: boolean }

type ReaderOptions = {
  readonly db: Database
  readonly report: Report
  readonly listeners: ReadonlySet<OnEvents>
  readonly state: ReaderState
}

/** Passes the events after the position on to all listeners. */
async function passEvents({ db, report, listeners, state }: ReaderOptions): Promise<void> {
  const begin = performance.now()
  const { hasNew, last } = await lookAtFeed(db)
  state.took = performance.now() - begin
  if (hasNew) await assignPositions(db)
  else if (last <= state.position) return
  for (;;) {
    const events = await readEvents(db, { after: state.position, limit: batch })
    const end = events.at(-1)
    if (end === undefined) return
    // Listeners that are added while the batch is passed on begin after it.
    state.position = end.position
    state.changed = performance.now()
    for (const onEvents of Array.from(listeners)) await onEvents(events).catch(report)
  }
}

/** Polls the feed while there are listeners, and passes each batch of new events to all of them. */
function createReader(db: Database, report: Report) {
  const listeners = new Set<OnEvents>()
  const state: ReaderState = { position: 0, changed: 0, took: 0, isPassing: false, isClosed: false }
  const pause = createPause()
  let reading: Promise<void> | null = null

  const look = async (): Promise<number> => {
    const begin = performance.now()
    state.isPassing = true
    try {
      await passEvents({ db, report, listeners, state })
    } catch (error) {
      report(error)
      return pauseAfterFailure
    } finally {
      state.isPassing = false
    }
    const pace = begin - state.changed < paces.after ? paces.busy : paces.idle
    return Math.max(pace - (performance.now() - begin), state.took)
  }
  const work = async (): Promise<void> => {
    while (!state.isClosed && listeners.size > 0) await pause.take(await look())
  }
  const start = (): void => {
    if (state.isClosed || listeners.size === 0) return
    reading ??= work().finally(() => {
      reading = null
      start()
    })
  }
  return {
    isBusy: () => listeners.size > 0,
    /** `last`: the position to begin after, if there was no listener before. */
    add(onEvents: OnEvents, last: number) {
      if (listeners.size === 0 && !state.isPassing) state.position = last
      const own: OnEvents = (events) => onEvents(events)
      listeners.add(own)
      start()
      return { after: state.position, stop: () => void listeners.delete(own) }
    },
    async close(): Promise<void> {
      state.isClosed = true
      pause.end()
      await reading
    },
  }
}

type UpkeepOptions = {
  readonly recorder: Recorder
  readonly reader: ReturnType<typeof createReader>
  readonly settings: FeedSettings
  readonly report: Report
}

/** Extends the recording while there are listeners, and deletes old events. */
function startUpkeep(db: Database, { recorder, reader, settings, report }: UpkeepOptions): () => void {
  const { retention: age, most } = settings
  const prune = async (): Promise<void> => {
    for (let pruned = batch; pruned === batch; )
      pruned = await repeatedTransaction(db, (inner) => pruneEvents(inner, { age, most, batch }))
  }
  const everyMinute = (): void => {
    if (reader.isBusy()) recorder.begin().catch(report)
    if (recorder.sinceEnd() < age || recorder.hasWebhooks()) prune().catch(report)
  }
  const timer = setInterval(everyMinute, minute)
  timer.unref()
  return () => clearInterval(timer)
}
