/** `/webhooks`: addresses that are sent changes. */
import { webhooksCollection } from '../../../core/guards/guard-webhooks.ts'
import { writeItems } from '../../../core/items/items.ts'
import { readDeliveries, replayDelivery, replayWebhook } from '../../../core/webhooks/deliveries.ts'
import { readSecrets, rotateSecret } from '../../../core/webhooks/secrets.ts'
import type { Context } from '../../../domain/ports/context.ts'
import type { Key } from '../../../domain/query/key.ts'
import type { CurrentWebhooksOperations } from '../../../generated/current.ts'
import type { Handlers } from '../../../http/app/handlers.ts'
import { json, type Reply, textOfJson } from '../../../http/reply/reply.ts'
import { systemHandlers } from '../collection-handlers.ts'

const { readMany, readOne, updateMany, updateOne, deleteMany, deleteOne } = systemHandlers(webhooksCollection)

export const webhooks = {
  readWebhooks: readMany,
  readWebhook: readOne,
  updateWebhooks: updateMany,
  updateWebhook: updateOne,
  deleteWebhooks: deleteMany,
  deleteWebhook: deleteOne,

  async createWebhooks(ctx, input) {
    const keys: Key[] = []
    const { create } = systemHandlers(webhooksCollection, {
      writer: async (inner, mutation) => {
        const made = await writeItems(inner, mutation)
        keys.push(...made)
        return made
      },
    })
    return withSecrets(ctx, await create(ctx, input), keys)
  },

  async rotateWebhookSecret(ctx, { path, body }) {
    return { ...json({ data: await rotateSecret(ctx, path.id, body ?? {}) }), hasSecret: true as const }
  },

  async readWebhookDeliveries(ctx, { path, query }) {
    return json({ data: await readDeliveries(ctx, path.id, query) })
  },

  async replayWebhook(ctx, { path }) {
    return json({ data: { replayed: await replayWebhook(ctx, path.id) } })
  },

  async replayWebhookDelivery(ctx, { path }) {
    return json({ data: await replayDelivery(ctx, path.id) })
  },
} satisfies Handlers<CurrentWebhooksOperations>

/** Puts the secrets of new webhooks in the place of their masks. */
async function withSecrets<Answer extends Reply>(
  ctx: Pick<Context, 'db'>,
  reply: Answer,
  keys: readonly Key[],
): Promise<Answer> {
  const { body } = reply
  if (body?.kind !== 'json-text' || keys.length === 0) return reply
  const { data } = JSON.parse(textOfJson(body)) as { readonly data: ShownFields | readonly ShownFields[] }
  const secrets = await readSecrets(ctx, keys)
  const shown = [data].flat().map((each, at) => ('secret' in each ? { ...each, secret: secrets[at] } : each))
  return {
    ...reply,
    hasSecret: true,
    body: { ...body, text: JSON.stringify({ data: Array.isArray(data) ? shown : shown[0] }) },
  }
}

type ShownFields = { readonly [field: string]: unknown }
