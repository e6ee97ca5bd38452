/** Logins by SAML: what an honest provider and an honest browser see. */
import { Constants, IdentityProvider, ServiceProvider, setSchemaValidator } from 'samlify'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createSigningKey } from './certificate.ts'
import { openBrowser } from './login-browser.ts'
import { answerSaml, readSamlRequest, type SamlRequest, samlKey, samlMetadata } from './played-saml.ts'
import { forgetLogins } from './provider-refusals.ts'
import { editors, openProvidersWorld } from './providers-world.ts'
import { ada, logInBySaml, openSamlWorld } from './saml-world.ts'
import { send } from './send.ts'

const world = await openSamlWorld()
afterAll(() => world.close())
beforeEach(() => forgetLogins(world))

const userOf = async (identifier: string) =>
  (
    await world.rows(
      `select provider, email, first_name, last_name, role, status from platform_users where external_identifier = $1`,
      [identifier],
    )
  )[0]

const adaHere = {
  provider: 'corp',
  email: 'ada@example.com',
  first_name: 'Ada',
  last_name: 'Lovelace',
  role: editors,
  status: 'active',
}

test('SAML providers are listed', async () => {
  const { body } = await openBrowser(world.url).get('/auth')
  expect(body).toMatchObject({
    data: expect.arrayContaining([{ name: 'corp', label: 'Corporation', driver: 'saml', icon: 'account_circle' }]),
  })
})

test('the request goes to the provider by the address of its page', async () => {
  const page = await openBrowser(world.url).begin('corp')
  expect(page).toMatch(/^https:\/\/login\.example\.com\/sso\?SAMLRequest=/)
  const request = readSamlRequest(page)
  expect(request).toEqual({
    id: expect.stringMatching(/^_[\w-]{43}$/),
    callback: `${world.url}/auth/login/corp/acs`,
    issuer: `${world.url}/auth/login/corp/metadata`,
    state: expect.stringMatching(/^[\w-]{43}$/),
  })
})

test('an unknown person gets an account with names, address and the role of a group', async () => {
  const { status, body } = await logInBySaml(world.url)
  expect([status, body]).toMatchObject([200, { data: { access_token: expect.any(String) } }])
  expect(await userOf('ada-1')).toEqual(adaHere)
})

test('an answer that is signed as a whole counts too', async () => {
  const { status } = await logInBySaml(world.url, { lies: { signs: 'response' } })
  expect([status, await userOf('ada-1')]).toEqual([200, adaHere])
})

test('the login returns to its page with a cookie, and to no page of the form', async () => {
  const { status, location, browser } = await logInBySaml(world.url, {
    query: '?redirect=https://app.example.com/done',
  })
  expect([status, location, [...browser.cookies.keys()]]).toEqual([
    302,
    'https://app.example.com/done',
    ['platform_session_token'],
  ])
})

test('the metadata name this server and the address that takes answers', async () => {
  const { status, body, headers } = await openBrowser(world.url).get('/auth/login/corp/metadata')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/xml'])
  expect(body).toContain(`entityID="${world.url}/auth/login/corp/metadata"`)
  expect(body).toContain(`Location="${world.url}/auth/login/corp/acs"`)
  const portal = await openBrowser(world.url).get('/auth/login/portal/metadata')
  expect(portal.body).toContain('entityID="urn:tandem:portal"')
  expect((await openBrowser(world.url).get('/auth/login/keycloak/metadata')).status).toBe(404)
})

test('a login that the provider begins leads to an allowed page, where the operator wants that', async () => {
  const callback = `${world.url}/auth/login/portal/acs`
  const request: SamlRequest = { id: '', callback, issuer: 'urn:tandem:portal', state: 'https://app.example.com/done' }
  const browser = openBrowser(world.url)
  const answer = await browser.post(callback, answerSaml(request, ada, { inResponseTo: null }))
  expect([answer.status, answer.location, [...browser.cookies.keys()]]).toEqual([
    302,
    'https://app.example.com/done',
    ['platform_session_token'],
  ])
  const plain = await browser.post(callback, answerSaml({ ...request, state: '' }, ada, { inResponseTo: null }))
  expect([plain.status, plain.body]).toMatchObject([200, { data: { access_token: expect.any(String) } }])
})

test('the legacy generation logs in by the same provider', async () => {
  const browser = openBrowser(world.url)
  const begun = await browser.get('/_/auth/sso/corp?mode=jwt&redirect_url=/welcome')
  const { data } = begun.body as { readonly data: { readonly authorization_url: string } }
  const request = readSamlRequest(data.authorization_url)
  expect([request.callback, request.issuer]).toEqual([
    `${world.url}/_/auth/sso/corp/callback`,
    `${world.url}/auth/login/corp/metadata`,
  ])
  const { status, location } = await browser.post(request.callback, answerSaml(request, ada))
  const page = new URL(location ?? '')
  expect([status, page.pathname]).toEqual([302, '/welcome'])
  const body = { request_token: page.searchParams.get('request_token') }
  const exchanged = await send(world.url, 'POST /_/auth/sso/access_token', { body })
  expect([exchanged.status, exchanged.body]).toMatchObject([200, { data: { token: expect.any(String) } }])
})

test('a provider of another library reads the signed request, and its answer counts', async () => {
  setSchemaValidator({ validate: () => Promise.resolve('skipped') })
  const own = createSigningKey('tandem')
  const signing = await openProvidersWorld({
    AUTH_PROVIDERS: 'corp',
    AUTH_CORP_DRIVER: 'saml',
    AUTH_CORP_IDP_metadata: samlMetadata().replace('WantAuthnRequestsSigned="false"', 'WantAuthnRequestsSigned="true"'),
    AUTH_CORP_SP_privateKey: own.key,
    AUTH_CORP_ALLOW_PUBLIC_REGISTRATION: 'true',
  })
  try {
    const browser = openBrowser(signing.url)
    const page = new URL(await browser.begin('corp', '?redirect=/done'))
    const sp = ServiceProvider({
      entityID: `${signing.url}/auth/login/corp/metadata`,
      authnRequestsSigned: true,
      signingCert: own.certificate,
      assertionConsumerService: [
        { Binding: Constants.namespace.binding.post, Location: `${signing.url}/auth/login/corp/acs` },
      ],
    })
    const idp = IdentityProvider({
      metadata: samlMetadata().replace('WantAuthnRequestsSigned="false"', 'WantAuthnRequestsSigned="true"'),
      privateKey: samlKey.key,
    })
    const query = Object.fromEntries(page.searchParams)
    const octetString = page.search.slice(1).replace(/&Signature=.*$/, '')
    const request = await idp.parseLoginRequest(sp, 'redirect', { query, octetString })
    const made = await idp.createLoginResponse(
      sp,
      request as never,
      'post',
      { email: 'ada@example.com' },
      {
        relayState: page.searchParams.get('RelayState') ?? '',
      },
    )
    const { status, location } = await browser.post('/auth/login/corp/acs', {
      SAMLResponse: (made as { context: string }).context,
      RelayState: page.searchParams.get('RelayState') ?? '',
    })
    expect([status, location]).toEqual([302, `${signing.url}/done`])
    expect(
      await signing.rows('select provider, external_identifier from platform_users where provider = $1', ['corp']),
    ).toEqual([{ provider: 'corp', external_identifier: 'ada@example.com' }])
  } finally {
    await signing.close()
  }
})
