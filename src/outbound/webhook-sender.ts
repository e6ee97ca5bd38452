/**
 * Sends webhooks to allowed addresses: without redirects, with a limit on the time, and without keeping what the receiver
 * answers beyond its status. Its library is loaded on first use.
 */
import type { SendWebhook } from '../domain/ports/webhooks.ts'
import type { AddressRule } from './addresses.ts'
import type { Resolve } from './guarded-fetch.ts'

export type WebhookSender = { readonly send: SendWebhook; readonly close: () => Promise<void> }

/** Bytes of an answer that are read so that its connection can be used again; beyond it the connection is closed. */
const mostOfAnswer = 16_384

/** `timeout` in milliseconds; `connections`: those to one receiver. */
type SenderOptions = { readonly timeout: number; readonly connections: number; readonly resolve?: Resolve }

/** Opens no connection yet. */
export function createWebhookSender(
  isAllowed: AddressRule,
  { timeout, connections, resolve }: SenderOptions,
): WebhookSender {
  type Web = Awaited<ReturnType<typeof openWeb>>
  let opened: Promise<Web> | null = null
  return {
    async send({ url, method, headers, body }) {
      const web = await (opened ??= openWeb(isAllowed, { connections, resolve }))
      const signal = AbortSignal.timeout(timeout)
      const answer = await web.request(url, { method, headers, body, signal })
      const { statusCode: status, headers: answered } = answer
      await answer.body.dump({ limit: mostOfAnswer, signal }).catch(() => undefined)
      return { status, retryAfter: toSeconds(answered['retry-after']) }
    },
    close: async () => (await opened)?.close(),
  }
}

async function openWeb(
  isAllowed: AddressRule,
  { connections, resolve }: Pick<SenderOptions, 'connections'> & { readonly resolve: Resolve | undefined },
) {
  const [{ Agent, request }, { guardedConnector }] = await Promise.all([import('undici'), import('./guarded-fetch.ts')])
  const dispatcher = new Agent({ connect: guardedConnector(isAllowed, resolve), connections })
  return {
    request: (url: string, options: Omit<NonNullable<Parameters<typeof request>[1]>, 'dispatcher'>) =>
      request(url, { ...options, dispatcher }),
    close: () => dispatcher.destroy(),
  }
}

/** A number of seconds, or a date (RFC 9110, section 10.2.3). */
function toSeconds(value: string | readonly string[] | undefined): number | null {
  if (typeof value !== 'string') return null
  if (/^\d{1,9}$/.test(value)) return Number(value)
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, (date - Date.now()) / 1000)
}
