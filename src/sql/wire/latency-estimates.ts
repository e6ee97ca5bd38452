/** Estimates how long the database takes for statements, by their names. */
import { performance } from 'node:perf_hooks'
import { LRUCache } from 'lru-cache'

/** In ms; infinite for an unknown name. */
export type LatencyEstimates = {
  readonly expect: (name: string | undefined) => number
  readonly note: (name: string | undefined, waited: number) => void
}

/** Maximum number of stored names. */
const most = 10_000

/** Weight of a new measurement in the mean. */
const weight = 1 / 8

export function createLatencyEstimates(): LatencyEstimates {
  const times = new LRUCache<string, number>({ max: most })
  return {
    expect: (name) => (name === undefined ? undefined : times.get(name)) ?? Number.POSITIVE_INFINITY,
    note(name, waited) {
      if (name === undefined) return
      const cached = times.get(name)
      times.set(name, cached === undefined ? waited : cached + (waited - cached) * weight)
    },
  }
}

/** Milliseconds, in total and of idling. */
type Clock = { readonly now: () => number; readonly idle: () => number }

const ownClock: Clock = { now: () => performance.now(), idle: () => performance.nodeTiming.idleTime }

/**
 * Each call returns the ms of idle time since the last call. While the process is busy it does not process results, so
 * that time is no measure of the database; at least a sixteenth of the total time is counted.
 */
export function startWatch(clock: Clock = ownClock): () => number {
  let at = clock.now()
  let idle = clock.idle()
  return () => {
    const [before, idleBefore] = [at, idle]
    at = clock.now()
    idle = clock.idle()
    return Math.max(idle - idleBefore, (at - before) / 16)
  }
}
