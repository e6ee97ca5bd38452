/** One connection to Redis for everything that is kept there. */
import { createClient } from '@keyv/redis'
import type { Log } from '../domain/context.ts'

/** Nothing waits for a Redis that does not answer: commands fail at once, or after a quarter of a second. */
const patience = { connect: 2_000, command: 250, reconnect: 2_000 } as const

/** The client for counters and caches, and its end. */
export type OpenRedis = { readonly client: object; readonly close: () => void }

/** Connects, now or as soon as Redis is there: an outage, also at the start, is logged and stops nothing. */
export async function openRedis(url: string, log: Log): Promise<OpenRedis> {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    commandOptions: { timeout: patience.command },
    socket: {
      connectTimeout: patience.connect,
      reconnectStrategy: (attempts) => Math.min(50 * 2 ** attempts, patience.reconnect),
    },
  })
  let isDown = false
  client.on('error', (error: unknown) => {
    if (!isDown) log.warn({ err: error }, 'Redis cannot be reached; each replica counts and caches for itself')
    isDown = true
  })
  client.on('ready', () => {
    if (isDown) log.info({}, 'Redis is back')
    isDown = false
  })
  const connected = client.connect().then(
    () => undefined,
    () => undefined,
  )
  await Promise.race([connected, waitUnheld(patience.connect)])
  return { client, close: () => client.destroy() }
}

const waitUnheld = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref()
  })
