/** The connection to Redis, shared by counters and caches. */
import { createClient } from '@redis/client'
import type { Log } from '../domain/ports/context.ts'

/** Timeouts in milliseconds. A Redis that does not respond must not delay requests. */
const timeouts = { connect: 2_000, command: 250, idle: 500, reconnect: 2_000 } as const

/** A client that connects on request, and reconnects after an outage. */
export const createRedisClient = (url: string) =>
  createClient({
    url,
    disableOfflineQueue: true,
    commandOptions: { timeout: timeouts.command },
    socket: {
      connectTimeout: timeouts.connect,
      reconnectStrategy: (attempts) => Math.min(50 * 2 ** attempts, timeouts.reconnect),
    },
  })

export type OpenRedis = {
  readonly client: ReturnType<typeof createRedisClient>
  /** Calls back when the connection is lost: Redis may come back without its last writes. */
  readonly onLoss: (listener: () => void) => void
  readonly close: () => void
}

/** Connects in the background if Redis is not available. Outages, also at the start, are logged and tolerated. */
export async function openRedis(url: string, log: Log): Promise<OpenRedis> {
  const client = createRedisClient(url)
  const listeners = new Set<() => void>()
  let isDown = false
  client.on('error', (error: unknown) => {
    for (const listener of listeners) listener()
    if (!isDown) log.warn({ err: error }, 'Redis cannot be reached; each replica uses its own counters and cache')
    isDown = true
  })
  client.on('ready', () => {
    if (isDown) log.info({}, 'Redis is available again')
    isDown = false
  })
  const connected = client.connect().then(
    () => undefined,
    () => undefined,
  )
  await Promise.race([connected, waitUnheld(timeouts.connect)])
  const watch = setInterval(closeWhenIdle(client), timeouts.idle / silentLooks).unref()
  return {
    client,
    onLoss: (listener) => void listeners.add(listener),
    close: () => {
      clearInterval(watch)
      client.destroy()
    },
  }
}

/** The part of the client that the watchdog uses. */
type Connection = {
  readonly isReady: boolean
  readonly ping: () => Promise<unknown>
  readonly connect: () => Promise<unknown>
  readonly destroy: () => void
  readonly emit: (event: 'error', error: Error) => unknown
}

/** Number of missed pings before a reconnect. One is not enough, because this process may have been too busy to read the response. */
const silentLooks = 2

/**
 * A watchdog for a Redis that hangs: commands have no timeout of their own, and no error closes the connection. If a ping
 * gets no response, the connection is closed, pending commands fail, and the client reconnects.
 */
function closeWhenIdle(client: Connection): () => void {
  let missing = 0
  return () => {
    if (!client.isReady) return void (missing = 0)
    if (missing === silentLooks) {
      missing = 0
      client.destroy()
      client.emit('error', new Error('Redis does not respond'))
      return void client.connect().catch(() => undefined)
    }
    missing += 1
    if (missing > 1) return
    const heard = (): void => void (missing = 0)
    client.ping().then(heard, heard)
  }
}

const waitUnheld = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref()
  })
