/** A bounded queue: so many at once, so many waiting, each for so long; the rest is turned away at once. */
import { TandemError } from '../domain/errors.ts'

type Bounds = {
  readonly lanes: number
  /** Running and waiting together. */
  readonly maxConcurrent: number
  /** Milliseconds that one waits at most. */
  readonly timeout: number
}

type Waiting = { readonly begin: () => void; readonly refuse: (error: TandemError) => void }

export type Turns = {
  /** Does the work when it is its turn, or rejects with `unavailable`. */
  readonly take: <T>(work: () => Promise<T>) => Promise<T>
  /** Turns away who waits, and whoever comes. */
  readonly close: () => void
}

/** Makes an empty queue. */
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

/** The work may succeed later. */
export function busy(reason: string, timeout: number): TandemError {
  const retryAfter = Math.max(1, Math.ceil(timeout / 1000))
  return new TandemError({ kind: 'unavailable', service: 'assets', reason, retryAfter })
}
