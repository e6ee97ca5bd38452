import { describe, expect, test } from 'vitest'
import { createLog } from './log.ts'

const canaries = {
  password: 'canary-password-1',
  token: 'canary-static-token-2',
  cookie: 'canary-cookie-3',
  jwt: 'eyJhbGciOiJIUzI1NiJ9.eyJpZCI6MX0.canary4',
  query: 'canary-query-5',
  hash: '$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$canary6',
  database: 'canary-database-7',
}

function written(style: 'raw' | 'pretty', detail: object): string {
  const lines: string[] = []
  createLog({ level: 'debug', style }, { write: (line) => lines.push(line) }).error(detail, 'it happened')
  return lines.join('')
}

const detail = {
  url: `/items/a?access_token=${canaries.query}&limit=1`,
  headers: { authorization: `Bearer ${canaries.token}`, cookie: `a=${canaries.cookie}`, 'set-cookie': canaries.cookie },
  body: { email: 'a@example.com', password: canaries.password, nested: [{ access_token: canaries.jwt }] },
  note: `sent ${canaries.jwt} as Bearer ${canaries.token}`,
  err: new Error(`login with ${canaries.hash} failed`, {
    cause: new Error(`connect postgres://me:${canaries.database}@host/db`),
  }),
}

describe.each(['raw', 'pretty'] as const)('a log line in %s style', (style) => {
  test.each(Object.entries(canaries))('never holds the %s', (_name, canary) => {
    expect(written(style, detail)).not.toContain(canary)
  })

  test.each([
    `/a/${canaries.jwt}`,
    canaries.hash,
    `connect postgres://me:${canaries.database}@host/db`,
    `token=${canaries.query}`,
    `bearer ${canaries.token}`,
  ])('never holds a secret that stands alone: %s', (text) => {
    expect(written(style, { text })).not.toContain('canary')
  })

  test('keeps what is no secret', () => {
    const line = written(style, detail)
    expect(line).toContain('it happened')
    expect(line).toContain('a@example.com')
    expect(line).toContain('&limit=1')
    expect(line).toContain('failed')
  })
})

test('an error keeps its type, its message, where it came from and its cause', () => {
  const line = JSON.parse(written('raw', { err: new TypeError('no', { cause: new Error('deeper') }) })) as object
  expect(line).toMatchObject({
    err: {
      type: 'TypeError',
      message: 'no',
      stack: expect.stringContaining('log.test.ts'),
      cause: { message: 'deeper' },
    },
  })
})

test('a level below the configured one writes nothing', () => {
  const lines: string[] = []
  createLog({ level: 'warn', style: 'raw' }, { write: (line) => lines.push(line) }).info({}, 'quiet')
  expect(lines).toEqual([])
})

test('a raw line is one JSON object with time, level and message', () => {
  const line = JSON.parse(written('raw', { request: 'abc' })) as object
  expect(line).toEqual({ level: 'error', time: expect.any(String), request: 'abc', msg: 'it happened' })
})

const plain = { requestId: 'a', method: 'GET', path: '/items/"é\n"', status: 200, ms: 1.25, aborted: true }

test.each([
  ['is written like all others', plain, plain],
  ['has its secrets taken out', { path: `/a/${canaries.jwt}` }, { path: '/a/--redacted--' }],
  ['has keys of secrets masked', { token: 'short', ms: 1 }, { token: '--redacted--', ms: 1 }],
  ['has no number that JSON has not', { ms: Number.NaN }, { ms: null }],
])('a line with plain values %s', (_what, detail, expected) => {
  const lines: string[] = []
  const log = createLog({ level: 'info', style: 'raw' }, { write: (line) => lines.push(line) })
  log.info(detail, 'request "x"')
  log.warn(detail, 'request "x"')
  const [info, warn] = lines.map((line) => JSON.parse(line) as object)
  expect(info).toEqual({ level: 'info', time: expect.any(String), ...expected, msg: 'request "x"' })
  expect(warn).toEqual({ ...info, level: 'warn', time: expect.any(String) })
  expect(Object.keys(info ?? {})).toEqual(Object.keys(warn ?? {}))
  expect(lines.every((line) => line.endsWith('}\n'))).toBe(true)
})
