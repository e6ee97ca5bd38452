/** Makes deliveries from the feed: one for each webhook and each change that it is sent. */
import type { Database } from '../../domain/ports/context.ts'
import type { FeedEvent } from '../../domain/ports/feed.ts'
import type { Webhook } from '../../domain/ports/webhooks.ts'
import { hashText } from '../../domain/schema/hash-text.ts'
import { repeatedTransaction } from '../../sql/errors/conflicts.ts'
import { readEvents } from '../../sql/statements/feed/events.ts'
import {
  countPending,
  insertDeliveries,
  moveReader,
  type NewDelivery,
  readReaderPosition,
} from '../../sql/statements/webhooks/deliveries.ts'
import { noteFailure, readActiveWebhooks } from '../../sql/statements/webhooks/webhooks.ts'
import { assignPositions } from '../feed/feed.ts'
import { bodyOf, type Change, typeOf } from './messages.ts'
import { createSight, type SightDependencies, type VisibleChangesOf } from './sight.ts'

export type MakingDependencies = SightDependencies & {
  /** Deliveries of one webhook that may wait. */
  readonly queue: number
}

const batch = 200

/**
 * Reads the next changes and makes deliveries of them, in one transaction with the new place in the feed: none is lost,
 * and none is made twice. Returns whether there may be more.
 */
export async function makeDeliveries(parts: MakingDependencies): Promise<boolean> {
  const { db, clock } = parts
  await assignPositions(db)
  const position = await readReaderPosition(db)
  const events = await readEvents(db, { after: position, limit: batch })
  const last = events.at(-1)
  if (last === undefined) return false
  const webhooks = await readActiveWebhooks(db)
  const made = await deliveriesOf(parts, webhooks, events)
  await repeatedTransaction(db, async (inner) => {
    if (await moveReader(inner, position, last.position)) await insertDeliveries(inner, made, clock())
  })
  return events.length === batch
}

async function deliveriesOf(
  parts: MakingDependencies,
  webhooks: readonly Webhook[],
  events: readonly FeedEvent[],
): Promise<readonly NewDelivery[]> {
  const sight = createSight(parts, events)
  const waiting = new Map(
    await countPending(
      parts.db,
      webhooks.map(({ id }) => id),
    ),
  )
  const made: NewDelivery[] = []
  for (const webhook of webhooks) {
    for (const change of await changesFor(parts.db, webhook, { sight, events, now: parts.clock() })) {
      const n = waiting.get(webhook.id) ?? 0
      waiting.set(webhook.id, n + 1)
      made.push(toDelivery(webhook, change, { event: `msg_${parts.ids.token(24)}`, isFull: n >= parts.queue }))
    }
  }
  return made
}

type DeliveryInput = { readonly sight: VisibleChangesOf; readonly events: readonly FeedEvent[]; readonly now: Date }

/** The changes that the webhook is sent, in order. Where its owner may not look, nothing; the reason is noted. */
async function changesFor(
  db: Database,
  webhook: Webhook,
  { sight, events, now }: DeliveryInput,
): Promise<readonly Change[]> {
  const changed = new Set(events.map(({ collection }) => collection))
  const changes: Change[] = []
  for (const collection of webhook.collections.filter((name) => changed.has(name))) {
    const seen = await sight(webhook, collection)
    if ('refusal' in seen) await noteFailure(db, webhook.id, { reason: seen.refusal, at: now, isLast: false })
    else changes.push(...seen.changes.filter(({ seen: { kind } }) => webhook.actions.includes(kind)))
  }
  return changes.toSorted((one, other) => one.event.position - other.event.position)
}

function toDelivery(
  webhook: Webhook,
  change: Change,
  { event, isFull }: { readonly event: string; readonly isFull: boolean },
): NewDelivery {
  const { collection, seen } = change
  const { position, item } = change.event
  return {
    webhook: webhook.id,
    event,
    position,
    type: typeOf(collection, seen.kind),
    collection: collection.name,
    item,
    rowHash: hashText(`${collection.name}\0${item}`),
    body: bodyOf(webhook, change),
    state: isFull ? 'dead' : 'pending',
    error: isFull ? 'Too many deliveries were waiting' : null,
  }
}
