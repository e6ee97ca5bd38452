/**
 * `fetch` for servers that the operator has named, such as identity providers: only to allowed addresses, without
 * redirects, and with bounds on time and size. Its library is loaded on first use.
 */
import { TandemError } from '../domain/rights/errors.ts'
import type { AddressRule } from './addresses.ts'

/** The parts of a request that its users set. */
export type BoundedRequest = {
  readonly method?: string
  readonly headers?: { readonly [name: string]: string }
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

export type BoundedFetch = (address: string, request: BoundedRequest) => Promise<Response>

export type BoundedFetchOptions = {
  readonly isAllowed: AddressRule
  /** Limit in milliseconds of a request with its answer. */
  readonly timeout: number
  /** Limit of an answer in bytes. */
  readonly most: number
  /** Name of the service in errors. */
  readonly service: string
}

/** Opens no connection yet. Throws `unavailable` if there is no whole answer. */
export function createBoundedFetch(options: BoundedFetchOptions): {
  readonly fetch: BoundedFetch
  readonly close: () => Promise<void>
} {
  type Web = Awaited<ReturnType<typeof openWeb>>
  let opened: Promise<Web> | null = null
  const fetch: BoundedFetch = async (address, request) => {
    const { service, timeout, most } = options
    const limit = AbortSignal.timeout(timeout)
    const signal = request.signal === undefined ? limit : AbortSignal.any([limit, request.signal])
    try {
      const web = await (opened ??= openWeb(options.isAllowed))
      const response = await web.fetch(address, { ...request, signal } as Parameters<Web['fetch']>[1])
      const bytes = await readBounded(response.body, most)
      // Responses with these statuses have no body.
      const body = [101, 204, 205, 304].includes(response.status) ? null : bytes
      return new Response(body, { status: response.status, headers: [...response.headers] })
    } catch (cause) {
      throw new TandemError({ kind: 'unavailable', service, reason: 'It gives no answer', retryAfter: 30 }, { cause })
    }
  }
  return { fetch, close: async () => (await opened)?.close() }
}

async function openWeb(isAllowed: AddressRule) {
  const [{ Agent, fetch }, { guardedConnector }] = await Promise.all([import('undici'), import('./guarded-fetch.ts')])
  const dispatcher = new Agent({ connect: guardedConnector(isAllowed), connections: 16 })
  return {
    fetch: (address: string, request: NonNullable<Parameters<typeof fetch>[1]>) =>
      fetch(address, { ...request, dispatcher, redirect: 'manual' }),
    close: () => dispatcher.destroy(),
  }
}

async function readBounded(body: AsyncIterable<Uint8Array> | null, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of body ?? []) {
    size += piece.length
    if (size > most) throw new Error(`The answer is larger than ${most} bytes`)
    pieces.push(piece)
  }
  return new Uint8Array(Buffer.concat(pieces))
}
