import jwt from 'jsonwebtoken'
import { expect, test } from 'vitest'
import { TandemError } from '../domain/rights/errors.ts'
import { createTokenReader } from './bearer-tokens.ts'
import { signAccessToken } from './jwt.ts'

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
  expect(readAt(0)(signAccessToken(claims, settings))).toStrictEqual({ kind: 'session', session })
  const renewed = signAccessToken({ ...claims, renewal: 'session-cookie' }, settings)
  expect(readAt(0)(renewed)).toEqual({ kind: 'session', session, renewal: 'session-cookie' })
})

test('claims for clients are not trusted', () => {
  expect(readAt(0)(signed({ session: 'x', iss: 'x', purpose: 'x', exp: 1 }))).toEqual({ kind: 'session', session })
})

test('a token expires even if cached', () => {
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
  ['of a session whose id is none', jwt.sign({ ...claims, session: 'x' }, settings.secret)],
  ['of a session whose id is a number', jwt.sign({ ...claims, session: 5 }, settings.secret)],
  ['without session', jwt.sign({ ...claims, session: undefined }, settings.secret)],
  ['without expiry', jwt.sign({ session, purpose: 'access', project: '_', iss: 'platform' }, settings.secret)],
  ['by another algorithm of the same key', jwt.sign(claims, settings.secret, { algorithm: 'HS512' })],
  ['without signature', jwt.sign(claims, '', { algorithm: 'none' })],
  ['that is far too long', 'a'.repeat(5000)],
]

test.each(refused)('a token %s is invalid', (_name, token) => {
  expect(kindOf(() => readAt(0)(token))).toBe('invalid-token')
})

test('the id of a session is read in lower case, and a renewal that is none is left out', () => {
  const token = jwt.sign({ ...claims, session: session.toUpperCase(), renewal: 'forever' }, settings.secret)
  expect(readAt(0)(token)).toEqual({ kind: 'session', session })
  for (const renewal of ['session-cookie', 'temporary', 'prolonged-cookie']) {
    expect(readAt(0)(jwt.sign({ ...claims, renewal }, settings.secret))).toEqual({ kind: 'session', session, renewal })
  }
})

test('a token has its times in whole seconds', () => {
  const issuedAt = new Date(start.getTime() + 999)
  const token = signAccessToken({ session, issuedAt, ttl: 1_500, shown: { id: 'me' } }, settings)
  const common = { id: 'me', session, purpose: 'access', project: '_', iss: 'platform' }
  expect(jwt.decode(token)).toEqual({ ...common, iat: seconds, exp: seconds + 2 })
})

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

test('texts that only resemble a token of ours are static tokens', () => {
  const ours = part({ iss: 'platform' })
  const alike = ['a.b', `a.${ours}`, `a.${ours}.b.c`, `a b.${ours}.c`, 'a.b.c', `a.${part(null)}.c`, `a.${part('x')}.c`]
  for (const token of [...alike, `a.${part({})}.c`, ` a.${ours}.c`, `a.${ours}.c `]) {
    expect(readAt(0)(token)).toEqual({ kind: 'static', token })
  }
  expect(kindOf(() => readAt(0)(`a.${ours}.`))).toBe('invalid-token')
})

test('a token may have 4096 characters', () => {
  const token = 'a'.repeat(4096)
  expect(readAt(0)(token)).toEqual({ kind: 'static', token })
  expect(kindOf(() => readAt(0)(`${token}a`))).toBe('invalid-token')
})

test('a reader verifies a token once while it is valid', () => {
  const read = createTokenReader(settings, () => start)
  const token = signed()
  expect(read(token)).toBe(read(token))
})
