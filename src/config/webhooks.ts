import type { WebhookSettings } from '../domain/ports/webhooks.ts'
import { assertNetworks } from './kinds-network.ts'
import type { Values } from './settings.ts'

/** `allowedAddresses`: private addresses and networks that receivers may have. */
export type WebhookOptions = WebhookSettings & { readonly allowedAddresses: readonly string[] }

export function toWebhooks(values: Values): WebhookOptions {
  assertNetworks('WEBHOOKS_IP_ALLOW_LIST', values.WEBHOOKS_IP_ALLOW_LIST)
  return {
    timeout: values.WEBHOOKS_TIMEOUT,
    concurrency: values.WEBHOOKS_CONCURRENCY,
    attempts: values.WEBHOOKS_ATTEMPTS,
    firstWait: values.WEBHOOKS_RETRY_FIRST,
    longestWait: values.WEBHOOKS_RETRY_LONGEST,
    queue: values.WEBHOOKS_QUEUE,
    retention: values.WEBHOOKS_RETENTION,
    allowedAddresses: values.WEBHOOKS_IP_ALLOW_LIST,
  }
}
