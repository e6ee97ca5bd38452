/** One request and its answer, as the checks and the reports see them. */

/** Who asks: the administrator, the restricted user of the verifier, or nobody. */
export type Actor = 'admin' | 'reader' | 'public'

export type SentRequest = {
  readonly method: string
  /** Absolute address with its query string. */
  readonly address: string
  readonly as: Actor
  readonly headers: { readonly [name: string]: string }
  /** The body as text, a form, or nothing. */
  readonly body: string | FormData | null
}

export type Answer = {
  readonly status: number
  readonly headers: Headers
  /** Media type without parameters; empty if there is no body. */
  readonly mediaType: string
  readonly bytes: Uint8Array
  readonly text: string
  /** The body parsed as JSON; undefined if it is not JSON. */
  readonly json: unknown
}

export type Exchange = Answer & {
  readonly request: SentRequest
  readonly milliseconds: number
}

/** A failure of the server, and not of the request or of its load. */
export const isServerError = ({ status, headers }: Pick<Answer, 'status' | 'headers'>): boolean =>
  status >= 500 && !(status === 503 && headers.has('retry-after'))

/** `GET /items/articles`: the request in one line. */
export const requestLine = ({ method, address }: SentRequest): string => {
  const { pathname, search } = new URL(address)
  return `${method} ${pathname}${decoded(search)}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** The request as a curl command, with `$TOKEN` in place of the token. */
export function toCurl({ method, address, as, headers, body }: SentRequest): string {
  const parts = ['curl -sg', ...(method === 'GET' ? [] : [`-X ${method}`])]
  if (as !== 'public') parts.push('-H "Authorization: Bearer $TOKEN"')
  for (const [name, value] of Object.entries(headers)) {
    if (name !== 'authorization') parts.push(`-H ${quoted(`${name}: ${value}`)}`)
  }
  if (typeof body === 'string') parts.push(`-d ${quoted(body)}`)
  if (body instanceof FormData) {
    for (const [name, value] of body) {
      parts.push(`-F ${quoted(typeof value === 'string' ? `${name}=${value}` : `${name}=@${value.name}`)}`)
    }
  }
  parts.push(quoted(address))
  return parts.join(' ')
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
