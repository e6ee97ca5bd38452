/** Signals between replicas by Redis. They have no content and may get lost, so receivers also poll. */
import type { Log } from '../domain/ports/context.ts'
import { createRedisClient } from './redis.ts'

export type RedisSignals = {
  readonly send: () => void
  /** Calls back for each signal of another replica. */
  readonly listen: (onSignal: () => void) => void
  readonly close: () => void
}

/** Connects in the background, and again after an outage. Replicas with the same channel receive the signals of each other. */
export function openSignals(url: string, channel: string, log: Log): RedisSignals {
  const own = crypto.randomUUID()
  const listeners = new Set<() => void>()
  const [publisher, subscriber] = [createRedisClient(url), createRedisClient(url)]
  let isSending = false
  let isDown = false
  subscriber.on('error', (error: unknown) => {
    if (!isDown) log.warn({ err: error }, 'Redis cannot be reached; replicas hear of changes by polling the database')
    isDown = true
  })
  publisher.on('error', () => undefined)
  subscriber.on('ready', () => {
    isDown = false
  })
  publisher.connect().catch(() => undefined)
  subscriber
    .connect()
    .then(() =>
      subscriber.subscribe(channel, (from) => {
        if (from !== own) for (const onSignal of listeners) onSignal()
      }),
    )
    .catch(() => undefined)

  const send = (): void => {
    if (isSending) return
    isSending = true
    // What is committed in the same turn needs one signal.
    setImmediate(() => {
      isSending = false
      if (publisher.isReady) publisher.publish(channel, own).catch(() => undefined)
    })
  }
  return {
    send,
    listen: (onSignal) => void listeners.add(onSignal),
    close: () => {
      publisher.destroy()
      subscriber.destroy()
    },
  }
}
