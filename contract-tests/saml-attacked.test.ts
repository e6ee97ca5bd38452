/** Hostile answers of SAML: each is refused, and other logins go on. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type LoginBrowser, openBrowser } from './login-browser.ts'
import {
  answerSaml,
  assertionXml,
  readSamlRequest,
  responseXml,
  type SamlForm,
  type SamlLies,
  type SamlRequest,
  signXml,
  strangeSamlKey,
  toForm,
} from './played-saml.ts'
import { type Answer, expectRefused, forgetLogins, noProof, noToken, type Refusal } from './provider-refusals.ts'
import { ada, logInBySaml, openSamlWorld, otherEntity } from './saml-world.ts'

const world = await openSamlWorld()
afterAll(() => world.close())
beforeEach(() => forgetLogins(world))

type Begun = { readonly browser: LoginBrowser; readonly request: SamlRequest }

const begin = async (name = 'corp'): Promise<Begun> => {
  const browser = openBrowser(world.url)
  return { browser, request: readSamlRequest(await browser.begin(name)) }
}

/** The answer to a browser whose login has begun. */
const sent = async (make: (request: SamlRequest) => SamlForm, name = 'corp'): Promise<Answer> => {
  const { browser, request } = await begin(name)
  return browser.post(request.callback, make(request))
}

const lying = (lies: SamlLies) => () => sent((request) => answerSaml(request, ada, lies))

const victim = { id: 'victim' }

const assertionOf = (xml: string): string => /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml)?.[0] ?? ''

/** A forged assertion about the victim beside the signed one, put together in some way. */
const wrapped = (put: (parts: { forged: string; signed: string; whole: string }) => string) => () =>
  sent((request) => {
    const whole = signXml(responseXml(request, assertionXml(request, ada)), 'assertion')
    const forged = assertionXml(request, victim)
    return toForm(put({ forged, signed: assertionOf(whole), whole }), request.state)
  })

const signatureOf = (xml: string): string => /<ds:Signature[\s\S]*?<\/ds:Signature>/.exec(xml)?.[0] ?? ''
const idOf = (xml: string): string => / ID="([^"]*)"/.exec(xml)?.[1] ?? ''
const inside = (outer: string, what: string): string => outer.replace('</saml:Assertion>', `${what}</saml:Assertion>`)
const afterIssuer = (xml: string, what: string): string => xml.replace('</saml:Issuer>', `</saml:Issuer>${what}`)

const wrappings: readonly (readonly [name: string, attack: () => Promise<Answer>])[] = [
  ['before the signed one', wrapped(({ forged, signed, whole }) => whole.replace(signed, forged + signed))],
  ['after the signed one', wrapped(({ forged, signed, whole }) => whole.replace(signed, signed + forged))],
  ['around the signed one', wrapped(({ forged, signed, whole }) => whole.replace(signed, inside(forged, signed)))],
  [
    'around the signed one, with its signature',
    wrapped(({ forged, signed, whole }) =>
      whole.replace(signed, inside(afterIssuer(forged, signatureOf(signed)), signed.replace(signatureOf(signed), ''))),
    ),
  ],
  [
    'with the id and the signature of the signed one, which is in the signature',
    wrapped(({ forged, signed, whole }) => {
      const bare = signed.replace(signatureOf(signed), '')
      const signature = signatureOf(signed).replace('</ds:Signature>', `<ds:Object>${bare}</ds:Object></ds:Signature>`)
      return whole.replace(signed, afterIssuer(forged.replace(idOf(forged), idOf(signed)), signature))
    }),
  ],
  [
    'with the signed one in extensions of the answer',
    wrapped(({ forged, signed, whole }) =>
      whole
        .replace(signed, forged)
        .replace('<samlp:Status>', `<samlp:Extensions>${signed}</samlp:Extensions><samlp:Status>`),
    ),
  ],
  [
    'in an answer around the signed answer',
    () =>
      sent((request) => {
        const inner = signXml(responseXml(request, assertionXml(request, ada)), 'response')
        return toForm(responseXml(request, assertionXml(request, victim) + inner), request.state)
      }),
  ],
  [
    'with a signature of another key, beside the signed one',
    wrapped(({ signed, whole }) => {
      const request = readRequestOf(whole)
      const forged = signXml(responseXml(request, assertionXml(request, victim)), 'assertion', { key: strangeSamlKey })
      return whole.replace(signed, signed + assertionOf(forged))
    }),
  ],
]

