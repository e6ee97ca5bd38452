/** `Feed`: changes of rows for those who listen. Writes record them in their own statement. */

/** What a write asks. */
export type Recording = {
  /** Whether changes of the collection's rows are recorded now. Nothing is recorded while nobody listens. */
  readonly records: (collection: string) => boolean
}

/** A recorded change, in the order of the feed. */
export type FeedEvent = {
  /** Place in the feed; later events have greater ones. */
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
  /**
   * Calls back with each batch of later events, one batch after the other. Resolves when no change that is committed
   * afterwards can be missed.
   */
  readonly listen: (listener: FeedListener) => Promise<Listening>
  /** Earlier events that are kept, in batches: those after one place, up to another. */
  readonly replay: (places: { readonly after: number; readonly upTo: number }) => AsyncIterable<readonly FeedEvent[]>
}

export type FeedListener = {
  readonly onEvents: (events: readonly FeedEvent[]) => Promise<void>
  /** The place that the listener knows already. */
  readonly from?: number
  /** Events after `from` are gone. */
  readonly onGap?: () => void
}

/** `position`: the place after which the listener is called back. */
export type Listening = { readonly position: number; readonly stop: () => void }
