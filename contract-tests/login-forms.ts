/** Tests of answers that providers send as forms, for every documented status. */
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import type { Operation } from '../verify/src/spec/operations.ts'
import { pairOf } from './coverage.ts'
import { type LoginBrowser, openBrowser } from './login-browser.ts'
import { logoutTokenOf } from './played-provider.ts'
import { answerSaml, readSamlRequest, type SamlForm } from './played-saml.ts'
import { answerLogout } from './played-saml-logout.ts'
import type { Changed, World } from './world.ts'

export type LoginRun = {
  readonly world: () => World
  readonly seen: Set<string>
  readonly note: (changed: Changed | null) => void
  readonly operationOf: (id: string, generation?: Operation['generation']) => Operation
}

type Form = { readonly [field: string]: string }

/** A browser whose login has begun, and what the provider would have it send. */
type Prepared = { readonly browser: LoginBrowser; readonly path: string; readonly form: Form }

const down = (response: ServerResponse): void => void response.destroy()

const unsigned = (form: SamlForm): Form => ({ ...form, SAMLResponse: Buffer.from('<a/>').toString('base64') })

/** On the usual server. */
export function formTests({ world, seen, note, operationOf }: LoginRun): void {
  const finish = operationOf('finishProviderLoginByForm')
  const saml = operationOf('finishSamlLogin')
  const legacy = operationOf('finishProviderLoginByForm', 'legacy')

  const prepare = async (query: string, email = 'somebody@example.com'): Promise<Prepared> => {
    const browser = openBrowser(world().url)
    const back = world().provider.consent(await browser.begin('keycloak', query), email === '' ? {} : { email })
    return { browser, path: back.pathname, form: Object.fromEntries(back.searchParams) }
  }
  const prepareSaml = async (query: string, change: (form: SamlForm) => Form): Promise<Prepared> => {
    const browser = openBrowser(world().url)
    const request = readSamlRequest(await browser.begin('corp', query))
    return { browser, path: '/auth/login/corp/acs', form: change(answerSaml(request, { id: 'somebody' })) }
  }
  const send = async (operation: Operation, { browser, path, form }: Prepared) => {
    const answer = await browser.post(path, form)
    seen.add(pairOf(operation, answer.status))
    note('rows')
    return answer
  }

  test('a form returns to a page', async () => {
    const { status, location } = await send(finish, await prepare('?redirect=/done'))
    expect([status, location]).toEqual([302, `${world().url}/done`])
    const answer = await send(saml, await prepareSaml('?redirect=/done', (form) => form))
    expect([answer.status, answer.location]).toEqual([302, `${world().url}/done`])
  })

  test('a form that proves nothing opens no session', async () => {
    expect((await send(finish, await prepare('', ''))).status).toBe(401)
    expect((await send(saml, await prepareSaml('', unsigned))).status).toBe(401)
  })

  test('a form in another browser opens no session', async () => {
    const browser = openBrowser(world().url)
    expect((await send(finish, { ...(await prepare('')), browser })).status).toBe(403)
    const callback = `${world().url}/auth/login/corp/acs`
    const request = { id: '', callback, issuer: `${world().url}/auth/login/corp/metadata`, state: '' }
    const form = answerSaml(request, { id: 'somebody' }, { inResponseTo: null })
    const statuses = [1, 2].map(async () => (await send(saml, { browser, path: callback, form })).status)
    expect((await Promise.all(statuses)).toSorted((a, b) => a - b)).toEqual([200, 403])
    const path = '/_/auth/sso/keycloak/callback'
    expect((await send(legacy, { browser, path, form: { code: 'invented', state: 'invented' } })).status).toBe(401)
  })

  test('a session that lives on a token of the provider stays while that one gives no answer', async () => {
    const { body } = await send(finish, await prepare(''))
    const { data } = body as { readonly data: { readonly refresh_token: string } }
    const browser = openBrowser(world().url)
    const begun = await browser.get('/_/auth/sso/keycloak?mode=cookie&redirect_url=/done')
    const { authorization_url: page } = (begun.body as { readonly data: { readonly authorization_url: string } }).data
    await browser.get(world().provider.consent(page, { email: 'somebody@example.com' }))
    const cookie = [...browser.cookies].map((each) => each.join('=')).join('; ')
    const headers = { 'content-type': 'application/json' }
    const post = (at: string, body: object, more: { readonly [name: string]: string } = {}) =>
      fetch(`${world().url}${at}`, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) })
    world().provider.lies = { answer: { '/token': down } }
    const logout_token = logoutTokenOf(world().provider.url, { sid: 'nobody' })
    const answers = [
      [operationOf('refreshSession'), await post('/auth/refresh', { refresh_token: data.refresh_token })],
      [operationOf('refresh', 'legacy'), await post('/_/auth/refresh', {}, { cookie })],
      [operationOf('finishProviderLogout'), await post('/auth/login/gone/backchannel-logout', { logout_token })],
    ] as const
    world().provider.lies = {}
    for (const [operation, { status }] of answers) {
      expect([operation.id, status]).toEqual([operation.id, 503])
      seen.add(pairOf(operation, status))
    }
    expect((await post('/auth/refresh', { refresh_token: data.refresh_token })).status).toBe(200)
  })

  test('a logout of SAML in another browser, or by a page of another site, is refused', async () => {
    const [browser, address] = [openBrowser(world().url), `${world().url}/auth/login/corp/slo`]
    const answer = answerLogout(address, { request: '_invented', state: 'invented' })
    const headers = { origin: 'https://stranger.example', 'content-type': 'application/json' }
    const begun = fetch(`${world().url}/auth/login/corp/logout`, { method: 'POST', headers, body: '{"redirect":"/"}' })
    for (const [id, { status }] of [
      ['finishSamlLogout', await browser.get(`${address}?${answer.toQuery()}`)],
      ['finishSamlLogoutByForm', await browser.post(address, answer.toForm())],
      ['beginSamlLogout', await begun],
    ] as const) {
      expect([id, status]).toEqual([id, 403])
      seen.add(pairOf(operationOf(id), status))
    }
  })

  test('a form does not help without the provider', async () => {
    world().provider.lies = { answer: { '/token': (response) => void response.destroy() } }
    expect((await send(finish, await prepare(''))).status).toBe(503)
    world().provider.lies = {}
  })
}

/** On a server that allows one failed login per account. */
export function refusedFormTests({ world, seen, operationOf }: LoginRun): void {
  test('it takes no more unsolicited answers of an address than it allows', async () => {
    const operation = operationOf('finishSamlLogin')
    const statuses = new Set<number>()
    for (let count = 0; count < 11; count += 1) {
      const { status } = await openBrowser(world().url).post('/auth/login/corp/acs', { SAMLResponse: 'eA==' })
      statuses.add(status)
      seen.add(pairOf(operation, status))
    }
    expect([...statuses].at(-1)).toBe(429)
  })
}
