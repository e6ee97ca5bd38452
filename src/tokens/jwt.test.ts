import jwt from 'jsonwebtoken'
import { expect, test } from 'vitest'
import { TandemError } from '../domain/rights/errors.ts'
import { createTokenReader, signAccessToken } from './jwt.ts'

const settings = { secret: 'a secret of at least thirty-two characters', project: '_' }
const session = '0b8d3bd1-91cb-4e5c-9ae2-5a1c7f8c9b10'
const start = new Date('2026-01-01T00:00:00Z')

const signed = (more: object = {}): string =>
  signAccessToken({ session, issuedAt: start, ttl: 900_000, shown: { id: 'me', ...more } }, settings)

const readAt = (seconds: number, of = settings): ((token: string) => unknown) =>
  createTokenReader(of, () => new Date(start.getTime() + seconds * 1000))

function kindOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (error instanceof TandemError) return error.failures[0].kind
    throw error
  }
  return 'nothing'
}

test('a signed token names its session', () => {
  expect(readAt(0)(signed())).toEqual({ kind: 'session', session })
})

test('a token is renewable only if it was signed so', () => {
  const claims = { session, issuedAt: start, ttl: 900_000, shown: { renewal: 'shown' } }
  expect(readAt(0)(signAccessToken(claims, settings))).toEqual({ kind: 'session', session })
  const renewed = signAccessToken({ ...claims, renewal: 'session-cookie' }, settings)
  expect(readAt(0)(renewed)).toEqual({ kind: 'session', session, renewal: 'session-cookie' })
})

test('claims for clients are not trusted', () => {
  expect(readAt(0)(signed({ session: 'x', iss: 'x', purpose: 'x', exp: 1 }))).toEqual({ kind: 'session', session })
})

test('it expires, even if cached', () => {
  const token = signed()
  let now = start
  const read = createTokenReader(settings, () => now)
  expect(read(token)).toEqual({ kind: 'session', session })
  now = new Date(start.getTime() + 899_000)
  expect(read(token)).toEqual({ kind: 'session', session })
  now = new Date(start.getTime() + 900_000)
  expect(kindOf(() => read(token))).toBe('token-expired')
})

test('any other text is a static token', () => {
  expect(readAt(0)('abc')).toEqual({ kind: 'static', token: 'abc' })
  const foreign = jwt.sign({ iss: 'elsewhere' }, 'x')
  expect(readAt(0)(foreign)).toEqual({ kind: 'static', token: foreign })
})

const seconds = Math.floor(start.getTime() / 1000)
const claims = { session, purpose: 'access', project: '_', iss: 'platform', exp: seconds + 900 }

const refused: readonly (readonly [name: string, token: string])[] = [
  ['of another secret', jwt.sign(claims, 'another secret')],
  ['of another project', jwt.sign({ ...claims, project: 'b' }, settings.secret)],
  ['of another purpose', jwt.sign({ ...claims, purpose: 'invite' }, settings.secret)],
  ['without purpose', jwt.sign({ ...claims, purpose: undefined }, settings.secret)],
  ['without session', jwt.sign({ ...claims, session: undefined }, settings.secret)],
  ['without expiry', jwt.sign({ session, purpose: 'access', project: '_', iss: 'platform' }, settings.secret)],
  ['by another algorithm of the same key', jwt.sign(claims, settings.secret, { algorithm: 'HS512' })],
  ['without signature', jwt.sign(claims, '', { algorithm: 'none' })],
  ['that is far too long', 'a'.repeat(5000)],
]

test.each(refused)('a token %s is invalid', (_name, token) => {
  expect(kindOf(() => readAt(0)(token))).toBe('invalid-token')
})
