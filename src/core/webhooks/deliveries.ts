/** Deliveries as callers see and replay them. */

import { permittedRows } from '../../authz/grants.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import { and } from '../../domain/query/filter.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Action } from '../../domain/rights/actor.ts'
import {
  type DeliveryPage,
  type DeliveryRow,
  findDelivery,
  listDeliveries,
  replayDead,
  replayDelivery as replayOne,
} from '../../sql/statements/webhooks/deliveries.ts'
import { webhooksCollection } from '../guards/guard-webhooks.ts'
import { hasRow } from '../rows/has-row.ts'
import { keyFilter, notFound, systemCollection, toKey } from '../rows/keys.ts'
import { withTransaction } from '../rows/transaction.ts'

/** The deliveries of a webhook that the caller may read, the latest first. Throws `item-not-found`. */
export async function readDeliveries(
  ctx: ReadContext,
  key: Key,
  { state = null, limit = 100, offset = 0 }: { readonly [Part in keyof DeliveryPage]?: DeliveryPage[Part] | undefined },
): Promise<DeliveryRow[]> {
  const webhook = webhookKey(ctx, key)
  await assertMay(ctx, 'read', webhook)
  return [...(await listDeliveries(ctx.db, webhook, { state, limit, offset }))]
}

/** Makes all dead letters of the webhook once more; returns their number. Throws `item-not-found`. */
export async function replayWebhook(ctx: Context, key: Key): Promise<number> {
  const webhook = webhookKey(ctx, key)
  const replayed = await withTransaction(ctx, async (inner) => {
    await assertMay(inner, 'update', webhook)
    return replayDead(inner.db, webhook, ctx.clock())
  })
  ctx.webhooks?.wake()
  return replayed
}

/** Makes a settled delivery once more. Throws `item-not-found`. */
export async function replayDelivery(ctx: Context, key: string): Promise<DeliveryRow> {
  if (!/^\d{1,15}$/.test(key)) throw notFound(webhooksCollection)
  const id = Number(key)
  const replayed = await withTransaction(ctx, async (inner) => {
    const delivery = await findDelivery(inner.db, id)
    if (delivery === undefined) throw notFound(webhooksCollection)
    await assertMay(inner, 'update', delivery.webhook)
    await replayOne(inner.db, id, ctx.clock())
    return (await findDelivery(inner.db, id)) ?? delivery
  })
  ctx.webhooks?.wake()
  return replayed
}

/** The key as the caller sent it as a number. Throws `item-not-found`. */
export const webhookKey = (ctx: Pick<Context, 'schema'>, raw: Key): number =>
  Number(toKey(systemCollection(ctx, webhooksCollection), raw))

/** Throws `item-not-found` for a webhook that is missing, or that the caller may not read or update. */
async function assertMay(ctx: ReadContext, action: Action, id: number): Promise<void> {
  const collection = systemCollection(ctx, webhooksCollection)
  const rows = permittedRows(ctx.actor, webhooksCollection, action)
  if (rows === null || !(await hasRow(ctx, collection, and(keyFilter(collection, id), rows))))
    throw notFound(webhooksCollection)
}
