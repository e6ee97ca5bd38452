/** Sends a case to a server and reads the answer. */
import type { Case } from './cases.ts'
import type { Answer } from './checks.ts'

/** Longest that any answer may take. */
const patience = 10_000

export type Sender = {
  readonly url: string
  readonly token: string | null
}

/** Sends the request of a case. */
export async function sendCase(each: Case, { url, token }: Sender): Promise<Answer> {
  const { method, target, mediaType, body } = each.request
  const headers = new Headers()
  if (mediaType !== null) headers.set('content-type', mediaType)
  if (each.credentials === 'wrong') headers.set('authorization', `Bearer ${wrongToken}`)
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

/** Nobody's token. */
export const wrongToken = 'nobody-has-this-token'

/** Reads a response as far as checks need it. */
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
