/**
 * Notifications between replicas through their database: changes of the schema, of access, of rows with cached
 * responses, objects to delete, and that somebody listens to changes. A message contains a topic and perhaps its sender;
 * receivers read the database again.
 */
import type { Database } from '../domain/ports/context.ts'
import type { Runner } from '../sql/statements/answers.ts'
import { channel, notify, readChannel } from '../sql/statements/operation/announcements.ts'

export type Topic = (typeof topics)[number]

const topics = ['schema', 'access', 'rows', 'files', 'feed'] as const

export type Announcements = {
  /** Calls back for each message of the topic, own ones included, and when messages may have been missed. */
  on(topic: Topic, onMessage: OnMessage): () => void
}

/** `from` is the sender, where the message names one. `tags`: what the message is about; null = everything. */
type OnMessage = (from: string | null, tags: readonly string[] | null) => void

/** The source of messages, for example an `OpenDatabase`. */
export type Receiver = Runner & { listen(channel: string, onMessage: (payload: string | null) => void): Promise<void> }

/** Starts to listen: to messages for the schema of the database, and to those of operators for all schemas. */
export async function receiveAnnouncements(receiver: Receiver): Promise<Announcements> {
  const listeners = new Map(topics.map((topic) => [topic, new Set<OnMessage>()]))
  const receive = (payload: string | null): void => {
    const from = payload?.match(/"from":"([^"]+)"/)?.[1] ?? null
    const tags = tagsOf(payload)
    for (const topic of topicsOf(payload)) for (const onMessage of listeners.get(topic) ?? []) onMessage(from, tags)
  }
  await receiver.listen(channel, receive)
  await receiver.listen(await readChannel(receiver), receive)
  return {
    on: (topic, onMessage) => {
      listeners.get(topic)?.add(onMessage)
      return () => void listeners.get(topic)?.delete(onMessage)
    },
  }
}

/** Notifies all replicas; inside a transaction, only after its commit. */
export async function announce(
  db: Database,
  topic: Topic,
  { from, tags }: { readonly from?: string | undefined; readonly tags?: readonly string[] } = {},
): Promise<void> {
  // The prefix distinguishes names that are topics from topics.
  const message = JSON.stringify({ topic, from, about: tags?.map((tag) => `+${tag}`) })
  await notify(db, Buffer.byteLength(message) > longestMessage ? JSON.stringify({ topic, from }) : message)
}

/** Bytes that a message of the database may have, with some room. */
const longestMessage = 7500

function tagsOf(payload: string | null): readonly string[] | null {
  if (payload?.includes('"about"') !== true) return null
  try {
    const { about } = JSON.parse(payload) as { readonly about?: unknown }
    return Array.isArray(about) ? about.map((tag) => String(tag).slice(1)) : null
  } catch {
    return null
  }
}

/** An unreadable or missed message counts as a message of every topic. */
function topicsOf(payload: string | null): readonly Topic[] {
  const named = topics.filter((topic) => payload?.includes(`"${topic}"`))
  return named.length === 0 ? topics : named
}
