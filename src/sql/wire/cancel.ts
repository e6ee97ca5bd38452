/** Cancels statements that nobody waits for; they would run until their timeout. */
import type { Socket } from 'node:net'
import { Connection, type ConnectionConfig, type PoolClient } from 'pg'

/** Asks the server to cancel the statement on the connection. Resolves when the request was sent. */
export type Cancel = (client: PoolClient) => Promise<void>

/** The parts of the driver's client and connection that a cancellation needs. */
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
 * Sends the cancel request of the protocol over a separate connection, with the key of the target. The server closes it
 * after it has sent the signal, which the target receives before any later message.
 */
export function cancelOn(timeoutMs: number): Cancel {
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
    // A shutdown does not wait for a cancellation to a server that does not respond.
    const timer = setTimeout(fail, timeoutMs).unref()
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
