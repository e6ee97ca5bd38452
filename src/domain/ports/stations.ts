/** The stations of a request, and the time that it spends in each. */

/** In order; see ARCHITECTURE.md. `respond` is not measured: its head carries the times of the others. */
export const stations = ['validate', 'authenticate', 'parse', 'authorize', 'compile', 'run', 'serialize'] as const

export type Station = (typeof stations)[number]

export type Stopwatch = {
  /** Adds the time since the last call to a station. A request may pass a station several times. */
  readonly leave: (station: Station) => void
  /** Milliseconds by station, as far as the request has come. */
  readonly times: () => ReadonlyMap<Station, number>
}

/** The same calls without times. */
export const stopwatchFor = (leave: Stopwatch['leave']): Stopwatch => ({ leave, times: () => none })

const none: ReadonlyMap<Station, number> = new Map()

/** A stopwatch that also passes its calls to `leave`. */
export const observedBy = (leave: Stopwatch['leave'], { leave: own, times }: Stopwatch): Stopwatch => ({
  times,
  leave: (station) => {
    own(station)
    leave(station)
  },
})

export function createStopwatch(now: () => number = () => performance.now()): Stopwatch {
  const times = new Map<Station, number>()
  let last = now()
  return {
    leave: (station) => {
      const at = now()
      times.set(station, (times.get(station) ?? 0) + at - last)
      last = at
    },
    times: () => times,
  }
}

/**
 * The value of the header `Server-Timing`.
 * @example serverTiming(new Map([['run', 1.25]])) // 'run;dur=1.25'
 */
export const serverTiming = (times: ReadonlyMap<Station, number>): string =>
  stations
    .filter((station) => times.has(station))
    .map((station) => `${station};dur=${(times.get(station) ?? 0).toFixed(2)}`)
    .join(', ')
