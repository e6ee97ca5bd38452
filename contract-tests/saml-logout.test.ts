/** Single logout of SAML, begun here or at the provider; and those who would end sessions of others, or lead away. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createSigningKey } from './certificate.ts'
import { type LoginBrowser, openBrowser } from './login-browser.ts'
import { openOtherLibrary, readSignedQuery } from './other-saml-library.ts'
import { type Person, samlMetadata, strangeSamlKey } from './played-saml.ts'
import { answerLogout, askToLogOut, type LogoutLies, logoutService, readMessage } from './played-saml-logout.ts'
import { forgetLogins } from './provider-refusals.ts'
import { ada, logInBySaml, openSamlWorld, otherEntity } from './saml-world.ts'

const own = createSigningKey('data.example.com')
const pem = `-----BEGIN CERTIFICATE-----\n${own.certificate}\n-----END CERTIFICATE-----`
/** What its pages want back, with characters that are escaped in several ways. */
const ownState = `its own & (state)*~!'+%20ä`
const page = 'https://login.example.com/slo'
const done = 'https://app.example.com/done'

const world = await openSamlWorld({
  AUTH_CORP_IDP_metadata: samlMetadata({}, logoutService),
  AUTH_CORP_SP_privateKey: own.key,
  AUTH_CORP_SP_signingCert: pem,
  AUTH_CORP_MODE: 'session',
  AUTH_OTHER_IDP_metadata: samlMetadata({ issuer: otherEntity }, logoutService),
  AUTH_OTHER_SP_privateKey: own.key,
})
const replica = await world.openReplica()
const address = `${world.url}/auth/login/corp/slo`
afterAll(() => world.close())
beforeEach(() => forgetLogins(world))

type Tokens = { readonly access_token: string; readonly refresh_token: string }

/** Logs in without a page: the tokens. */
async function logIn(session: string, person: Person = ada, name = 'corp'): Promise<Tokens> {
  const lies = name === 'other' ? { session, issuer: otherEntity } : { session }
  const { status, body } = await logInBySaml(world.url, { name, person, lies })
  expect(status).toBe(200)
  return (body as { readonly data: Tokens }).data
}

const qualified = (xml: string): string =>
  xml.replace('<saml:NameID ', '<saml:NameID NameQualifier="idp" SPNameQualifier="sp" ')

async function browse(session = 'one'): Promise<LoginBrowser> {
  const { browser } = await logInBySaml(world.url, { query: `?redirect=${done}`, lies: { session, before: qualified } })
  expect([...browser.cookies.keys()]).toEqual(['platform_session_token'])
  return browser
}

const statusAt = async (server: string, { access_token: token }: Tokens): Promise<number> =>
  (await fetch(`${server}/users/me`, { headers: { authorization: `Bearer ${token}` } })).status

const sessions = async (): Promise<number> => (await world.rows('select id from platform_sessions')).length

test('the metadata name the address of logouts, and the certificate of messages', async () => {
  const { body } = await openBrowser(world.url).get('/auth/login/corp/metadata')
  for (const binding of ['HTTP-Redirect', 'HTTP-POST'])
    expect(body).toContain(
      `<SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:${binding}" Location="${address}"/>`,
    )
  expect(String(body).replaceAll(/\s/g, '')).toContain(own.certificate)
})

