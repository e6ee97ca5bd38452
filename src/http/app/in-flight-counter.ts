/**
 * Tracks running requests, so that shutdown can wait for them. Work continues after its client disconnects, and cleans
 * up after itself.
 */
export type InFlightCounter = {
  readonly begin: () => void
  readonly end: () => void
  /** Resolves when no request is running, at the latest after `deadlineMs` milliseconds. */
  readonly settled: (deadlineMs: number) => Promise<void>
}

export const createInFlightCounter = (): InFlightCounter => {
  let count = 0
  let settle: (() => void) | null = null
  return {
    begin: () => {
      count += 1
    },
    end: () => {
      count -= 1
      if (count === 0) settle?.()
    },
    settled: (deadlineMs) =>
      new Promise((resolve) => {
        if (count === 0) return resolve()
        const timer = setTimeout(resolve, deadlineMs)
        settle = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
  }
}
