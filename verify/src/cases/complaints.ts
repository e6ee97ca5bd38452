/** Judges the answer to a case. A check returns a complaint, or null. */

import { type Answer, isServerError } from '../http/exchange.ts'
import { bodyMatchesSchema, contentTypeMatches, type Deviation, statusIsDocumented } from '../spec/conformance.ts'
import { leakOf } from '../spec/leaks.ts'
import type { Validate } from '../spec/validate.ts'
import type { Case } from './case.ts'

/** The problem in one line; null if there is none. */
type Complaint = string | null

type Check = (each: Case, answer: Answer, validate: Validate) => Complaint

const noServerError: Check = (_, answer) =>
  isServerError(answer) ? `a server error ${answer.status}: ${answer.text.slice(0, 200)}` : null

const positiveSucceeds: Check = ({ kind }, { status, text }) =>
  kind === 'negative' || (status >= 200 && status < 400) ? null : `refused with ${status}: ${text.slice(0, 300)}`

const negativeIsRejected: Check = ({ kind }, { status }) =>
  kind === 'positive' || (status >= 400 && status < 500) ? null : `answered with ${status}`

const errorNamesParameter: Check = ({ kind, name }, { status, text }) =>
  kind === 'positive' || name === null || status !== 400 || text.toLowerCase().includes(name.toLowerCase())
    ? null
    : `the error does not name "${name}": ${text.slice(0, 300)}`

/** Messages of the driver, stack traces and file paths must not reach clients. */
const errorLeaksNothing: Check = (_, { status, text }) => {
  const leak = status < 400 ? null : leakOf(text)
  return leak === null ? null : `the error leaks "${leak}"`
}

/** What every answer to a case is asked, besides its agreement with the spec. */
const outcomeChecks = {
  noServerError,
  positiveSucceeds,
  negativeIsRejected,
  errorNamesParameter,
  errorLeaksNothing,
} as const satisfies Record<string, Check>

const inLine = (deviation: Deviation | null): Complaint =>
  deviation === null ? null : `expected ${deviation.expected} but received ${deviation.received}`

const specChecks = {
  statusIsDocumented: ({ operation }, answer, validate) => inLine(statusIsDocumented(operation, answer, validate)),
  contentTypeMatches: ({ operation }, answer, validate) => inLine(contentTypeMatches(operation, answer, validate)),
  bodyMatchesSchema: ({ operation }, answer, validate) => inLine(bodyMatchesSchema(operation, answer, validate)),
} as const satisfies Record<string, Check>

/** All complaints about an answer, with the names of the checks. */
export const complaintsOf = (each: Case, answer: Answer, validate: Validate): readonly string[] =>
  requestedBy({ ...outcomeChecks, ...specChecks }, each, answer, validate)

/** The same without the comparison with the spec. */
export const outcomeComplaintsOf = (each: Case, answer: Answer, validate: Validate): readonly string[] =>
  requestedBy(outcomeChecks, each, answer, validate)

function requestedBy(
  checks: { readonly [name: string]: Check },
  each: Case,
  answer: Answer,
  validate: Validate,
): readonly string[] {
  return Object.entries(checks).flatMap(([name, check]) => {
    const complaint = check(each, answer, validate)
    return complaint === null ? [] : [`${name}: ${complaint}`]
  })
}
