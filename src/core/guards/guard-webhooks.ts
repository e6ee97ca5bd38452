/**
 * Checks written webhooks: collections that exist, and users whose rights the writer has. Gives new ones their secret and
 * their user.
 */

import { createWebhookSecret } from '../../domain/model/webhook-values.ts'
import type { Context, Effect } from '../../domain/ports/context.ts'
import type { Webhook } from '../../domain/ports/webhooks.ts'
import type { Written } from '../../domain/ports/write-log.ts'
import type { Actor } from '../../domain/rights/actor.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import { completeWebhook, findWebhooks, skipToEnd } from '../../sql/statements/webhooks/webhooks.ts'
import { afterCommit } from '../rows/transaction.ts'

export const webhooksCollection = 'platform_webhooks'

/** Completes and checks written webhooks. Throws `invalid-payload` and `forbidden`. */
export async function assertWebhooks(ctx: Context, { kind, columns, keys }: Written): Promise<void> {
  await afterCommit(ctx, learnWebhooks)
  if (kind === 'delete') return
  const { actor, db, ids } = ctx
  const user = actor.kind === 'user' ? actor.user : null
  if (kind === 'insert')
    for (const key of keys) await completeWebhook(db, Number(key), { secret: createWebhookSecret(ids), user })
  if (kind !== 'insert' && columns.some((name) => name === 'user' || name === 'role')) assertMayHandOver(actor)
  const webhooks = await findWebhooks(db, keys)
  for (const webhook of webhooks) {
    assertOwn(ctx, webhook)
    if (kind === 'insert' || columns.includes('collections')) assertCollections(ctx, webhook)
  }
  const active = webhooks.filter(({ isActive }) => isActive).map(({ id }) => id)
  if (ctx.feed !== undefined && active.length > 0) await skipToEnd(db, active)
}

/** Changes are recorded for the webhooks as they are now. */
const learnWebhooks: Effect = async ({ feed }) => feed?.relearn?.()

/** Other callers than administrators can have sent only what they may read themselves; a user may read more than its key. */
function assertOwn({ actor }: Pick<Context, 'actor'>, { user, role }: Webhook): void {
  if (actor.kind === 'system' || actor.access.admin) return
  const isOwn = actor.kind === 'user' && user === actor.user && role === null && actor.key?.isPartial !== true
  if (isOwn) return
  const reason = 'A webhook can be sent only what its writer may read'
  throw new TandemError({ kind: 'forbidden', reason })
}

/** Deliveries that wait were seen by the former user, and headers may hold its credentials. */
function assertMayHandOver(actor: Actor): void {
  if (actor.kind === 'system' || actor.access.admin) return
  throw new TandemError({ kind: 'forbidden', reason: 'Only administrators change the user or the role of a webhook' })
}

function assertCollections({ schema }: Pick<Context, 'schema'>, { collections }: Webhook): void {
  const unknown = collections.find((name) => (schema.collections.get(name)?.keyColumns.length ?? 0) === 0)
  if (unknown === undefined && collections.length > 0) return
  const received = unknown === undefined ? 'an empty list' : JSON.stringify(unknown.slice(0, 100))
  throw invalidPayload('collections', `Expected collections that have keys for "collections" but received ${received}`)
}
