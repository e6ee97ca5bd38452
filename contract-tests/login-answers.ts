/** Tests of answers to logins by identity providers, which need a browser or a server with other settings. */
import { expect, test } from 'vitest'
import { accepted, type Draft, good, plainCase, toCase } from '../verify/src/cases/case.ts'
import { sendCase } from '../verify/src/cases/send.ts'
import type { Answer } from '../verify/src/http/exchange.ts'
import type { Operation } from '../verify/src/spec/operations.ts'
import { pairOf } from './coverage.ts'
import { guesses } from './limited.ts'
import { type LoginBrowser, openBrowser } from './login-browser.ts'
import { formTests, type LoginRun, refusedFormTests } from './login-forms.ts'
import type { Lies } from './played-provider.ts'

const askOf = async ({ world, seen }: LoginRun, operation: Operation, part: Partial<Draft> = {}): Promise<Answer> => {
  const each = toCase(operation, { ...good(operation), ...part }, { ...accepted, rule: 'a question' })
  const answer = await sendCase(each, { url: world().url, token: null })
  seen.add(pairOf(operation, answer.status))
  return answer
}

/** Wrong passwords. */
export function guessTests(run: LoginRun): void {
  test.each(guesses)('%s responds with 429 to repeated guesses', async (id, generation, guessed) => {
    const login = run.operationOf(id, generation)
    const plain = plainCase(login)
    const body = JSON.stringify(guessed)
    const guess = { ...plain, request: { ...plain.request, body } }
    const statuses = new Set<number>()
    for (let count = 0; count < 26; count += 1) {
      const answer = await sendCase(guess, { url: run.world().url, token: null })
      statuses.add(answer.status)
      run.seen.add(pairOf(login, answer.status))
      if (answer.status === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect(statuses).toContain(429)
  })
}

/** On a server that allows one failed login per account, and none with a password. */
export function refusedLoginTests(run: LoginRun): void {
  test('it begins no more logins of an address than it allows', async () => {
    const operation = run.operationOf('beginProviderLogin')
    const statuses: number[] = []
    for (let count = 0; count < 11; count += 1) statuses.push((await askOf(run, operation)).status)
    expect(statuses).toEqual([...Array<number>(10).fill(302), 429])
    expect((await askOf(run, run.operationOf('beginProviderLogin', 'legacy'))).status).toBe(429)
  })

  test('without logins by password it has no such path', async () => {
    expect((await askOf(run, run.operationOf('login'))).status).toBe(404)
  })

  refusedFormTests(run)

  test('it checks no more passwords of a name by a provider than it allows', async () => {
    const operation = run.operationOf('loginByProvider')
    const body = { identifier: 'guessed', password: 'wrong' }
    const statuses = [(await askOf(run, operation, { body })).status, (await askOf(run, operation, { body })).status]
    expect(statuses).toEqual([401, 429])
  })
}

/** On the usual server. */
export function loginTests(run: LoginRun): void {
  formTests(run)
  const finish = run.operationOf('finishProviderLogin')
  /** The answer to the browser that came back with these claims. */
  const comeBack = async (search: string, claims: object) => {
    const browser = openBrowser(run.world().url)
    const back = run.world().provider.consent(await browser.begin('keycloak', search), { ...claims })
    const answer = await browser.get(back)
    run.seen.add(pairOf(finish, answer.status))
    run.note('rows')
    return answer
  }

  test('returns to a page', async () => {
    const { status, location } = await comeBack('?redirect=/done', { email: 'somebody@example.com' })
    expect([status, location]).toEqual([302, `${run.world().url}/done`])
  })

  test.each([
    ['proves nothing', {}, {}, 401],
    ['is not understood', { email: 'somebody@example.com' }, { '/token': (response) => response.destroy() }, 503],
  ] satisfies readonly [string, object, NonNullable<Lies['answer']>, number][])(
    'that %s opens no session',
    async (_, claims, answer, status) => {
      run.world().provider.lies = { answer }
      expect((await comeBack('', claims)).status).toBe(status)
      run.world().provider.lies = {}
    },
  )

  test('that another browser brings back opens no session', async () => {
    const { url, provider } = run.world()
    const back = provider.consent(await openBrowser(url).begin('keycloak', ''), { email: 'somebody@example.com' })
    const { status } = await openBrowser(url).get(back)
    run.seen.add(pairOf(finish, status))
    expect(status).toBe(403)
  })

  test('of the legacy generation that nobody began opens no session', async () => {
    const { url } = run.world()
    const { status } = await openBrowser(url).get(`${url}/_/auth/sso/keycloak/callback?code=invented&state=invented`)
    run.seen.add(pairOf(run.operationOf('finishProviderLogin', 'legacy'), status))
    expect(status).toBe(401)
  })

  test('does not begin without the provider', async () => {
    const answer = await askOf(run, run.operationOf('beginProviderLogin'), { path: { provider: 'gone' } })
    expect(answer.status).toBe(503)
  })

  test.each([
    ['a wrong password', 401, {}, { password: 'wrong' }],
    ['the address of another user', 403, {}, { identifier: 'mallory' }],
    ['a directory that gives no answer', 503, { provider: 'away' }, {}],
  ])('with %s opens no session', async (_, expected, path, given) => {
    const body = { identifier: 'ada', password: 'correct-horse-42', ...given }
    const { status } = await askOf(run, run.operationOf('loginByProvider'), {
      body,
      ...('provider' in path ? { path } : {}),
    })
    run.note('rows')
    expect(status).toBe(expected)
  })

  /** The answer to a request of the legacy generation for a login that has come back. */
  const askLegacy = async (id: string, request: (back: URL, browser: LoginBrowser) => Promise<{ status: number }>) => {
    const browser = openBrowser(run.world().url)
    const { body } = await browser.get('/_/auth/sso/keycloak?mode=cookie&redirect_url=/welcome')
    const { data } = body as { readonly data: { readonly authorization_url: string } }
    const back = run.world().provider.consent(data.authorization_url, { email: 'somebody@example.com' })
    const { status } = await request(back, browser)
    run.seen.add(pairOf(run.operationOf(id, 'legacy'), status))
    run.note('rows')
    return status
  }

  test('of the legacy generation leads a page of the server on, and does not begin without the provider', async () => {
    const operation = run.operationOf('beginProviderLogin', 'legacy')
    const { url } = run.world()
    expect((await askOf(run, operation, { headers: { referer: `${url}/` } })).status).toBe(302)
    expect((await askOf(run, operation, { path: { project: '_', provider: 'gone' } })).status).toBe(503)
  })

  test.each([
    ['a foreign page', 403, { code: 'invented' }, { origin: 'https://stranger.example' }],
    ['another state', 401, { code: 'invented', state: 'invented' }, {}],
    ['an invented code', 404, { code: 'invented' }, {}],
  ])('of the legacy generation refuses %s', async (_, expected, body, headers) => {
    const ask = (_: URL, { cookies }: LoginBrowser) =>
      fetch(`${run.world().url}/_/auth/sso/keycloak`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          cookie: [...cookies].map((each) => each.join('=')).join('; '),
          ...headers,
        },
        body: JSON.stringify(body),
      })
    expect(await askLegacy('loginByProvider', ask)).toBe(expected)
  })

  test('of the legacy generation says so when the provider gives no answer', async () => {
    const ask = (back: URL, { cookies }: LoginBrowser) => {
      run.world().provider.lies = { answer: { '/token': (response) => void response.destroy() } }
      return fetch(`${run.world().url}/_/auth/sso/keycloak`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: [...cookies].map((each) => each.join('=')).join('; ') },
        body: JSON.stringify({ code: back.searchParams.get('code') }),
      })
    }
    expect(await askLegacy('loginByProvider', ask)).toBe(503)
    run.world().provider.lies = {}
  })
}
