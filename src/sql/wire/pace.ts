/** How long the database takes for statements, by their names, as far as it shows from here. */
import { performance } from 'node:perf_hooks'
import { LRUCache } from 'lru-cache'

/** In ms; a name that is not known takes forever. */
export type Pace = {
  readonly expect: (name: string | undefined) => number
  readonly note: (name: string | undefined, waited: number) => void
}

/** How many names are kept. */
const most = 10_000

/** How much of a mean one more time is. */
const weight = 1 / 8

export function createPace(): Pace {
  const times = new LRUCache<string, number>({ max: most })
  return {
    expect: (name) => (name === undefined ? undefined : times.get(name)) ?? Number.POSITIVE_INFINITY,
    note(name, waited) {
      if (name === undefined) return
      const known = times.get(name)
      times.set(name, known === undefined ? waited : known + (waited - known) * weight)
    },
  }
}

/**
 * Each call tells the ms that were waited since the last. While this process is busy, an answer that has come is not
 * looked at, so that time says little about the database: a sixteenth of all the time is the least that counts.
 */
export function startWatch(): () => number {
  let at = performance.now()
  let idle = performance.nodeTiming.idleTime
  return () => {
    const [before, idleBefore] = [at, idle]
    at = performance.now()
    idle = performance.nodeTiming.idleTime
    return Math.max(idle - idleBefore, (at - before) / 16)
  }
}
