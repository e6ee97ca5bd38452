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
  await Promise.race([connected, waitUnreferenced(timeouts.connect)])
  const watch = setInterval(createWatchdog(client), timeouts.idle / mostMissedPings).unref()
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
const mostMissedPings = 2

/**
 * A watchdog for a Redis that hangs: commands have no timeout of their own, and no error closes the connection. If a ping
 * gets no response, the connection is closed, pending commands fail, and the client reconnects.
 */
function createWatchdog(client: Connection): () => void {
  let missedPings = 0
  return () => {
    if (!client.isReady) return void (missedPings = 0)
    if (missedPings === mostMissedPings) {
      missedPings = 0
      client.destroy()
      client.emit('error', new Error('Redis does not respond'))
      return void client.connect().catch(() => undefined)
    }
    missedPings += 1
    if (missedPings > 1) return
    const reset = (): void => void (missedPings = 0)
    client.ping().then(reset, reset)
  }
}

const waitUnreferenced = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref()
  })
