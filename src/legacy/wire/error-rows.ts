/** How each kind of error is reported: its status, number and message. */
import type {
  Denied,
  ErrorKind,
  Failure,
  MailProblem,
  ModelProblem,
  ProjectProblem,
  UploadProblem,
} from '../../domain/rights/errors.ts'
import { shownCollection } from '../model/collection-names.ts'

/** An error on the wire: HTTP status, numeric code, message. */
export type WireError = { readonly status: number; readonly code: number; readonly message: string }

type Translate<Kind extends ErrorKind> = (failure: Extract<Failure, { kind: Kind }>) => WireError

export const wire = (status: number, code: number, message: string): WireError => ({ status, code, message })

/** Status and code of upload errors, as clients of this generation know them. */
const uploadProblems = {
  several: [400, 15],
  'too-large': [500, 601],
  'beyond-form': [500, 602],
  incomplete: [500, 603],
  missing: [500, 604],
  'no-folder': [500, 606],
  'not-written': [500, 607],
  stopped: [500, 608],
  unknown: [500, 600],
} as const satisfies { readonly [Problem in UploadProblem]: readonly [status: number, code: number] }

/** Status and code of data model errors. */
const modelProblems = {
  'collection-exists': [422, 307],
  'field-exists': [422, 308],
  'unknown-type': [400, 401],
  'length-missing': [422, 402],
  'length-unsupported': [422, 403],
  unmanaged: [404, 205],
  altering: [403, 306],
  contradictory: [422, 12],
} as const satisfies { readonly [Problem in ModelProblem]: readonly [status: number, code: number] }

/** Status and code of mails that cannot be delivered. */
const mailProblems = {
  transport: [500, 500],
  options: [500, 501],
  server: [500, 502],
} as const satisfies { readonly [Problem in MailProblem]: readonly [status: number, code: number] }

/** Status and code of errors in the configuration of a project. */
const projectProblems = {
  settings: [503, 14],
  'cache-adapter': [503, 22],
  'cache-settings': [503, 23],
  'storage-settings': [500, 20],
  folder: [500, 16],
  file: [422, 17],
  taken: [409, 18],
  database: [400, 19],
  connection: [500, 11],
} as const satisfies { readonly [Problem in ProjectProblem]: readonly [status: number, code: number] }

export const errors = {
  forbidden: ({ denied, reason }) => (denied === undefined ? wire(403, 10, reason ?? 'Forbidden') : toDenial(denied)),
  unauthenticated: () => wire(401, 3, 'Unauthorized request'),
  'invalid-token': () => wire(401, 101, 'Invalid Authentication Token'),
  'token-expired': () => wire(401, 102, 'Expired token'),
  'unknown-token': () => wire(401, 101, 'Invalid Authentication Token'),
  'invalid-credentials': () => wire(404, 100, 'Invalid user credentials'),
  'user-suspended': () => wire(401, 103, 'User suspended'),
  'user-inactive': () => wire(401, 103, 'User inactive'),
  'missing-otp': () => wire(404, 111, 'User missing 2FA OTP'),
  'invalid-otp': () => wire(404, 112, 'Invalid user OTP'),
  'second-factor-demanded': () => wire(401, 113, '2FA enforced but not activated for user'),
  'invalid-provider': () => wire(404, 100, 'Invalid user credentials'),
  'invalid-ip': () => wire(401, 18, 'You are not allowed to sign in from this location'),
  'invalid-query': ({ reason }) => wire(400, 4, reason),
  'invalid-payload': ({ name, reason }) => wire(400, name === undefined ? 13 : 4, withName(name, reason)),
  'failed-validation': (failure) => wire(400, 4, `${failure.field}: ${failure.message ?? validationText(failure)}`),
  'collection-not-found': ({ collection }) =>
    wire(404, 200, `Unable to find collection: ${shownCollection(collection)}`),
  'item-not-found': ({ collection }) =>
    collection === 'platform_revisions' ? wire(404, 207, 'Revision not found') : wire(404, 203, 'Item not found'),
  'revision-without-state': ({ revision }) => wire(422, 208, `Revision "${revision}" has an invalid delta`),
  'system-collection': () => wire(401, 201, 'Direct Access to System collections are not allowed'),
  'field-not-found': ({ collection, field }) =>
    wire(400, 209, `Invalid field "${field}" in "${shownCollection(collection)}"`),
  'not-relational': ({ field }) => wire(404, 202, `Unable to find field "${field}"`),
  'not-scalar': ({ field }) => wire(422, 213, `Field "${field}" does not allow an object or array`),
  'unknown-operator': ({ operator }) => wire(422, 214, `Unknown filter: ${operator}`),
  'not-unique': ({ field, constraint, value }) =>
    wire(409, 204, `Duplicate value${quoted(value)}${inField(field)}${ofRule(constraint)}`),
  'invalid-foreign-key': ({ field, constraint, value }) =>
    wire(
      422,
      12,
      `Value${quoted(value)}${inField(field)} refers to no row, or is still referred to${ofRule(constraint)}`,
    ),
  'not-null': ({ field }) => wire(400, 4, `${field ?? 'value'}: This value should not be null.`),
  'contains-null-values': ({ field }) => wire(422, 12, `There are null values${inField(field)}`),
  'value-too-long': ({ field }) => wire(422, 12, `Value${inField(field)} is too long`),
  'value-out-of-range': ({ field }) => wire(422, 12, `Value${inField(field)} is out of range`),
  'content-too-large': ({ limit }) => wire(400, 2, `The body is larger than ${limit} bytes`),
  'upload-failed': ({ problem, reason }) => {
    const [status, code] = uploadProblems[problem]
    return wire(status, code, reason)
  },
  'unsupported-media-type': ({ header = 'media type', mediaType, expected }) =>
    wire(400, 2, `Unsupported ${header} "${mediaType}", expected ${expected}`),
  'invalid-model': ({ problem, reason }) => {
    const [status, code] = modelProblems[problem]
    return wire(status, code, reason)
  },
  unprocessable: ({ reason }) => wire(422, 12, reason),
  'cyclic-references': ({ collections }) => wire(422, 12, `Rows of ${collections.join(', ')} refer to each other`),
  'key-reused': () => wire(422, 12, 'Expected a new Idempotency-Key: this one was sent with another request'),
  'request-in-progress': () => wire(409, 4, 'A request with this Idempotency-Key is in progress'),
  'unknown-hasher': ({ hasher }) => wire(400, 1000, `Hasher "${hasher}" not found`),
  'last-administrator': ({ reason }) => wire(403, 216, reason),
  conflict: ({ reason }) => wire(409, 4, reason),
  'unsupported-version': ({ name, supported }) => wire(412, 4, `Expected ${supported} for the header ${name}`),
  'checksum-mismatch': ({ name }) => wire(400, 4, `The checksum of the body does not match the header ${name}`),
  'illegal-transformation': ({ reason }) => wire(400, 4, reason),
  'precondition-failed': ({ condition }) => wire(412, 4, `The contents do not match ${condition}`),
  'range-not-satisfiable': ({ range }) => wire(416, 4, `The range ${range} is outside of the file`),
  'requests-exceeded': () => wire(429, 7, 'Too Many Requests'),
  'route-not-found': ({ isInProject = true }) =>
    isInProject ? wire(404, 5, 'Endpoint Not Found') : wire(404, 1, 'Not Found'),
  'method-not-allowed': () => wire(405, 6, 'Method Not Allowed'),
  'project-not-found': ({ project }) => wire(404, 8, `Project configuration not found: ${project}`),
  'project-fault': ({ problem, reason }) => {
    const [status, code] = projectProblems[problem]
    return wire(status, code, reason)
  },
  'mail-failed': ({ problem, reason }) => {
    const [status, code] = mailProblems[problem]
    return wire(status, code, reason)
  },
  unavailable: ({ reason }) => wire(503, 21, reason),
} as const satisfies { readonly [Kind in ErrorKind]: Translate<Kind> }

