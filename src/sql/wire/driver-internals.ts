/**
 * All that this program uses of the driver beyond its documentation: custom queries, the state of a connection,
 * cancelling, and the messages on its socket. `driver-internals.test.ts` holds the version in which it was read.
 */
import { Socket } from 'node:net'
import pg, { Connection, type ConnectionConfig } from 'pg'

/** A connection, as custom queries get it. */
export type Wire = {
  readonly stream: { cork(): void; uncork(): void }
  /** Statement texts by name: those that the server has parsed, and those that were sent to it. */
  readonly parsedStatements: { [name: string]: string | undefined }
  readonly submittedNamedStatements: { [name: string]: string | undefined }
  parse(message: { text: string; name: string }): void
  bind(message: { statement: string; values: readonly unknown[] }): void
  describe(message: { type: 'P'; name: string }): void
  execute(): void
  sync(): void
}

/** Writes its own messages, and has a `handle…` for each message of the server. An error that it returns is its result. */
export type CustomQuery = { submit(wire: Wire): unknown }

/** The driver submits one query after another. */
export const submitQuery = (client: pg.ClientBase, query: CustomQuery): void => void client.query(query as never)

const { utils } = pg as unknown as { readonly utils: { readonly prepareValue: (value: unknown) => unknown } }

/** The text or bytes that the driver sends for a parameter. */
export const toDriverParameter = (value: unknown): unknown => utils.prepareValue(value)

type Internals = {
  /** Whether the server has no request to respond to. */
  readonly readyForQuery: boolean | null
  readonly host: string
  readonly port: number
  readonly processID: number
  readonly secretKey: number
  readonly connection: {
    readonly stream: Socket
    readonly ssl: ConnectionConfig['ssl']
    readonly sslNegotiation: string
  }
}

const internalsOf = (client: pg.ClientBase): Internals => client as unknown as Internals

/** Asks the server to cancel the statement on the connection. Resolves when the request was sent. */
export type Cancel = (client: pg.PoolClient) => Promise<void>

type CancelWire = Connection & {
  readonly stream: Socket
  connect(port: number | string, host?: string): void
  requestSsl(): void
  cancel(processID: number, secretKey: number): void
}

/**
 * Sends the cancel request of the protocol over a connection of its own, with the key of the target. The server closes
 * it after it has sent the signal, which the target receives before any later message.
 */
export const cancelOn =
  (timeoutMs: number): Cancel =>
  async (client) => {
    const { host, port, processID, secretKey, connection } = internalsOf(client)
    const { ssl, sslNegotiation } = connection
    const wire = new Connection({ ssl, sslNegotiation } as ConnectionConfig) as CancelWire
    const ended = Promise.withResolvers<void>()
    const cancel = (): void => wire.cancel(processID, secretKey)
    const isDirect = sslNegotiation === 'direct'
    wire.on('connect', () => (ssl ? isDirect || wire.requestSsl() : cancel()))
    wire.on('sslconnect', cancel)
    wire.on('end', ended.resolve)
    wire.on('error', (cause) => ended.reject(new Error('Connection terminated', { cause })))
    if (host.startsWith('/')) wire.connect(`${host}/.s.PGSQL.${port}`)
    else wire.connect(port, host)
    wire.stream.unref()
    // A shutdown does not wait for a cancellation to a server that does not respond.
    const timer = setTimeout(() => ended.reject(new Error('Connection terminated: no response')), timeoutMs).unref()
    await ended.promise.finally(() => {
      clearTimeout(timer)
      wire.stream.destroy()
    })
  }

/**
 * Detects servers that do not respond. A frozen server, or one behind a broken network, closes no connection, so
 * requests and shutdowns would wait for hours.
 */
export type WatchedConnections = {
  /** Closes the connection if the server does not respond to a request for too long. */
  readonly watch: (client: pg.ClientBase) => void
  /** Runs the work that closes all connections. Connections that are open after so many milliseconds are destroyed. */
  readonly closeWithin: (timeoutMs: number, work: () => Promise<void>) => Promise<void>
}

/** 0 = no limit. */
export function watchConnections(idleTimeout: number): WatchedConnections {
  const open = new Set<Socket>()
  return {
    watch: (client) => {
      const { stream } = internalsOf(client).connection
      open.add(stream)
      stream.once('close', () => open.delete(stream))
      stream.setTimeout(idleTimeout, () => {
        const isIdle = internalsOf(client).readyForQuery === true
        if (!isIdle) stream.destroy(new Error('Connection terminated: the server is silent'))
      })
    },
    closeWithin: async (timeoutMs, work) => {
      const timer = setTimeout(() => {
        for (const stream of open) stream.destroy()
      }, timeoutMs)
      await work().finally(() => clearTimeout(timer))
    },
  }
}

/**
 * The socket of a server connection, which reads into one buffer. A standard socket allocates memory for each read, and
 * the driver allocates more for each message that arrives in parts. This memory is outside of V8's heap, and every 64 MB
 * of it trigger a full garbage collection. An encrypted socket is read by the TLS layer.
 */
export function createServerSocket({ ssl }: { readonly ssl?: unknown } = {}): Socket {
  if (ssl !== undefined && ssl !== false) return new Socket()
  const inbox = new Inbox()
  const onread = {
    buffer: () => inbox.room(),
    callback: (length: number): boolean => {
      const messages = inbox.receive(length)
      if (messages.length > 0) socket.emit('data', messages)
      return true
    },
  }
  const socket: Socket = new Socket({ onread })
  return socket
}

/** Size of the buffer of a connection. The system allocates only the pages that are written. */
const usualSize = 262_144

/** One byte for the type of a message, then four for its length, which includes itself. */
const headSize = 5

/** Collects complete messages. The driver processes them at once and keeps no reference to their memory. */
class Inbox {
  #memory = Buffer.allocUnsafeSlow(usualSize)
  /** Offset of the first byte that was not passed on, and offset of the next read. */
  #begin = 0
  #end = 0

  /** The space for the next read. The result of `receive` may be overwritten then. */
  room(): Uint8Array {
    if (this.#begin === this.#end) this.#clear()
    else if (this.#begin + this.#firstSize() > this.#memory.length) this.#makeRoom()
    return this.#end === 0 ? this.#memory : this.#memory.subarray(this.#end)
  }

  /** The complete messages after so many more bytes. */
  receive(length: number): Uint8Array {
    const begin = this.#begin
    this.#end += length
    while (this.#begin + this.#firstSize() <= this.#end) this.#begin += this.#firstSize()
    return this.#memory.subarray(begin, this.#begin)
  }

  /** Length of the first message, if it is known. */
  #firstSize(): number {
    if (this.#begin + headSize > this.#end) return headSize
    return Math.max(headSize, this.#memory.readUInt32BE(this.#begin + 1) + 1)
  }

  #clear(): void {
    this.#begin = 0
    this.#end = 0
    if (this.#memory.length > usualSize) this.#memory = Buffer.allocUnsafeSlow(usualSize)
  }

  /** Grows with the received data, not at once to the announced length. */
  #makeRoom(): void {
    if (this.#begin === 0 && this.#end < this.#memory.length) return
    const isFull = this.#begin === 0
    const size = isFull ? Math.min(this.#firstSize(), this.#memory.length * 2) : this.#memory.length
    const memory = isFull ? Buffer.allocUnsafeSlow(size) : this.#memory
    this.#memory.copy(memory, 0, this.#begin, this.#end)
    this.#memory = memory
    this.#end -= this.#begin
    this.#begin = 0
  }
}