describe('a logout that begins here', () => {
  test('ends the session here, then at the provider, and returns to its page', async () => {
    const browser = await browse()
    const { status, location } = await browser.post('/auth/login/corp/logout', { redirect: `${done}?a=1` })
    expect([status, await sessions(), [...browser.cookies.keys()]]).toEqual([302, 0, ['platform_logout_corp']])
    const request = readMessage(location ?? '', own.certificate)
    expect(request.page).toBe('https://login.example.com/slo')
    expect(request.xml).toMatch(/<samlp:LogoutRequest .*Destination="https:\/\/login\.example\.com\/slo"/)
    expect(request.xml).toContain(`>${world.url}/auth/login/corp/metadata</saml:Issuer>`)
    expect(request.xml).toMatch(/<saml:NameID [^>]*NameQualifier="idp" SPNameQualifier="sp"[^>]*>ada-1<\/saml:NameID>/)
    expect(request.xml).toMatch(/SessionIndex[^>]*>one</)
    const back = await browser.get(`${address}?${answerLogout(address, { ...request, request: request.id }).toQuery()}`)
    expect([back.status, back.location, [...browser.cookies.keys()]]).toEqual([302, `${done}?a=1`, []])
  })

  test('takes the answer as a form, and tells the page that the provider did not end its session', async () => {
    const browser = await browse()
    const { location } = await browser.post('/auth/login/corp/logout', { redirect: done })
    const { id: request, state } = readMessage(location ?? '', own.certificate)
    const status = 'urn:oasis:names:tc:SAML:2.0:status:Responder'
    const back = await browser.post(address, answerLogout(address, { request, state }, { status }).toForm())
    expect([back.status, back.location]).toEqual([302, `${done}?reason=INVALID_PROVIDER`])
  })

  test('takes a refresh token in place of a cookie', async () => {
    const { refresh_token } = await logIn('one')
    const { status, location } = await openBrowser(world.url).post('/auth/login/corp/logout', { refresh_token })
    expect([status, await sessions()]).toEqual([302, 0])
    expect(readMessage(location ?? '', own.certificate).xml).toContain('>ada-1</saml:NameID>')
  })

  test('of a session from elsewhere ends it, and asks no provider', async () => {
    const { refresh_token } = await logIn('one', ada, 'other')
    const { location } = await openBrowser(world.url).post('/auth/login/corp/logout', { refresh_token })
    expect([location, await sessions()]).toEqual([`${world.url}/`, 0])
  })

  test('without a session, or at a provider without logouts, returns at once', async () => {
    const browser = openBrowser(world.url)
    for (const name of ['corp', 'portal'])
      expect((await browser.post(`/auth/login/${name}/logout`, { redirect: done })).location).toBe(done)
  })

  test.each(['https://evil.example/', '//evil.example', 'javascript:alert(1)', 'https://app.example.com/done/../x'])(
    'does not lead to %s, and ends nothing',
    async (redirect) => {
      const browser = await browse()
      expect((await browser.post('/auth/login/corp/logout', { redirect })).status).toBe(400)
      expect(await sessions()).toBe(1)
    },
  )

  test('is no use to a page of another site', async () => {
    const browser = await browse()
    const cookie = [...browser.cookies].map((each) => each.join('=')).join('; ')
    const headers = { cookie, origin: 'https://evil.example' }
    const answer = await fetch(`${world.url}/auth/login/corp/logout`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ redirect: done }),
    })
    expect([answer.status, await sessions()]).toEqual([403, 1])
  })
})

const encoded = (name: string) => (xml: string) => xml.replace('>ada-1<', `>${name}<`)

describe('a provider of another library', () => {
  test('reads the request of this server, which takes its answer', async () => {
    const { sp, idp } = openOtherLibrary(world.url, own)
    const browser = await browse()
    const { location } = await browser.post('/auth/login/corp/logout', { redirect: done })
    const request = await idp.parseLogoutRequest(sp, 'redirect', readSignedQuery(location ?? ''))
    expect(request.extract).toMatchObject({ nameID: 'ada-1', sessionIndex: 'one', issuer: sp.entityMeta.getEntityID() })
    const state = new URL(location ?? '').searchParams.get('RelayState') ?? ''
    const answer = idp.createLogoutResponse(sp, request as never, 'redirect', state)
    const back = await browser.get(answer.context)
    expect([back.status, back.location]).toEqual([302, done])
  })

  test.each(['redirect', 'post'] as const)('asks by %s, and reads the answer of this server', async (binding) => {
    const { sp, idp } = openOtherLibrary(world.url, own)
    const held = await logIn('one')
    const made = idp.createLogoutRequest(sp, binding, { logoutNameID: 'ada-1', sessionIndex: 'one' }, 'back')
    const browser = openBrowser(world.url)
    const { status, location } =
      binding === 'redirect'
        ? await browser.get(made.context)
        : await browser.post(address, { SAMLRequest: made.context, RelayState: 'back' })
    expect([status, await statusAt(world.url, held)]).toEqual([302, 401])
    const answer = await idp.parseLogoutResponse(sp, 'redirect', readSignedQuery(location ?? ''))
    expect(answer.extract).toMatchObject({ response: { inResponseTo: made.id, destination: `${page}/answers` } })
  })
})

