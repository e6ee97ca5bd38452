/** Limits per API key: requests, and the cost of what they read and write. */
import type { Allowance, ApiKey } from '../domain/rights/actor.ts'
import { TandemError } from '../domain/rights/errors.ts'
import type { Meter, WindowSum } from './counter.ts'

/** Limits per window for keys without limits of their own; null = unlimited. */
export type KeyLimits = { readonly requests: number | null; readonly cost: number | null; readonly seconds: number }

export type Allowances = {
  /**
   * Counts a request of the key. Null if nothing limits the key. Throws `requests-exceeded`. `tell` receives the headers
   * of the answer, also of a refused request.
   */
  readonly begin: (key: ApiKey, tell: SetHeaders) => Promise<Allowance | null>
  /** As `begin`, for a long answer that goes on: counts no request, and throws when the cost is spent. */
  readonly resume: (key: ApiKey) => Promise<Allowance | null>
}

type SetHeaders = (headers: { readonly [name: string]: string }) => void

type Meters = { readonly requests: Meter; readonly cost: Meter }

/**
 * A request starts while some cost is left, and may then exceed the limit: its cost is known only when it has been
 * planned.
 */
export function createAllowances(limits: KeyLimits, meters: Meters): Allowances {
  const mostOf = (key: ApiKey): Limits => ({
    requests: key.requests ?? limits.requests,
    cost: key.cost ?? limits.cost,
  })
  return {
    async begin(key, tell) {
      const most = mostOf(key)
      if (most.requests === null && most.cost === null) return null
      const requests = most.requests === null ? null : await meters.requests.add(key.id, 1)
      let cost = most.cost === null ? null : await meters.cost.read(key.id)
      const toHeaders = () => headersOf(most, { requests, cost }, limits.seconds)
      tell(toHeaders())
      assertBelow(most.requests, requests === null ? null : { ...requests, amount: requests.amount - 1 })
      assertBelow(most.cost, cost)
      if (cost !== null) cost = await meters.cost.add(key.id, 1)
      return spender(meters.cost, { key, most }, (spent) => {
        cost = spent ?? cost
        tell(toHeaders())
      })
    },
    async resume(key) {
      const most = mostOf(key)
      if (most.cost === null) return null
      assertBelow(most.cost, await meters.cost.read(key.id))
      return spender(meters.cost, { key, most }, () => undefined)
    },
  }
}

/** Adds up what one answer costs. `settled`: receives the sum of the key, when there is one. */
function spender(
  meter: Meter,
  { key, most }: { readonly key: ApiKey; readonly most: Limits },
  settled: (cost: WindowSum | null) => void,
): Allowance {
  let cost: WindowSum | null = null
  let spending: Promise<unknown> = Promise.resolve()
  return {
    spend(amount) {
      const whole = Math.round(amount)
      if (most.cost === null || whole < 1) return
      const added = meter.add(key.id, whole).then((sum) => {
        if (cost === null || sum.amount > cost.amount) cost = sum
      })
      spending = Promise.all([spending, added])
    },
    async settle() {
      await spending
      settled(cost)
    },
  }
}

function assertBelow(limit: number | null, sum: WindowSum | null): void {
  if (limit === null || sum === null || sum.amount < limit) return
  const retryAfter = Math.max(1, Math.ceil(sum.resetAfter / 1000))
  const reset = new Date(Date.now() + sum.resetAfter).toISOString()
  throw new TandemError({ kind: 'requests-exceeded', limit, retryAfter, reset })
}

type Limits = { readonly [Name in 'requests' | 'cost']: number | null }
type WindowSums = { readonly [Name in 'requests' | 'cost']: WindowSum | null }

/** The fields of draft-ietf-httpapi-ratelimit-headers: `q` quota, `w` window, `r` remaining, `t` seconds to the reset. */
function headersOf(limits: Limits, sums: WindowSums, window: number): { readonly [name: string]: string } {
  const names = (['requests', 'cost'] as const).filter((name) => limits[name] !== null)
  const policies = names.map((name) => `"${name}";q=${limits[name]};w=${window}`)
  const states = names.map((name) => {
    const { amount = 0, resetAfter = 0 } = sums[name] ?? {}
    const remaining = Math.max(0, (limits[name] ?? 0) - amount)
    return `"${name}";r=${remaining};t=${Math.ceil(resetAfter / 1000)}`
  })
  return { 'ratelimit-policy': policies.join(', '), ratelimit: states.join(', ') }
}
