/** Bounded and fair queues for expensive work, such as hashing. */
import { TandemError } from '../domain/rights/errors.ts'

type Bounds = {
  readonly working: number
  /** Limit of waiting jobs. */
  readonly waiting: number
  /** Limit of waiting jobs of one caller. */
  readonly perCaller: number
}

/** Runs the work when a slot is free. Throws `unavailable` if the queue is full. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>

/** A queue that serves waiting callers in round-robin order. */
type Queue = { readonly bounds: Bounds; readonly take: <T>(caller: string, work: () => Promise<T>) => Promise<T> }

/** Creates a queue. `service` is its name in errors. */
export function createQueue(service: string, bounds: Bounds): Queue {
  const callers = new Map<string, (() => void)[]>()
  let working = 0
  let waiting = 0
  const wait = (caller: string): Promise<void> => {
    const own = callers.get(caller) ?? []
    if (waiting >= bounds.waiting || own.length >= bounds.perCaller) {
      throw new TandemError({ kind: 'unavailable', service, reason: 'Too many at once', retryAfter: 5 })
    }
    callers.set(caller, own)
    waiting += 1
    return new Promise((resolve) => own.push(resolve))
  }
  /** Starts the next job: one of the caller at the front, who then moves to the back. */
  const next = (): void => {
    const [first] = callers
    if (first === undefined) {
      working -= 1
      return
    }
    const [caller, own] = first
    const begin = own.shift()
    callers.delete(caller)
    if (own.length > 0) callers.set(caller, own)
    waiting -= 1
    begin?.()
  }
  return {
    bounds,
    async take(caller, work) {
      if (working >= bounds.working) await wait(caller)
      else working += 1
      try {
        return await work()
      } finally {
        next()
      }
    },
  }
}

/** Queue of logins, which are separate from other work. */
export const loginQueue: Queue = createQueue('login', { working: 2, waiting: 200, perCaller: 200 })

/** Queue of all other hashing in requests. */
export const requestQueue: Queue = createQueue('hashing', { working: 1, waiting: 200, perCaller: 50 })

/** Runs work in the queue of logins. */
export const loginTurns: Turns = (work) => loginQueue.take('', work)

/** Runs work of one caller in the queue of requests. */
export const turnsOf =
  (caller: string): Turns =>
  (work) =>
    requestQueue.take(caller, work)
