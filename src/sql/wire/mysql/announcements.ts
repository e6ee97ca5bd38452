/**
 * Messages between replicas on a database without notifications: rows of a table that each replica polls. A replica that
 * has committed one reads at once, and wakes the others where there are signals between them.
 */
import type { Database, Log } from '../../../domain/ports/context.ts'
import { mysql } from '../../dialects/mysql/mysql.ts'
import { both, type Listener } from '../listen.ts'

const interval = mysql.announcementInterval

/** Seconds in which a message is read: its transaction may end later than those of later messages. */
const retentionSeconds = 60

/** Signals between replicas, which may get lost. */
export type Signals = {
  readonly send: () => void
  readonly listen: (onSignal: () => void) => void
  readonly close: () => void
}

export type Polling = {
  readonly listen: (channel: string, onMessage: Listener) => Promise<void>
  /** A message of this replica was committed. */
  readonly committed: () => void
  close(): void
}

/** Reads the messages after the last one that was read. */
export function pollAnnouncements(db: () => Database, log: Log | undefined, signals: Signals | undefined): Polling {
  const listeners = new Map<string, Listener>()
  const messages = createMessages(db)
  let isStarted = false
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let isWoken = false
  let hasFailed = false

  const read = (): Promise<void> => messages.read((channel, payload) => listeners.get(channel)?.(payload))

  const again = (delay: number): void => {
    if (isClosed) return
    timer = setTimeout(() => {
      timer = undefined
      read().then(
        () => {
          // Messages may have been deleted meanwhile.
          if (hasFailed) for (const onMessage of listeners.values()) onMessage(null)
          hasFailed = false
          again(isWoken ? 0 : interval)
          isWoken = false
        },
        (error: unknown) => {
          if (!hasFailed) log?.warn({ err: error }, 'Announcements cannot be read')
          hasFailed = true
          again(Math.min(Math.max(interval, delay * 2), 5_000))
        },
      )
    }, delay)
    timer.unref()
  }

  const look = (): void => {
    if (isClosed || !isStarted) return
    // A read that runs may have begun before the commit.
    if (timer === undefined) isWoken = true
    else {
      clearTimeout(timer)
      again(0)
    }
  }
  signals?.listen(look)

  return {
    listen: async (channel, onMessage) => {
      listeners.set(channel, both(listeners.get(channel), onMessage))
      if (isStarted) return
      isStarted = true
      await messages.skip()
      again(interval)
    },
    committed: () => {
      look()
      signals?.send()
    },
    close: () => {
      isClosed = true
      clearTimeout(timer)
      signals?.close()
    },
  }
}

/** Passes each message once, in whatever order their transactions end. */
function createMessages(db: () => Database) {
  const seen = new Set<string>()
  return {
    /** Passes none of those that are there. */
    async skip(): Promise<void> {
      for (const [id] of await readRecent(db())) seen.add(id)
    },
    async read(pass: (channel: string, payload: string) => void): Promise<void> {
      const rows = await readRecent(db())
      for (const [id, channel, payload] of rows) {
        if (seen.has(id)) continue
        seen.add(id)
        pass(channel, payload)
      }
      if (seen.size <= rows.length) return
      const recent = new Set(rows.map(([id]) => id))
      for (const id of seen) if (!recent.has(id)) seen.delete(id)
      await forget(db())
    },
  }
}

async function readRecent(db: Database): Promise<readonly (readonly [id: string, channel: string, payload: string])[]> {
  const text = `select id, channel, payload from platform_announcements where at > now(6) - interval ${retentionSeconds} second order by id`
  return (await db.run({ text, values: [], rows: 'array' })).rows as readonly (readonly [string, string, string])[]
}

async function forget(db: Database): Promise<void> {
  const text = `delete from platform_announcements where at < now(6) - interval ${2 * retentionSeconds} second`
  await db.run({ text, values: [] })
}
