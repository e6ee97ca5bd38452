/**
 * What this program uses of the driver beyond its documentation, all of it: custom queries, the state of a connection,
 * and cancelling. `driver-internals.test.ts` holds the version in which it was read.
 */
import type { Socket } from 'node:net'
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

export const socketOf = (client: pg.ClientBase): Socket => internalsOf(client).connection.stream

/** Whether the server has no request to respond to. */
export const isIdle = (client: pg.ClientBase): boolean => internalsOf(client).readyForQuery === true

type CancelWire = Connection & {
  readonly stream: Socket
  connect(port: number | string, host?: string): void
  requestSsl(): void
  cancel(processID: number, secretKey: number): void
}

/** A request of the protocol, over a connection of its own, to cancel the statement on the connection of the client. */
export type CancelRequest = {
  /** Resolves when the server has closed the connection; rejects if it breaks. */
  readonly ended: Promise<void>
  readonly destroy: () => void
}

export function requestCancel(client: pg.ClientBase): CancelRequest {
  const { host, port, processID, secretKey, connection } = internalsOf(client)
  const { ssl, sslNegotiation } = connection
  const wire = new Connection({ ssl, sslNegotiation } as ConnectionConfig) as CancelWire
  const ended = Promise.withResolvers<void>()
  const cancel = (): void => wire.cancel(processID, secretKey)
  const isDirect = sslNegotiation === 'direct'
  wire.on('connect', () => (ssl ? isDirect || wire.requestSsl() : cancel()))
  wire.on('sslconnect', cancel)
  wire.on('end', ended.resolve)
  wire.on('error', ended.reject)
  if (host.startsWith('/')) wire.connect(`${host}/.s.PGSQL.${port}`)
  else wire.connect(port, host)
  wire.stream.unref()
  return { ended: ended.promise, destroy: () => void wire.stream.destroy() }
}
