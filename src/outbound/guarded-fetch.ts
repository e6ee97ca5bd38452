/**
 * Downloads on behalf of clients, protected against server-side request forgery. The rule is checked for the address of
 * every connection, including redirects. DNS rebinding and unusual spellings of addresses are therefore covered.
 */
import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { Agent, buildConnector, fetch, type Response } from 'undici'
import type { Fetched, Outbound } from '../domain/ports/outbound.ts'
import { TandemError } from '../domain/rights/errors.ts'
import type { AddressRule } from './addresses.ts'

const mostRedirects = 5

export type ClosableOutbound = Outbound & { readonly close: () => Promise<void> }

/** Creates a client that connects only to allowed addresses. It opens no connection yet. */
export function createGuardedFetch(isAllowed: AddressRule): ClosableOutbound {
  const agent = new Agent({
    connect: guardedConnector(isAllowed),
    headersTimeout: 30_000,
    bodyTimeout: 60_000,
    connections: 32,
  })
  return {
    async fetchFile(address, { timeout, signal, headers = {} }) {
      const limit = AbortSignal.timeout(timeout)
      const both = signal === undefined ? limit : AbortSignal.any([limit, signal])
      let url = readAddress(address)
      for (let hop = 0; hop <= mostRedirects; hop += 1) {
        const response = await fetchOnce({ dispatcher: agent, url, signal: both, headers })
        const next = redirectOf(response)
        if (next === null) return toFetched(response, url)
        await response.body?.cancel()
        url = readRedirect(next, url)
      }
      throw unavailable(new Error('Too many redirects'))
    },
    close: () => agent.destroy(),
  }
}

/** Looks the addresses of a name up. */
export type Resolve = typeof lookup

/** Connects only to allowed addresses, however they are written. */
export function guardedConnector(isAllowed: AddressRule, resolve: Resolve = lookup): buildConnector.connector {
  const connect = buildConnector({ timeout: 10_000, lookup: guardedLookup(isAllowed, resolve) })
  return (options, done) => {
    const host = options.hostname.replace(/^\[(.*)\]$/, '$1')
    // A literal address is not looked up, so it is checked here.
    if (isIP(host) !== 0 && !isAllowed(host)) return done(new Error('The address is not allowed'), null)
    connect(options, (...result) => {
      const [error, socket] = result
      if (error !== null || isAllowed(socket.remoteAddress ?? '')) return done(...result)
      socket.destroy()
      done(new Error('The address is not allowed'), null)
    })
  }
}

/** A DNS look-up that returns only allowed addresses. */
const guardedLookup =
  (isAllowed: AddressRule, resolve: Resolve): LookupFunction =>
  (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      const [first, ...rest] = (addresses ?? []).filter(({ address }) => isAllowed(address))
      if (error !== null) done(error, '', 0)
      else if (first === undefined) done(new Error('The address is not allowed'), '', 0)
      else if (options.all === true) done(null, [first, ...rest])
      else done(null, first.address, first.family)
    })
  }

type FetchTarget = {
  readonly dispatcher: Agent
  readonly url: URL
  readonly signal: AbortSignal
  readonly headers: { readonly [name: string]: string }
}

async function fetchOnce({ dispatcher, url, signal, headers: input }: FetchTarget): Promise<Response> {
  try {
    // Compressed contents must be stored as they are.
    const headers = { ...input, accept: '*/*', 'accept-encoding': 'identity' }
    return await fetch(url, { dispatcher, signal, headers, redirect: 'manual' })
  } catch (cause) {
    throw unavailable(cause)
  }
}

const redirectOf = ({ status, headers }: Response): string | null =>
  [301, 302, 303, 307, 308].includes(status) ? headers.get('location') : null

async function toFetched(response: Response, url: URL): Promise<Fetched> {
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel()
    throw unavailable(new Error(`Answered ${response.status}`))
  }
  const type = (response.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const stream = Readable.fromWeb(response.body)
  stream.on('error', () => {})
  return { url, type: type === '' ? 'application/octet-stream' : type, stream }
}

function readAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url !== null && isWeb(url) && url.username === '' && url.password === '') return url
  const reason = 'Expected an http or https address without a user name for "url"'
  throw new TandemError({ kind: 'invalid-payload', name: 'url', reason })
}

function readRedirect(text: string, base: URL): URL {
  const url = URL.canParse(text, base) ? new URL(text, base) : null
  if (url !== null && isWeb(url)) return url
  throw unavailable(new Error('Redirected to an invalid URL'))
}

const isWeb = ({ protocol }: URL): boolean => protocol === 'http:' || protocol === 'https:'

/** One error for all failures, so that they reveal nothing about the internal network. */
const unavailable = (cause: unknown): TandemError =>
  new TandemError({ kind: 'unavailable', service: 'external-file', reason, retryAfter: 30 }, { cause })

const reason =
  'The file could not be fetched. Private addresses are refused unless IMPORT_IP_ALLOW_LIST has them, and this host unless IMPORT_IP_DENY_LIST is without 0.0.0.0 as well'
