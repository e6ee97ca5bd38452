/** Work that a process repeats in the background. */
export type Recurring = {
  /** Runs the work, after the present run if there is one. Requests during one run share the next one. */
  readonly run: () => Promise<void>
  /** Ends the repetition, and waits for the present run. */
  readonly close: () => Promise<void>
}

/** Repeats the work, which must not reject, at an interval in milliseconds; never twice at the same time. */
export function repeatEvery(interval: number, work: () => Promise<void>): Recurring {
  let last = Promise.resolve()
  let next: Promise<void> | null = null
  const run = (): Promise<void> => {
    next ??= last = last.then(() => {
      next = null
      return work()
    })
    return next
  }
  const timer = setInterval(() => void run(), interval).unref()
  return {
    run,
    async close() {
      clearInterval(timer)
      await last
    },
  }
}

/** A wait for so many milliseconds that `end` can cut short. */
export function createPause() {
  let end: (() => void) | null = null
  return {
    take: (milliseconds: number): Promise<void> =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, milliseconds)
        end = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
    end: (): void => end?.(),
  }
}
