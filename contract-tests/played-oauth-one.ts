/** A provider of OAuth 1.0a for tests, which checks every signature by itself. */
import { createHmac, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { listen } from './listen.ts'

type Json = { readonly [name: string]: unknown }

export type PlayedOAuthOne = {
  readonly url: string
  /** Logs somebody in on the login page: the address to which the browser returns. */
  readonly consent: (page: string, profile: Json) => URL
  /** Replaces the answer to a path. */
  answers: { readonly [path: string]: string }
  readonly close: () => Promise<void>
}

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)

type Granted = { readonly secret: string; readonly callback?: string; verifier?: string; profile?: Json }

/** Starts the provider on a free port. */
export async function playOAuthOne(clientSecret: string): Promise<PlayedOAuthOne> {
  const tokens = new Map<string, Granted>()
  const { url, close } = await listen((request, response) => answer(request, response))

  /** The parameters of a request, if its signature is right. */
  const readSigned = (request: IncomingMessage): Map<string, string> | null => {
    const header = String(request.headers.authorization)
    const given = new Map(
      [...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, decodeURIComponent(value)]),
    )
    const address = new URL(request.url ?? '/', url)
    const signature = given.get('oauth_signature')
    given.delete('oauth_signature')
    const pairs = [...given, ...address.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`)
    const text = [request.method ?? '', `${url}${address.pathname}`, pairs.toSorted().join('&')].map(encode).join('&')
    const secret = tokens.get(given.get('oauth_token') ?? '')?.secret ?? ''
    const expected = createHmac('sha1', `${encode(clientSecret)}&${encode(secret)}`)
      .update(text)
      .digest('base64')
    return signature === expected ? given : null
  }

  const grant = (granted: Omit<Granted, 'secret'>): string => {
    const [token, secret] = [randomUUID(), randomUUID()]
    tokens.set(token, { ...granted, secret })
    return new URLSearchParams({
      oauth_token: token,
      oauth_token_secret: secret,
      oauth_callback_confirmed: 'true',
    }).toString()
  }

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const { pathname } = new URL(request.url ?? '/', url)
    const given = readSigned(request)
    if (given === null) return void response.writeHead(401).end()
    const lie = played.answers[pathname]
    if (lie !== undefined) return void response.end(lie)
    if (pathname === '/request') return void response.end(grant({ callback: given.get('oauth_callback') ?? '' }))
    const held = tokens.get(given.get('oauth_token') ?? '')
    if (pathname === '/profile') return void response.end(JSON.stringify(held?.profile))
    if (held?.verifier === undefined || held.verifier !== given.get('oauth_verifier'))
      return void response.writeHead(401).end()
    tokens.delete(given.get('oauth_token') ?? '')
    response.end(grant(held.profile === undefined ? {} : { profile: held.profile }))
  }

  const played: PlayedOAuthOne = {
    url,
    answers: {},
    consent(page, profile) {
      const token = new URL(page).searchParams.get('oauth_token') ?? ''
      const held = tokens.get(token)
      if (held?.callback === undefined) throw new Error('Nobody has asked for this token')
      const verifier = randomUUID()
      tokens.set(token, { ...held, verifier, profile })
      const back = new URL(held.callback)
      back.searchParams.set('oauth_token', token)
      back.searchParams.set('oauth_verifier', verifier)
      return back
    },
    close,
  }
  return played
}
