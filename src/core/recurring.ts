/** Work that runs once at a time, and work that a process repeats in the background. */

/**
 * Runs the work, after the present run if there is one. Calls during one run share the next one, because that run may
 * have missed what they are about.
 */
export function oneAtATime<T>(work: () => Promise<T>) {
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | null = null
  const begin = (): Promise<T> => {
    next = null
    return work()
  }
  return {
    run: (): Promise<T> => {
      if (next === null) last = next = last.then(begin, begin)
      return next
    },
    /** Resolves after all runs that were asked for. */
    settled: () => Promise.allSettled([last]),
  }
}

/** Does the work for each item, for so many at the same time. */
export async function inParallel<T>(
  items: Iterable<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = Iterator.from(items)
  const lane = async (): Promise<void> => {
    for (const item of waiting) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}

export type Recurring = {
  /** Runs the work, after the present run if there is one. Requests during one run share the next one. */
  readonly run: () => Promise<void>
  /** Ends the repetition, and waits for the present run. */
  readonly close: () => Promise<void>
}

/** Repeats the work, which must not reject, at an interval in milliseconds; never twice at the same time. */
export function repeatEvery(interval: number, work: () => Promise<void>): Recurring {
  const { run, settled } = oneAtATime(work)
  const timer = setInterval(() => void run(), interval).unref()
  return {
    run,
    async close() {
      clearInterval(timer)
      await settled()
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
