/**
 * Detects servers that do not respond. A frozen server, or one behind a broken network, closes no connection, so
 * requests and shutdowns would wait for hours.
 */
import type { Socket } from 'node:net'
import type pg from 'pg'
import { isIdle, socketOf } from './driver-internals.ts'

export type Connections = {
  /** Closes the connection if the server does not respond to a request for too long. */
  readonly watch: (client: pg.ClientBase) => void
  /** Runs the work that closes all connections. Connections that are open after so many milliseconds are destroyed. */
  readonly closeWithin: (timeoutMs: number, work: () => Promise<void>) => Promise<void>
}

/** 0 = no limit. */
export function watchConnections(idleTimeout: number): Connections {
  const open = new Set<Socket>()
  return {
    watch: (client) => {
      const stream = socketOf(client)
      open.add(stream)
      stream.once('close', () => open.delete(stream))
      stream.setTimeout(idleTimeout, () => {
        if (!isIdle(client)) stream.destroy(new Error('Connection terminated: the server is silent'))
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
