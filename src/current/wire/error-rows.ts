/** How each kind of error is reported: its status, code, message and further properties. */
import type { ErrorKind } from '../../domain/rights/errors.ts'
import {
  atColumn,
  conflict,
  explained,
  type FailureOf,
  invalidPayload,
  ofColumn,
  outOfService,
  type Row,
  reasonOf,
  refusedKey,
  sentence,
  unprocessable,
  valueOf,
} from './error-forms.ts'

/** Missing and forbidden have the same wording everywhere; only names from the request are repeated. */
const denied = (what: string): string => `You don't have permission to access ${what} or it does not exist.`
const deniedCollection = (collection: string): string => denied(`collection "${collection}"`)
const deniedField = (collection: string, field: string): string =>
  denied(`field "${field}" in collection "${collection}"`)
const deniedItem = "You don't have permission to access this."

const credentials = { status: 401, code: 'INVALID_CREDENTIALS', message: () => 'Invalid user credentials.' } as const
const noField = {
  status: 403,
  code: 'FORBIDDEN',
  message: ({ collection, field }: { readonly collection: string; readonly field: string }) =>
    deniedField(collection, field),
}
const otp = { status: 401, code: 'INVALID_OTP', message: () => 'Invalid user OTP.' } as const

export const rows: { readonly [Kind in ErrorKind]: Row<Kind> } = {
  forbidden: {
    status: 403,
    code: 'FORBIDDEN',
    message: ({ denied: right, reason }) => {
      if (right?.field !== undefined) return deniedField(right.collection, right.field)
      if (right !== undefined) return deniedCollection(right.collection)
      return reason === undefined ? deniedItem : sentence(reason)
    },
    more: ({ denied: right, reason }) => (right !== undefined || reason === undefined ? {} : { reason }),
  },
  unauthenticated: credentials,
  'invalid-token': { status: 403, code: 'INVALID_TOKEN', message: () => 'Invalid token.' },
  'token-expired': { status: 401, code: 'TOKEN_EXPIRED', message: () => 'Token expired.' },
  'unknown-token': credentials,
  'invalid-credentials': credentials,
  'user-suspended': { status: 401, code: 'USER_SUSPENDED', message: () => 'User suspended.' },
  'user-inactive': credentials,
  'invalid-otp': otp,
  'missing-otp': otp,
  'second-factor-demanded': {
    status: 403,
    code: 'FORBIDDEN',
    message: () => 'Two-factor authentication must be set up first.',
    more: () => ({ reason: 'Two-factor authentication must be set up first' }),
  },
  'invalid-provider': { status: 403, code: 'INVALID_PROVIDER', message: () => 'Invalid provider.' },
  'invalid-ip': { status: 401, code: 'INVALID_IP', message: () => 'Invalid IP address.' },
  'invalid-query': explained(400, 'INVALID_QUERY', 'Invalid query', (failure) => withName(asParameter(failure))),
  'invalid-payload': invalidPayload(withName),
  'failed-validation': {
    status: 400,
    code: 'FAILED_VALIDATION',
    message: ({ field, type, limit, message }) =>
      message ?? `Validation failed for field "${field}". ${sentence(ruleText(type, limit))}`,
    more: ({ field, type, limit, message }) => ({
      field,
      type,
      ...limitOf(type, limit),
      ...(message === undefined ? {} : { reason: message }),
    }),
  },
  'collection-not-found': { status: 403, code: 'FORBIDDEN', message: ({ collection }) => deniedCollection(collection) },
  'item-not-found': { status: 403, code: 'FORBIDDEN', message: () => deniedItem },
  'system-collection': { status: 403, code: 'FORBIDDEN', message: ({ collection }) => deniedCollection(collection) },
  'field-not-found': noField,
  'not-relational': noField,
  'not-scalar': invalidPayload(({ field }) => `Expected one value for "${field}" but received a list or an object`),
  'unknown-operator': explained(
    400,
    'INVALID_QUERY',
    'Invalid query',
    ({ name, operator }) => `Expected a filter operator for "${name}" but received "${operator}"`,
  ),
  'not-unique': {
    status: 400,
    code: 'RECORD_NOT_UNIQUE',
    message: (failure) => `Value${valueOf(failure)}${atColumn(failure)} has to be unique.`,
    more: refusedKey,
  },
  'invalid-foreign-key': {
    status: 400,
    code: 'INVALID_FOREIGN_KEY',
    message: (failure) => `Invalid foreign key${valueOf(failure)}${atColumn(failure)}.`,
    more: refusedKey,
  },
  'not-null': ofColumn('NOT_NULL_VIOLATION', (column) => `Value${column} can't be null.`),
  'contains-null-values': ofColumn(
    'CONTAINS_NULL_VALUES',
    (column) => `Existing rows have null values${column}, so the column can't become required.`,
  ),
  'value-too-long': ofColumn('VALUE_TOO_LONG', (column) => `Value${column} is too long.`),
  'value-out-of-range': ofColumn('VALUE_OUT_OF_RANGE', (column) => `Numeric value${column} is out of range.`),
  'unknown-hasher': {
    status: 400,
    code: 'INVALID_PAYLOAD',
    message: ({ hasher }) => `Invalid payload. Hasher "${hasher}" not found.`,
  },
  'invalid-model': invalidPayload(reasonOf),
  'upload-failed': invalidPayload(reasonOf),
  'content-too-large': {
    status: 413,
    code: 'CONTENT_TOO_LARGE',
    message: ({ limit }) => `Expected a body of at most ${limit} bytes but received a larger one.`,
  },
  'unsupported-media-type': {
    status: 415,
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: ({ header, mediaType, expected }) =>
      `Unsupported ${header === undefined ? 'media type' : header} "${mediaType}", expected ${expected}.`,
    more: ({ header = 'Content-Type', mediaType }) => ({ mediaType, where: `${header} header` }),
  },
  'revision-without-state': {
    status: 422,
    code: 'UNPROCESSABLE_CONTENT',
    message: ({ revision }) => `Can't process content. The revision "${revision}" holds no state of its item.`,
    more: () => ({ reason: 'The revision holds no state of its item' }),
  },
  'cyclic-references': {
    status: 422,
    code: 'IMPORT_CYCLICAL_RELATION',
    message: ({ collections }) =>
      `Can't import ${collections.map((each) => `"${each}"`).join(', ')}: their rows refer to each other by fields that take no null.`,
    more: ({ collections, relations }) => ({ collections, relations }),
  },
  unprocessable: unprocessable(reasonOf),
  'key-reused': unprocessable(() => 'Expected a new Idempotency-Key: this one was sent with another request'),
  'request-in-progress': conflict(() => 'A request with this Idempotency-Key is in progress'),
  'last-administrator': unprocessable(reasonOf),
  conflict: conflict(reasonOf),
  'unsupported-version': {
    status: 412,
    code: 'UNSUPPORTED_VERSION',
    message: ({ name, supported }) => `Expected ${supported} for the header "${name}".`,
    more: ({ name, supported }) => ({ header: name, supported }),
  },
  'checksum-mismatch': {
    status: 460,
    code: 'CHECKSUM_MISMATCH',
    message: ({ name }) => `The checksum of the body does not match the header "${name}".`,
    more: ({ name }) => ({ header: name }),
  },
  'illegal-transformation': explained(400, 'ILLEGAL_ASSET_TRANSFORMATION', 'Illegal asset transformation', reasonOf),
  'precondition-failed': {
    status: 412,
    code: 'PRECONDITION_FAILED',
    message: ({ condition }) => `The contents do not match ${condition}.`,
  },
  'range-not-satisfiable': {
    status: 416,
    code: 'RANGE_NOT_SATISFIABLE',
    message: ({ range, size }) => `Range "${range}" is invalid or outside of the ${size} bytes of the file.`,
    more: ({ range }) => ({ range }),
  },
  'requests-exceeded': {
    status: 429,
    code: 'REQUESTS_EXCEEDED',
    message: ({ retryAfter }) => `Too many requests, retry after ${retryAfter}s.`,
    more: ({ limit, reset }) => ({ limit, reset }),
  },
  'route-not-found': {
    status: 404,
    code: 'ROUTE_NOT_FOUND',
    message: ({ path }) => `Route ${path} doesn't exist.`,
    more: ({ path }) => ({ path }),
  },
  'method-not-allowed': {
    status: 405,
    code: 'METHOD_NOT_ALLOWED',
    message: ({ method, allowed }) => `Invalid method "${method}" used. Allowed: ${allowed.join(', ')}.`,
    more: ({ method, allowed }) => ({ current: method, allowed }),
  },
  'project-not-found': {
    status: 404,
    code: 'ROUTE_NOT_FOUND',
    message: ({ project }) => `Project "${project}" doesn't exist.`,
    more: ({ project }) => ({ project }),
  },
  'mail-failed': outOfService('mail'),
  'project-fault': outOfService('project'),
  unavailable: outOfService(),
}

