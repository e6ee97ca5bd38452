/** A bounded queue: limits the number of running jobs, of waiting jobs, and the waiting time. Rejects further jobs. */
import { TandemError } from '../domain/rights/errors.ts'

type Bounds = {
  readonly lanes: number
  /** Limit of running and waiting jobs together. */
  readonly maxConcurrent: number
  /** Limit of the waiting time in milliseconds. */
  readonly timeout: number
}

type Waiting = { readonly begin: () => void; readonly refuse: (error: TandemError) => void }

export type Turns = {
  /** Runs the job when a slot is free. Rejects with `unavailable` if the queue is full or the wait too long. */
  readonly take: <T>(work: () => Promise<T>) => Promise<T>
  /** Rejects queued and new jobs. */
  readonly close: () => void
}

/** Creates an empty queue. */
export function createTurns({ lanes, maxConcurrent, timeout }: Bounds): Turns {
  const waiting = new Set<Waiting>()
  let working = 0
  let closed = false
  const refusal = (reason: string): TandemError => busy(reason, timeout)
  const wait = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (end: () => void) => () => {
        clearTimeout(timer)
        waiting.delete(mine)
        end()
      }
      const mine: Waiting = { begin: leave(resolve), refuse: (error) => leave(() => reject(error))() }
      const timer = setTimeout(() => mine.refuse(refusal(`waited longer than ${timeout} ms`)), timeout)
      waiting.add(mine)
    })
  const next = (): void => {
    const [first] = waiting
    if (first === undefined) working -= 1
    else first.begin()
  }
  return {
    async take(work) {
      if (closed) throw refusal('the server is stopping')
      if (working + waiting.size >= maxConcurrent) throw refusal('too many images at once')
      if (working >= lanes) await wait()
      else working += 1
      try {
        return await work()
      } finally {
        next()
      }
    },
    close() {
      closed = true
      for (const each of waiting) each.refuse(refusal('the server is stopping'))
    },
  }
}

/** A temporary failure: the client may retry. */
export function busy(reason: string, timeout: number): TandemError {
  const retryAfter = Math.max(1, Math.ceil(timeout / 1000))
  return new TandemError({ kind: 'unavailable', service: 'assets', reason, retryAfter })
}
