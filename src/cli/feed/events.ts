/** `tandem events`: recorded changes as lines of JSON. */

import { receiveAnnouncements } from '../../core/announcements.ts'
import { createFeed, placeAll } from '../../core/feed/feed.ts'
import { parseExactly } from '../../domain/conditions/exact-numbers.ts'
import type { Database } from '../../domain/ports/context.ts'
import type { FeedEvent, OnEvents } from '../../domain/ports/feed.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { readEvents, readFeed } from '../../sql/statements/feed/events.ts'
import { print, quietLog, withDatabase } from '../database.ts'

export type EventsOptions = {
  readonly collection?: string
  /** A position, or an instant. */
  readonly since?: string
  readonly follow: boolean
}

/** Prints the changes that are kept; with `follow`, changes are recorded while the command runs, and printed as they come. */
export async function tailEvents({ collection, since, follow }: EventsOptions): Promise<void> {
  const isAfter = toCondition(since)
  const show = async (events: readonly FeedEvent[]): Promise<void> => {
    for (const event of events)
      if (isAfter(event) && (collection === undefined || event.collection === collection)) print(lineOf(event))
  }
  await withDatabase(async (db, config) => {
    if (!follow) return showRecorded(db, await lastPlace(db), show)
    const announcements = await receiveAnnouncements(db)
    const feed = await createFeed(db, { announcements, log: quietLog, settings: config.feed })
    const place = await feed.place()
    await showRecorded(db, place.last, show)
    feed.listen(place, show)
    // Until the process is ended.
    await new Promise(() => setInterval(() => undefined, 60_000))
  })
}

async function lastPlace(db: Database): Promise<number> {
  await placeAll(db)
  return (await readFeed(db)).last
}

async function showRecorded(db: Database, last: number, show: OnEvents): Promise<void> {
  for (let at = 0; at < last; ) {
    const events = await readEvents(db, { after: at, upTo: last, limit: batch })
    await show(events)
    at = events.at(-1)?.position ?? last
  }
}

const batch = 500

/** Whether an event comes after the position, or not before the instant. */
function toCondition(since: string | undefined): (event: FeedEvent) => boolean {
  if (since === undefined) return () => true
  if (/^\d{1,15}$/.test(since)) return ({ position }) => position > Number(since)
  const instant = Date.parse(since)
  if (Number.isNaN(instant)) {
    const reason = `Expected a position or a time for --since but received ${JSON.stringify(since)}`
    throw new TandemError({ kind: 'unprocessable', reason })
  }
  return ({ at }) => Date.parse(at) >= instant
}

/** The rows are JSON already. */
const lineOf = ({ before, after, ...event }: FeedEvent): string =>
  `${JSON.stringify(event).slice(0, -1)},"before":${oneLine(before)},"after":${oneLine(after)}}`

const oneLine = (json: string | null): string => (json === null ? 'null' : JSON.stringify(parseExactly(json)))
