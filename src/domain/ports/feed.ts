/** The feed: changes of rows for listeners. Writes record them in their own statement. */
import type { Key } from '../query/key.ts'
import type { Query } from '../query/query.ts'

/** What a write needs to know. */
export type Recording = {
  /** Whether changes of the collection's rows are recorded now. Without listeners nothing is recorded. */
  readonly records: (collection: string) => boolean
  /** Learns for whom changes are recorded, in all replicas, after webhooks were written. */
  readonly relearn?: () => Promise<void>
}

/** A recorded change, in the order of the feed. */
export type FeedEvent = {
  /** Increases from event to event. */
  readonly position: number
  readonly at: string
  readonly action: 'create' | 'update' | 'delete'
  readonly collection: string
  /** The key of the row as text. */
  readonly item: string
  /** The row as JSON text, from column name to value; null before a creation and after a deletion. */
  readonly before: string | null
  readonly after: string | null
}

/** Changes in the order of the feed. */
export type Feed = Recording & {
  /** The current position. Events committed afterwards have greater ones. */
  readonly position: () => Promise<FeedPosition>
  /** The time of the event at a position; null if it is not kept. Another feed has another event there. */
  readonly instantAt: (position: number) => Promise<string | null>
  /** Calls back with each batch of later events in sequence. Returns `stop`, and the position after which it began. */
  readonly listen: (position: FeedPosition, onEvents: OnEvents) => { readonly after: number; readonly stop: () => void }
  /** Stored events in batches: those after one position, up to another. */
  readonly replay: (positions: { readonly after: number; readonly upTo: number }) => AsyncIterable<readonly FeedEvent[]>
}

export type OnEvents = (events: readonly FeedEvent[]) => Promise<void>

/** `last`: position of the last event. `floor`: no event after it was deleted. */
export type FeedPosition = { readonly last: number; readonly floor: number }

/**
 * A change as a subscriber of a query gets it. `key`: null if the subscriber may not read it. `json`: the row as the query
 * selects it; null for a deletion.
 */
export type Seen = {
  readonly position: number
  readonly at: string
  readonly kind: 'create' | 'update' | 'delete'
  readonly key: Key | null
  readonly json: string | null
}

/** `Ctx`: the context of a request. */
export type Subscription<Ctx> = {
  readonly query: Query
  /** The caller with its current rights. Rejects if the caller was removed. */
  readonly caller: () => Promise<Ctx>
  /** The cursor of the last change that the caller received (`core/feed/cursors.ts`); absent = now. */
  readonly from?: string
  /** Must not wait. Called in the order of the feed, with the cursor of the last change; the list may be empty. */
  readonly onSeen: (seen: readonly Seen[], cursor: string) => void
  /** Changes after `from` were deleted, or `from` belongs to another feed. */
  readonly onGap?: () => void
  /** Rights, sessions or users have changed: the caller may be none any more. Absent = it is looked up elsewhere. */
  readonly check?: () => Promise<void>
  /** The subscription has ended by an error. */
  readonly onEnd: (error: unknown) => void
}

/** Sends callers the changes that they may read. Rights are judged once per set of rules and query. */
export type Subscriptions<Ctx> = {
  /** Rejects as a read of the query does. Changes committed after it resolves are sent. */
  readonly subscribe: (subscription: Subscription<Ctx>) => Promise<Subscribed>
}

/** `cursor`: changes after it are sent. */
export type Subscribed = { readonly cursor: string; readonly stop: () => void }
