/** The feed of changes of a mock: what requests have written, in its order. */
import type { Feed, FeedEvent, OnEvents } from '../../../src/domain/ports/feed.ts'
import type { Schema } from '../../../src/domain/schema/schema.ts'
import type { Written } from '../rows/tables.ts'

export type MockFeed = Feed & {
  /** Records writes and delivers them to listeners. */
  readonly record: (written: readonly Written[]) => void
}

/** As on a server, whose retention ends; in number of changes. */
const most = 10_000

export function createFeed(schema: Schema, now: () => Date): MockFeed {
  const events: FeedEvent[] = []
  const listeners = new Set<OnEvents>()
  let position = 0
  let floorAt = now().toISOString()
  let notice = Promise.resolve()
  const floor = (): number => (events[0]?.position ?? position + 1) - 1
  const tell = (onEvents: OnEvents, some: readonly FeedEvent[]): void => {
    if (some.length > 0) notice = notice.then(() => (listeners.has(onEvents) ? onEvents(some) : undefined))
  }
  const between = (after: number, upTo: number): readonly FeedEvent[] =>
    events.filter((event) => event.position > after && event.position <= upTo)
  return {
    records: () => true,
    position: async () => ({ last: position, floor: floor() }),
    instantAt: async (wanted) =>
      events.find((event) => event.position === wanted)?.at ?? (wanted === floor() ? floorAt : null),
    listen({ last }, onEvents) {
      const own: OnEvents = (some) => onEvents(some)
      listeners.add(own)
      tell(own, between(last, position))
      return { after: last, stop: () => void listeners.delete(own) }
    },
    async *replay({ after, upTo }) {
      const some = between(after, upTo)
      if (some.length > 0) yield some
    },
    record(written) {
      const at = now().toISOString()
      const fresh = written
        .filter(({ collection, before, after }) => schema.collections.has(collection) && before !== after)
        .map(({ collection, key, before, after }): FeedEvent => {
          position += 1
          const action = before === undefined ? 'create' : after === undefined ? 'delete' : 'update'
          return { position, at, action, collection, item: key, before: textOf(before), after: textOf(after) }
        })
      events.push(...fresh)
      floorAt = events.splice(0, Math.max(0, events.length - most)).at(-1)?.at ?? floorAt
      for (const onEvents of listeners) tell(onEvents, fresh)
    },
  }
}

const textOf = (row: object | undefined): string | null => (row === undefined ? null : JSON.stringify(row))