const readRequestOf = (xml: string): SamlRequest => ({
  id: / InResponseTo="([^"]*)"/.exec(xml)?.[1] ?? '',
  callback: / Destination="([^"]*)"/.exec(xml)?.[1] ?? '',
  issuer: /<saml:Audience>([^<]*)</.exec(xml)?.[1] ?? '',
  state: '',
})

describe('a forged assertion opens no session', () => {
  test.each(wrappings)('%s', async (_, attack) => {
    await expectRefused(world, await attack(), noProof)
    expect(await world.rows(`select id from platform_users where external_identifier = 'victim'`)).toEqual([])
  })
})

const sha1 = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'
const doctype = (text: string) => (xml: string) => `${text}${xml}`
const minute = 60_000

/** The library would work on them for many seconds. */
const swollen =
  (start: string, end = '') =>
  (xml: string) =>
    xml.replace('<samlp:Status>', `${start.repeat(10_000)}${end.repeat(10_000)}<samlp:Status>`)

const ways: readonly (readonly [name: string, attack: () => Promise<Answer>, expected: Refusal])[] = [
  ['without a signature', lying({ signs: 'none' }), noProof],
  ['with the signature of another key', lying({ key: strangeSamlKey }), noProof],
  ['with the signature of another key over the whole', lying({ key: strangeSamlKey, signs: 'response' }), noProof],
  ['with a signature of SHA-1', lying({ algorithm: sha1 }), noProof],
  [
    'signed with the certificate as a secret (HMAC)',
    lying({
      after: (xml) =>
        xml.replace(/(SignatureMethod Algorithm=")[^"]*/, '$1http://www.w3.org/2000/09/xmldsig#hmac-sha1'),
    }),
    noProof,
  ],
  [
    'with a style sheet among the transforms of its signature',
    lying({
      after: (xml) => xml.replace(/(<ds:Transform Algorithm=")[^"]*/, '$1http://www.w3.org/TR/1999/REC-xslt-19991116'),
    }),
    noProof,
  ],
  ['of ten thousand nested elements', lying({ after: swollen('<a>', '</a>') }), noProof],
  ['of ten thousand elements side by side', lying({ after: swollen('<a/>') }), noProof],
  ['changed after its signature', lying({ after: (xml) => xml.replace('>ada-1<', '>victim<') }), noProof],
  ['with another attribute', lying({ after: (xml) => xml.replace('>staff<', '>admins<') }), noProof],
  [
    'without the value of its signature',
    lying({ after: (xml) => xml.replace(/<ds:SignatureValue>[^<]*/, '<ds:SignatureValue>') }),
    noProof,
  ],
  ['that has expired', lying({ ends: -2 * minute }), noProof],
  ['that is not valid yet', lying({ begins: 5 * minute, ends: 10 * minute }), noProof],
  ['for another audience', lying({ audience: 'https://other.example.com' }), noProof],
  [
    'without an audience',
    lying({ before: (xml) => xml.replace(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, '') }),
    noProof,
  ],
  ['without conditions', lying({ before: (xml) => xml.replace(/<saml:Conditions.*<\/saml:Conditions>/, '') }), noProof],
  ['for another recipient', lying({ recipient: 'https://other.example.com/acs' }), noProof],
  ['for no recipient', lying({ before: (xml) => xml.replace(/ Recipient="[^"]*"/, '') }), noProof],
  ['for another destination', lying({ destination: 'https://other.example.com/acs' }), noProof],
  [
    'whose confirmation has no end',
    lying({ before: (xml) => xml.replace(/(Recipient="[^"]*") NotOnOrAfter="[^"]*"/, '$1') }),
    noProof,
  ],
  ['that a holder of a key must bring', lying({ method: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key' }), noProof],
  ['of another issuer', lying({ issuer: 'https://evil.example.com' }), noProof],
  ['of another provider with the same key', lying({ issuer: otherEntity }), noProof],
  [
    'without an issuer',
    lying({
      before: (xml) => xml.replace(/<saml:Issuer>[^<]*<\/saml:Issuer><saml:Subject>/, '<saml:Subject>'),
      signs: 'response',
    }),
    noProof,
  ],
  ['to another request', lying({ inResponseTo: `_${'x'.repeat(43)}` }), noProof],
  ['to no request', lying({ inResponseTo: null }), noProof],
  [
    'whose confirmation is for another request',
    lying({ before: (xml) => xml.replace(/(NotOnOrAfter="[^"]*") InResponseTo="[^"]*"/, '$1 InResponseTo="_other"') }),
    noProof,
  ],
  ['that is a refusal', lying({ status: 'urn:oasis:names:tc:SAML:2.0:status:Responder' }), noProof],
  ['with a document type', lying({ after: doctype('<!DOCTYPE samlp:Response>') }), noProof],
  [
    'with an entity for the name',
    lying({ nameId: '&who;', after: doctype('<!DOCTYPE r [<!ENTITY who "victim">]>'), signs: 'none' }),
    noProof,
  ],
  [
    'with an entity of a file',
    lying({
      nameId: '&who;',
      after: doctype('<!DOCTYPE r [<!ENTITY who SYSTEM "file:///etc/passwd">]>'),
      signs: 'none',
    }),
    noProof,
  ],
  [
    'with entities that grow',
    lying({
      nameId: '&b;',
      after: doctype(`<!DOCTYPE r [<!ENTITY a "${'a'.repeat(100)}"><!ENTITY b "${'&a;'.repeat(500)}">]>`),
      signs: 'none',
    }),
    noProof,
  ],
  [
    'with a comment in the name',
    lying({
      nameId: 'admin@example.com.evil.example',
      after: (xml) => xml.replace('example.com.evil', 'example.com<!-- -->.evil'),
    }),
    noProof,
  ],
  ['with an instruction in the name', lying({ after: (xml) => xml.replace('>ada-1<', '>ada<?x?>-1<') }), noProof],
  ['with CDATA in the name', lying({ before: (xml) => xml.replace('>ada-1<', '><![CDATA[ada-1]]><') }), noProof],
  ['with a name for one login', lying({ format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }), noProof],
  [
    'with two assertions that are signed',
    () =>
      sent((request) => {
        const [one = '', two = ''] = [ada, victim].map((each) =>
          assertionOf(signXml(responseXml(request, assertionXml(request, each)), 'assertion')),
        )
        return toForm(responseXml(request, one + two), request.state)
      }),
    noProof,
  ],
  [
    'that is an assertion alone',
    () =>
      sent((request) =>
        toForm(assertionOf(signXml(responseXml(request, assertionXml(request, ada)), 'assertion')), request.state),
      ),
    noProof,
  ],
  ['that is no XML', () => sent((request) => toForm('no xml', request.state)), noProof],
  ['that is no base64', () => sent((request) => ({ SAMLResponse: '%%%', RelayState: request.state })), noProof],
  ['of elements in elements', () => sent((request) => toForm('<a>'.repeat(20_000), request.state)), noProof],
  ['with another state', () => sent((request) => answerSaml({ ...request, state: 'x'.repeat(43) }, ada)), noToken],
  [
    'with a page as its state',
    () => sent((request) => answerSaml({ ...request, state: 'https://app.example.com/done' }, ada)),
    noToken,
  ],
  [
    'in a browser that began no login',
    async () => {
      const { request } = await begin()
      return openBrowser(world.url).post(request.callback, answerSaml(request, ada))
    },
    noToken,
  ],
  [
    'of an attacker in a login of somebody else',
    async () => {
      const [mine, theirs] = [await begin(), await begin()]
      return theirs.browser.post(
        mine.request.callback,
        answerSaml({ ...mine.request, state: theirs.request.state }, ada),
      )
    },
    noProof,
  ],
  [
    'to the callback of another provider',
    async () => {
      const { browser, request } = await begin()
      return browser.post(request.callback.replace('corp', 'other'), answerSaml(request, ada))
    },
    noToken,
  ],
  [
    'of one provider in a login of another',
    async () => {
      const { request } = await begin()
      return sent((other) => ({ ...answerSaml(request, ada), RelayState: other.state }), 'other')
    },
    noProof,
  ],
]

describe('no session is opened by an answer', () => {
  test.each(ways)('%s', async (_, attack, expected) => {
    await expectRefused(world, await attack(), expected)
  })
})

test('an answer counts once, in the same browser too, and at all at once', async () => {
  const { browser, request } = await begin()
  const held = browser.cookies.get('platform_login_corp') ?? ''
  const form = answerSaml(request, ada)
  const statuses = (await Promise.all([1, 2, 3].map(() => browser.post(request.callback, form)))).map(
    ({ status }) => status,
  )
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 403, 403])
  await world.rows('delete from platform_sessions')
  browser.cookies.set('platform_login_corp', held)
  await expectRefused(world, await browser.post(request.callback, form), noToken)
})

const portal = (): SamlRequest => ({
  id: '',
  callback: `${world.url}/auth/login/portal/acs`,
  issuer: 'urn:tandem:portal',
  state: '',
})

test('an unsolicited answer counts once', async () => {
  const form = answerSaml(portal(), ada, { inResponseTo: null })
  const statuses = await Promise.all(
    [1, 2, 3].map(async () => (await openBrowser(world.url).post(portal().callback, form)).status),
  )
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 403, 403])
})

test('an answer to a request is no unsolicited one', async () => {
  const { request } = await begin('portal')
  const form = answerSaml({ ...request, state: '' }, ada)
  await expectRefused(world, await openBrowser(world.url).post(request.callback, form), noProof)
})

test('an unsolicited answer is refused where the operator does not allow it', async () => {
  const callback = `${world.url}/auth/login/corp/acs`
  const request = { ...portal(), callback, issuer: `${world.url}/auth/login/corp/metadata` }
  const form = answerSaml(request, ada, { inResponseTo: null })
  await expectRefused(world, await openBrowser(world.url).post(callback, form), noToken)
})

test.each([
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  'javascript:alert(1)',
  'https://app.example.com/',
  'https://user@app.example.com/done',
  'https://app.example.com.evil.example/done',
])('RelayState leads to no other page: %s', async (page) => {
  const form = answerSaml({ ...portal(), state: page }, ada, { inResponseTo: null })
  const { status, body } = await openBrowser(world.url).post(portal().callback, form)
  expect([status, body]).toMatchObject([400, { error: { code: 'INVALID_QUERY' } }])
  expect(await world.rows('select id from platform_sessions')).toEqual([])
})

test('forms and callbacks of other providers are not those of SAML', async () => {
  const browser = openBrowser(world.url)
  const form = { SAMLResponse: 'eA==', RelayState: 'x', state: 'x' }
  expect((await browser.post('/auth/login/keycloak/acs', form)).status).toBe(404)
  expect((await browser.post('/auth/login/corp/callback', form)).status).toBe(404)
  expect((await browser.get('/auth/login/corp/callback?state=x')).status).toBe(404)
})

test('after all of this, other logins go on', async () => {
  expect((await logInBySaml(world.url)).status).toBe(200)
  expect((await world.logIn('keycloak', { sub: 'honest' })).status).toBe(200)
})
