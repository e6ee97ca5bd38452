/** The subscriptions of a socket of items, named by their `uid`. */
import type { Context } from '../domain/ports/context.ts'
import type { Seen, Subscribed } from '../domain/ports/feed.ts'
import type { ChangesQuery, Message, Messages } from '../domain/ports/messages.ts'
import { invalidPayload } from '../domain/rights/errors.ts'
import { isExpired } from './failures.ts'
import type { Peer } from './peer.ts'

type Entry = {
  readonly changes: ChangesQuery
  readonly uid: string | undefined
  /** Changes that arrive before the initial message is sent; null = it was sent. */
  pending: Seen[] | null
  /** The last cursor sent; null before the first. */
  cursor: string | null
  subscribed: Subscribed | null
  /** Whether it waits for a new token. */
  isPaused: boolean
}

type Options = {
  readonly messages: Pick<Messages<never>, 'readSubscription'>
  readonly peer: Peer
  /** The largest number of subscriptions. */
  readonly most: number
  readonly context: (method: string) => Promise<Context>
  readonly again: () => Promise<Context>
  /** A subscription has ended; that of an expired token continues with `resume`. */
  readonly onEnd: (error: unknown, uid: string | undefined) => void
}

export function createItemSubscriptions({ messages, peer, most, context, again, onEnd }: Options) {
  const entries = new Map<string, Entry>()
  const drop = (name: string): void => {
    entries.get(name)?.subscribed?.stop()
    entries.delete(name)
  }
  const end = (name: string, entry: Entry, error: unknown): void => {
    if (entries.get(name) !== entry) return
    entry.isPaused = isExpired(error)
    if (!entry.isPaused) drop(name)
    onEnd(error, entry.uid)
  }
  const listen = async (name: string, entry: Entry, from: string | null): Promise<void> => {
    const { subscriptions } = await again()
    if (subscriptions === undefined) throw new Error('The project has no feed')
    entry.subscribed = await subscriptions.subscribe({
      query: entry.changes.query,
      caller: again,
      ...(from === null ? {} : { from }),
      onSeen(seen, cursor) {
        entry.cursor = cursor
        if (entry.pending !== null) entry.pending.push(...seen)
        else sendChanges(peer, entry, seen)
      },
      onGap() {
        entry.pending ??= []
      },
      onEnd: (error) => end(name, entry, error),
    })
    entry.cursor ??= entry.subscribed.cursor
    // The subscription was dropped or replaced in the meantime.
    if (entries.get(name) !== entry) entry.subscribed.stop()
  }
  /** Sends what there is now, and what has changed meanwhile. */
  const begin = async (entry: Entry, ctx: Context): Promise<void> => {
    const { changes, uid } = entry
    const present = changes.kind === null ? `,"data":${await changes.readPresent(ctx)}` : ''
    peer.send(`{"type":"subscription","event":"init"${present}${uidText(uid)}}`)
    const pending = entry.pending ?? []
    entry.pending = null
    sendChanges(peer, entry, pending)
  }
  return {
    /** Adds a subscription, or replaces that of the same `uid`. */
    async add(message: Message): Promise<void> {
      const uid = readUid(message)
      const name = uid ?? ''
      const ctx = await context('GET')
      const changes = messages.readSubscription(ctx, message)
      drop(name)
      if (entries.size >= most) throw invalidPayload('uid', `Expected at most ${most} subscriptions of one connection`)
      const entry: Entry = { changes, uid, pending: [], cursor: null, subscribed: null, isPaused: false }
      entries.set(name, entry)
      try {
        await listen(name, entry, null)
        await begin(entry, ctx)
      } catch (error) {
        drop(name)
        throw error
      }
    },
    /** Ends the subscription of the `uid`, which it returns; without one, all. */
    remove(message: Message): string | undefined {
      const uid = readUid(message)
      for (const name of uid === undefined ? [...entries.keys()] : [uid]) drop(name)
      return uid
    },
    /** Continues subscriptions that an expired token paused; starts them over if changes in between were deleted. */
    async resume(): Promise<void> {
      for (const [name, entry] of entries) {
        if (!entry.isPaused) continue
        entry.isPaused = false
        const resumed = listen(name, entry, entry.cursor).then(async () => {
          if (entry.pending !== null) await begin(entry, await context('GET'))
        })
        await resumed.catch((error: unknown) => end(name, entry, error))
      }
    },
    clear(): void {
      for (const name of entries.keys()) drop(name)
    },
  }
}

function readUid({ uid }: Message): string | undefined {
  if (uid === undefined || uid === null) return undefined
  const text = typeof uid === 'string' ? uid : typeof uid === 'number' ? String(uid) : null
  if (text === null || text.length > 255)
    throw invalidPayload('uid', 'Expected a text of at most 255 characters or a number for "uid"')
  return text
}

/** The member `uid` of a message as JSON text. */
export const uidText = (uid: unknown): string => (uid === undefined ? '' : `,"uid":${JSON.stringify(uid)}`)

/** Sends a message per created item, and one per change of several items, which has one time. */
function sendChanges(peer: Peer, { changes, uid }: Entry, seen: readonly Seen[]): void {
  const changesOfKind = changes.kind === null ? seen : seen.filter(({ kind }) => kind === changes.kind)
  for (let at = 0; at < changesOfKind.length; ) {
    const first = changesOfKind[at] as Seen
    const end = changesOfKind.findIndex((each, index) => index > at && !isSameChange(first, each))
    const some = changesOfKind.slice(at, end === -1 ? changesOfKind.length : end)
    const data = some.map(({ json, key }) => json ?? JSON.stringify(key)).join(',')
    peer.send(`{"type":"subscription","event":"${first.kind}","data":[${data}]${uidText(uid)}}`)
    at += some.length
  }
}

const isSameChange = (one: Seen, other: Seen): boolean =>
  one.kind !== 'create' && one.kind === other.kind && one.at === other.at
