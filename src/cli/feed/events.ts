/** `tandem events`: recorded changes as lines of JSON. */

import { receiveAnnouncements } from '../../core/announcements.ts'
import { cursorText, positionOfCursor } from '../../core/feed/cursors.ts'
import { assignPositions, createFeed } from '../../core/feed/feed.ts'
import { parseExactly } from '../../domain/conditions/exact-numbers.ts'
import type { Database } from '../../domain/ports/context.ts'
import type { FeedEvent, OnEvents } from '../../domain/ports/feed.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { readEvents, readFeed, readInstant } from '../../sql/statements/feed/events.ts'
import { print, quietLog, withDatabase } from '../database.ts'

export type EventsOptions = {
  readonly collection?: string
  /** The id of an event, its position, or an instant. */
  readonly since?: string
  readonly follow: boolean
}

/** Prints the changes that are kept; with `follow`, changes are recorded while the command runs, and printed as they come. */
export async function tailEvents({ collection, since, follow }: EventsOptions): Promise<void> {
  const isAfter = toCondition(since)
  const isCursor = since !== undefined && cursorPattern.test(since)
  const show = async (events: readonly FeedEvent[]): Promise<void> => {
    for (const event of events)
      if (isAfter(event) && (collection === undefined || event.collection === collection)) print(lineOf(event))
  }
  await withDatabase(async (db, config) => {
    if (!follow) {
      const last = await lastPosition(db)
      if (isCursor) await assertKnown(db, since)
      return showRecorded(db, last, show)
    }
    const announcements = await receiveAnnouncements(db)
    const feed = await createFeed(db, { announcements, log: quietLog, settings: config.feed })
    const position = await feed.position()
    if (isCursor) await assertKnown(db, since)
    await showRecorded(db, position.last, show)
    feed.listen(position, show)
    // Until the process is ended.
    await new Promise(() => setInterval(() => undefined, 60_000))
  })
}

async function lastPosition(db: Database): Promise<number> {
  await assignPositions(db)
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
  if (cursorPattern.test(since)) return ({ position }) => position > Number.parseInt(since, 10)
  const instant = Date.parse(since)
  if (Number.isNaN(instant)) {
    const reason = `Expected the id of an event or a time for --since but received ${JSON.stringify(since)}`
    throw new TandemError({ kind: 'unprocessable', reason })
  }
  return ({ at }) => Date.parse(at) >= instant
}

const cursorPattern = /^\d{1,15}(-[\da-z]{1,12})?$/

/** Refuses a cursor after which changes were deleted, or of another feed. A plain number is a position of any feed. */
async function assertKnown(db: Database, cursor: string): Promise<void> {
  const state = await readFeed(db)
  const feed = { instantAt: (position: number) => readInstant(db, position) }
  if (cursor.includes('-') ? (await positionOfCursor(feed, state, cursor)) !== null : Number(cursor) <= state.last)
    return
  const reason = `The changes after ${cursor} are not kept, or it is an id of another database: read the rows again, then go on without --since`
  throw new TandemError({ kind: 'unprocessable', reason })
}

/** The rows are JSON already. */
const lineOf = ({ before, after, ...event }: FeedEvent): string =>
  `${JSON.stringify({ id: cursorText(event.position, event.at), ...event }).slice(0, -1)},"before":${oneLine(before)},"after":${oneLine(after)}}`

const oneLine = (json: string | null): string => (json === null ? 'null' : JSON.stringify(parseExactly(json)))
