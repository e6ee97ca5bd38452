/** One connection to Redis for everything that is kept there. */
import { createClient } from '@keyv/redis'
import type { Log } from '../domain/context.ts'

/** Nothing waits for a Redis that does not answer: commands fail at once, or as soon as it has been silent for that long. */
const patience = { connect: 2_000, command: 250, silence: 500, reconnect: 2_000 } as const

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
  const watch = setInterval(endSilence(client), patience.silence / silentLooks).unref()
  return {
    client,
    close: () => {
      clearInterval(watch)
      client.destroy()
    },
  }
}

/** What the watch needs of a client. */
type Connection = {
  readonly isReady: boolean
  readonly ping: () => Promise<unknown>
  readonly connect: () => Promise<unknown>
  readonly destroy: () => void
  readonly emit: (event: 'error', error: Error) => unknown
}

/** Looks in a row without an answer: after one, this process may have been too busy to read it. */
const silentLooks = 2

/**
 * Commands that were sent wait for their answers for ever, and a Redis that hangs, or is cut off, ends no connection: one
 * that does not answer a ping is given up, with all that wait on it, and made anew.
 */
function endSilence(client: Connection): () => void {
  let missing = 0
  return () => {
    if (!client.isReady) return void (missing = 0)
    if (missing === silentLooks) {
      missing = 0
      client.destroy()
      client.emit('error', new Error('Redis does not answer'))
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
