/** Ends what a server does for nobody: it would go on until the statement's time is over. */
import type { Socket } from 'node:net'
import { Connection, type ConnectionConfig, type PoolClient } from 'pg'

/** Asks the server to end what runs on the connection; resolves when it has been told. */
export type Cancel = (client: PoolClient) => Promise<void>

/** What of the driver's client and connection a cancellation needs. */
type Backend = {
  readonly host: string
  readonly port: number
  readonly processID: number
  readonly secretKey: number
  readonly connection: { readonly ssl: ConnectionConfig['ssl']; readonly sslNegotiation: string }
}
type Wire = Connection & {
  readonly stream: Socket
  connect(port: number | string, host?: string): void
  requestSsl(): void
  cancel(processID: number, secretKey: number): void
}

/**
 * By the protocol: over a connection of its own, by the key of the one that is meant. The server closes it once it
 * has sent the signal, which the other one receives before anything that it is sent later.
 */
export function cancelOn(patience: number): Cancel {
  return async (client) => {
    const { host, port, processID, secretKey, connection } = client as unknown as Backend
    const { ssl, sslNegotiation } = connection
    const wire = new Connection({ ssl, sslNegotiation } as ConnectionConfig) as Wire
    const ended = Promise.withResolvers<void>()
    const fail = (cause?: unknown): void => ended.reject(new Error('Connection terminated', { cause }))
    const tell = (): void => wire.cancel(processID, secretKey)
    const isDirect = sslNegotiation === 'direct'
    wire.on('connect', () => (ssl ? isDirect || wire.requestSsl() : tell()))
    wire.on('sslconnect', tell)
    wire.on('end', ended.resolve)
    wire.on('error', fail)
    // A stop does not wait for what a silent server is told.
    const timer = setTimeout(fail, patience).unref()
    try {
      if (host.startsWith('/')) wire.connect(`${host}/.s.PGSQL.${port}`)
      else wire.connect(port, host)
      wire.stream.unref()
      await ended.promise
    } finally {
      clearTimeout(timer)
      wire.stream.destroy()
    }
  }
}
