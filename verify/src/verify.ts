/** Checks a running deployment from outside. */
import type { Deployment } from './checks/all.ts'
import { type FlavorName, flavors } from './flavor/flavors.ts'
import type { Check, Outcome } from './run/check.ts'
import { openSession } from './session/session.ts'

export type VerifyOptions = {
  /** Base address: `https://api.example.com`. */
  readonly url: string
  /** A token of an administrator. */
  readonly adminToken: string
  /** `tandem` unless given. */
  readonly flavor?: FlavorName
  /** Makes nothing and changes nothing. */
  readonly readOnly?: boolean
  /** Parts of the titles of the checks to run: all unless given. */
  readonly only?: readonly string[]
  /** Ends at the first failure. */
  readonly bail?: boolean
  /** Checks at a time, 4 unless given. */
  readonly concurrency?: number
  /** Longest time of one request in milliseconds, 10,000 unless given. */
  readonly budget?: number
  /** Seed of the random checks. */
  readonly seed?: number
  /** Random cases per random check, 30 unless given. */
  readonly runs?: number
  /** Text of an OpenAPI document in place of the one that the deployment serves. */
  readonly specText?: string | null
  /** Ends the run; what was made is removed. */
  readonly signal?: AbortSignal
  readonly onStart?: (checks: readonly Check[]) => void
  readonly onOutcome?: (outcome: Outcome) => void
}

export type Report = {
  readonly url: string
  readonly deployment: Deployment
  readonly seed: number
  readonly outcomes: readonly Outcome[]
  /** Checks that do not apply to the flavor, with the reason. */
  readonly skipped: readonly (readonly [title: string, because: string])[]
  /** What could not be removed. */
  readonly left: readonly string[]
  readonly isInterrupted: boolean
  readonly milliseconds: number
}

/**
 * Makes collections, rows and a user under a unique prefix, checks the deployment, and removes them. Rejects with
 * `CouldNotRun` if the deployment is not reachable, the token is not that of an administrator or the set-up is refused.
 */
export async function verify(options: VerifyOptions): Promise<Report> {
  const started = performance.now()
  const { flavor = 'tandem', readOnly = false, budget = 10_000, specText = null, adminToken } = options
  const { only = [], bail = false, concurrency = 4, runs = 30, onStart, onOutcome } = options
  const signal = options.signal ?? new AbortController().signal
  const seed = options.seed ?? Math.floor(Math.random() * 2 ** 31)
  const url = options.url.replace(/\/+$/, '')
  const session = await openSession({ url, adminToken, flavor: flavors[flavor], readOnly, budget, specText, signal })
  let outcomes: readonly Outcome[] = []
  let left: readonly string[] = []
  try {
    outcomes = await session.visit({
      only,
      bail,
      concurrency,
      seed,
      runs,
      ...(onStart === undefined ? {} : { onStart }),
      ...(onOutcome === undefined ? {} : { onOutcome }),
    })
  } finally {
    left = await session.close()
  }
  return {
    url,
    deployment: session.deployment,
    seed,
    outcomes,
    skipped: session.skipped(),
    left,
    isInterrupted: signal.aborted,
    milliseconds: performance.now() - started,
  }
}