describe.each(['query', 'form'] as const)('a logout that begins at the provider, by a %s', (way) => {
  const send = async (
    about: Parameters<typeof askToLogOut>[1],
    lies: LogoutLies = {},
    { name = 'corp', state }: { readonly name?: string; readonly state?: string } = {},
  ) => {
    const target = `${world.url}/auth/login/${name}/slo`
    const message = askToLogOut(target, about, lies, state)
    const browser = openBrowser(world.url)
    return way === 'query' ? browser.get(`${target}?${message.toQuery()}`) : browser.post(target, message.toForm())
  }

  test('ends the sessions that it names, on all replicas, and is answered at the provider', async () => {
    const [one, two] = [await logIn('one'), await logIn('two')]
    const others = [
      await logIn('three'),
      await logIn('one', { id: 'bob' }),
      await logIn('one', { id: 'ada-1' }, 'other'),
    ]
    for (const each of [one, ...others]) expect(await statusAt(replica, each)).toBe(200)
    const { status, location } = await send({ subject: 'ada-1', sessions: ['one', 'two'] }, {}, { state: ownState })
    expect(status).toBe(302)
    const answer = readMessage(location ?? '', own.certificate)
    expect([answer.page, answer.state]).toEqual(['https://login.example.com/slo/answers', ownState])
    expect(answer.xml).toMatch(/<samlp:LogoutResponse .*InResponseTo="_[\w-]{36}".*status:Success/s)
    for (const each of [one, two]) expect(await statusAt(world.url, each)).toBe(401)
    await expect.poll(() => statusAt(replica, one)).toBe(401)
    for (const each of others) expect(await statusAt(world.url, each)).toBe(200)
  })

  test('without names ends all sessions of the person from that provider', async () => {
    const [mine, yours] = [[await logIn('one'), await logIn('two')], await logIn('one', { id: 'bob' })]
    expect((await send({ subject: 'ada-1' })).status).toBe(302)
    for (const each of mine) expect(await statusAt(world.url, each)).toBe(401)
    expect(await statusAt(world.url, yours)).toBe(200)
  })

  const minute = 60_000

  const hostile: readonly (readonly [name: string, lies: LogoutLies])[] = [
    ['without a signature', { signs: false }],
    ['with the signature of another key', { key: strangeSamlKey }],
    ['with a signature of SHA-1', { algorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' }],
    ['changed after its signature', { before: encoded('nobody'), after: (xml) => xml.replace('>nobody<', '>ada-1<') }],
    ['of another issuer', { issuer: otherEntity }],
    ['without an issuer', { before: (xml) => xml.replace(/<saml:Issuer>.*<\/saml:Issuer>/, '') }],
    ['for another provider here', { destination: 'replaced below' }],
    ['for another server', { destination: 'https://other.example.com/slo' }],
    ['for no destination', { before: (xml) => xml.replace(/ Destination="[^"]*"/, '') }],
    ['that has expired', { ends: -2 * minute }],
    ['that is too old', { issued: -15 * minute }],
    ['of the future', { issued: 5 * minute }],
    ['of another version', { version: '1.1' }],
    ['without an id', { before: (xml) => xml.replace(/ ID="[^"]*"/, '') }],
    [
      'that names two people',
      { before: (xml) => xml.replace('<saml:NameID>', '<saml:NameID>bob</saml:NameID><saml:NameID>') },
    ],
    ['that names nobody', { before: (xml) => xml.replace(/<saml:NameID>.*<\/saml:NameID>/, '') }],
    ['with a comment in the name', { before: encoded('ada<!-- -->-1') }],
    ['with an element in the name', { before: encoded('<a/>ada-1') }],
    ['with a document type', { before: (xml) => `<!DOCTYPE a [<!ENTITY b "ada-1">]>${xml}` }],
    ['that is an answer', { before: (xml) => xml.replaceAll('LogoutRequest', 'LogoutResponse') }],
    ['that is a login', { before: (xml) => xml.replaceAll('LogoutRequest', 'AuthnRequest') }],
  ]

  test.each(hostile)('%s ends no session', async (_, lies) => {
    const held = await logIn('one')
    const aimed =
      lies.destination === 'replaced below' ? { ...lies, destination: `${world.url}/auth/login/other/slo` } : lies
    const { status, location, body } = await send({ subject: 'ada-1' }, aimed).catch(() => ({
      // The played provider cannot even sign some of them.
      status: 400,
      location: null,
      body: { error: { code: 'INVALID_PAYLOAD' } },
    }))
    expect([status, location, body]).toMatchObject([400, null, { error: { code: 'INVALID_PAYLOAD' } }])
    expect(await statusAt(world.url, held)).toBe(200)
  })

  test('counts once', async () => {
    const message = askToLogOut(address, { subject: 'ada-1' })
    const [query, form] = [message.toQuery(), message.toForm()]
    const sent = () =>
      way === 'query' ? openBrowser(world.url).get(`${address}?${query}`) : openBrowser(world.url).post(address, form)
    expect((await sent()).status).toBe(302)
    const again = await logIn('one')
    expect([(await sent()).status, await statusAt(world.url, again)]).toEqual([400, 200])
  })

  test('is no use to a provider without logouts, or of another protocol', async () => {
    for (const name of ['portal', 'keycloak', 'nobody'])
      expect((await send({ subject: 'ada-1' }, {}, { name })).status).toBe(404)
  })
})

/** A request about somebody else, without its signature. */
const forged = () => /^[^&]*/.exec(askToLogOut(address, { subject: 'ada-1' }).toQuery())?.[0] ?? ''

describe('an address whose signature covers something else', () => {
  let query: string
  let held: Tokens
  beforeEach(async () => {
    held = await logIn('one')
    query = askToLogOut(address, { subject: 'nobody' }, {}, 'x').toQuery()
  })

  test.each<[name: string, change: () => string]>([
    ['a second request before it', () => `${forged()}&${query}`],
    ['a second request after it', () => `${query}&${forged()}`],
    [
      'a request under an encoded name',
      () => `${forged().replace('SAMLR', '%53AMLR')}&${query.replace('SAMLRequest', 'xSAMLRequest')}`,
    ],
    ['a name that only ends so', () => `${forged()}&${query.replace('SAMLRequest=', 'xSAMLRequest=')}`],
    ['an answer beside it', () => `${query}&SAMLResponse=${forged().split('=', 2)[1]}`],
    ['another state', () => query.replace('RelayState=x', 'RelayState=y')],
    ['two algorithms', () => `${query}&SigAlg=http%3A%2F%2Fwww.w3.org%2F2001%2F04%2Fxmldsig-more%23rsa-sha512`],
    ['an empty signature', () => query.replace(/Signature=.*$/, 'Signature=')],
    ['no packed message', () => query.replace(/^[^&]*/, 'SAMLRequest=eA%3D%3D')],
  ])('%s ends no session', async (_, change) => {
    const { status, location } = await openBrowser(world.url).get(`${address}?${change()}`)
    expect([status, location, await statusAt(world.url, held)]).toEqual([400, null, 200])
  })
})

const inflated = (xml: string): string =>
  xml.replace('</samlp:LogoutRequest>', `${' '.repeat(20_000_000)}</samlp:LogoutRequest>`)

test('a message that unpacks to many megabytes is refused', async () => {
  const query = askToLogOut(address, { subject: 'ada-1' }, { before: inflated }).toQuery()
  expect((await openBrowser(world.url).get(`${address}?${query}`)).status).toBeGreaterThanOrEqual(400)
})

/** Sends a signed form about nobody, changed: its status, and that of a session of somebody. */
const sendChanged = async (change: (signed: string) => string) => {
  const held = await logIn('one')
  const form = askToLogOut(address, { subject: 'nobody' }).toForm()
  const xml = Buffer.from(form['SAMLRequest'] ?? '', 'base64').toString()
  const answer = await openBrowser(world.url).post(address, {
    SAMLRequest: Buffer.from(change(xml)).toString('base64'),
  })
  return [answer.status, await statusAt(world.url, held)]
}

describe('a signed form', () => {
  const victim = '<saml:NameID xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">ada-1</saml:NameID>'

  test.each<[name: string, change: (xml: string) => string]>([
    [
      'in extensions of a forged one',
      (xml) => {
        const bare = xml.replace(/<ds:Signature[\s\S]*<\/ds:Signature>/, '')
        const outer = bare.replace(/ ID="_/, ' ID="_0').replace('>nobody<', '>ada-1<')
        return outer.replace('</saml:Issuer>', `</saml:Issuer><samlp:Extensions>${xml}</samlp:Extensions>`)
      },
    ],
    [
      'whose signature holds a name',
      (xml) =>
        xml.replace('</ds:Signature>', `<ds:Object>${victim}</ds:Object></ds:Signature>`).replace('>nobody<', '><'),
    ],
    ['with another name beside', (xml) => xml.replace('</samlp:LogoutRequest>', `${victim}</samlp:LogoutRequest>`)],
    ['with another name', (xml) => xml.replace('>nobody<', '>ada-1<')],
    ['without the value of its signature', (xml) => xml.replace(/<ds:SignatureValue>[^<]*/, '<ds:SignatureValue>')],
  ])('%s ends no session', async (_, change) => {
    expect(await sendChanged(change)).toEqual([400, 200])
  })

  test('ends nobody else, wherever its signature holds a name', async () => {
    expect(
      (
        await sendChanged((xml) => xml.replace('</ds:Signature>', `<ds:Object>${victim}</ds:Object></ds:Signature>`))
      )[1],
    ).toBe(200)
  })
})

const sendAnswer = (browser: LoginBrowser, message: { readonly toQuery: () => string }) =>
  browser.get(`${address}?${message.toQuery()}`)

describe('an answer to a logout', () => {
  const begin = async () => {
    const browser = await browse()
    const { location } = await browser.post('/auth/login/corp/logout', { redirect: done })
    const { id: request, state } = readMessage(location ?? '', own.certificate)
    return { browser, request, state }
  }

  test.each<[name: string, lies: LogoutLies]>([
    ['without a signature', { signs: false }],
    ['of another key', { key: strangeSamlKey }],
    ['of another issuer', { issuer: otherEntity }],
    ['for another destination', { destination: 'https://other.example.com/slo' }],
    ['that is too old', { issued: -15 * 60_000 }],
  ])('%s leads nowhere', async (_, lies) => {
    const { browser, ...own } = await begin()
    const { status, location } = await sendAnswer(browser, answerLogout(address, own, lies))
    expect([status, location]).toEqual([400, null])
  })

  test('to another request leads nowhere', async () => {
    const { browser, state } = await begin()
    const { status } = await sendAnswer(browser, answerLogout(address, { request: '_other', state }))
    expect(status).toBe(400)
  })

  test.each(['https://evil.example/', done, ''])('with the state "%s" leads nowhere', async (state) => {
    const { browser, request } = await begin()
    const { status, location } = await sendAnswer(browser, answerLogout(address, { request, state }))
    expect([status, location]).toEqual([403, null])
  })

  test('in another browser, or with the token of a login, leads nowhere', async () => {
    const { browser, ...own } = await begin()
    expect((await sendAnswer(openBrowser(world.url), answerLogout(address, own))).status).toBe(403)
    const login = openBrowser(world.url)
    await login.begin('corp', `?redirect=${done}`)
    browser.cookies.set('platform_logout_corp', login.cookies.get('platform_login_corp') ?? '')
    expect((await sendAnswer(browser, answerLogout(address, own))).status).toBe(403)
  })

  test('is no answer to a login', async () => {
    const { browser, state } = await begin()
    const token = browser.cookies.get('platform_logout_corp') ?? ''
    browser.cookies.set('platform_login_corp', token)
    const form = { SAMLResponse: 'eA==', RelayState: state }
    expect((await browser.post('/auth/login/corp/acs', form)).status).toBe(403)
  })
})
