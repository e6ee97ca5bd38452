/** When a failed delivery is tried again. */
import type { WebhookSettings } from '../../domain/ports/webhooks.ts'

type Waits = Pick<WebhookSettings, 'firstWait' | 'longestWait'>

/**
 * Milliseconds after the attempt with that number, from 1: each wait is three times the one before. `chance`, from 0 to 1,
 * spreads it over its upper half, so that receivers that come back do not get everything at once. The receiver may
 * request more (`retryAfter`, in seconds).
 * @example waitAfter(2, { firstWait: 5000, longestWait: 60000 }, { chance: 1, retryAfter: null }) // 15000
 */
export function waitAfter(
  attempt: number,
  { firstWait, longestWait }: Waits,
  { chance, retryAfter }: { readonly chance: number; readonly retryAfter: number | null },
): number {
  const whole = Math.min(longestWait, firstWait * 3 ** (attempt - 1))
  return Math.round(Math.max(whole * (0.5 + chance / 2), Math.min(longestWait, (retryAfter ?? 0) * 1000)))
}
