/** Signatures of webhooks, as Standard Webhooks describes them. */
import { createHmac } from 'node:crypto'

const prefix = 'whsec_'

export type SignedMessage = {
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly body: string
}

/** The value of the header `webhook-signature`: one signature for each secret (`whsec_` and Base64). */
export const signWebhook = (secrets: readonly string[], { id, timestamp, body }: SignedMessage): string =>
  secrets
    .map((secret) => createHmac('sha256', Buffer.from(secret.slice(prefix.length), 'base64')))
    .map((hmac) => `v1,${hmac.update(`${id}.${timestamp}.${body}`).digest('base64')}`)
    .join(' ')
