/** Checks for every response. A check returns a complaint about the response to a case, or null. */

import type { JsonSchema } from '../verify/src/spec/document.ts'
import { leakOf } from '../verify/src/spec/leaks.ts'
import type { Case } from './case.ts'
import type { Operation } from './spec.ts'
import type { Validate } from './validate.ts'

export type Answer = {
  readonly status: number
  /** Media type without parameters; empty if there is no body. */
  readonly mediaType: string
  readonly retryAfter: string | null
  readonly text: string
  /** The body parsed as JSON; undefined if it is not JSON. */
  readonly json: unknown
}

/** The problem in one line; null if there is none. */
type Complaint = string | null

type Check = (each: Case, answer: Answer, validate: Validate) => Complaint

const noServerError: Check = (_, { status, retryAfter, text }) =>
  status < 500 || (status === 503 && retryAfter !== null) ? null : `a server error ${status}: ${text.slice(0, 200)}`

const statusIsDocumented: Check = ({ operation }, { status }) =>
  operation.responses.has(status) ? null : `status ${status} is not documented`

const contentTypeMatches: Check = ({ operation }, { status, mediaType }) => {
  const expected = operation.responses.get(status)?.mediaTypes
  if (expected === undefined) return null
  const isExpected =
    expected.length === 0 ? mediaType === '' : expected.some((each) => each === mediaType || each === '*/*')
  return isExpected
    ? null
    : `Expected the content type ${expected.join(' or ') || 'of nothing'} but received "${mediaType}"`
}

const bodyMatchesSchema: Check = ({ operation }, { status, mediaType, json, text }, validate) => {
  const schema = schemaOf(operation, status, mediaType)
  if (schema === null) return null
  const complaint = validate(schema, json ?? text)
  return complaint === null ? null : `the body does not fit its schema: ${complaint}`
}

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

/** All checks by name. */
const checks = {
  noServerError,
  statusIsDocumented,
  contentTypeMatches,
  bodyMatchesSchema,
  positiveSucceeds,
  negativeIsRejected,
  errorNamesParameter,
  errorLeaksNothing,
} as const satisfies Record<string, Check>

/** All complaints about a response, with the names of the checks. */
export function complaintsOf(each: Case, answer: Answer, validate: Validate): readonly string[] {
  return Object.entries(checks).flatMap(([name, check]) => {
    const complaint = check(each, answer, validate)
    return complaint === null ? [] : [`${name}: ${complaint}`]
  })
}

/** If the response may have another format, the schema applies only to the first media type. */
function schemaOf(operation: Operation, status: number, mediaType: string): JsonSchema | null {
  const content = operation.responses.get(status)
  const [first = ''] = content?.mediaTypes ?? []
  const isOther = mediaType !== first && content?.mediaTypes.includes(mediaType) === true
  return first.includes('json') && !isOther ? (content?.schema ?? null) : null
}
