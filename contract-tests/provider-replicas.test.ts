/** Two replicas, as a load balancer mixes them: a login that begins at one comes back to the other, and counts once. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from './login-browser.ts'
import { answerSaml, readSamlRequest } from './played-saml.ts'
import type { ProvidersWorld } from './providers-world.ts'
import { ada, openSamlWorld } from './saml-world.ts'

const redis = process.env['TEST_REDIS_URL']

const ways: readonly (readonly [name: string, settings: { readonly [name: string]: string }])[] = [
  ['by the database alone', {}],
  ...(redis === undefined ? [] : [['with Redis', { REDIS: redis, RATE_LIMITER_LOGIN_ENABLED: 'true' }] as const]),
]

describe.each(ways)('%s', (_, settings) => {
  let world: ProvidersWorld
  let other: string

  beforeAll(async () => {
    world = await openSamlWorld(settings)
    other = await world.openReplica()
  })
  afterAll(() => world.close())

  test('OpenID Connect', async () => {
    const browser = openBrowser(world.url)
    const back = world.provider.consent(await browser.begin('keycloak'), { sub: 'ann' })
    const held = [...browser.cookies]
    const there = openBrowser(other, world.url)
    for (const [name, value] of held) there.cookies.set(name, value)
    const first = await there.get(back)
    expect([first.status, first.body]).toMatchObject([200, { data: { access_token: expect.any(String) } }])
    const { status, body } = await browser.get(back)
    expect([status, body]).toMatchObject([403, { error: { code: 'INVALID_TOKEN' } }])
  })

  test('SAML, also where the provider begins', async () => {
    const browser = openBrowser(world.url)
    const request = readSamlRequest(await browser.begin('corp'))
    const there = openBrowser(other, world.url)
    for (const [name, value] of browser.cookies) there.cookies.set(name, value)
    const form = answerSaml(request, ada)
    expect((await there.post(request.callback, form)).status).toBe(200)
    expect((await browser.post(request.callback, form)).status).toBe(403)
    const callback = `${world.url}/auth/login/portal/acs`
    const unsolicited = answerSaml(
      { id: '', callback, issuer: 'urn:tandem:portal', state: '' },
      { id: 'bob' },
      { inResponseTo: null },
    )
    expect((await openBrowser(world.url).post(callback, unsolicited)).status).toBe(200)
    expect((await openBrowser(world.url).post(callback, unsolicited)).status).toBe(403)
  })
})
