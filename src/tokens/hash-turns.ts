/** The queues of hashing, which is expensive. */
import { createQueue, type Queue } from '../domain/ports/queue.ts'

/** Runs the work when a place is free. Throws `unavailable` if the queue is full. */
export type HashQueue = <T>(work: () => Promise<T>) => Promise<T>

const reasons = { full: 'Too many at once', late: 'Waited too long' }

type Bounds = { readonly running: number; readonly waiting: number; readonly waitingPerCaller: number }

const open = (service: string, bounds: Bounds): Queue & { readonly bounds: Bounds } => ({
  bounds,
  ...createQueue({ service, ...bounds, reasons, retryAfter: 5 }),
})

/** Queue of logins, which are separate from other work. */
export const loginQueue = open('login', { running: 2, waiting: 200, waitingPerCaller: 200 })

export const requestQueue = open('hashing', { running: 1, waiting: 200, waitingPerCaller: 50 })

export const loginTurns: HashQueue = (work) => loginQueue.take('', work)

/** Runs work of one caller in the queue of requests. */
export const turnsOf =
  (caller: string): HashQueue =>
  (work) =>
    requestQueue.take(caller, work)
