/** Reads for which nobody waits any more: the server would go on with them until their time is over. */
import { Connection, type ConnectionConfig, type PoolClient } from 'pg'
import type { Asker, Rows, Statement } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import { send } from './lend.ts'

/** Asks the server to end what runs on the connection; resolves when it has been told. */
export type Cancel = (client: PoolClient) => Promise<void>

type Reading = { readonly client: PoolClient; readonly asker: Asker; told: Promise<void> | null }

export type Reads = {
  /** Sends the read, unless nobody waits for it. */
  readonly send: (client: PoolClient, read: Statement, asker: Asker) => Promise<Rows>
  /** Ends what runs for that asker, and nothing else. */
  readonly giveUp: (asker: Asker) => void
}

/** Without `cancel`, what runs goes on to its end. */
export function watchReads(cancel: Cancel | null): Reads {
  const readings = new Set<Reading>()
  return {
    async send(client, read, asker) {
      if (asker.isGone) throw nobodyWaits()
      const reading: Reading = { client, asker, told: null }
      readings.add(reading)
      try {
        return await send(client, read)
      } finally {
        readings.delete(reading)
        // Whoever is lent the connection next would be hit by a cancellation that is still on its way.
        if (reading.told !== null) await reading.told
      }
    },
    giveUp(asker) {
      if (cancel === null) return
      for (const reading of readings) {
        if (reading.asker !== asker || reading.told !== null) continue
        reading.told = cancel(reading.client)
        reading.told.catch(() => undefined)
      }
    },
  }
}

const nobodyWaits = (): TandemError =>
  new TandemError({ kind: 'unavailable', service: 'api', reason: 'Nobody waits for the answer', retryAfter: 1 })

/** What of the driver's client and connection a cancellation needs. */
type Backend = {
  readonly host: string
  readonly port: number
  readonly processID: number
  readonly secretKey: number
  readonly connection: { readonly ssl: ConnectionConfig['ssl']; readonly sslNegotiation: string }
}
type Wire = Connection & {
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
    const timer = setTimeout(fail, patience)
    try {
      if (host.startsWith('/')) wire.connect(`${host}/.s.PGSQL.${port}`)
      else wire.connect(port, host)
      await ended.promise
    } finally {
      clearTimeout(timer)
      wire.stream.destroy()
    }
  }
}