/** Translates core's name of the parameter to the one of this generation. */
const asParameter = (failure: FailureOf<'invalid-query'>): FailureOf<'invalid-query'> =>
  failure.name === 'group' ? { ...failure, name: 'groupBy' } : failure

/** Prefixes a reason with the name of its place, unless it contains it. */
function withName({ name, reason }: { readonly name?: string; readonly reason: string }): string {
  return name === undefined || reason.includes(`"${name}"`) ? reason : `"${name}": ${reason}`
}

const ruleTexts: { readonly [type: string]: string } = {
  required: 'Value is required',
  nnull: "Value can't be null",
  null: 'Value has to be null',
  empty: 'Value has to be empty',
  nempty: "Value can't be empty",
  regex: "Value doesn't have the correct format",
  email: 'Value has to be a valid email address',
  type: 'Value has the wrong type',
}

const ruleText = (type: string, limit: unknown): string =>
  ruleTexts[type] ??
  `Value has to fulfil "${type}"${limit === undefined ? '' : ` (${typeof limit === 'string' ? limit : JSON.stringify(limit)})`}`

/** Reports the limit under the name that clients know. Sent values are never repeated. */
function limitOf(type: string, limit: unknown): object {
  if (limit === undefined) return {}
  if (['eq', 'lt', 'lte', 'gt', 'gte', 'in', 'between', 'type'].includes(type)) return { valid: limit }
  if (['neq', 'nin', 'nbetween'].includes(type)) return { invalid: limit }
  return type === 'regex' ? {} : { substring: limit }
}
