/** Who may come in: not while the process is overloaded, and not more often than the rates allow. */
import type { Count, Counter } from '../../counters/counter.ts'
import { networkOf } from '../../counters/network.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { HttpRequest } from '../request/request.ts'
import type { Pressure } from './pressure.ts'

/** What becomes of a request at the door. */
export type Entrance = {
  readonly enter: () => void
  readonly refuse: (error: unknown) => void
  /** Called once per request that was counted, before the answer. */
  readonly counted: (count: Count) => void
}

/** Lets a request in or refuses it; at once where nothing has to be counted. */
export type Admission = (request: Pick<HttpRequest, 'path' | 'ip'>, entrance: Entrance) => void

export type AdmissionOptions = {
  readonly pressure: Pick<Pressure, 'assertRoom'> | null
  readonly perAddress: Counter | null
  readonly altogether: Counter | null
}

/** Monitors must hear that the process lives, however busy it is. */
const alwaysAnswered = '/server/ping'

/** Who is asked whether it is well says so: taken for dead while it is busy, it would leave the others its load. */
const answeredUnderPressure = '/server/health'

/** Null when all may come in. */
export function createAdmission({ pressure, perAddress, altogether }: AdmissionOptions): Admission | null {
  const isCounting = perAddress !== null || altogether !== null
  if (pressure === null && !isCounting) return null
  const count = async (request: Pick<HttpRequest, 'ip'>, entrance: Entrance): Promise<void> => {
    // Who is over its own limit takes nothing from the others.
    const own = perAddress === null ? null : await perAddress.take(networkOf(request.ip))
    if (own !== null) entrance.counted(own)
    if (own !== null && !own.allowed) throw exceeded(own)
    const all = altogether === null ? null : await altogether.take('all')
    if (own === null && all !== null) entrance.counted(all)
    if (all !== null && !all.allowed) throw exceeded(all)
  }
  return (request, entrance) => {
    if (request.path === alwaysAnswered) return entrance.enter()
    try {
      if (request.path !== answeredUnderPressure) pressure?.assertRoom()
    } catch (error) {
      return entrance.refuse(error)
    }
    if (!isCounting) return entrance.enter()
    count(request, entrance).then(entrance.enter, entrance.refuse)
  }
}

/** The failure of whoever came too often. */
function exceeded({ limit, resetAfter }: Count): TandemError {
  const retryAfter = Math.max(1, Math.ceil(resetAfter / 1000))
  const reset = new Date(Date.now() + resetAfter).toISOString()
  return new TandemError({ kind: 'requests-exceeded', limit, retryAfter, reset })
}
