/**
 * Decides whether changes are recorded: until a stored time, which processes with listeners extend and all processes
 * read; in collections with webhooks always.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { isRecordable } from '../../domain/model/recordable.ts'
import type { Database, Log } from '../../domain/ports/context.ts'
import type { Recording } from '../../domain/ports/feed.ts'
import { repeatedTransaction } from '../../sql/errors/conflicts.ts'
import {
  announcementInterval,
  extendFeed,
  hasOlder,
  readFeed,
  readTransaction,
  readWatched,
} from '../../sql/statements/feed/events.ts'
import { readHookedCollections } from '../../sql/statements/webhooks/webhooks.ts'
import { type Announcements, announce } from '../announcements.ts'

export type Recorder = Required<Recording> & {
  readonly hasWebhooks: () => boolean
  /** Starts recording. Resolves when every writer records its changes. */
  readonly begin: () => Promise<void>
  /** Milliseconds since recording has ended; negative while it goes on. */
  readonly sinceEnd: () => number
  readonly close: () => Promise<void>
}

type RecorderDependencies = { readonly announcements: Announcements; readonly log: Log; readonly retention: number }

/** Milliseconds: for announcements to reach other replicas (`heard`), and for open transactions to end (`finished`). */
const delays = { heard: 150, finished: 2_000, step: 20 } as const

/** Reads at once whether changes are recorded. */
export async function createRecorder(
  db: Database,
  { announcements, log, retention }: RecorderDependencies,
): Promise<Recorder> {
  let until = 0
  let watched: ReadonlySet<string> = new Set()
  let hooked: ReadonlySet<string> = new Set()
  let beginning: Promise<void> | null = null

  const note = (remaining: number): void => {
    until = performance.now() + remaining
  }
  const reload = async (): Promise<void> => {
    note((await readFeed(db)).remaining)
    watched = new Set(await readWatched(db))
    hooked = new Set(await readHookedCollections(db))
  }
  const reloadInBackground = (): void => {
    reload().catch((error: unknown) => log.warn({ err: error }, 'Whether changes have listeners could not be read'))
  }
  const extend = async (): Promise<void> => {
    if (until - performance.now() > retention / 2) return
    const wasOff = until <= performance.now()
    const { remaining, transaction } = await announceExtended(db, retention)
    note(remaining)
    if (wasOff) await settle(db, transaction, log)
  }

  /** Reloads on all replicas. Waits only if further collections are recorded. */
  const reloadEverywhere = async (): Promise<void> => {
    const names = hooked
    await announce(db, 'feed')
    await reload()
    if ([...hooked].some((name) => !names.has(name))) await settle(db, await readTransaction(db), log)
  }

  await reload()
  const stops = (['feed', 'schema'] as const).map((topic) => announcements.on(topic, reloadInBackground))
  return {
    records: (collection) =>
      (until > performance.now() || hooked.has(collection)) && !watched.has(collection) && isRecordable(collection),
    relearn: reloadEverywhere,
    hasWebhooks: () => hooked.size > 0,
    begin() {
      beginning ??= extend().finally(() => {
        beginning = null
      })
      return beginning
    },
    sinceEnd: () => performance.now() - until,
    async close() {
      for (const stop of stops) stop()
      await beginning?.catch(() => undefined)
    },
  }
}

const announceExtended = (db: Database, retention: number) =>
  repeatedTransaction(db, async (inner) => {
    const { remaining } = await extendFeed(inner, retention)
    await announce(inner, 'feed')
    return { remaining, transaction: await readTransaction(inner) }
  })

/** Waits for the announcement to reach other replicas, and for the end of transactions that began before it. */
async function settle(db: Database, transaction: string | null, log: Log): Promise<void> {
  await sleep(delays.heard + (announcementInterval(db) ?? 0))
  // The database does not show its transactions, so the full time is waited.
  if (transaction === null) return sleep(delays.finished)
  for (let waited = 0; waited < delays.finished; waited += delays.step) {
    if (!(await hasOlder(db, transaction))) return
    await sleep(delays.step)
  }
  log.warn({}, 'A transaction began before the first listener; its changes are not delivered')
}
