import { parseOr } from '../parse-or.ts'
import type { Ids } from '../ports/context.ts'
import { invalidPayload } from '../rights/errors.ts'

type Rule = (value: unknown, field: string) => unknown

/** Generates a secret of 24 bytes. */
export const createWebhookSecret = ({ token }: Ids): string =>
  `whsec_${token(32).replaceAll('-', '+').replaceAll('_', '/')}`

const base64 = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/

/** Whether the text is a secret: the prefix, and 24 to 64 bytes in Base64. */
function isWebhookSecret(text: string): boolean {
  const [, encoded = ''] = base64.exec(text) ?? []
  const length = (encoded.length / 4) * 3 - (encoded.match(/=/g)?.length ?? 0)
  return length >= 24 && length <= 64
}

const refuse = (field: string, expected: string, received: unknown): never => {
  throw invalidPayload(
    field,
    `Expected ${expected} for "${field}" but received ${JSON.stringify(received).slice(0, 100)}`,
  )
}

/** An address without credentials, which would be shown and logged. */
const address: Rule = (value, field) => {
  const url = URL.parse(String(value))
  const isWeb = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  return isWeb ? value : refuse(field, 'an http or https address without credentials', value)
}

const kinds = ['create', 'update', 'delete'] as const

/** Stored in one order, each once. */
const actions: Rule = (value, field) => {
  const names = Array.isArray(value) ? value.map(String) : String(value).split(',')
  const isKnown = names.every((each) => kinds.some((kind) => kind === each))
  return isKnown
    ? kinds.filter((kind) => names.includes(kind)).join(',')
    : refuse(field, `some of ${kinds.join(', ')}`, value)
}

/** A secret is not repeated in the error. */
const secret: Rule = (value, field) => {
  if (isWebhookSecret(String(value))) return value
  throw invalidPayload(field, `Expected "whsec_" and 24 to 64 bytes in Base64 for "${field}"`)
}

/** Headers that describe the message, or that the server signs. */
const own =
  /^(?:host|connection|content-length|content-type|transfer-encoding|upgrade|te|trailer|expect|keep-alive|webhook-.*)$/i

const mostHeaders = 50

const isHeader = (entry: unknown): boolean => {
  const { header, value, ...rest } = (entry ?? {}) as { readonly header?: unknown; readonly value?: unknown }
  const isNamed = typeof header === 'string' && /^[!#$%&'*+.^_`|~\w-]{1,255}$/.test(header) && !own.test(header)
  return (
    isNamed &&
    typeof value === 'string' &&
    /^[\t\x20-\x7e\x80-\xff]{0,4000}$/.test(value) &&
    Object.keys(rest).length === 0
  )
}

/** The values may be secrets, so the error does not repeat them. */
const headers: Rule = (value, field) => {
  const list = typeof value === 'string' ? parseOr(value, null) : value
  if (Array.isArray(list) && list.length <= mostHeaders && list.every(isHeader)) return value
  const expected = `a list of at most ${mostHeaders} objects with "header" and "value", without headers of the message itself`
  throw invalidPayload(field, `Expected ${expected}, for "${field}"`)
}

export const webhookRules = {
  url: address,
  actions,
  headers,
  secret,
} satisfies { readonly [field: string]: Rule }
