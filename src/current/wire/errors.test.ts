import { expect, test } from 'vitest'
import { type Failure, TandemError } from '../../domain/rights/errors.ts'
import { toErrorBody } from './errors.ts'

const at = { collection: 'articles', field: 'title' }
const denied = "You don't have permission to access"

const table: readonly (readonly [failure: Failure, status: number, code: string, message: string, more?: object])[] = [
  [{ kind: 'forbidden' }, 403, 'FORBIDDEN', `${denied} this.`],
  [
    { kind: 'forbidden', denied: { action: 'read', ...at } },
    403,
    'FORBIDDEN',
    `${denied} field "title" in collection "articles" or it does not exist.`,
  ],
  [
    { kind: 'forbidden', denied: { action: 'create', collection: 'articles' } },
    403,
    'FORBIDDEN',
    `${denied} collection "articles" or it does not exist.`,
  ],
  [{ kind: 'forbidden', reason: 'Not here' }, 403, 'FORBIDDEN', 'Not here.', { reason: 'Not here' }],
  [
    { kind: 'field-not-found', ...at },
    403,
    'FORBIDDEN',
    `${denied} field "title" in collection "articles" or it does not exist.`,
  ],
  [
    { kind: 'not-relational', ...at },
    403,
    'FORBIDDEN',
    `${denied} field "title" in collection "articles" or it does not exist.`,
  ],
  [
    { kind: 'collection-not-found', collection: 'articles' },
    403,
    'FORBIDDEN',
    `${denied} collection "articles" or it does not exist.`,
  ],
  [
    { kind: 'system-collection', collection: 'articles' },
    403,
    'FORBIDDEN',
    `${denied} collection "articles" or it does not exist.`,
  ],
  [{ kind: 'item-not-found', collection: 'articles' }, 403, 'FORBIDDEN', `${denied} this.`],
  [{ kind: 'unauthenticated' }, 401, 'INVALID_CREDENTIALS', 'Invalid user credentials.'],
  [{ kind: 'invalid-token' }, 403, 'INVALID_TOKEN', 'Invalid token.'],
  [{ kind: 'token-expired' }, 401, 'TOKEN_EXPIRED', 'Token expired.'],
  [{ kind: 'unknown-token' }, 401, 'INVALID_CREDENTIALS', 'Invalid user credentials.'],
  [{ kind: 'invalid-credentials' }, 401, 'INVALID_CREDENTIALS', 'Invalid user credentials.'],
  [{ kind: 'user-suspended' }, 401, 'USER_SUSPENDED', 'User suspended.'],
  [{ kind: 'user-inactive' }, 401, 'INVALID_CREDENTIALS', 'Invalid user credentials.'],
  [{ kind: 'invalid-otp' }, 401, 'INVALID_OTP', 'Invalid user OTP.'],
  [{ kind: 'missing-otp' }, 401, 'INVALID_OTP', 'Invalid user OTP.'],
  [{ kind: 'invalid-ip' }, 401, 'INVALID_IP', 'Invalid IP address.'],
  [
    { kind: 'invalid-query', name: 'limit', reason: 'Expected an integer for "limit" but received "x"' },
    400,
    'INVALID_QUERY',
    'Invalid query. Expected an integer for "limit" but received "x".',
    { reason: 'Expected an integer for "limit" but received "x"' },
  ],
  [
    { kind: 'invalid-query', name: 'filter.a', reason: 'Expected a date' },
    400,
    'INVALID_QUERY',
    'Invalid query. "filter.a": Expected a date.',
    { reason: '"filter.a": Expected a date' },
  ],
  [
    { kind: 'invalid-query', name: 'group', reason: 'Expected a field with an order' },
    400,
    'INVALID_QUERY',
    'Invalid query. "groupBy": Expected a field with an order.',
    { reason: '"groupBy": Expected a field with an order' },
  ],
  [
    { kind: 'invalid-payload', reason: 'Expected a list' },
    400,
    'INVALID_PAYLOAD',
    'Invalid payload. Expected a list.',
    { reason: 'Expected a list' },
  ],
  [
    { kind: 'failed-validation', field: 'title', type: 'required' },
    400,
    'FAILED_VALIDATION',
    'Validation failed for field "title". Value is required.',
    { field: 'title', type: 'required' },
  ],
  [
    { kind: 'failed-validation', field: 'n', type: 'lte', limit: 10 },
    400,
    'FAILED_VALIDATION',
    'Validation failed for field "n". Value has to fulfil "lte" (10).',
    { field: 'n', type: 'lte', valid: 10 },
  ],
  [
    { kind: 'failed-validation', field: 'n', type: 'contains', limit: 'a', message: 'Own words' },
    400,
    'FAILED_VALIDATION',
    'Own words',
    { field: 'n', type: 'contains', substring: 'a', reason: 'Own words' },
  ],
  [
    { kind: 'not-scalar', ...at },
    400,
    'INVALID_PAYLOAD',
    'Invalid payload. Expected one value for "title" but received a list or an object.',
    { reason: 'Expected one value for "title" but received a list or an object' },
  ],
  [
    { kind: 'unknown-operator', name: 'filter.a', operator: 'x' },
    400,
    'INVALID_QUERY',
    'Invalid query. Expected a filter operator for "filter.a" but received "x".',
    { reason: 'Expected a filter operator for "filter.a" but received "x"' },
  ],
  [
    { kind: 'not-unique', ...at },
    400,
    'RECORD_NOT_UNIQUE',
    'Value for field "title" in collection "articles" has to be unique.',
    at,
  ],
  [
    { kind: 'not-unique', ...at, constraint: 'one_title', value: 'Blue' },
    400,
    'RECORD_NOT_UNIQUE',
    'Value "Blue" for field "title" in collection "articles" has to be unique.',
    { ...at, constraint: 'one_title', value: 'Blue' },
  ],
  [
    { kind: 'invalid-foreign-key', ...at },
    400,
    'INVALID_FOREIGN_KEY',
    'Invalid foreign key for field "title" in collection "articles".',
    at,
  ],
  [
    { kind: 'not-null', ...at },
    400,
    'NOT_NULL_VIOLATION',
    'Value for field "title" in collection "articles" can\'t be null.',
    at,
  ],
  [
    { kind: 'value-too-long', collection: null, field: null },
    400,
    'VALUE_TOO_LONG',
    'Value is too long.',
    { collection: null, field: null },
  ],
  [
    { kind: 'value-out-of-range', ...at },
    400,
    'VALUE_OUT_OF_RANGE',
    'Numeric value for field "title" in collection "articles" is out of range.',
    at,
  ],
  [
    { kind: 'content-too-large', limit: 10 },
    413,
    'CONTENT_TOO_LARGE',
    'Expected a body of at most 10 bytes but received a larger one.',
  ],
  [
    { kind: 'unsupported-media-type', mediaType: 'text/plain', expected: 'application/json' },
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    'Unsupported media type "text/plain", expected application/json.',
    { mediaType: 'text/plain', where: 'Content-Type header' },
  ],
  [
    { kind: 'unsupported-media-type', header: 'Content-Encoding', mediaType: 'gzip', expected: 'identity' },
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    'Unsupported Content-Encoding "gzip", expected identity.',
    { mediaType: 'gzip', where: 'Content-Encoding header' },
  ],
  [
    { kind: 'unprocessable', reason: 'No' },
    422,
    'UNPROCESSABLE_CONTENT',
    "Can't process content. No.",
    { reason: 'No' },
  ],
  [
    { kind: 'requests-exceeded', limit: 5, retryAfter: 3, reset: '2026-11-21T00:00:00.000Z' },
    429,
    'REQUESTS_EXCEEDED',
    'Too many requests, retry after 3s.',
    { limit: 5, reset: '2026-11-21T00:00:00.000Z' },
  ],
  [{ kind: 'route-not-found', path: '/x' }, 404, 'ROUTE_NOT_FOUND', "Route /x doesn't exist.", { path: '/x' }],
  [
    { kind: 'method-not-allowed', method: 'PUT', allowed: ['GET'] },
    405,
    'METHOD_NOT_ALLOWED',
    'Invalid method "PUT" used. Allowed: GET.',
    { current: 'PUT', allowed: ['GET'] },
  ],
  [
    { kind: 'project-not-found', project: 'x' },
    404,
    'ROUTE_NOT_FOUND',
    'Project "x" doesn\'t exist.',
    { project: 'x' },
  ],
  [
    { kind: 'unavailable', service: 'database', reason: 'No answer', retryAfter: 5 },
    503,
    'SERVICE_UNAVAILABLE',
    'Service "database" is unavailable. No answer.',
    { service: 'database', reason: 'No answer' },
  ],
]

