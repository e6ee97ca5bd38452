import jwt from 'jsonwebtoken'
import { expect, test } from 'vitest'
import { caught } from '../domain/testing/test-failures.ts'
import { isSealOf, readAccountToken, sealState, signAccountToken } from './account-tokens.ts'

const settings = { secret: 'a secret of at least thirty-two characters', project: '_' }
const user = '0b8d3bd1-91cb-4e5c-9ae2-5a1c7f8c9b10'
const issuedAt = new Date('2026-01-01T00:00:00Z')
const claims = { purpose: 'invitation', user, seal: 'sealed' } as const

const signed = (): string => signAccountToken(claims, { issuedAt, ttl: 60_000 }, settings)
const read = (token: string, later = 0, purpose: Parameters<typeof readAccountToken>[1] = 'invitation') =>
  readAccountToken(token, purpose, { ...settings, now: new Date(issuedAt.getTime() + later) })
const kindOf = (act: () => unknown): string => caught(act).failures[0].kind

test('a token says for which account, state and purpose it is, until it expires', () => {
  expect(read(signed())).toEqual(claims)
  expect(read(signed(), 59_999)).toEqual(claims)
  expect(kindOf(() => read(signed(), 60_000))).toBe('token-expired')
  expect(jwt.decode(signed())).toEqual({
    ...claims,
    project: '_',
    iss: 'platform',
    iat: 1_767_225_600,
    exp: 1_767_225_660,
  })
})

test('a token of another purpose or project is valid, but not for this', () => {
  expect(kindOf(() => read(signed(), 0, 'password-reset'))).toBe('forbidden')
  const other = signAccountToken(claims, { issuedAt, ttl: 60_000 }, { ...settings, project: 'other' })
  expect(kindOf(() => read(other))).toBe('forbidden')
})

const all = { ...claims, project: '_', iss: 'platform', exp: 1_767_225_660 }
const sign = (changes: object, secret = settings.secret, options: jwt.SignOptions = {}): string =>
  jwt.sign(JSON.parse(JSON.stringify({ ...all, ...changes })) as object, secret, options)

const wrong: readonly (readonly [what: string, token: string])[] = [
  ['of another secret', sign({}, 'another secret')],
  ['of another algorithm', sign({}, settings.secret, { algorithm: 'HS512' })],
  ['without a signature', sign({}, '', { algorithm: 'none' })],
  ['of another issuer', sign({ iss: 'elsewhere' })],
  ['without a user', sign({ user: undefined })],
  ['of a user whose id is none', sign({ user: 'x' })],
  ['of a list of users', sign({ user: [user] })],
  ['without a seal', sign({ seal: undefined })],
  ['without an end', sign({ exp: undefined })],
  ['that is a text', jwt.sign('platform', settings.secret)],
  ['that is no token', 'x'],
  ['that is too long', sign({ seal: 'x'.repeat(4096) })],
]
test.each(wrong)('a token %s is invalid', (_what, token) => {
  expect(kindOf(() => read(token))).toBe('invalid-token')
})

const filled = (length: number): string => sign({ seal: 'x'.repeat(length) })

test('a token as long as the limit is read', () => {
  const length = Array.from({ length: 4096 }, (_, at) => at).findLast((at) => filled(at).length <= 4096) ?? 0
  expect(filled(length)).toHaveLength(4096)
  expect(read(filled(length)).seal).toHaveLength(length)
})

test('a seal belongs to one state, in the order of its parts, and to one secret', () => {
  const seal = sealState(['active', null, 'x'], 'secret')
  expect(isSealOf(seal, ['active', null, 'x'], 'secret')).toBe(true)
  for (const parts of [['active', 'x', null], ['active', null], ['activ', null, 'ex'], []]) {
    expect(isSealOf(seal, parts, 'secret')).toBe(false)
  }
  expect(isSealOf(seal, ['active', null, 'x'], 'other')).toBe(false)
  expect(isSealOf(seal.slice(1), ['active', null, 'x'], 'secret')).toBe(false)
  expect(isSealOf('', ['active', null, 'x'], 'secret')).toBe(false)
})
