/** One attempt of a delivery: the request, and what its answer means. */
import type {
  SendWebhook,
  Webhook,
  WebhookAnswer,
  WebhookOutcome,
  WebhookSettings,
} from '../../domain/ports/webhooks.ts'
import type { ClaimedDelivery } from '../../sql/statements/webhooks/deliveries.ts'
import { signWebhook } from '../../tokens/webhook-signature.ts'

export type AttemptDependencies = {
  readonly send: SendWebhook
  readonly settings: WebhookSettings
  /** From 0 to 1, made by chance. */
  readonly chance: () => number
  readonly userAgent: string
}

/** `wait`: milliseconds before the next attempt; null = no further attempt. `isGone`: the receiver answered 410. */
export type Attempted = {
  readonly outcome: WebhookOutcome
  readonly status: number | null
  readonly error: string | null
  readonly wait: number | null
  readonly isGone: boolean
}

/** Sends the delivery to its receiver. Never rejects. */
export async function attempt(
  { send, settings, chance, userAgent }: AttemptDependencies,
  webhook: Webhook,
  { delivery, now }: { readonly delivery: ClaimedDelivery; readonly now: Date },
): Promise<Attempted> {
  const { url, method } = webhook
  const { body } = delivery
  const answer = await send({ url, method, body, headers: headersOf(webhook, delivery, { now, userAgent }) }).catch(
    (error: unknown) => reasonOf(error),
  )
  const error = errorOf(answer)
  const status = typeof answer === 'string' ? null : answer.status
  if (error === null) return { outcome: 'delivered', status, error, wait: null, isGone: false }
  const isGone = status === 410
  if (isGone || delivery.attempts >= settings.attempts) return { outcome: 'dead', status, error, wait: null, isGone }
  const retryAfter = typeof answer === 'string' ? null : answer.retryAfter
  const wait = waitAfter(delivery.attempts, settings, { chance: chance(), retryAfter })
  return { outcome: 'failed', status, error, wait, isGone }
}

type AttemptFacts = { readonly now: Date; readonly userAgent: string }

/** The headers of Standard Webhooks, after those configured for the webhook. */
function headersOf(webhook: Webhook, { event, body }: ClaimedDelivery, { now, userAgent }: AttemptFacts) {
  const timestamp = Math.floor(now.getTime() / 1000)
  const secrets = secretsOf(webhook, now)
  const signature = signWebhook(secrets, { id: event, timestamp, body: body ?? '' })
  return {
    'user-agent': userAgent,
    ...Object.fromEntries(webhook.headers.map(({ header, value }) => [header.toLowerCase(), value])),
    ...(body === null ? {} : { 'content-type': 'application/json' }),
    'webhook-id': event,
    'webhook-timestamp': String(timestamp),
    ...(secrets.length === 0 ? {} : { 'webhook-signature': signature }),
  }
}

const secretsOf = ({ secret, previous }: Webhook, now: Date): readonly string[] => [
  ...(secret === null ? [] : [secret]),
  ...(previous !== null && previous.until > now ? [previous.secret] : []),
]

function errorOf(answer: WebhookAnswer | string): string | null {
  if (typeof answer === 'string') return answer
  const { status } = answer
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400
    ? `The receiver answered ${status}, and redirects are not followed`
    : `The receiver answered ${status}`
}

/** The error of a request without an answer, in our own words: texts of libraries may contain secrets. */
function reasonOf(error: unknown): string {
  const { name, message } = error instanceof Error ? error : { name: '', message: '' }
  if (name === 'TimeoutError') return 'The receiver did not answer in time'
  if (message === 'The address is not allowed') return `${message}: WEBHOOKS_IP_ALLOW_LIST allows private ones`
  return 'The receiver could not be reached'
}

/** When a failed delivery is tried again. */
type Waits = Pick<WebhookSettings, 'firstWait' | 'longestWait'>

/**
 * Milliseconds after the attempt with that number, from 1: each wait is three times the one before. `chance`, from 0 to 1,
 * spreads it over its upper half, so that receivers that come back do not get everything at once. The receiver may
 * request more (`retryAfter`, in seconds).
 * @example waitAfter(2, { firstWait: 5000, longestWait: 60000 }, { chance: 1, retryAfter: null }) // 15000
 */
function waitAfter(
  attempt: number,
  { firstWait, longestWait }: Waits,
  { chance, retryAfter }: { readonly chance: number; readonly retryAfter: number | null },
): number {
  const whole = Math.min(longestWait, firstWait * 3 ** (attempt - 1))
  return Math.round(Math.max(whole * (0.5 + chance / 2), Math.min(longestWait, (retryAfter ?? 0) * 1000)))
}
