/** A planted defect, and the small words that defects are written with. */
import type { Forward, ProxyAnswer, ProxyRequest, Tamper } from './proxy.ts'

export type Defect = {
  readonly name: string
  /** A part of the titles of the checks that are asked first. */
  readonly hint: string
  readonly tamper: Tamper
}

/** Every token of these defects is that of the administrator or of the restricted user. */
export type Tokens = { readonly admin: string }

type Json = { [key: string]: unknown }
export type Row = { [field: string]: unknown }

export type Test = (request: ProxyRequest) => boolean

/** `/items/tv_…_articles`, with or without a key. */
export const isItems: Test = ({ path }) => path.startsWith('/items/tv_')
export const isList: Test = (request) =>
  isItems(request) && request.method === 'GET' && /^\/items\/\w+$/.test(request.path)
export const isOne: Test = (request) =>
  isItems(request) && request.method === 'GET' && /^\/items\/\w+\/\w+$/.test(request.path)
export const isArticles: Test = (request) => isList(request) && request.path.endsWith('_articles')
export const isDrafts: Test = ({ path }) => /^\/items\/tv_\w+_drafts/.test(path)
export const isLegacy: Test = ({ path, method }) => path.startsWith('/_/items/') && method === 'GET'
export const isGraphql: Test = ({ path }) => path === '/graphql'
export const isMethod =
  (method: string, test: Test): Test =>
  (request) =>
    request.method === method && test(request)

/** Whether the restricted user asks. */
export const isReader =
  ({ admin }: Tokens, test: Test): Test =>
  (request) => {
    const token = request.headers.get('authorization')
    return token !== null && token.startsWith('Bearer tv_') && token !== `Bearer ${admin}` && test(request)
  }

/** Changes requests that pass the test. */
export const onRequest =
  (test: Test, change: (request: ProxyRequest) => ProxyRequest): Tamper =>
  (request, forward) =>
    forward(test(request) ? change(request) : request)

/** Changes the JSON of requests that pass the test. */
export const onSent = (test: Test, change: (body: Json, request: ProxyRequest) => unknown): Tamper =>
  onRequest(test, (request) => withJson(request, (body) => change(body, request)))

/** Changes one parameter of requests that pass the test and have it. */
export const onParameter = (test: Test, name: string, change: (value: string) => string | null): Tamper =>
  onRequest(test, withParameter(name, change))

/** Changes answers to requests that pass the test. */
export const onAnswer =
  (test: Test, change: (answer: ProxyAnswer, request: ProxyRequest) => ProxyAnswer): Tamper =>
  async (request, forward) => {
    const answer = await forward(request)
    return test(request) ? change(answer, request) : answer
  }

/** Changes the rows of successful answers: a list, or one row. */
export const onRows = (test: Test, change: (row: Row) => Row): Tamper =>
  onAnswer(test, (answer) =>
    onData(answer, (data) => (Array.isArray(data) ? (data as Row[]).map(change) : change(data as Row))),
  )

/** Changes one field of the rows that have a value of it. */
export const onField = (test: Test, field: string, change: (value: unknown) => unknown): Tamper =>
  onRows(test, (row) => ((row[field] ?? null) === null ? row : { ...row, [field]: change(row[field]) }))

/** Changes the JSON of successful answers. */
export const onAnswered = (test: Test, change: (body: Json, request: ProxyRequest) => unknown): Tamper =>
  onAnswer(test, (answer, request) => onBody(answer, (body) => change(body, request)))

export const onLists = (test: Test, change: (rows: Row[]) => Row[]): Tamper =>
  onAnswer(test, (answer) => onData(answer, (data) => (Array.isArray(data) ? change(data as Row[]) : data)))

export const onData = (answer: ProxyAnswer, change: (data: unknown) => unknown): ProxyAnswer =>
  onBody(answer, (body) =>
    body['data'] === undefined || body['data'] === null ? body : { ...body, data: change(body['data']) },
  )

/** Changes the JSON of a successful answer. */
export function onBody(answer: ProxyAnswer, change: (body: Json) => unknown): ProxyAnswer {
  if (answer.status >= 300 || answer.body.length === 0) return answer
  try {
    const body: unknown = JSON.parse(answer.body.toString())
    return typeof body === 'object' && body !== null ? withBody(answer, change(body as Json)) : answer
  } catch {
    return answer
  }
}

export const withBody = (answer: ProxyAnswer, body: unknown): ProxyAnswer => ({
  ...answer,
  body: Buffer.from(JSON.stringify(body)),
})

export const answerWith = (status: number, body?: unknown): ProxyAnswer => ({
  status,
  headers: new Headers(body === undefined ? {} : { 'content-type': 'application/json' }),
  body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
})

export function withQuery(request: ProxyRequest, change: (query: URLSearchParams) => void): ProxyRequest {
  const query = new URLSearchParams(request.query)
  change(query)
  return { ...request, query }
}

/** The object without a key. */
export const without = (name: string, object: Row): Row =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key !== name))

/** The request with one parameter changed, if there is one. */
export const withParameter =
  (name: string, change: (value: string) => string | null) =>
  (request: ProxyRequest): ProxyRequest =>
    withQuery(request, (query) => {
      const value = query.get(name)
      if (value === null) return
      const next = change(value)
      if (next === null) query.delete(name)
      else query.set(name, next)
    })

export const withoutParameter = (name: string) => withParameter(name, () => null)

export function withJson(request: ProxyRequest, change: (body: Json) => unknown): ProxyRequest {
  if (request.body === null) return request
  try {
    const body: unknown = JSON.parse(request.body.toString())
    if (typeof body !== 'object' || body === null) return request
    return { ...request, body: Buffer.from(JSON.stringify(change(body as Json))) }
  } catch {
    return request
  }
}

export const jsonOf = (request: ProxyRequest): unknown => {
  try {
    return request.body === null ? null : JSON.parse(request.body.toString())
  } catch {
    return null
  }
}

export const rowsOf = (answer: ProxyAnswer): readonly Row[] =>
  (JSON.parse(answer.body.toString()) as { readonly data: Row[] }).data

/** The request as the administrator sends it. */
export function asAdmin({ admin }: Tokens, request: ProxyRequest): ProxyRequest {
  const headers = new Headers(request.headers)
  headers.set('authorization', `Bearer ${admin}`)
  return { ...request, headers }
}

/** The request or answer without a header. */
export const withoutHeader =
  (name: string) =>
  <Given extends ProxyRequest | ProxyAnswer>(given: Given): Given => {
    const headers = new Headers(given.headers)
    headers.delete(name)
    return { ...given, headers }
  }

/** A request of the proxy itself, as the one that came. */
export const another = (request: ProxyRequest, method: string, path: string, body: unknown = null): ProxyRequest => {
  const headers = new Headers(request.headers)
  headers.delete('if-match')
  if (body !== null) headers.set('content-type', 'application/json')
  return {
    method,
    path,
    query: new URLSearchParams(),
    headers,
    body: body === null ? null : Buffer.from(JSON.stringify(body)),
  }
}

export type { Forward, ProxyAnswer, ProxyRequest, Tamper }
