/**
 * A mock server generated from a spec: valid requests get the documented example, invalid ones the documented error. msw
 * intercepts `fetch`.
 */
import { HttpResponse, http } from 'msw'
import { isRawBody } from '../verify/src/cases/case.ts'
import { badTokens } from '../verify/src/cases/send.ts'
import { follow } from '../verify/src/spec/document.ts'
import { createFind, type Find } from '../verify/src/spec/find.ts'
import type { Operation, Parameter, Spec } from '../verify/src/spec/operations.ts'
import type { Validate } from '../verify/src/spec/validate.ts'
import { type Asked, answerDocument, mockSchema } from './mock-graphql.ts'

/** Handlers for every operation of the specs below `url`. Earlier specs take precedence. */
export function mockHandlers(url: string, mocks: readonly Mock[]): ReturnType<typeof http.all>[] {
  return [
    http.all(`${url}/*`, async ({ request }) => {
      const path = new URL(request.url).pathname.slice(new URL(url).pathname.replace(/\/$/, '').length)
      const hits = mocks.flatMap((mock) => {
        const found = route(mock.spec, request.method, path)
        return found === null ? [] : [{ mock, ...found }]
      })
      if (hits[0] === undefined)
        return HttpResponse.json({ error: { message: `Route ${path} doesn't exist.` } }, { status: 404 })
      const { mock, operation, values } = hits[0]
      return answer(mock, operation, request, values)
    }),
  ]
}

export type Mock = {
  readonly spec: Spec
  readonly validate: Validate
  /** SDL by path of an endpoint, such as what `/server/specs/graphql` returns; absent = the hand-written template. */
  readonly sdl?: { readonly [path: string]: string }
}

type PathValues = { readonly [name: string]: string }

const finders = new WeakMap<Spec, Find>()

function route(spec: Spec, method: string, path: string): ReturnType<Find> {
  const find = finders.get(spec) ?? createFind(spec.operations)
  finders.set(spec, find)
  const found = find(method, path)
  return found === null || (method === 'SEARCH' && !found.operation.search) ? null : found
}

async function answer(mock: Mock, operation: Operation, request: Request, path: PathValues): Promise<Response> {
  const copy = request.clone()
  const fault = (await requestFault(mock, operation, request, path)) ?? null
  const schema = fault === null ? mockSchema(operation.path, mock.sdl?.[operation.path]) : null
  if (schema !== null) return HttpResponse.json(await answerDocument(schema, await askedBy(copy)))
  if (fault === null) return withOffset(copy, respond(operation, [200, 201, 204, 302], null))
  return respond(operation, fault.statuses, fault.message)
}

/** What a request to GraphQL asks, by POST or GET. */
async function askedBy(request: Request): Promise<Asked> {
  if (request.method === 'POST') return (await request.json()) as Asked
  const { variables, ...others } = Object.fromEntries(new URL(request.url).searchParams)
  return { ...others, variables: parsed(variables ?? '{}') }
}

/** The offset of a resumable upload: the end of its last piece. */
async function withOffset(request: Request, response: Response): Promise<Response> {
  const offset = request.headers.get('upload-offset')
  if (offset === null) return response
  const { byteLength } = await request.arrayBuffer()
  response.headers.set('upload-offset', String(Number(offset) + byteLength))
  return response
}

type Fault = { readonly statuses: readonly number[]; readonly message: string }

async function requestFault(
  mock: Mock,
  operation: Operation,
  request: Request,
  path: PathValues,
): Promise<Fault | null> {
  const token = request.headers.get('authorization')?.slice('Bearer '.length)
  if (operation.secured && token === badTokens.unknown) return { statuses: [401], message: 'Unknown token.' }
  if (operation.secured && token === badTokens.forged) return { statuses: [403, 401], message: 'Invalid token.' }
  const wrong = operation.parameters.find((each) => isWrong(mock, each, request, path))
  if (wrong !== undefined) return invalid(wrong.name)
  const isForm = request.headers.get('content-type')?.startsWith('multipart/form-data') ?? false
  if (isForm && operation.body?.mediaTypes.indexOf('multipart/form-data') === 1) return formFault(request)
  const text = await request.text()
  if (request.method === 'SEARCH') return searchFault(mock, operation, text)
  return operation.body === null ? null : bodyFault(mock, operation.body, request, text)
}

