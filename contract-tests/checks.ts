/** What every answer has to be. A check is a function from a case and its answer to a complaint, or null. */
import type { Case } from './case.ts'
import type { JsonSchema, Operation } from './spec.ts'
import type { Validate } from './validate.ts'

export type Answer = {
  readonly status: number
  /** Without parameters; empty when there is no body. */
  readonly mediaType: string
  readonly retryAfter: string | null
  readonly text: string
  /** The body read as JSON; undefined when it is none. */
  readonly json: unknown
}

/** What went wrong, in one line; null when nothing did. */
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

/** Driver text, stack traces and paths never reach a client. */
const errorLeaksNothing: Check = (_, { status, text }) => {
  const leak = status < 400 ? null : /\bselect .+ from\b|\bat \w+ \(|node_modules|syntax error at|\.ts:\d+/i.exec(text)
  return leak === null ? null : `the error leaks "${leak[0]}"`
}

/** Every check by its name. */
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

/** All complaints about an answer, each with the name of its check. */
export function complaintsOf(each: Case, answer: Answer, validate: Validate): readonly string[] {
  return Object.entries(checks).flatMap(([name, check]) => {
    const complaint = check(each, answer, validate)
    return complaint === null ? [] : [`${name}: ${complaint}`]
  })
}

/** Where an answer may also be a file of another format, the schema speaks of the first media type alone. */
function schemaOf(operation: Operation, status: number, mediaType: string): JsonSchema | null {
  const content = operation.responses.get(status)
  const [first = ''] = content?.mediaTypes ?? []
  const isOther = mediaType !== first && content?.mediaTypes.includes(mediaType) === true
  return first.includes('json') && !isOther ? (content?.schema ?? null) : null
}
