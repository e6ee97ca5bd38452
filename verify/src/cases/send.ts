import { type Ask, createAsk } from '../http/client.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Case } from './case.ts'

/** Sends the request of a case as the administrator, or as whoever its credentials are of. */
export async function askCase(ask: Ask, { request, credentials, operation, kind }: Case): Promise<Exchange> {
  const { method, target, mediaType, body } = request
  const type = mediaType === null ? {} : { 'content-type': mediaType }
  const token = credentials === 'valid' ? {} : { authorization: `Bearer ${badTokens[credentials]}` }
  return ask(`${method} ${target}`, {
    as: credentials === 'valid' && operation.secured ? 'admin' : 'public',
    headers: { ...request.headers, ...type, ...token },
    isRefusal: kind === 'negative',
    ...(body === null ? {} : { body }),
  })
}

/** Time limit of a response, which a busy machine needs. */
const budget = 25_000

const { signal } = new AbortController()

type Sender = {
  readonly url: string
  readonly token: string | null
}

export const sendCase = (each: Case, { url, token }: Sender): Promise<Exchange> =>
  askCase(createAsk({ url, tokens: { admin: token, reader: null, public: null }, budget, repeats: 0, signal }), each)

const part = (value: object): string => btoa(JSON.stringify(value)).replaceAll('=', '')

/** An unknown token, and a token with valid claims and a foreign signature. */
export const badTokens = { unknown: 'nobody-has-this-token', forged: forgedToken() } as const

function forgedToken(): string {
  const claims = { id: 1, session: '1', iss: 'platform', project: '_', exp: 4_000_000_000 }
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}.c2lnbmVkLWJ5LWEtc3RyYW5nZXI`
}
