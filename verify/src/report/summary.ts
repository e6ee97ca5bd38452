import type { Failure, Outcome } from '../run/check.ts'
import { titleOf } from '../run/check.ts'
import type { Report } from '../verify.ts'

export type FailedOutcome = Outcome & { readonly failure: Failure }

export const failuresOf = ({ outcomes }: Report): readonly FailedOutcome[] =>
  outcomes.filter((outcome): outcome is FailedOutcome => outcome.failure !== null)

/** `120 checks: 118 passed, 2 failed in 3.1 s` */
export function summaryOf(report: Report): string {
  const { outcomes, milliseconds, skipped, isInterrupted } = report
  const failed = failuresOf(report).length
  const more = skipped.length === 0 ? '' : `, ${skipped.length} do not apply`
  const end = isInterrupted ? ' (interrupted)' : ''
  return `${outcomes.length} checks: ${outcomes.length - failed} passed, ${failed} failed${more} in ${(milliseconds / 1000).toFixed(1)} s${end}`
}

/** `Tandem 0.1.0 at https://…, current and legacy generation, seed 5` */
export function subjectOf({ url, deployment, seed }: Report): string {
  const version = deployment.version === null ? '' : ` ${deployment.version}`
  return `${url}${version}, ${deployment.generations.join(' and ')} generation, seed ${seed}`
}

/** The lines of a failure without markup. */
export function linesOf({ check, failure }: FailedOutcome): readonly string[] {
  const { message, request, curl, expected, received, spec } = failure
  return [
    titleOf(check),
    `  ${message}`,
    ...(request === null ? [] : [`  request   ${request}`]),
    ...(curl === null ? [] : [`  curl      ${curl}`]),
    ...(expected === null ? [] : [`  expected  ${textOf(expected)}`]),
    ...(received === null ? [] : [`  received  ${textOf(received)}`]),
    ...(spec === null ? [] : [`  spec      #${spec.pointer}${spec.line === null ? '' : ` (line ${spec.line})`}`]),
  ]
}

/** A value as one line of at most 600 characters. */
export function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  return text.length > 600 ? `${text.slice(0, 600)}…` : text
}
