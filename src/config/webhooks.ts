import type { WebhookSettings } from '../domain/ports/webhooks.ts'
import { isNetwork } from '../outbound/addresses.ts'
import { ConfigError } from './error.ts'
import type { Values } from './settings.ts'

/** `allowedAddresses`: private addresses and networks that receivers may have. */
export type WebhookOptions = WebhookSettings & { readonly allowedAddresses: readonly string[] }

export function toWebhooks(values: Values): WebhookOptions {
  const wrong = values.WEBHOOKS_IP_ALLOW_LIST.find((each) => !isNetwork(each))
  if (wrong !== undefined) {
    throw new ConfigError('WEBHOOKS_IP_ALLOW_LIST', 'addresses and networks', JSON.stringify(wrong))
  }
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
