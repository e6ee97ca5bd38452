/** A small server for tests with two generations of its own; their handlers echo their input. */
import type { Context, Log } from '../../domain/ports/context.ts'
import type { Route } from '../../domain/ports/operation.ts'
import type { TandemError } from '../../domain/rights/errors.ts'
import { json, type Reply } from '../reply/reply.ts'
import type { HttpSettings } from '../settings.ts'
import type { SpecDocument } from '../validation/enforcement.ts'
import type { AnyHandler } from './handlers.ts'
import { listen } from './listen.ts'
import type { Generation } from './served-generation.ts'
import { createHttpApp, type HttpApp, type HttpAppOptions } from './server.ts'

const query = (name: string, schema: object, more: object = {}) => ({
  name,
  in: 'query',
  allowReserved: true,
  schema,
  ...more,
})
const inPath = (name: string, maxLength = 20) => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string', maxLength },
})
const list = { type: ['string', 'array'], items: { type: 'string' } }
const open = { type: 'object', additionalProperties: true }
const media = (schema: object) => ({ 'application/json': { schema } })
const envelope = { type: 'object', properties: { data: {} }, required: ['data'], additionalProperties: false }
const errors = Object.fromEntries(
  ['400', '403', '404', '405', '413', '415', '500'].map((status) => [
    status,
    { description: 'error', content: media({ $ref: '#/components/schemas/Error' }) },
  ]),
)
const answers = { ...errors, 200: { description: 'ok', content: media(envelope) }, 204: { description: 'nothing' } }
const login = {
  type: 'object',
  properties: {
    email: { type: 'string', maxLength: 30 },
    password: { type: 'string' },
    mode: { enum: ['json', 'cookie'] },
  },
  required: ['email', 'password'],
  additionalProperties: false,
}

const route = (operationId: string, method: Route['method'], path: string, more: Partial<Route> = {}): Route => ({
  operationId,
  method,
  path,
  tag: 'items',
  search: false,
  credentials: 'read',
  accepts: [],
  bodyRequired: false,
  query: [],
  ...more,
})

const components = {
  schemas: { Error: { type: 'object', properties: { error: { type: 'object' } }, required: ['error'] } },
  securitySchemes: { token: { type: 'apiKey', in: 'query', name: 'access_token' } },
}

export const newSpec: SpecDocument = {
  openapi: '3.1.0',
  info: { title: 'new', version: '1' },
  paths: {
    '/items/{collection}': {
      get: {
        'x-search': true,
        parameters: [
          inPath('collection'),
          query('limit', { type: 'integer', minimum: -1 }),
          query('fields', list),
          query('mode', { type: 'string', enum: ['a', 'b'] }),
          query('filter', open, { style: 'deepObject', explode: true }),
        ],
        responses: answers,
      },
      post: {
        parameters: [inPath('collection')],
        requestBody: { required: true, content: media({ oneOf: [open, { type: 'array', items: open }] }) },
        responses: answers,
      },
      delete: {
        parameters: [inPath('collection')],
        requestBody: { content: media({ type: 'array' }) },
        responses: answers,
      },
    },
    '/items/{collection}/{id}': { get: { parameters: [inPath('collection'), inPath('id')], responses: answers } },
    '/items/known/fixed': { get: { responses: answers } },
    '/auth/reset/{token}': { get: { parameters: [inPath('token', 100)], responses: answers } },
    '/auth/login': { post: { requestBody: { required: true, content: media(login) }, responses: answers } },
    '/server/ping': { get: { responses: answers } },
    '/server/raw': { get: { 'x-raw': true, responses: answers } },
  },
  components,
}

export const newRoutes: readonly Route[] = [
  route('readItems', 'GET', '/items/{collection}', { search: true, query: ['limit', 'fields', 'mode', 'filter'] }),
  route('createItems', 'POST', '/items/{collection}', { accepts: ['application/json'], bodyRequired: true }),
  route('deleteItems', 'DELETE', '/items/{collection}', { accepts: ['application/json'] }),
  route('readItem', 'GET', '/items/{collection}/{id}'),
  route('readFixed', 'GET', '/items/known/fixed'),
  route('readReset', 'GET', '/auth/reset/{token}', { tag: 'auth' }),
  route('login', 'POST', '/auth/login', {
    tag: 'auth',
    accepts: ['application/json'],
    bodyRequired: true,
    credentials: 'none',
  }),
  route('ping', 'GET', '/server/ping', { tag: 'server' }),
  route('readRaw', 'GET', '/server/raw', { tag: 'server' }),
]

