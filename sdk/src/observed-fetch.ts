/** For tests: a fetch that replies from a list and records requests. */

export type ObservedRequest = {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: string | null
  readonly signal: AbortSignal | null
}

export type Reply = {
  readonly status?: number
  readonly body?: unknown
  readonly headers?: { readonly [name: string]: string }
}

/** Replies in order, repeating the last one. An Error is thrown; `hang` waits for the signal. */
export function observedFetch(replies: readonly (Reply | Error | 'hang')[]): {
  readonly fetch: typeof fetch
  readonly asked: readonly ObservedRequest[]
} {
  const requests: ObservedRequest[] = []
  const fetch = async (url: unknown, init: RequestInit = {}): Promise<Response> => {
    const reply = replies[Math.min(requests.length, replies.length - 1)]
    const { method = 'GET', headers, body, signal = null } = init
    requests.push({
      url: url as string,
      method,
      headers: new Headers(headers),
      body: body as string | null,
      signal,
    })
    if (reply instanceof Error) throw reply
    if (reply === 'hang') return hang(signal)
    return toResponse(reply ?? {})
  }
  return { fetch, asked: requests }
}

function toResponse({ status = 200, body, headers }: Reply): Response {
  const text = body === undefined ? null : JSON.stringify(body)
  return new Response(text, { status, headers: { 'content-type': 'application/json', ...headers } })
}

function hang(signal: AbortSignal | null): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}
