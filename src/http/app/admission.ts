/** Admission control: refuses requests while the process is overloaded or a rate limit is exceeded. */
import type { Count, Counter } from '../../counters/counter.ts'
import { networkOf } from '../../counters/network.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { HttpRequest } from '../request/request.ts'
import type { Pressure } from './pressure.ts'

/** The outcome of admission. */
export type AdmissionOutcome = {
  readonly enter: () => void
  readonly refuse: (error: unknown) => void
  /** Called before the answer, once per counted request. */
  readonly counted: (count: Count) => void
}

/** Admits or refuses a request; synchronous if no rate limit applies. */
export type Admission = (request: Pick<HttpRequest, 'path' | 'ip' | 'project'>, outcome: AdmissionOutcome) => void

export type AdmissionOptions = {
  readonly pressure: Pick<Pressure, 'assertRoom'> | null
  readonly perAddress: Counter | null
  readonly altogether: Counter | null
}

/** Liveness checks must succeed however busy the process is. */
export const alwaysAnswered = '/server/ping'

/** Refusing these would take a busy replica out of rotation and overload the others. */
const answeredUnderPressure: ReadonlySet<string> = new Set(['/server/health', '/server/ready'])

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
      if (!answeredUnderPressure.has(request.path)) pressure?.assertRoom()
    } catch (error) {
      return admissionOutcome.refuse(error)
    }
    if (!isCounting) return admissionOutcome.enter()
    count(request, admissionOutcome).then(admissionOutcome.enter, admissionOutcome.refuse)
  }
}

/** The error for an exceeded rate limit. */
function exceeded({ limit, resetAfter }: Count): TandemError {
  const retryAfter = Math.max(1, Math.ceil(resetAfter / 1000))
  const reset = new Date(Date.now() + resetAfter).toISOString()
  return new TandemError({ kind: 'requests-exceeded', limit, retryAfter, reset })
}