export const oldSpec: SpecDocument = {
  openapi: '3.1.0',
  info: { title: 'old', version: '1' },
  paths: {
    '/': { get: { responses: answers } },
    '/{project}/': { get: { parameters: [inPath('project')], responses: answers } },
    '/{project}/items/{collection}': {
      get: { parameters: [inPath('project'), inPath('collection')], responses: answers },
    },
    '/server/ping': { get: { responses: answers } },
    '/server/projects': { get: { responses: answers } },
  },
  components,
}

export const oldRoutes: readonly Route[] = [
  route('readRoot', 'GET', '/'),
  route('readProject', 'GET', '/{project}/'),
  route('readItems', 'GET', '/{project}/items/{collection}'),
  route('ping', 'GET', '/server/ping'),
  route('readProjects', 'GET', '/server/projects'),
]

/** Echoes the generation, the operation and its input. */
const echo =
  (generation: string, operation: string): AnyHandler =>
  async (_ctx, input: { path: object; query: object; body: unknown; keys?: unknown }): Promise<Reply> => {
    const { path, query: asked, body, keys } = input
    return json({ data: { generation, operation, path, query: asked, body: body ?? null, keys: keys ?? null } })
  }

const toErrorBody: Generation['toErrorBody'] = (error: TandemError | null) => {
  const failure = error?.failures[0]
  const statuses: { readonly [kind: string]: number } = {
    'route-not-found': 404,
    'method-not-allowed': 405,
    'content-too-large': 413,
    'unsupported-media-type': 415,
    // No operation of these specs declares this status.
    'project-not-found': 410,
    forbidden: 403,
  }
  return failure === undefined
    ? { status: 500, body: { error: { kind: 'bug' } } }
    : { status: statuses[failure.kind] ?? 400, body: { error: failure } }
}

const generation = (
  name: string,
  spec: SpecDocument,
  routes: readonly Route[],
  own: Generation['handlers'],
): Generation => ({
  name,
  spec,
  routes,
  handlers: { ...Object.fromEntries(routes.map(({ operationId }) => [operationId, echo(name, operationId)])), ...own },
  toErrorBody: (error) => ({ ...toErrorBody(error, {} as never), headers: { 'x-generation': name } }),
  rateHeaders: ({ limit, remaining }) => ({ 'x-limit': String(limit), 'x-remaining': String(remaining) }),
  authenticate: async () => ({}) as Context,
})

export const settings: HttpSettings = {
  publicUrl: null,
  maxPayload: 1_000,
  maxSchema: 2_000,
  trustProxy: false,
  strictQuery: false,
  validateResponses: true,
  serverTiming: false,
  cors: null,
  hsts: null,
}

/** Clients of the old generation request `/retired`, or send a header of their own. */
const isMeant: NonNullable<Generation['isMeant']> = ({ path, headers }, isElsewhere) =>
  path.startsWith('/retired') || (!isElsewhere && 'x-old' in headers)

type Line = { readonly level: string; readonly detail: object; readonly message: string }

/** The application without a listener. `own` replaces handlers of the new generation. */
export const createTestApp = (
  changed: Partial<HttpSettings> = {},
  own: Generation['handlers'] = {},
  more: Partial<HttpAppOptions> = {},
): HttpApp & { readonly lines: readonly Line[] } => {
  const lines: Line[] = []
  const write = (level: string) => (detail: object, message: string) => void lines.push({ level, detail, message })
  const log: Log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
  let count = 0
  const app = createHttpApp({
    generations: [
      generation('new', newSpec, newRoutes, own),
      { ...generation('old', oldSpec, oldRoutes, {}), isMeant },
    ],
    settings: { ...settings, ...changed },
    log,
    uuid: () => `request-${(count += 1)}`,
    isProject: (key) => key === '_',
    ...more,
  })
  return { ...app, lines }
}

export type TestApp = {
  readonly url: string
  readonly port: number
  /** Every log line, in order. */
  readonly lines: readonly Line[]
  readonly settled: HttpApp['settled']
  readonly close: () => Promise<void>
}

export const startTestApp = async (...parameters: Parameters<typeof createTestApp>): Promise<TestApp> => {
  const { handler, lines, settled } = createTestApp(...parameters)
  const server = await listen(handler, { host: '127.0.0.1', port: 0 })
  return { url: `http://127.0.0.1:${server.port}`, port: server.port, lines, settled, close: () => server.close(1_000) }
}
