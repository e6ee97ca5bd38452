/** Secrets of webhooks: shown once, and replaced with an overlap. */

import { createWebhookSecret } from '../../domain/model/webhook-values.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/key.ts'
import { findWebhooks, keepSecret } from '../../sql/statements/webhooks/webhooks.ts'
import { webhooksCollection } from '../guards/guard-webhooks.ts'
import { updateItem } from '../items/items.ts'
import { notFound } from '../rows/keys.ts'
import { withTransaction } from '../rows/transaction.ts'
import { webhookKey } from './deliveries.ts'

/** The secrets of webhooks that the caller has just created, in the order of the keys. */
export async function readSecrets(
  { db }: Pick<Context, 'db'>,
  keys: readonly Key[],
): Promise<readonly (string | null)[]> {
  const secrets = new Map((await findWebhooks(db, keys)).map(({ id, secret }) => [id, secret]))
  return keys.map((key) => secrets.get(Number(key)) ?? null)
}

/** `overlap`: seconds for which the former secret signs, too. */
export type Rotation = { readonly overlap?: number; readonly secret?: string }

const day = 86_400

/** Replaces the secret, as an update of the field by the caller. Throws as such an update does. */
export function rotateSecret(
  ctx: Context,
  key: Key,
  { overlap = day, secret = createWebhookSecret(ctx.ids) }: Rotation,
) {
  return withTransaction(ctx, async (inner) => {
    const id = webhookKey(inner, key)
    const [former] = await findWebhooks(inner.db, [id])
    await updateItem(inner, webhooksCollection, id, { secret })
    if (former === undefined) throw notFound(webhooksCollection)
    const until = overlap === 0 || former.secret === null ? null : new Date(ctx.clock().getTime() + overlap * 1000)
    await keepSecret(inner.db, id, until === null ? null : { secret: former.secret as string, until })
    return { id, secret, previous_secret_until: until?.toISOString() ?? null }
  })
}
