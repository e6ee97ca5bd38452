/** Bounded queues that are fair: callers that wait are served in turn. */
import { TandemError } from '../rights/errors.ts'

export type QueueOptions = {
  /** Its name in errors. */
  readonly service: string
  /** Limit of jobs that run at the same time. */
  readonly running?: number
  /** The same for one caller. */
  readonly runningPerCaller?: number
  /** Limit of waiting jobs. */
  readonly waiting?: number
  /** The same for one caller. */
  readonly waitingPerCaller?: number
  /** Limit of the waiting time in milliseconds. */
  readonly timeout?: number
  /** The reasons of errors. */
  readonly reasons: { readonly full: string; readonly late: string }
  /** Seconds after which a refused client may try again. */
  readonly retryAfter: number
}

export type Queue = {
  /** Runs the work when there is a place. Rejects with `unavailable` if the queue is full or the wait too long. */
  readonly take: <T>(caller: string, work: () => Promise<T>) => Promise<T>
  readonly state: () => JobState
  /** Rejects waiting and new jobs. */
  readonly close: () => void
}

export type JobState = { readonly running: number; readonly waiting: number }

type WaitingJob = { readonly begin: () => void; readonly refuse: (reason: string) => void }

type Caller = { running: number; readonly waiting: Set<WaitingJob> }

export function createQueue(options: QueueOptions): Queue {
  const { running: most = Infinity, runningPerCaller: mostOfOne = Infinity, timeout } = options
  const callers = new Map<string, Caller>()
  /** The callers whose next job only needs a free place. */
  const ready = new Set<string>()
  let running = 0
  let waiting = 0
  let isClosed = false
  const refusal = (reason: string): TandemError =>
    new TandemError({ kind: 'unavailable', service: options.service, reason, retryAfter: options.retryAfter })

  const enter = (caller: Caller): void => {
    running += 1
    caller.running += 1
  }
  /** Moves the caller to the end of the line, removes it from the line, or deletes it if it has no jobs. */
  const arrange = (name: string, caller: Caller): void => {
    ready.delete(name)
    if (caller.waiting.size > 0 && caller.running < mostOfOne) ready.add(name)
    if (caller.waiting.size === 0 && caller.running === 0) callers.delete(name)
  }
  const leave = (name: string, caller: Caller): void => {
    running -= 1
    caller.running -= 1
    if (!ready.has(name)) arrange(name, caller)
    for (const next of ready) {
      if (running >= most) return
      const [first] = callers.get(next)?.waiting ?? []
      first?.begin()
    }
  }
  const wait = (name: string, caller: Caller): Promise<void> =>
    new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        clearTimeout(timer)
        caller.waiting.delete(mine)
        waiting -= 1
        settle()
      }
      const mine: WaitingJob = {
        begin: () => {
          end(resolve)
          enter(caller)
          arrange(name, caller)
        },
        refuse: (reason) => {
          end(() => reject(refusal(reason)))
          if (caller.waiting.size === 0) arrange(name, caller)
        },
      }
      const timer = timeout === undefined ? undefined : setTimeout(() => mine.refuse(options.reasons.late), timeout)
      caller.waiting.add(mine)
      waiting += 1
      if (!ready.has(name)) arrange(name, caller)
    })

  return {
    async take(name, work) {
      if (isClosed) throw refusal(stopping)
      const caller = callers.get(name) ?? { running: 0, waiting: new Set<WaitingJob>() }
      if (running < most && caller.running < mostOfOne) enter(caller)
      else if (waiting >= (options.waiting ?? Infinity)) throw refusal(options.reasons.full)
      else if (caller.waiting.size >= (options.waitingPerCaller ?? Infinity)) throw refusal(options.reasons.full)
      else {
        callers.set(name, caller)
        await wait(name, caller)
      }
      callers.set(name, caller)
      try {
        return await work()
      } finally {
        leave(name, caller)
      }
    },
    state: () => ({ running, waiting }),
    close() {
      isClosed = true
      const waiting = [...callers.values()].flatMap((caller) => [...caller.waiting])
      for (const each of waiting) each.refuse(stopping)
    },
  }
}

const stopping = 'the server is stopping'
