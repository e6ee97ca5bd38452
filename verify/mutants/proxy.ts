/** A proxy in front of a server that plants one defect at a time by rewriting requests or answers. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ProxyRequest = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Headers
  readonly body: Buffer | null
}

export type ProxyAnswer = {
  readonly status: number
  readonly headers: Headers
  readonly body: Buffer
}

/** Asks the server behind the proxy. */
export type Forward = (request: ProxyRequest) => Promise<ProxyAnswer>

/** Answers in place of the server. Called once per request, with what the same defect has kept so far. */
export type Tamper = (request: ProxyRequest, forward: Forward, kept: Map<string, ProxyAnswer>) => Promise<ProxyAnswer>

export type Proxy = {
  readonly url: string
  /** Plants a defect in place of the one before; null = none. */
  readonly plant: (tamper: Tamper | null) => void
  /** Errors of the defects themselves, which checks would take for failures of the server. */
  readonly errors: readonly unknown[]
  readonly close: () => Promise<void>
}

export async function openProxy(target: string): Promise<Proxy> {
  const errors: unknown[] = []
  let tamper: Tamper | null = null
  let recorded = new Map<string, ProxyAnswer>()
  const forward: Forward = (request) => ask(target, request)
  const answer = async (incoming: IncomingMessage): Promise<ProxyAnswer> => {
    const request = await read(incoming)
    return tamper === null ? forward(request) : tamper(request, forward, recorded)
  }
  const server = createServer((incoming, outgoing) => {
    answer(incoming).then(
      ({ status, headers, body }) => {
        for (const [name, value] of headers) if (!unsent.has(name)) outgoing.setHeader(name, value)
        outgoing.writeHead(status).end(body)
      },
      (error: unknown) => {
        errors.push(error)
        outgoing.writeHead(599).end(String(error))
      },
    )
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    errors,
    plant: (next) => {
      tamper = next
      recorded = new Map()
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}

/** Headers of one connection only, and those that a rewritten body changes. */
const unsent: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'content-encoding',
])

async function read(incoming: IncomingMessage): Promise<ProxyRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://proxy')
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (typeof value === 'string' && name !== 'host' && !unsent.has(name)) headers.set(name, value)
  }
  const body = Buffer.concat(chunks)
  return {
    method: incoming.method ?? 'GET',
    path: pathname,
    query: searchParams,
    headers,
    body: body.length === 0 ? null : body,
  }
}

async function ask(target: string, { method, path, query, headers, body }: ProxyRequest): Promise<ProxyAnswer> {
  const text = query.toString()
  const response = await fetch(`${target}${path}${text === '' ? '' : `?${text}`}`, {
    method,
    headers,
    redirect: 'manual',
    body: body === null ? null : new Uint8Array(body),
  })
  return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) }
}
