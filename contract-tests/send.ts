/** Sends one request of a test: JSON in, JSON out. */

/** `body` is the JSON of the answer, or its text; null if it is empty. */
export type Reply = {
  readonly status: number
  readonly body: unknown
  readonly text: string
  readonly headers: Headers
}

export type RequestOptions = {
  readonly body?: unknown
  readonly token?: string | null
  readonly headers?: HeadersInit | undefined
}

/** `send(url, 'PATCH /items/shop/1', { body, token })`. Text and forms are sent as they are, other bodies as JSON. */
export async function send(
  url: string,
  request: string,
  { body, token = null, headers }: RequestOptions = {},
): Promise<Reply> {
  const [method = 'GET', path = '/'] = request.split(' ', 2)
  const sent = new Headers(headers)
  if (token !== null) sent.set('authorization', `Bearer ${token}`)
  const isPlain = typeof body === 'string' || body instanceof FormData
  if (body !== undefined && !(body instanceof FormData) && !sent.has('content-type'))
    sent.set('content-type', 'application/json')
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: sent,
    ...(body === undefined ? {} : { body: isPlain ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: parsed(text), text, headers: response.headers }
}

/** The `data` of an answer in JSON. */
export const dataIn = ({ body }: Reply): unknown => (body as { readonly data?: unknown } | null)?.data

function parsed(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return text
  }
}
