/** Estimates the waiting time for a connection from the rate at which connections are released while others wait. */
import { performance } from 'node:perf_hooks'

export type WaitWatch = {
  /** Call it when a connection is released, before the next request gets it. */
  readonly givenBack: () => void
  /** Milliseconds. */
  readonly expected: () => number
}

type Options = {
  readonly least: number
  /** Milliseconds. */
  readonly now?: () => number
  /** Milliseconds that the process was idle. */
  readonly idle?: () => number
}

/**
 * Returns the estimate in milliseconds; 0 while nobody waits. A position in the queue costs the time since the queue
 * formed, divided by the connections released meanwhile. At least `least` releases are assumed, so that the first ones
 * give an estimate too; until then the rate of the previous queue is used if it was slower. A burst of requests is read
 * before any result of the database is processed, so until the first result only idle time counts.
 */
export function expectWait(
  waiting: () => number,
  { least, now = () => performance.now(), idle = () => performance.nodeTiming.idleTime }: Options,
): WaitWatch {
  let since: number | null = null
  let idleUntil = 0
  let freed = 0
  let before = { place: 0, ended: Number.NEGATIVE_INFINITY }
  const idled = (): number => idle() - idleUntil
  const placeSince = (from: number): number => (freed === 0 ? idled() : now() - from) / Math.max(freed, least)
  const look = (): number | null => {
    const isQueue = waiting() > 0
    if (since !== null && !isQueue) {
      if (freed >= least) before = { place: placeSince(since), ended: now() }
      since = null
    } else if (since === null && isQueue) {
      since = now()
      idleUntil = idle()
      freed = 0
    }
    return since
  }
  return {
    givenBack() {
      const from = look()
      if (from === null) return
      if (freed === 0) since = now() - idled()
      freed += 1
      if (freed <= least * rememberedTurns) return
      // The oldest release is dropped, with its average time.
      since = from + (now() - from) / freed
      freed -= 1
    },
    expected() {
      const from = look()
      if (from === null) return 0
      const isNew = freed < least && now() - before.ended < rememberedTime
      return waiting() * Math.max(placeSince(from), isNew ? before.place : 0)
    },
  }
}

/** In multiples of `least`. */
const rememberedTurns = 5

/** Milliseconds. Rejected clients come back together after one or a few seconds. */
const rememberedTime = 10_000
