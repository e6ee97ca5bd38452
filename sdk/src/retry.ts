/** Retries: when, and how long to wait. */

export type Retry = {
  /** Maximum number of retries; 0 disables them. */
  readonly times: number
  /** Milliseconds before the first retry; doubled for each further one. */
  readonly first: number
  /** Maximum wait in milliseconds, whatever the server requests. */
  readonly longest: number
}

export const defaultRetry: Retry = { times: 2, first: 200, longest: 10_000 }

/** Requests that change nothing are retried; writes only with a key, so that none is done twice. */
export const isSafe = (method: string): boolean => ['GET', 'HEAD', 'SEARCH'].includes(method)

/** Exponential backoff with jitter: half of the wait is random, so that many clients do not return at once. */
export function backOff(retry: Retry, attempt: number, random: () => number): number {
  return Math.min(retry.longest, retry.first * 2 ** attempt) * (0.5 + random() / 2)
}

/** The wait that a 429 or 503, or a 409 (the first request with the key is in progress), requests in `Retry-After` (seconds or a date); null if the response is final. */
export function askedWait(response: Response, retry: Retry, now: () => number): number | null {
  const header = [409, 429, 503].includes(response.status) ? response.headers.get('retry-after') : null
  if (header === null) return null
  const milliseconds = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now()
  return Number.isNaN(milliseconds) ? null : Math.min(retry.longest, Math.max(0, milliseconds))
}

/** Resolves after `milliseconds`, rejects with the signal's reason when it fires first. */
export function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
