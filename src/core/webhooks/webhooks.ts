/**
 * Delivers the changes of a project to its webhooks. Every process takes part: one makes deliveries from the feed, all
 * claim and send them. What a process that dies had claimed is claimed by others when its lease has ended.
 */
import type { Database } from '../../domain/ports/context.ts'
import type { Webhook, WebhookDispatch, WebhookOutcome } from '../../domain/ports/webhooks.ts'
import { repeatedTransaction } from '../../sql/errors/conflicts.ts'
import {
  claimDeliveries,
  hasUnread,
  leaseReader,
  pruneDeliveries,
  releaseDeliveries,
  settleDelivery,
} from '../../sql/statements/webhooks/deliveries.ts'
import { findWebhooks, noteFailure, readDueWebhooks } from '../../sql/statements/webhooks/webhooks.ts'
import type { Announcements } from '../announcements.ts'
import { repeatEvery } from '../recurring.ts'
import { type AttemptDependencies, type Attempted, attempt } from './attempt.ts'
import { type MakingDependencies, makeDeliveries } from './make-deliveries.ts'

export type WebhookDependencies = Omit<MakingDependencies, 'queue'> &
  AttemptDependencies & {
    readonly announcements: Announcements
    readonly feed: { readonly hasWebhooks: () => boolean; readonly relearn?: () => Promise<void> }
    /** Called after every attempt. */
    readonly observe: (outcome: WebhookOutcome, seconds: number) => void
  }

export type OpenWebhooks = WebhookDispatch & {
  /** Lets running requests end within so many milliseconds, and starts no more. */
  readonly close: (left: number) => Promise<void>
}

/** Milliseconds between two checks for due deliveries, and for changes without deliveries. */
const lookAgain = 1_000
const pace = 100
const minute = 60_000
/** Milliseconds: for which one process alone creates deliveries; and beyond a request, within which its result is stored. */
const leases = { reading: 10_000, settling: 5_000 } as const
/** Number of deliveries after which a lane checks for other due webhooks. */
const mostInTurn = 50

/** Begins at once. */
export function createWebhooks(parts: WebhookDependencies): OpenWebhooks {
  const { db, log, announcements, feed, ids, clock, settings } = parts
  const owner = ids.uuid()
  const lanes = createLanes(parts, owner, () => wake())
  const state = { isStale: false, isClosed: false }
  let working: Promise<void> | null = null

  const pass = async (): Promise<void> => {
    if ((await hasUnread(db)) && (await lead(db, owner, clock))) {
      while (!state.isClosed && (await makeDeliveries({ ...parts, queue: settings.queue })));
    }
    for (const webhook of await readDueWebhooks(db, clock())) if (!state.isClosed) lanes.fill(webhook)
  }
  const work = async (): Promise<void> => {
    while (state.isStale && !state.isClosed && feed.hasWebhooks()) {
      state.isStale = false
      await pass().catch((error: unknown) => log.warn({ err: error }, 'Deliveries to webhooks wait'))
    }
  }
  const wake = (): void => {
    if (state.isClosed) return
    state.isStale = true
    working ??= work().finally(() => {
      working = null
    })
  }
  const prune = (): Promise<void> =>
    pruneDeliveries(db, new Date(clock().getTime() - settings.retention)).catch((error: unknown) =>
      log.warn({ err: error }, 'Old deliveries to webhooks could not be deleted'),
    )
  const stopLearning = announcements.on('feed', wake)
  const look = async (): Promise<void> => {
    if (working === null && feed.hasWebhooks() && (await hasUnread(db))) wake()
  }
  // An error is reported by `work`, which looks as well.
  const looks = repeatEvery(pace, () => look().catch(() => undefined))
  const pruning = repeatEvery(minute, prune)
  const timer = setInterval(wake, lookAgain).unref()
  wake()
  return {
    wake,
    async close(left) {
      state.isClosed = true
      stopLearning()
      clearInterval(timer)
      await Promise.all([working, looks.close(), pruning.close()])
      await lanes.end(left)
      await releaseDeliveries(db, owner).catch(() => undefined)
    },
  }
}

function lead(db: Database, owner: string, clock: () => Date): Promise<boolean> {
  const now = clock()
  return leaseReader(db, { owner, now, until: new Date(now.getTime() + leases.reading) })
}

type DeliveryQueues = {
  /** Sends due deliveries to the webhook, up to its limit of concurrent requests. */
  readonly fill: (webhook: Webhook) => void
  readonly end: (left: number) => Promise<void>
}

function createLanes(parts: WebhookDependencies, owner: string, onFree: () => void): DeliveryQueues {
  const { settings, log } = parts
  const running = new Map<number, Set<Promise<void>>>()
  const state = { isEnded: false }

  const run = async (id: number): Promise<void> => {
    for (let turn = 0; turn < mostInTurn && !state.isEnded; turn += 1) {
      if (!(await deliverNext(parts, owner, id))) return
    }
    onFree()
  }
  return {
    fill({ id, isFailing }) {
      const own = running.get(id) ?? new Set()
      running.set(id, own)
      // A failing receiver gets one request at a time until it answers.
      const most = isFailing ? 1 : settings.concurrency
      while (own.size < most) {
        const lane = run(id)
          .catch((error: unknown) => log.warn({ err: error, webhook: id }, 'A delivery to a webhook waits'))
          .finally(() => {
            own.delete(lane)
            if (own.size === 0) running.delete(id)
          })
        own.add(lane)
      }
    },
    async end(left) {
      state.isEnded = true
      const all = Promise.all([...running.values()].flatMap((own) => [...own]))
      await Promise.race([all, new Promise((resolve) => void setTimeout(resolve, left).unref())])
    },
  }
}

/** Whether a delivery was due. */
async function deliverNext(parts: WebhookDependencies, owner: string, id: number): Promise<boolean> {
  const { db, clock, settings } = parts
  const now = clock()
  const until = new Date(now.getTime() + settings.timeout + leases.settling)
  const [delivery] = await repeatedTransaction(db, (inner) =>
    claimDeliveries(inner, { webhook: id, owner, now, until, limit: 1 }),
  )
  if (delivery === undefined) return false
  const [webhook] = await findWebhooks(db, [id])
  if (webhook === undefined) return false
  const begun = performance.now()
  const attempted = await attempt(parts, webhook, { delivery, now: clock() })
  parts.observe(attempted.outcome, (performance.now() - begun) / 1000)
  await settle(parts, webhook, { owner, id: delivery.id, attempted })
  return true
}

type Settling = { readonly owner: string; readonly id: number; readonly attempted: Attempted }

async function settle(
  { db, clock, feed, log }: WebhookDependencies,
  { id: webhook, isFailing }: Webhook,
  { owner, id, attempted }: Settling,
): Promise<void> {
  const { outcome, status, error, wait, isGone } = attempted
  const now = clock()
  const next = wait === null ? null : new Date(now.getTime() + wait)
  await settleDelivery(db, { id, owner, state: outcome === 'failed' ? 'pending' : outcome, status, error, next })
  if (error !== null) await noteFailure(db, webhook, { reason: error, at: now, isLast: isGone })
  else if (isFailing) await noteFailure(db, webhook, null)
  if (isGone) log.warn({ webhook }, 'A webhook was turned off because its receiver answered 410')
  if (isGone) await feed.relearn?.()
}
