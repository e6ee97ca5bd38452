/**
 * What replicas tell each other, through the database that they share: that the schema changed, that
 * somebody's access changed, that rows changed of which answers are kept, that bytes are to be deleted. A
 * message names a topic and no details; whoever hears it looks again.
 */
import type { Database } from '../domain/ports/context.ts'
import { notify } from '../sql/statements/announcements.ts'

export type Topic = 'schema' | 'access' | 'rows' | 'files'

const topics: readonly Topic[] = ['schema', 'access', 'rows', 'files']

export type Announcements = {
  /** Calls back for every message of the topic, one's own included, and whenever some may have been missed. */
  on(topic: Topic, onMessage: () => void): () => void
}

/** Where messages come in; `OpenDatabase` is one. */
export type Receiver = { listen(channel: string, onMessage: (payload: string | null) => void): Promise<void> }

const channel = 'tandem'

/** Begins to listen. */
export async function receiveAnnouncements(receiver: Receiver): Promise<Announcements> {
  const listeners: { readonly [Each in Topic]: Set<() => void> } = {
    schema: new Set(),
    access: new Set(),
    rows: new Set(),
    files: new Set(),
  }
  await receiver.listen(channel, (payload) => {
    for (const topic of topicsOf(payload)) for (const onMessage of listeners[topic]) onMessage()
  })
  return {
    on: (topic, onMessage) => {
      listeners[topic].add(onMessage)
      return () => void listeners[topic].delete(onMessage)
    },
  }
}

/** Tells all replicas; inside a transaction, once it commits and only then. */
export async function announce(db: Database, topic: Topic): Promise<void> {
  await notify(db, channel, JSON.stringify({ topic }))
}

/** A message that cannot be understood, like one that was missed, may have been about anything. */
function topicsOf(payload: string | null): readonly Topic[] {
  const named = topics.filter((topic) => payload?.includes(`"${topic}"`))
  return named.length === 0 ? topics : named
}
