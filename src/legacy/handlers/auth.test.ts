import { afterAll, describe, expect, test } from 'vitest'
import type { Renewal } from '../../domain/rights/actor.ts'
import { testFileSettings } from '../../storage/test-storage.ts'
import { signAccessToken } from '../../tokens/jwt.ts'
import { codeAt } from '../../tokens/one-time-codes.ts'
import { createTestServer, security, type TestServer, tokens } from '../testing/test-server.ts'

const server = await createTestServer()

afterAll(() => server.close())

const codes = async (request: string, asked?: Parameters<TestServer['ask']>[1]): Promise<readonly unknown[]> => {
  const { status, body } = await server.ask(request, asked)
  return [status, (body as { error?: { code: number } }).error?.code]
}

const login = (more: object = {}) =>
  server.ask('POST /_/auth/authenticate', {
    token: null,
    body: { email: 'admin@example.com', password: 'correct-horse-42', ...more },
  })

describe('tokens', () => {
  test('a login answers with a token and the user', async () => {
    const { status, body } = await login()
    expect(status).toBe(200)
    expect(body).toEqual({
      data: {
        token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        user: expect.objectContaining({
          email: 'admin@example.com',
          status: 'active',
          role: 1,
          id: expect.any(Number),
          '2fa_secret': null,
        }),
      },
      public: true,
    })
    const { token } = (body as { data: { token: string } }).data
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>
    expect(claims).toMatchObject({ id: expect.any(Number), type: 'auth', ttl: 20, project: '_', key: '_' })
    expect(Number(claims['exp']) - Number(claims['iat'])).toBe(1200)
  })

  test('four ways to send a token', async () => {
    const { body } = await login()
    const { token } = (body as { data: { token: string } }).data
    const basic = Buffer.from(`${token}:${token}`).toString('base64')
    const ways: readonly Record<string, string>[] = [
      { authorization: `bearer ${token}` },
      { authorization: `Basic ${basic}` },
      { authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}` },
      { cookie: `platform-_-session=${token}` },
    ]
    for (const headers of ways) {
      expect((await server.ask('GET /_/items/authors/1?fields=id', { token: null, headers })).body).toEqual({
        data: { id: 1 },
      })
    }
    expect((await server.ask(`GET /_/items/authors/1?fields=id&access_token=${token}`, { token: null })).body).toEqual({
      data: { id: 1 },
    })
    expect(await codes('GET /_/items/authors', { token: `${token}x` })).toEqual([401, 101])
    expect(
      await codes('GET /_/items/authors', {
        token: null,
        headers: { authorization: `Basic ${Buffer.from(`${token}:other`).toString('base64')}` },
      }),
    ).toEqual([401, 3])
  })

  test('a token can be exchanged again and again', async () => {
    const { body } = await login()
    const { token } = (body as { data: { token: string } }).data
    for (let times = 0; times < 2; times += 1) {
      const { body: renewed } = await server.ask('POST /_/auth/refresh', { token: null, body: { token } })
      expect(renewed).toEqual({ data: { token: expect.any(String) }, public: true })
    }
    expect(await codes('POST /_/auth/refresh', { token: null, body: {} })).toEqual([400, 4])
    expect(await codes('POST /_/auth/refresh', { token: null, body: { token: 'nonsense' } })).toEqual([401, 101])
  })

  test('only tokens that were made for it are exchanged, each in its way', async () => {
    const { body } = await login()
    const temporary = (body as { data: { token: string } }).data.token
    const { session } = JSON.parse(Buffer.from(temporary.split('.')[1] ?? '', 'base64url').toString()) as {
      session: string
    }
    const sign = (renewal?: Renewal): string => {
      const issuedAt = new Date(Date.now() - 120_000)
      return signAccessToken({ session, issuedAt, ttl: 900_000, renewal, shown: {} }, { ...security, project: '_' })
    }
    for (const token of [sign(), sign('session-cookie')])
      expect(await codes('POST /_/auth/refresh', { token: null, body: { token } })).toEqual([401, 101])
    for (const token of [sign(), sign('session-cookie'), sign('temporary')]) {
      const headers = { cookie: `platform-_-session=${token}` }
      expect(await codes('POST /_/auth/refresh', { token: null, headers, body: {} })).toEqual([401, 101])
      const used = await server.ask('GET /_/items/authors/1?fields=id', { token: null, headers })
      expect([used.status, used.headers.get('set-cookie')]).toEqual([200, null])
    }
  })

  test('exchanged tokens end with the session', async () => {
    const { body } = await login()
    const { token } = (body as { data: { token: string } }).data
    await server.ask('POST /_/auth/logout', { token, body: {} })
    expect(await codes('POST /_/auth/refresh', { token: null, body: { token } })).toEqual([401, 101])
  })

  test('cookie mode returns no token, and every request prolongs the cookie', async () => {
    const { body, headers } = await login({ mode: 'cookie' })
    expect(Object.keys((body as { data: object }).data)).toEqual(['user'])
    const set = headers.get('set-cookie') ?? ''
    expect(set).toMatch(/^platform-_-session=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/)
    const cookie = set.split(';', 1)[0] ?? ''
    const used = await server.ask('GET /_/items/authors/1?fields=id', { token: null, headers: { cookie } })
    expect(used.body).toEqual({ data: { id: 1 } })
    expect(used.headers.get('set-cookie')).toBe(set)
    const refreshed = await server.ask('POST /_/auth/refresh', { token: null, headers: { cookie } })
    expect(refreshed.body).toEqual({ public: true })
    expect(refreshed.headers.get('set-cookie')).toMatch(/^platform-_-session=/)
  })

  test('cookies from other origins are refused for writes, refresh and logout, not for reads', async () => {
    const { headers } = await login({ mode: 'cookie' })
    const cookie = headers.get('set-cookie')?.split(';', 1)[0] ?? ''
    const statuses = async (page: Record<string, string>) => {
      const request = { token: null, headers: { cookie, ...page } }
      const wish = { ...request, body: { name: `Foreign ${JSON.stringify(page)}` } }
      const answers = [
        await server.ask('POST /_/folders', wish),
        await server.ask('POST /_/auth/refresh', request),
        await server.ask('GET /_/folders', request),
      ]
      return answers.map(({ status }) => status)
    }
    const foreign = [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]
    for (const page of foreign) expect(await statuses(page)).toEqual([403, 403, 200])
    const ended = await server.ask('POST /_/auth/logout', { token: null, headers: { cookie, ...foreign[0] } })
    expect([ended.status, ended.body, ended.headers.get('set-cookie')]).toEqual([
      403,
      { error: { code: 10, message: expect.stringContaining('from the same origin') } },
      null,
    ])
    expect(await statuses({ origin: server.url })).toEqual([200, 200, 200])
    const { rows } = await server.db.run({
      text: `select name from platform_folders where name like 'Foreign%'`,
      values: [],
    })
    expect(rows).toHaveLength(1)
  })

  test('a token in a header is accepted from any origin', async () => {
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await server.ask('POST /_/folders', { headers, body: { name: 'By token' } })).status).toBe(200)
  })

  test('an invalid cookie is deleted', async () => {
    const headers = { cookie: 'platform-_-session=long-gone' }
    const answer = await server.ask('GET /_/', { token: null, headers })
    expect([answer.status, answer.body]).toEqual([
      401,
      { error: { code: 101, message: 'Invalid Authentication Token' } },
    ])
    expect(answer.headers.get('set-cookie')).toBe('platform-_-session=; Path=/; Max-Age=0; SameSite=Lax; HttpOnly')
  })

  test('a logout ends the session, as third-party clients ask for it: with an empty object and either kind of token', async () => {
    const { body: jwt } = await login()
    const bearer = { authorization: `Bearer ${(jwt as { data: { token: string } }).data.token}` }
    const cookie = { cookie: (await login({ mode: 'cookie' })).headers.get('set-cookie')?.split(';', 1)[0] ?? '' }
    for (const headers of [bearer, cookie]) {
      expect((await server.ask('GET /_/items/authors/1?fields=id', { token: null, headers })).status).toBe(200)
      const ended = await server.ask('POST /_/auth/logout', { token: null, headers, body: {} })
      expect([ended.status, ended.body]).toEqual([200, { public: true }])
      expect(ended.headers.get('set-cookie') ?? '').toMatch(
        headers === cookie ? /^platform-_-session=; Max-Age=0; Path=\/;/ : /^$/,
      )
      expect(await codes('GET /_/items/authors', { token: null, headers })).toEqual([401, 101])
    }
  })

  test('a logout without a session ends nothing', async () => {
    for (const token of [null, 'nonsense', tokens.admin]) {
      expect((await server.ask('POST /_/auth/logout', { token })).body).toEqual({ public: true })
    }
    expect((await server.ask('GET /_/items/authors/1?fields=id')).status).toBe(200)
  })

  test('there are no providers to log in by', async () => {
    expect((await server.ask('GET /_/auth/sso', { token: null })).body).toEqual({ data: [], public: true })
  })

  test('a login that is no login says what was expected', async () => {
    expect(await errorOfLogin({ email: 'no-address', password: 'x' })).toEqual({
      code: 114,
      message: 'Expected an e-mail address for "email" but received a text',
    })
    expect(await errorOfLogin({ email: 'ann@example.com', password: '' })).toEqual({
      code: 114,
      message: 'Expected at least 1 character for "password" but received an empty text',
    })
  })

  test('logins that fail', async () => {
    expect(
      await codes('POST /_/auth/authenticate', {
        token: null,
        body: { email: 'admin@example.com', password: 'wrong' },
      }),
    ).toEqual([404, 100])
    expect(
      await codes('POST /_/auth/authenticate', {
        token: null,
        body: { email: 'nobody@example.com', password: 'wrong' },
      }),
    ).toEqual([404, 100])
    expect(await codes('POST /_/auth/authenticate', { token: null, body: { password: 'x' } })).toEqual([422, 114])
    expect(
      await codes('POST /_/auth/authenticate', {
        token: 'bad',
        body: { email: 'admin@example.com', password: 'correct-horse-42' },
      }),
    ).toEqual([200, undefined])
  })

  test('the right password of a user who is not active has a code of its own, a wrong one has not', async () => {
    for (const status of ['draft', 'invited', 'archived', 'suspended']) {
      await run(`update platform_users set status = '${status}' where email = 'writer@example.com'`)
      expect([status, ...(await logInAsWriter('correct-horse-42'))]).toEqual([status, 401, 103])
    }
    expect(await logInAsWriter('wrong')).toEqual([404, 100])
    await run(`update platform_users set status = 'active' where email = 'writer@example.com'`)
  })
})

const errorOfLogin = async (body: object) =>
  ((await server.ask('POST /_/auth/authenticate', { token: null, body })).body as { error: object }).error

const logInAsWriter = (password: string) =>
  codes('POST /_/auth/authenticate', { token: null, body: { email: 'writer@example.com', password } })

const run = async (text: string) => (await server.db.run({ text, values: [] })).rows

describe('forgotten passwords', () => {
  const email = 'reader@example.com'
  const password = 'battery staple'
  const reset = (token: string) => ({ token: null, body: { token, password } })

  test('a reset mail works once', async () => {
    const request = { token: null, body: { email, reset_url: 'https://app.example.com/reset' } }
    expect((await server.ask('POST /_/auth/password/request', request)).body).toEqual({ public: true })
    await expect.poll(() => server.mails).toMatchObject([{ to: email, template: 'password-reset' }])
    const link = new URL(server.mails[0]?.data.url ?? '')
    expect(link.href.startsWith('https://app.example.com/reset?token=')).toBe(true)
    const token = link.searchParams.get('token') ?? ''
    expect(await codes(`POST /_/users/invite/${token}`, { token: null })).toEqual([401, 101])
    expect((await server.ask('POST /_/auth/password/reset', reset(token))).body).toEqual({ public: true })
    expect(await codes('POST /_/auth/authenticate', { token: null, body: { email, password } })).toEqual([
      200,
      undefined,
    ])
    expect(await codes('POST /_/auth/password/reset', reset(token))).toEqual([401, 105])
  })

  test('a token in the path is exchanged for a mailed password, but not by HEAD', async () => {
    const before = server.mails.length
    await server.ask('POST /_/auth/password/request', { token: null, body: { email } })
    await expect.poll(() => server.mails).toHaveLength(before + 1)
    const token = new URL(server.mails[before]?.data.url ?? '').searchParams.get('token') ?? ''
    const looked = await fetch(`${server.url}/_/auth/password/reset/${token}`, { method: 'HEAD' })
    expect(looked.status).toBe(200)
    expect(server.letters).toEqual([])
    const answer = await server.ask(`GET /_/auth/password/reset/${token}`, { token: null })
    expect([answer.status, answer.body]).toEqual([200, { public: true }])
    const mailed = /^\S+-aA1$/m.exec(server.letters[0]?.text.body ?? '')?.[0]
    const login = { token: null, body: { email, password: mailed } }
    expect(await codes('POST /_/auth/authenticate', login)).toEqual([200, undefined])
    expect(await codes(`GET /_/auth/password/reset/${token}`, { token: null })).toEqual([401, 105])
    expect(await codes('GET /_/auth/password/reset/nothing', { token: null })).toEqual([401, 104])
    expect(server.letters.map(({ to }) => to)).toEqual([email])
  })

  test('answers do not reveal who has an account', async () => {
    const request = { token: null, body: { email: 'nobody@example.com' } }
    const { status, body } = await server.ask('POST /_/auth/password/request', request)
    expect([status, body]).toEqual([200, { public: true }])
    expect(server.mails).toHaveLength(2)
  })

  test('invalid tokens of mails get their code and do not affect the cookie', async () => {
    const headers = { cookie: 'platform-_-session=kept' }
    const answer = await server.ask('POST /_/auth/password/reset', { ...reset('a-token-of-nobody'), headers })
    expect([answer.status, answer.body]).toEqual([
      401,
      { error: { code: 104, message: 'Invalid Reset Password token' } },
    ])
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(await codes('POST /_/auth/password/reset', { token: null, body: { token: 'x' } })).toEqual([400, 4])
    const elsewhere = { email, reset_url: 'https://stranger.example/reset' }
    expect(await codes('POST /_/auth/password/request', { token: null, body: elsewhere })).toEqual([400, 4])
    const nameless = { email: 'no-address' }
    expect(await codes('POST /_/auth/password/request', { token: null, body: nameless })).toEqual([400, 4])
  })
})

const demand = (isOn: boolean) => run(`update platform_policies set enforce_tfa = ${isOn} where admin_access`)

const attempt = async (more: object): Promise<unknown> => {
  const { status, body } = await login(more)
  return [status, (body as { error?: { code: number } }).error?.code]
}

describe('second factors', () => {
  const secret = 'WS36IYF5QGENQ3NE3UTBJN2AVYXYFX4G'
  const email = 'admin@example.com'

  test('a login needs a code, the right one, once', async () => {
    await run(`update platform_users set tfa_secret = '${secret}' where email = '${email}'`)
    expect(await attempt({})).toEqual([404, 111])
    expect(await attempt({ otp: '000000' })).toEqual([404, 112])
    const otp = codeAt(secret, new Date())
    expect(await attempt({ otp })).toEqual([200, undefined])
    expect(await attempt({ otp })).toEqual([404, 112])
    await run(`update platform_users set tfa_secret = null where email = '${email}'`)
  })

  test('a required second factor is reported at login and by every operation', async () => {
    await demand(true)
    const { status, body } = await login()
    const error = { code: 113, message: '2FA enforced but not activated for user' }
    expect([status, body]).toEqual([200, expect.objectContaining({ error, data: expect.anything() })])
    const { token } = (body as { data: { token: string } }).data
    expect(await codes('GET /_/items/authors', { token })).toEqual([401, 113])
    expect(await codes('GET /', { token })).toEqual([401, 113])
    const facts = await server.ask('GET /_/', { token })
    expect(facts.body).toMatchObject({ data: { api: { requires2FA: true } } })
    await demand(false)
    expect((await login()).body).not.toHaveProperty('error')
  })
})

describe('facts', () => {
  test('a project shows its name to everybody, and the rest to users', async () => {
    const open = await server.ask('GET /_/', { token: null })
    expect(open.body).toEqual({
      data: { api: expect.objectContaining({ project_name: expect.any(String), requires2FA: false }) },
      public: true,
    })
    const { body } = await server.ask('GET /_')
    expect(body).toEqual({
      data: {
        api: expect.objectContaining({ version: '8.8.1', tandem: '1.2.3' }),
        server: expect.objectContaining({ max_upload_size: Number.MAX_SAFE_INTEGER }),
      },
    })
  })

  test('the largest upload is reported as configured', async () => {
    const own = await createTestServer({ files: { ...testFileSettings, maxSize: 5000 } })
    expect((await own.ask('GET /_/')).body).toMatchObject({ data: { server: { max_upload_size: 5000 } } })
    await own.close()
  })

  test('the server shows its information to users', async () => {
    expect((await server.ask('GET /', { headers: { 'x-acme-project': '_' } })).status).toBe(200)
    expect(await codes('GET /', { token: null })).toEqual([401, 3])
    expect(await codes('GET /', { headers: { 'x-acme-project': 'other' } })).toEqual([404, 8])
    const { body, headers } = await server.ask('GET /server/ping', { token: null })
    expect([body, headers.get('content-type')]).toEqual(['pong', 'text/html; charset=utf-8'])
  })
})
