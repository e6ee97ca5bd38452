/** Requests that open a socket: read, counted and refused as other requests are. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Express, Request } from 'express'
import type { Context } from '../../domain/ports/context.ts'
import type { Visitor } from '../../domain/ports/messages.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { trustedOrigins } from '../app/cross-origin.ts'
import type { Generation } from '../app/served-generation.ts'
import type { HttpAppOptions } from '../app/server.ts'
import { type HttpRequest, readRequest } from '../request/request.ts'

/** An import would load a web client (see `http/app/listen.ts`). */
const { ServerResponse } = process.getBuiltinModule('node:http')

export type Upgrade = {
  readonly raw: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
  readonly path: string
  readonly visitor: Visitor<HttpRequest>
}

/** Answers a request with `Connection: Upgrade`. */
export type HandleUpgrade = (raw: IncomingMessage, socket: Duplex, head: Buffer) => void

type Options = Pick<HttpAppOptions, 'settings' | 'uuid' | 'opened' | 'admission' | 'corsOf' | 'log'> & {
  readonly app: Express
  readonly generation: Generation
  /** Opens the socket, or rejects. */
  readonly open: (upgrade: Upgrade) => Promise<void>
}

/** The path of a request, without the query string. */
export const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] ?? ''

export const isSocketRequest = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket'

/** Errors are answered by HTTP, because there is no socket yet. */
export const handleUpgrades = (options: Options): HandleUpgrade => {
  const accept = async (raw: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const request = readUpgrade(options, raw)
    try {
      await options.opened?.(request)
      await admitted(options, request)
      assertOrigin(options, request)
      const visitor = visitorOf(options, request, socket)
      await options.open({ raw, socket, head, path: request.path, visitor })
    } catch (error) {
      if (!(error instanceof TandemError)) options.log.error({ err: error }, 'A socket could not be opened')
      refuse(options.generation, { request, socket, error })
    }
  }
  return (raw, socket, head) => {
    socket.on('error', () => socket.destroy())
    void accept(raw, socket, head)
  }
}

/** With the prototype of the application, so that the address is the one that trusted proxies report. */
function readUpgrade(
  { app, settings, uuid, generation, corsOf = () => settings.cors }: Options,
  raw: IncomingMessage,
): HttpRequest {
  const req = Object.setPrototypeOf(raw, app.request as object) as Request
  req.baseUrl = ''
  const projectOf = (request: HttpRequest): string => {
    const { project } = request.query
    return typeof project === 'string' ? project : (generation.readProject?.(request, {}) ?? '_')
  }
  const trustedOf = (project: string): readonly string[] => trustedOrigins(corsOf(project))
  const facts = { id: uuid(), publicOrigin: settings.publicUrl, projectOf, trustedOf, stopwatch: null, probe: null }
  return readRequest(req, new ServerResponse(raw), facts)
}

const admitted = ({ admission }: Options, request: HttpRequest): Promise<void> =>
  new Promise((resolve, reject) => {
    if (admission == null) resolve()
    else admission(request, { enter: resolve, refuse: reject, counted: () => undefined })
  })

/** Browsers do not keep pages of other origins from opening sockets. Programs send no origin. */
function assertOrigin({ settings, corsOf = () => settings.cors }: Options, request: HttpRequest): void {
  const { origin: from } = request.headers
  if (from === undefined || from === URL.parse(request.origin)?.origin) return
  const cors = corsOf(request.project)
  const isListed =
    cors !== null && (cors.origin === true || cors.origin.includes('*') || cors.origin.includes(String(from)))
  if (!isListed) throw new TandemError({ kind: 'forbidden', reason: 'The origin of the page is not allowed' })
}

function visitorOf(options: Options, request: HttpRequest, socket: Duplex): Visitor<HttpRequest> {
  const { generation } = options
  const route = { operationId: 'openSocket', credentials: 'read' } as Parameters<Generation['authenticate']>[1]
  const { authorization: _authorization, cookie: _cookie, ...anonymous } = request.headers
  const shared = sharedByMessages(request)
  return {
    ip: request.ip,
    project: request.project,
    as: (method, token, isCarried) => ({
      ...shared,
      id: options.uuid(),
      method,
      headers: {
        ...(isCarried ? request.headers : anonymous),
        'x-platform-project': request.project,
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      query: isCarried ? request.query : {},
      cookies: isCarried ? request.cookies : {},
      get isGone() {
        return socket.destroyed
      },
    }),
    context: (asking, counts): Promise<Context> => generation.authenticate(asking, route, counts),
    admit: () => admitted(options, request),
  }
}

/** Properties of the opening request that the messages of a socket inherit. */
const sharedByMessages = ({ path, base, project, origin, trustedOrigins, ip, signal }: HttpRequest) => ({
  path,
  url: path,
  base,
  project,
  origin,
  trustedOrigins,
  ip,
  signal,
  stopwatch: null,
  subject: null,
  describe: () => undefined,
  parts: noBody,
  content: noBody,
})

const noBody = (): never => {
  throw new Error('A message of a socket has no body')
}

type Refused = { readonly request: HttpRequest; readonly socket: Duplex; readonly error: unknown }

function refuse({ toErrorBody }: Generation, { request, socket, error }: Refused): void {
  const { status, body } = toErrorBody(error instanceof TandemError ? error : null, request)
  const text = JSON.stringify(body)
  const lines = [
    `HTTP/1.1 ${status} ${reasons[status] ?? 'Error'}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy())
}

const reasons: { readonly [status: number]: string } = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
}
