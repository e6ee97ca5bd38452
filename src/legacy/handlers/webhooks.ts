import { webhooksCollection } from '../../core/guards/guard-webhooks.ts'
import { writeItems } from '../../core/items/items.ts'
import { type Changes, toChanges } from '../../domain/query/mutation.ts'
import type { LegacyWebhooksOperations } from '../../generated/legacy.ts'
import type { Handlers } from '../../http/app/handlers.ts'
import { systemHandlers } from './collection-handlers.ts'

const { readMany, readOne, create, updateMany, updateOne, deleteOne, ...history } = systemHandlers(webhooksCollection, {
  writer: (ctx, mutation) =>
    writeItems(ctx, mutation.kind === 'create' ? { ...mutation, items: mutation.items.map(asItemFormat) } : mutation),
})

/** Webhooks of this generation are sent the item alone, and have no name but their address. */
function asItemFormat(changes: Changes): Changes {
  const url = changes.get('url')
  const name = url?.kind === 'value' && typeof url.value === 'string' ? url.value.slice(0, 255) : ''
  return new Map([...changes, ...toChanges({ name, format: 'item' })])
}

export const webhooks = {
  readWebhooks: readMany,
  readWebhook: readOne,
  createWebhooks: create,
  updateWebhooks: updateMany,
  updateWebhook: updateOne,
  deleteWebhook: deleteOne,
  readWebhookRevisions: history.readRevisions,
  readWebhookRevision: history.readRevision,
} satisfies Handlers<LegacyWebhooksOperations>
