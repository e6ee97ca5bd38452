/** Whether the process or its database has more to do than it can. */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { TandemError } from '../../domain/rights/errors.ts'
import type { PressureSettings } from '../settings.ts'

export type Pressure = {
  /** Throws `unavailable` while there is too much to do. */
  readonly assertRoom: () => void
  readonly stop: () => void
}

/** What was found at one look. */
export type Load = {
  readonly utilization: number
  /** Milliseconds. */
  readonly delay: number
  readonly rss: number
  readonly heap: number
}

/**
 * Looks at the process on a timer; at the queue for the database, `databaseWait` in milliseconds, with every
 * request, because a crowd comes between two looks. Who was let in is not turned away any more.
 */
export function createPressure(settings: PressureSettings, databaseWait: () => number): Pressure {
  const delays = monitorEventLoopDelay({ resolution })
  delays.enable()
  let before = performance.eventLoopUtilization()
  let reason: string | null = null
  let looks = 0
  const look = (): void => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    const delay = Math.max(0, delays.mean / 1e6 - resolution)
    before = now
    delays.reset()
    const found = overloadOf({ utilization, delay, ...memoryOf(settings) }, settings)
    looks = found === null ? 0 : looks + 1
    reason = looks >= looksBeforeRefusal ? found : null
  }
  const timer = setInterval(look, settings.interval).unref()
  return {
    assertRoom: () => {
      const found = reason ?? (exceeds(databaseWait(), settings.maxDatabaseWait) ? databaseIsBusy : null)
      if (found === null) return
      throw new TandemError({ kind: 'unavailable', service: 'api', reason: found, retryAfter: settings.retryAfter })
    },
    stop: () => {
      clearInterval(timer)
      delays.disable()
    },
  }
}

/** Work that is over soon (compiling after a start, a large answer) is no overload. */
const looksBeforeRefusal = 3

const databaseIsBusy = 'The database is too busy to answer'

/** Milliseconds between two samples of the delay. */
const resolution = 10

/** Asking for memory costs more than the rest, and few do. */
const memoryOf = ({ maxRss, maxHeap }: PressureSettings): Pick<Load, 'rss' | 'heap'> => {
  if (maxRss === null && maxHeap === null) return { rss: 0, heap: 0 }
  const { rss, heapUsed } = process.memoryUsage()
  return { rss, heap: heapUsed }
}

const exceeds = (value: number, most: number | null): boolean => most !== null && value > most

/** What there is too much of; null when there is room. */
export function overloadOf(load: Load, settings: PressureSettings): string | null {
  if (exceeds(load.delay, settings.maxDelay) || exceeds(load.utilization, settings.maxUtilization))
    return 'The server is too busy to answer'
  if (exceeds(load.rss, settings.maxRss) || exceeds(load.heap, settings.maxHeap))
    return 'The server has too little memory to answer'
  return null
}
