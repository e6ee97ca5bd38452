/** Sends a case to a server and reads the answer. */
import type { Case } from './case.ts'
import type { Answer } from './checks.ts'

/** Time limit of a response. */
const patience = 10_000

export type Sender = {
  readonly url: string
  readonly token: string | null
}

/** Sends the request of a case. */
export async function sendCase(each: Case, { url, token }: Sender): Promise<Answer> {
  const { method, target, mediaType, body } = each.request
  const headers = new Headers(each.request.headers)
  if (mediaType !== null) headers.set('content-type', mediaType)
  if (each.credentials !== 'valid') headers.set('authorization', `Bearer ${badTokens[each.credentials]}`)
  else if (token !== null && each.operation.secured) headers.set('authorization', `Bearer ${token}`)
  const response = await fetch(`${url}${target}`, {
    method,
    headers,
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(patience),
  })
  return readAnswer(response)
}

const part = (value: object): string => btoa(JSON.stringify(value)).replaceAll('=', '')

/** An unknown token, and a token with valid claims and a foreign signature. */
export const badTokens = { unknown: 'nobody-has-this-token', forged: forgedToken() } as const

function forgedToken(): string {
  const claims = { id: 1, session: '1', iss: 'platform', project: '_', exp: 4_000_000_000 }
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}.c2lnbmVkLWJ5LWEtc3RyYW5nZXI`
}

/** Reads the parts of a response that the checks need. */
export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text()
  const [mediaType = ''] = (response.headers.get('content-type') ?? '').split(';')
  return {
    status: response.status,
    mediaType: mediaType.trim(),
    retryAfter: response.headers.get('retry-after'),
    text,
    json: parse(text),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