const ofRule = (constraint: string | undefined): string =>
  constraint === undefined ? '' : ` (constraint "${constraint}")`

const withName = (name: string | undefined, reason: string): string =>
  name === undefined || isNamedIn(reason, name) ? reason : `${name}: ${reason}`

const isNamedIn = (reason: string, name: string): boolean =>
  reason.includes(`"${name}"`) || reason.split(/[\s",:;]+/).includes(name)

const quoted = (value: string | undefined): string => (value === undefined ? '' : ` "${value}"`)

const inField = (field: string | null): string => (field === null ? '' : ` in field "${field}"`)

const denials = {
  create: { code: 301, fieldCode: 305, verb: 'Creating item to' },
  read: { code: 300, fieldCode: 304, verb: 'Reading items from' },
  update: { code: 302, fieldCode: 305, verb: 'Updating item from' },
  delete: { code: 303, fieldCode: 303, verb: 'Deleting item from' },
  share: { code: 10, fieldCode: 10, verb: 'Sharing item from' },
} as const satisfies { readonly [Action in Denied['action']]: object }

const fileVerbs = { create: 'upload', update: 'edit', delete: 'delete' } as const

function toDenial({ action, collection, field, related, unowned }: Denied): WireError {
  if (unowned === true)
    return wire(403, 309, `Unable to find items owned by the user in "${shownCollection(collection)}"`)
  if (related === true) return wire(403, 215, `Unable to access "${field ?? shownCollection(collection)}" related data`)
  if (collection === 'platform_comments' && action === 'create') {
    return wire(403, 210, 'Adding a comment was denied')
  }
  if (collection === 'platform_files' && action in fileVerbs && field === undefined) {
    return wire(403, 10, `You are not allowed to ${fileVerbs[action as keyof typeof fileVerbs]} files`)
  }
  const { code, fieldCode, verb } = denials[action]
  if (field === undefined) return wire(403, code, `${verb} "${shownCollection(collection)}" collection was denied`)
  const access = action === 'read' ? `Reading "${field}" field in` : `Write access to "${field}" field in`
  return wire(403, fieldCode, `${access} "${shownCollection(collection)}" collection was denied`)
}

function validationText({ type, limit, isOfColumn }: Extract<Failure, { kind: 'failed-validation' }>): string {
  if (isOfColumn === true && Array.isArray(limit)) return `This value should be one of ${limit.join(', ')}.`
  if (type === 'required') return 'This value should not be blank.'
  if (type === 'email') return 'This value is not a valid email address.'
  return type === 'nnull' ? 'This value should not be null.' : 'This value is not valid.'
}