const rows = table.map(([failure, status, code, message, more]) => ({
  failure,
  status,
  code,
  message,
  more: more ?? {},
}))

test.each(rows)('$failure', ({ failure, status, code, message, more }) => {
  const answer = toErrorBody(new TandemError(failure))
  expect(answer.status).toBe(status)
  expect(answer.body).toEqual({
    error: { code, message, ...more },
    errors: [{ message, extensions: { ...more, code } }],
  })
})

const required = (field: string): Failure => ({ kind: 'failed-validation', field, type: 'required' })

test('an unexpected error reveals nothing', () => {
  expect(toErrorBody(null)).toEqual({
    status: 500,
    body: {
      error: { code: 'INTERNAL_SERVER_ERROR', message: 'An unexpected error occurred.' },
      errors: [{ message: 'An unexpected error occurred.', extensions: { code: 'INTERNAL_SERVER_ERROR' } }],
    },
  })
})

test('several failures become several entries with a common status', () => {
  const answer = toErrorBody(new TandemError([required('a'), required('b')]))
  expect(answer.status).toBe(400)
  expect(answer.body).toMatchObject({ error: { field: 'a' }, errors: [{}, { extensions: { field: 'b' } }] })
  expect(toErrorBody(new TandemError([required('a'), { kind: 'forbidden' }])).status).toBe(500)
})

test('headers give the retry time and the allowed methods', () => {
  expect(
    toErrorBody(
      new TandemError({ kind: 'requests-exceeded', limit: 1, retryAfter: 7, reset: '2026-11-21T00:00:00.000Z' }),
    ).headers,
  ).toEqual({
    'retry-after': '7',
  })
  const wrong = new TandemError({ kind: 'method-not-allowed', method: 'PUT', allowed: ['GET', 'POST'] })
  expect(toErrorBody(wrong).headers).toEqual({ allow: 'GET, POST' })
})

test('sent values are not repeated', () => {
  const failure: Failure = { kind: 'failed-validation', field: 'password', type: 'regex', limit: '^.{8}$' }
  expect(JSON.stringify(toErrorBody(new TandemError(failure)))).not.toContain('valid":')
})
