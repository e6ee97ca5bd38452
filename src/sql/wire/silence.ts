/**
 * A server that is frozen, or behind a network that swallows everything, closes no connection: whoever asked it would
 * wait for hours, and so would a stop.
 */
import type { Socket } from 'node:net'
import type pg from 'pg'

export type Connections = {
  /** Ends the connection once the server has been silent for too long, though it was asked something. */
  readonly watch: (client: pg.ClientBase) => void
  /** Does the work that closes them all; those that are still open after so many milliseconds are cut. */
  readonly closeWithin: (patience: number, work: () => Promise<void>) => Promise<void>
}

/** What of the driver's client is needed. */
type Watched = { readonly readyForQuery: boolean | null; readonly connection: { readonly stream: Socket } }

/** 0 = the server may be silent forever. */
export function watchConnections(longestSilence: number): Connections {
  const open = new Set<Socket>()
  return {
    watch: (client) => {
      const watched = client as unknown as Watched
      const { stream } = watched.connection
      open.add(stream)
      stream.once('close', () => open.delete(stream))
      stream.setTimeout(longestSilence, () => {
        if (watched.readyForQuery !== true) stream.destroy(new Error('Connection terminated: the server is silent'))
      })
    },
    closeWithin: async (patience, work) => {
      const timer = setTimeout(() => {
        for (const stream of open) stream.destroy()
      }, patience)
      await work().finally(() => clearTimeout(timer))
    },
  }
}
