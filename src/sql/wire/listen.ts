/** Notifications of a server, over one connection that is reopened when it breaks. */
import type pg from 'pg'
import type { Log } from '../../domain/ports/context.ts'
import { quoteName } from '../dialects/quoting.ts'
import { toTandemError } from '../errors/errors.ts'

/** Gets each payload; null after a reconnect, when messages may have been missed. */
export type Listener = (payload: string | null) => void

export type ListenConnection = {
  listen(channel: string, onMessage: Listener): Promise<void>
  /** Resolves when the server responds; false if there is no connection. */
  ping(): Promise<boolean>
  close(): Promise<void>
}

/** Connects at the first `listen`. */
export function listenOn(createClient: () => pg.Client, log: Log | undefined): ListenConnection {
  const listeners = new Map<string, Listener>()
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | undefined
  let closed = false

  const connect = async (): Promise<void> => {
    const next = createClient()
    next.on('error', (error) => log?.warn({ err: error }, 'The connection for notifications was lost'))
    next.on('notification', ({ channel, payload }) => listeners.get(channel)?.(payload ?? ''))
    next.on('end', () => {
      if (client !== next) return
      client = null
      again(100)
    })
    try {
      await next.connect()
      for (const channel of listeners.keys()) await next.query(`listen ${quoteName(channel)}`)
      if (closed) await next.end()
      else client = next
    } catch (error) {
      await next.end().catch(() => undefined)
      throw error
    }
  }

  const again = (delay: number): void => {
    if (closed) return
    timer = setTimeout(() => {
      connect().then(
        () => {
          for (const onMessage of listeners.values()) onMessage(null)
        },
        () => again(Math.min(delay * 2, 5_000)),
      )
    }, delay)
  }

  return {
    listen: async (channel, onMessage) => {
      listeners.set(channel, both(listeners.get(channel), onMessage))
      try {
        if (client === null) await connect()
        else await client.query(`listen ${quoteName(channel)}`)
      } catch (error) {
        throw toTandemError(error)
      }
    },
    ping: async () => {
      if (client === null) return false
      try {
        await client.query('select 1')
      } catch (error) {
        throw toTandemError(error)
      }
      return true
    },
    close: async () => {
      closed = true
      clearTimeout(timer)
      const last = client
      client = null
      await last?.end()
    },
  }
}

/** All earlier listeners are registered again. */
export function both<T>(
  earlier: ((payload: T) => void) | undefined,
  later: (payload: T) => void,
): (payload: T) => void {
  if (earlier === undefined) return later
  return (payload) => {
    earlier(payload)
    later(payload)
  }
}
