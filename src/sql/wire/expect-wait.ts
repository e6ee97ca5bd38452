/** How long whoever asks for a connection now would wait for it, by how fast they come free while others wait. */
import { performance } from 'node:perf_hooks'

export type WaitWatch = {
  /** Tells that a connection comes back, before whoever waits for one gets it. */
  readonly givenBack: () => void
  /** Milliseconds. */
  readonly expected: () => number
}

type Options = {
  readonly least: number
  /** Milliseconds. */
  readonly now?: () => number
  /** Milliseconds that the process has waited for anything at all. */
  readonly idle?: () => number
}

/**
 * Tells it in milliseconds; 0 while nobody waits. A place in the queue costs the time since it formed, shared by
 * the connections that came free meanwhile. `least` of them are taken for granted, so that the first few, or none
 * yet, tell something as well; until there are as many, the queue before this one counts if it was slower. A crowd
 * is read before any answer of the database is looked at: until the first one is, only the time counts that the
 * process was idle.
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
      // The oldest one is forgotten, with the time that it took on average.
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

/** Times `least` connections. */
const rememberedTurns = 5

/** Milliseconds: clients who were refused come back together, a second or a few later. */
const rememberedTime = 10_000
