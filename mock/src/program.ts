/** What `tandem-mock` does with its arguments: a mock behind an address, with the rows of a folder. */
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { WebSocketServer } from 'ws'
import { readSeedFolder } from './folder.ts'
import { createMock, fetchSnapshot, type Mock, type MockOptions, type SeedFiles } from './mock.ts'

type Output = { readonly write: (text: string) => unknown }

const usage = `Usage: tandem-mock --schema <file> [options]
       tandem-mock --url <address> --token <token> [options]

  --schema <file>   the data model, from "tandem schema snapshot --format json --output <file>"
  --url <address>   the server to read the data model from, with --token, an administrator's
  --seed <folder>   rows, as "tandem seed" takes them: JSON and CSV files, one per collection
  --generate <n>    n rows for each collection that has none
  --strict          answer what the specification does not allow with 500
  --port <number>   8055 if absent

Every request is an administrator's. SIGINT ends it.
`

const options = {
  schema: { type: 'string' },
  url: { type: 'string' },
  token: { type: 'string' },
  seed: { type: 'string' },
  generate: { type: 'string' },
  strict: { type: 'boolean', default: false },
  port: { type: 'string', default: '8055' },
  help: { type: 'boolean', default: false },
} as const

/** Resolves once the mock listens, or else to an exit code: 0 after the help, 2 after a fault, which is printed. */
export async function runProgram(
  args: readonly string[],
  { out, error }: { readonly out: Output; readonly error: Output },
): Promise<Server | 0 | 2> {
  try {
    if (!('withResolvers' in Promise)) throw new Error(`expected Node 22 or newer, got ${process.version}`)
    const { values } = parseArgs({ args: [...args], options })
    if (values.help) {
      out.write(usage)
      return 0
    }
    const mockOptions: Omit<MockOptions, 'url'> = {
      schema: await readSchema(values),
      strict: values.strict,
      ...(values.generate === undefined ? {} : { seed: 1, count: numberOf('--generate', values.generate, 100_000) }),
    }
    const rows = values.seed === undefined ? {} : await readSeedFolder(values.seed)
    const { server, url, counts } = await listen(mockOptions, rows, numberOf('--port', values.port, 65_535))
    for (const { collection, created, updated } of counts) out.write(`${collection}: ${created + updated} rows\n`)
    out.write(`The mock answers at ${url}\n`)
    return server
  } catch (fault) {
    error.write(`tandem-mock: ${fault instanceof Error ? fault.message : String(fault)}\n`)
    return 2
  }
}

function numberOf(option: string, text: string, limit: number): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && number <= limit) return number
  throw new Error(`${option}: expected a whole number up to ${limit}, got "${text}"`)
}

type Source = { readonly schema?: string; readonly url?: string; readonly token?: string }

async function readSchema({ schema, url, token }: Source): Promise<MockOptions['schema']> {
  if (schema === undefined) {
    if (url !== undefined && token !== undefined) return fetchSnapshot(url, token)
    throw new Error(`expected --schema, or --url and --token\n\n${usage}`)
  }
  const text = await readFile(schema, 'utf8').catch((fault: Error) => {
    throw new Error(`${schema}: expected a file, got ${fault.message}`)
  })
  try {
    return JSON.parse(text) as MockOptions['schema']
  } catch (fault) {
    throw new Error(`${schema}: expected a snapshot as JSON ("tandem schema snapshot --format json")`, { cause: fault })
  }
}

/** The address is known once the server listens; until the rows are there, requests wait. */
async function listen(mockOptions: Omit<MockOptions, 'url'>, files: SeedFiles, port: number) {
  const opened = Promise.withResolvers<Mock>()
  opened.promise.catch(() => undefined)
  const server = createServer((request, response) => {
    opened.promise.then((mock) => answer(mock, request, response)).catch(() => response.destroy())
  })
  serveSockets(server, opened.promise)
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, 'localhost', resolve))
  try {
    const url = `http://localhost:${(server.address() as AddressInfo).port}`
    const mock = createMock({ ...mockOptions, url })
    const counts = Object.keys(files).length === 0 ? [] : await mock.seed(files)
    opened.resolve(mock)
    return { server, url, counts }
  } catch (fault) {
    opened.reject(fault)
    server.close()
    throw fault
  }
}

const graphqlProtocol = 'graphql-transport-ws'

/** Accepts WebSockets; one at a path without sockets is closed. */
function serveSockets(server: Server, opened: Promise<Mock>): void {
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    handleProtocols: (offered) => offered.has(graphqlProtocol) && graphqlProtocol,
  })
  server.on('upgrade', (request, socket, head) => {
    opened
      .then((mock) =>
        sockets.handleUpgrade(request, socket, head, (client) => {
          const isServed = mock.connect({
            url: addressOf(request),
            send: (text) => client.send(text),
            close: (code, reason) => client.close(code, reason),
            addEventListener: client.addEventListener.bind(client),
          })
          if (!isServed) client.close(1008, 'No sockets are served at this path')
        }),
      )
      .catch(() => socket.destroy())
  })
}

const addressOf = ({ url = '/', headers }: IncomingMessage): URL =>
  new URL(url, `http://${headers.host ?? 'localhost'}`)

async function answer(mock: Mock, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', headers, rawHeaders } = request
  const pairs = Array.from({ length: rawHeaders.length / 2 }, (_, at) => rawHeaders.slice(2 * at, 2 * at + 2))
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  const left = new AbortController()
  response.once('close', () => left.abort())
  const sent = new Request(addressOf(request), {
    method,
    headers: pairs as [string, string][],
    signal: left.signal,
    ...(hasBody ? { body: Readable.toWeb(request) as ReadableStream, duplex: 'half' } : {}),
  })
  // In strict mode, a request that the specification does not allow is an error.
  const reply = await mock.fetch(sent).catch((fault: Error) => new Response(fault.message, { status: 500 }))
  response.writeHead(reply.status, [...reply.headers].flat())
  if (reply.body === null) response.end()
  else await pipeline(Readable.fromWeb(reply.body as never), response)
}
