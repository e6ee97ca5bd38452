/** Converts the settings of webhooks and of live connections. */
import type { WebhookSettings } from '../../domain/ports/webhooks.ts'
import type { RealtimeSettings } from '../../realtime/settings.ts'
import { assertNetworks } from '../kinds-network.ts'
import type { Values } from '../settings.ts'

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

export function toRealtime(values: Values): RealtimeSettings | null {
  if (!values.WEBSOCKETS_ENABLED) return null
  return {
    rest: values.WEBSOCKETS_REST_ENABLED
      ? {
          path: values.WEBSOCKETS_REST_PATH,
          auth: values.WEBSOCKETS_REST_AUTH,
          authTimeout: values.WEBSOCKETS_REST_AUTH_TIMEOUT * 1000,
          most: values.WEBSOCKETS_REST_CONN_LIMIT,
        }
      : null,
    graphql: values.WEBSOCKETS_GRAPHQL_ENABLED
      ? {
          path: values.WEBSOCKETS_GRAPHQL_PATH,
          auth: values.WEBSOCKETS_GRAPHQL_AUTH,
          authTimeout: values.WEBSOCKETS_GRAPHQL_AUTH_TIMEOUT * 1000,
          most: values.WEBSOCKETS_GRAPHQL_CONN_LIMIT,
        }
      : null,
    heartbeat: values.WEBSOCKETS_HEARTBEAT_ENABLED ? values.WEBSOCKETS_HEARTBEAT_PERIOD * 1000 : null,
    perCaller: values.WEBSOCKETS_CALLER_CONN_LIMIT,
    subscriptions: values.WEBSOCKETS_SUBSCRIPTIONS,
    maxMessage: values.MAX_PAYLOAD_SIZE,
    maxBacklog: values.WEBSOCKETS_MAX_BACKLOG,
  }
}