const invalid = (name: string): Fault => ({
  statuses: [400, 422, 404, 403],
  message: `Expected another value for "${name}".`,
})

function isWrong({ spec, validate }: Mock, parameter: Parameter, request: Request, path: PathValues): boolean {
  const query = new URL(request.url).searchParams
  const text = {
    path: path[parameter.name],
    query: query.get(parameter.name),
    header: request.headers.get(parameter.name),
    cookie: null,
  }[parameter.in]
  if (text === null || text === undefined) {
    const isInBrackets = [...query.keys()].some((key) => key.startsWith(`${parameter.name}[`))
    return isInBrackets ? validate(follow(spec, parameter.schema), {}) !== null : parameter.required
  }
  const schema = follow(spec, parameter.schema)
  return validate(schema, typed(schema.type, text)) !== null
}

/** Converts a query text to the type of its schema, if possible. */
function typed(type: unknown, text: string): unknown {
  if (type !== 'integer' && type !== 'number' && type !== 'boolean' && type !== 'object') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function searchFault({ spec, validate }: Mock, operation: Operation, text: string): Fault | null {
  const body = parsed(text)
  const query = (body as { readonly query?: unknown } | undefined)?.query
  if (typeof body !== 'object' || body === null || typeof (query ?? {}) !== 'object') return invalid('query')
  const unknown = Object.keys(body).find((key) => key !== 'query' && key !== 'keys')
  if (unknown !== undefined) return invalid(unknown)
  // As in a query string, objects may be JSON text, and null counts as absent.
  const given = new Map(Object.entries(query ?? {}).filter(([, value]) => value !== null))
  const wrong = operation.parameters.find(({ name, schema: own }) => {
    const schema = follow(spec, own)
    const value = given.get(name)
    const read = schema.type === 'object' && typeof value === 'string' ? typed(schema.type, value) : value
    return given.has(name) && validate(schema, read) !== null
  })
  return wrong === undefined ? null : invalid(wrong.name)
}

/** Whether the body is a form without a schema; an upload must have a part with a file name. */
async function formFault(request: Request): Promise<Fault | null> {
  const form = await request.formData().catch(() => null)
  return form !== null && [...form.values()].some((value) => typeof value !== 'string') ? null : invalid('file')
}

function bodyFault(
  { validate }: Mock,
  body: NonNullable<Operation['body']>,
  request: Request,
  text: string,
): Fault | null {
  const type = request.headers.get('content-type')?.split(';')[0] ?? ''
  if (text === '') return body.required ? invalid('body') : null
  if (!body.mediaTypes.includes(type)) return { statuses: [415, 400], message: `Unsupported media type "${type}".` }
  if (text.length > 1_000_000) return { statuses: [413, 400], message: 'Content is too large.' }
  if (isRawBody(body)) return null
  const value = type === 'multipart/form-data' ? filesOf(text) : parsed(text)
  const complaint =
    value === undefined ? 'the body is not JSON' : body.schema === null ? null : validate(body.schema, value)
  return complaint === null ? null : { statuses: [400, 422], message: complaint }
}

/** The file parts of a form by name, found in the part headers. */
const filesOf = (text: string): { readonly [name: string]: string } =>
  Object.fromEntries([...text.matchAll(/; name="([^"]+)"; filename=/g)].map(([, name = '']) => [name, '']))

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The first of the statuses that is documented, with its example. An error contains the reason. */
function respond(operation: Operation, statuses: readonly number[], message: string | null): Response {
  const status = statuses.find((each) => operation.responses.has(each)) ?? statuses[0] ?? 500
  const content = operation.responses.get(status)
  const [mediaType] = content?.mediaTypes ?? []
  const headers = content?.headers ?? {}
  if (mediaType === undefined) return new HttpResponse(null, { status, headers })
  const example = content?.examples[0]?.value
  const body = message === null ? example : withMessage(example, message)
  const text = typeof body === 'string' && !mediaType.includes('json') ? body : JSON.stringify(body)
  return new HttpResponse(text, { status, headers: { ...headers, 'content-type': mediaType } })
}

/** The example with every `message` replaced; errors of SCIM have a `detail`. */
function withMessage(example: unknown, message: string): unknown {
  return JSON.parse(JSON.stringify(example), (key, value: unknown) =>
    /^(message|detail)$/.test(key) ? message : value,
  )
}
