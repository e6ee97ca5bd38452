import { describe, expect, test } from 'vitest'
import type { Actor } from '../../domain/rights/actor.ts'
import { type Failure, TandemError } from '../../domain/rights/errors.ts'
import { testSchema } from '../../domain/testing/test-schema.ts'
import { toVisibleError } from './denials.ts'
import { toErrorBody, toWire } from './errors.ts'

const at = { base: '', path: '/_/items/posts', query: {}, headers: {}, cookies: {} }

describe('codes', () => {
  const rows: readonly (readonly [Failure, number, number])[] = [
    [{ kind: 'unauthenticated' }, 401, 3],
    [{ kind: 'invalid-query', name: 'limit', reason: '' }, 400, 4],
    [{ kind: 'invalid-payload', name: 'title', reason: '' }, 400, 4],
    [{ kind: 'failed-validation', field: 'title', type: 'required' }, 400, 4],
    [{ kind: 'route-not-found', path: '/' }, 404, 5],
    [{ kind: 'method-not-allowed', method: 'PUT', allowed: [] }, 405, 6],
    [{ kind: 'requests-exceeded', limit: 1, retryAfter: 7, reset: '2026-11-21T00:00:00.000Z' }, 429, 7],
    [{ kind: 'project-not-found', project: 'x' }, 404, 8],
    [{ kind: 'forbidden' }, 403, 10],
    [{ kind: 'unprocessable', reason: '' }, 422, 12],
    [{ kind: 'value-too-long', collection: null, field: null }, 422, 12],
    [{ kind: 'invalid-payload', reason: '' }, 400, 13],
    [{ kind: 'invalid-ip' }, 401, 18],
    [{ kind: 'unavailable', service: '', reason: '', retryAfter: 1 }, 503, 21],
    [{ kind: 'mail-failed', problem: 'transport', reason: '' }, 500, 500],
    [{ kind: 'mail-failed', problem: 'options', reason: '' }, 500, 501],
    [{ kind: 'mail-failed', problem: 'server', reason: '' }, 500, 502],
    [{ kind: 'project-fault', problem: 'connection', reason: '' }, 500, 11],
    [{ kind: 'invalid-credentials' }, 404, 100],
    [{ kind: 'invalid-token' }, 401, 101],
    [{ kind: 'unknown-token' }, 401, 101],
    [{ kind: 'token-expired' }, 401, 102],
    [{ kind: 'user-inactive' }, 401, 103],
    [{ kind: 'user-suspended' }, 401, 103],
    [{ kind: 'missing-otp' }, 404, 111],
    [{ kind: 'invalid-otp' }, 404, 112],
    [{ kind: 'collection-not-found', collection: 'x' }, 404, 200],
    [{ kind: 'system-collection', collection: 'x' }, 401, 201],
    [{ kind: 'not-relational', collection: 'x', field: 'y' }, 404, 202],
    [{ kind: 'item-not-found', collection: 'x' }, 404, 203],
    [{ kind: 'not-unique', collection: 'x', field: 'y' }, 409, 204],
    [{ kind: 'field-not-found', collection: 'x', field: 'y' }, 400, 209],
    [{ kind: 'not-scalar', collection: 'x', field: 'y' }, 422, 213],
    [{ kind: 'unknown-operator', name: 'x', operator: 'y' }, 422, 214],
    [{ kind: 'forbidden', denied: { action: 'read', collection: 'x' } }, 403, 300],
    [{ kind: 'forbidden', denied: { action: 'create', collection: 'x' } }, 403, 301],
    [{ kind: 'forbidden', denied: { action: 'update', collection: 'x' } }, 403, 302],
    [{ kind: 'forbidden', denied: { action: 'delete', collection: 'x' } }, 403, 303],
    [{ kind: 'forbidden', denied: { action: 'read', collection: 'x', field: 'y' } }, 403, 304],
    [{ kind: 'forbidden', denied: { action: 'update', collection: 'x', field: 'y' } }, 403, 305],
  ]

  test.each(rows.map(([failure, status, code]) => [JSON.stringify(failure), status, code, failure] as const))(
    '%s is %i with code %i',
    (_name, status, code, failure) => {
      expect(toWire(failure)).toMatchObject({ status, code })
    },
  )
})

