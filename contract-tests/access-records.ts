/** The rows of webhooks and translations in the access matrix. */
import { administrators, blindWriters, named, readers } from './access-rows.ts'

export const webhookRows = {
  readWebhooks: readers,
  readWebhook: readers,
  createWebhooks: blindWriters,
  updateWebhooks: blindWriters,
  updateWebhook: blindWriters,
  deleteWebhooks: administrators,
  deleteWebhook: administrators,
  rotateWebhookSecret: blindWriters,
  readWebhookDeliveries: readers,
  replayWebhook: blindWriters,
  replayWebhookDelivery: blindWriters,
} as const

export const legacyWebhookRows = {
  readWebhooks: named(readers),
  readWebhook: named(readers),
  createWebhooks: named(blindWriters),
  updateWebhooks: named(blindWriters),
  updateWebhook: named(blindWriters),
  deleteWebhook: administrators,
} as const

export const translationRows = {
  readTranslations: readers,
  readTranslation: readers,
  createTranslations: blindWriters,
  updateTranslations: blindWriters,
  updateTranslation: blindWriters,
  deleteTranslations: administrators,
  deleteTranslation: administrators,
} as const
