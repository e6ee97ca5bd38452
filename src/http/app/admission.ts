/** Admission control: refuses requests while the process is overloaded or a rate limit is exceeded. */

import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import type { Count, Counter } from '../../counters/counter.ts'
import { networkOf } from '../../counters/network.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { HttpRequest } from '../request/request.ts'
import type { PressureSettings } from '../settings.ts'

export type AdmissionOutcome = {
  readonly enter: () => void
  readonly refuse: (error: unknown) => void
  /** Called before the answer, once per counted request. */
  readonly counted: (count: Count) => void
}

/** Admits or refuses a request; synchronous if no rate limit applies. */
export type Admission = (
  request: Pick<HttpRequest, 'method' | 'path' | 'headers' | 'ip' | 'project'>,
  outcome: AdmissionOutcome,
) => void

export type AdmissionOptions = {
  readonly pressure: Pick<Pressure, 'assertRoom'> | null
  readonly perAddress: Counter | null
  readonly altogether: Counter | null
}

/** Liveness checks must succeed however busy the process is. */
export const alwaysAnswered = '/server/ping'

/** Refusing these would take a busy replica out of rotation and overload the others, or hide why it is busy. */
const answeredUnderPressure: ReadonlySet<string> = new Set(['/server/health', '/server/ready', '/metrics'])

/** First path segments of files that come with the program. */
const files: ReadonlySet<string> = new Set(['admin', 'docs', 'favicon.ico', 'robots.txt', 'llms.txt', 'llms-full.txt'])

/** Those where browsers get such files, too. */
const pages: ReadonlySet<string> = new Set(['', 'graphql'])

function needsDatabase({ method, path, headers: { accept } }: Pick<HttpRequest, 'method' | 'path' | 'headers'>) {
  const head = path.slice(1).split('/', 1)[0] as string
  if (files.has(head)) return false
  return !pages.has(head) || method !== 'GET' || accept?.includes('text/html') !== true
}

/** Null if nothing limits admission. */
export function createAdmission({ pressure, perAddress, altogether }: AdmissionOptions): Admission | null {
  const isCounting = perAddress !== null || altogether !== null
  if (pressure === null && !isCounting) return null
  const count = async (request: Pick<HttpRequest, 'ip'>, outcome: AdmissionOutcome): Promise<void> => {
    // A client over its own limit does not use up the global one.
    const own = perAddress === null ? null : await perAddress.take(networkOf(request.ip))
    if (own !== null) outcome.counted(own)
    if (own !== null && !own.allowed) throw exceeded(own)
    const all = altogether === null ? null : await altogether.take('all')
    if (own === null && all !== null) outcome.counted(all)
    if (all !== null && !all.allowed) throw exceeded(all)
  }
  return (request, admissionOutcome) => {
    if (request.path === alwaysAnswered) return admissionOutcome.enter()
    try {
      if (!answeredUnderPressure.has(request.path)) pressure?.assertRoom(needsDatabase(request))
    } catch (error) {
      return admissionOutcome.refuse(error)
    }
    if (!isCounting) return admissionOutcome.enter()
    count(request, admissionOutcome).then(admissionOutcome.enter, admissionOutcome.refuse)
  }
}

function exceeded({ limit, resetAfter }: Count): TandemError {
  const retryAfter = Math.max(1, Math.ceil(resetAfter / 1000))
  const reset = new Date(Date.now() + resetAfter).toISOString()
  return new TandemError({ kind: 'requests-exceeded', limit, retryAfter, reset })
}

export type Pressure = {
  /** Throws `unavailable` under overload of the process, or of the database for what needs it. */
  readonly assertRoom: (needsDatabase: boolean) => void
  /** The same process with the wait for another database. */
  readonly withDatabase: (databaseWait: () => number) => Pick<Pressure, 'assertRoom'>
  readonly stop: () => void
}

export type Load = {
  readonly utilization: number
  /** Milliseconds. */
  readonly delay: number
  readonly rss: number
  readonly heap: number
}

/**
 * Samples the process on a timer. The wait for the database (`databaseWait`, milliseconds) is checked for each
 * request, because a burst can arrive between two samples. Admitted requests are never refused later.
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
    const overload = overloadOf({ utilization, delay, ...memoryOf(settings) }, settings)
    looks = overload === null ? 0 : looks + 1
    reason = looks >= looksBeforeRefusal ? overload : null
  }
  const timer = setInterval(look, settings.interval).unref()
  const assertRoom = (wait: (() => number) | null): void => {
    const overload = reason ?? (wait !== null && exceeds(wait(), settings.maxDatabaseWait) ? databaseIsBusy : null)
    if (overload === null) return
    throw new TandemError({ kind: 'unavailable', service: 'api', reason: overload, retryAfter: settings.retryAfter })
  }
  return {
    assertRoom: (needs) => assertRoom(needs ? databaseWait : null),
    withDatabase: (wait) => ({ assertRoom: (needs) => assertRoom(needs ? wait : null) }),
    stop: () => {
      clearInterval(timer)
      delays.disable()
    },
  }
}

/** A short burst of work (compiling after a start, a large answer) is no overload, so several samples must agree. */
const looksBeforeRefusal = 3

const databaseIsBusy = 'The database is too busy to answer'

/** Milliseconds between two samples of the delay. */
const resolution = 10

/** Memory is measured only if a limit is set; measuring is the most expensive part. */
const memoryOf = ({ maxRss, maxHeap }: PressureSettings): Pick<Load, 'rss' | 'heap'> => {
  if (maxRss === null && maxHeap === null) return { rss: 0, heap: 0 }
  const { rss, heapUsed } = process.memoryUsage()
  return { rss, heap: heapUsed }
}

const exceeds = (value: number, most: number | null): boolean => most !== null && value > most

/** The exceeded limit; null if none is exceeded. */
export function overloadOf(load: Load, settings: PressureSettings): string | null {
  if (exceeds(load.delay, settings.maxDelay) || exceeds(load.utilization, settings.maxUtilization))
    return 'The server is too busy to answer'
  if (exceeds(load.rss, settings.maxRss) || exceeds(load.heap, settings.maxHeap))
    return 'The server has too little memory to answer'
  return null
}