test('the answer is one object with a numeric code', () => {
  expect(toErrorBody(new TandemError({ kind: 'item-not-found', collection: 'x' }), at)).toEqual({
    status: 404,
    body: { error: { code: 203, message: 'Item not found' } },
    headers: {},
  })
})

test('several failures share the code of the first and join their messages', () => {
  const error = new TandemError([
    { kind: 'failed-validation', field: 'title', type: 'required' },
    { kind: 'failed-validation', field: 'email', type: 'email' },
  ])
  expect(toErrorBody(error, at).body).toEqual({
    error: {
      code: 4,
      message: 'title: This value should not be blank. email: This value is not a valid email address.',
    },
  })
})

test('an unexpected error reveals nothing', () => {
  expect(toErrorBody(null, at)).toEqual({
    status: 500,
    body: { error: { code: 0, message: 'Internal Server Error' } },
    headers: {},
  })
})

test('a statement that fails in an unknown way has its own code', () => {
  expect(toErrorBody(null, at, true)).toMatchObject({ status: 500, body: { error: { code: 9 } } })
})

test('an unexpected error of the data model has its own code', () => {
  for (const path of ['/_/collections', '/_/fields/posts/title', '/_/relations/1'])
    expect(toErrorBody(null, { ...at, path })).toMatchObject({ status: 500, body: { error: { code: 400 } } })
})

test('a rate limit error gives the retry time', () => {
  const error = new TandemError({
    kind: 'requests-exceeded',
    limit: 1,
    retryAfter: 7,
    reset: '2026-11-21T00:00:00.000Z',
  })
  expect(toErrorBody(error, at).headers).toEqual({ 'retry-after': '7' })
})

test('an invalid login body has its own code', () => {
  const error = new TandemError({ kind: 'invalid-payload', name: 'email', reason: 'Expected "email"' })
  expect(toErrorBody(error, { ...at, path: '/_/auth/authenticate' })).toEqual({
    status: 422,
    body: { error: { code: 114, message: 'Expected "email"' } },
    headers: {},
  })
})

const codeFor = (error: TandemError, actor: Actor): unknown =>
  toErrorBody(toVisibleError(error, { actor, schema: testSchema }) as TandemError, at).body

describe('what is not allowed', () => {
  const access = { admin: false, app: false, policies: [], rules: [], fingerprint: '' }
  const user: Actor = { kind: 'user', user: 'u', role: null, roles: [], access, session: null }
  const admin: Actor = { ...user, access: { ...access, admin: true } }
  const nobody: Actor = { kind: 'public', access }
  const unknown = new TandemError({ kind: 'field-not-found', collection: 'x', field: 'y' })
  const denied = new TandemError({ kind: 'forbidden', denied: { action: 'read', collection: 'x', field: 'y' } })
  test('is reported like something that does not exist', () => {
    expect(codeFor(unknown, user)).toEqual(codeFor(denied, user))
    expect(codeFor(unknown, nobody)).toEqual(codeFor(denied, nobody))
  })

  test('is unauthorized without a token', () => {
    expect(codeFor(denied, nobody)).toEqual({ error: { code: 3, message: 'Unauthorized request' } })
  })

  test('is distinguished for administrators', () => {
    expect(codeFor(unknown, admin)).toEqual({ error: { code: 209, message: 'Invalid field "y" in "x"' } })
  })
})

test.each(['constructor', 'toString', '__proto__'])('the name %s is told as it came', (collection) => {
  expect(toWire({ kind: 'collection-not-found', collection })).toMatchObject({
    message: `Unable to find collection: ${collection}`,
  })
})
