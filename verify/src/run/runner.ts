/** Runs checks, several at a time. */
import { type Ask, NoAnswer } from '../http/client.ts'
import { type Exchange, isServerError, requestLine, type SentRequest, toCurl } from '../http/exchange.ts'
import type { Conforms } from '../spec/conformance.ts'
import type { Check, Failure, Outcome, Trial } from './check.ts'
import { Mismatch } from './mismatch.ts'

export type RunOptions = {
  readonly checks: readonly Check[]
  readonly trial: Trial
  /** Compares each answer with the spec; null if there is none. */
  readonly conforms: Conforms | null
  readonly concurrency: number
  /** Ends at the first failure. */
  readonly bail: boolean
  readonly signal: AbortSignal
  readonly onOutcome?: (outcome: Outcome) => void
}

/** The outcomes in the order of the checks; those that did not run are missing. */
export async function runChecks({
  checks,
  concurrency,
  bail,
  signal,
  onOutcome,
  ...rest
}: RunOptions): Promise<readonly Outcome[]> {
  const outcomes = new Map<Check, Outcome>()
  const waiting = [...checks]
  let isOver = false
  const work = async (): Promise<void> => {
    for (let check = waiting.shift(); check !== undefined && !isOver && !signal.aborted; check = waiting.shift()) {
      const outcome = await runCheck(check, rest)
      if (signal.aborted) return
      outcomes.set(check, outcome)
      onOutcome?.(outcome)
      if (bail && outcome.failure !== null) isOver = true
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return checks.flatMap((check) => outcomes.get(check) ?? [])
}

async function runCheck(check: Check, { trial, conforms }: Pick<RunOptions, 'trial' | 'conforms'>): Promise<Outcome> {
  const started = performance.now()
  let last: Exchange | null = null
  const ask: Ask = async (request, options) => {
    const exchange = await trial.ask(request, options)
    last = exchange
    if (isServerError(exchange)) {
      throw new Mismatch('The server failed', {
        exchange,
        expected: 'a status below 500',
        received: `${exchange.status}: ${exchange.text.slice(0, 300)}`,
      })
    }
    conforms?.(exchange)
    return exchange
  }
  const failure = await check.run({ ...trial, ask }).then(
    () => null,
    (error: unknown) => toFailure(error, last, trial),
  )
  return { check, milliseconds: performance.now() - started, failure }
}

function toFailure(error: unknown, last: Exchange | null, { spec }: Trial): Failure {
  if (error instanceof Mismatch) {
    const { exchange, expected, received, pointer } = error.detail
    const location = pointer ?? pointerOf(exchange ?? last, spec)
    return {
      message: error.message,
      ...shown((exchange ?? last)?.request ?? null),
      expected,
      received,
      spec: location === null ? null : { pointer: location, line: spec?.lineOf(location) ?? null },
    }
  }
  if (error instanceof NoAnswer) {
    return {
      message: error.message,
      ...shown(error.request),
      expected: 'an answer in time',
      received: null,
      spec: null,
    }
  }
  const received = error instanceof Error ? error.message : String(error)
  return {
    message: 'The check could not read the answer',
    ...shown(last?.request ?? null),
    expected: null,
    received,
    spec: null,
  }
}

const shown = (request: SentRequest | null): Pick<Failure, 'curl' | 'request'> =>
  request === null ? { curl: null, request: null } : { curl: toCurl(request), request: requestLine(request) }

function pointerOf(exchange: Exchange | null, spec: Trial['spec']): string | null {
  if (exchange === null || spec === null) return null
  return spec.find(exchange.request.method, new URL(exchange.request.address).pathname)?.operation.pointer ?? null
}
