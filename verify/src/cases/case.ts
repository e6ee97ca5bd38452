/** A case: one request to one operation, and its expected kind of outcome. */
import { type Pairs, pairsText, pathText, toBrackets, toPairs } from '../http/query.ts'
import type { Operation, Parameter } from '../spec/operations.ts'

/** A valid token; a token that nobody has; a token with a foreign signature. */
type Credentials = 'valid' | 'unknown' | 'forged'

export type Case = {
  readonly operation: Operation
  readonly kind: 'positive' | 'negative'
  readonly rule: string
  /** The parameter or key that the error must name; null if there is none. */
  readonly name: string | null
  readonly credentials: Credentials
  readonly request: CaseRequest
  /** The case depends on data, so only a real server can judge it. */
  readonly needsData: boolean
  /** Cases with the same question differ only in their operation, so one of them is enough. Null = always asked. */
  readonly question: string | null
}

type CaseRequest = {
  readonly method: string
  /** Path and query string. */
  readonly target: string
  readonly headers: { readonly [name: string]: string }
  readonly mediaType: string | null
  readonly body: string | null
}

/** Parts of a request before they are serialised. */
export type Draft = {
  readonly path: { readonly [name: string]: unknown }
  readonly query: Pairs
  readonly body: unknown
  readonly mediaType?: string
  readonly text?: string
  readonly headers?: CaseRequest['headers']
}

export const refused = { kind: 'negative', name: null, needsData: false } as const
export const accepted = { kind: 'positive', name: null, needsData: false } as const

/** The minimal valid request: required and usual parameters, and the first example of the body. */
export function good(operation: Operation): Draft {
  const required = operation.parameters.filter((each) => each.required || each.usual)
  const path = Object.fromEntries(required.map((each) => [each.name, each.examples[0]?.value]))
  const query = required
    .filter((each) => each.in === 'query')
    .flatMap((each) => toPairs(each.name, each.examples[0]?.value))
  // Header examples are included, because the protocol requires them even where another value is invalid.
  const headers = Object.fromEntries(
    operation.parameters.flatMap((each) =>
      each.in === 'header' && each.examples.length > 0 ? [[each.name, String(each.examples[0]?.value)] as const] : [],
    ),
  )
  return { path, query, headers, ...bodyOf(operation, operation.body?.examples[0]?.value) }
}

/** The example of a binary body is sent unchanged. */
export const bodyOf = ({ body }: Operation, value: unknown): Pick<Draft, 'body' | 'mediaType' | 'text'> =>
  body === null || !isRawBody(body)
    ? { body: value }
    : { body: undefined, mediaType: String(body.mediaTypes[0]), text: String(value) }

/** Whether the body is binary, so that it cannot be malformed. */
export const isRawBody = ({ mediaTypes }: NonNullable<Operation['body']>): boolean =>
  mediaTypes.every((each) => each.endsWith('octet-stream'))

/** The minimal valid request of an operation as a case. */
export const plainCase = (operation: Operation): Case =>
  toCase(operation, good(operation), { ...accepted, rule: plainRule })

export const plainRule = 'the plainest request'

/** The value of a parameter in all notations that the operation accepts. */
export function spellings(
  operation: Operation,
  parameter: Parameter,
  value: unknown,
): readonly (readonly [string, Draft])[] {
  const plain = good(operation)
  if (parameter.in === 'path') return [['', { ...plain, path: { ...plain.path, [parameter.name]: value } }]]
  if (parameter.in === 'header') return [['', withHeader(plain, parameter.name, String(value))]]
  const rest = plain.query.filter(([name]) => name !== parameter.name)
  const written: [string, Draft][] = [['', { ...plain, query: [...rest, ...toPairs(parameter.name, value)] }]]
  if (isObject(value))
    written.push([' in brackets', { ...plain, query: [...rest, ...toBrackets(parameter.name, value)] }])
  if (operation.search) written.push([' by SEARCH', asSearch(plain, { [parameter.name]: value })])
  return written
}

export const withHeader = (plain: Draft, name: string, value: string): Draft => ({
  ...plain,
  headers: { ...plain.headers, [name]: value },
})

/** The draft as SEARCH, with these parameters and those that the operation requires. */
export const asSearch = (plain: Draft, values: { readonly [name: string]: unknown }): Draft => ({
  ...plain,
  query: [],
  body: { query: { ...Object.fromEntries(plain.query), ...values } },
})

export function toCase(
  operation: Operation,
  draft: Draft,
  facts: Pick<Case, 'kind' | 'rule' | 'name' | 'needsData'> & Partial<Pick<Case, 'credentials' | 'question'>>,
): Case {
  const isSearch = operation.search && (draft.body !== undefined || draft.text !== undefined)
  const isForm = draft.text === undefined && operation.body?.mediaTypes[0] === 'multipart/form-data'
  const write = isForm ? formText : JSON.stringify
  const body = draft.text ?? (draft.body === undefined ? null : write(draft.body))
  const query = pairsText(draft.query)
  const target = `${pathText(operation.path, draft.path)}${query === '' ? '' : `?${query}`}`
  return {
    credentials: 'valid',
    question: null,
    ...facts,
    operation,
    request: {
      method: isSearch ? 'SEARCH' : operation.method,
      target,
      headers: draft.headers ?? {},
      mediaType: body === null ? null : (draft.mediaType ?? (isForm ? formType : 'application/json')),
      body,
    },
  }
}

const boundary = 'a-form-of-the-contract'
const formType = `multipart/form-data; boundary=${boundary}`

/** A multipart form: text parts as CSV files, other values as plain parts. */
function formText(body: unknown): string {
  const parts = Object.entries(isObject(body) ? body : {}).map(([name, value]) => {
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="${name}"`
    if (typeof value !== 'string') return `${head}\r\n\r\n${JSON.stringify(value)}\r\n`
    return `${head}; filename="rows.csv"\r\ncontent-type: text/csv\r\n\r\n${value}\r\n`
  })
  return `${parts.join('')}--${boundary}--\r\n`
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
