/** Encrypted assertions of SAML: read with the key of this server, and no way around the signature. */
import { createPrivateKey } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createSigningKey } from './certificate.ts'
import { openBrowser } from './login-browser.ts'
import { encryptAssertion, encryptName, type SamlLies, samlMetadata, strangeSamlKey } from './played-saml.ts'
import { forgetLogins } from './provider-refusals.ts'
import { openProvidersWorld } from './providers-world.ts'
import { ada, logInBySaml, openSamlWorld, otherEntity } from './saml-world.ts'

const own = createSigningKey('data.example.com')
const { certificate } = own
const locked = createPrivateKey(own.key).export({
  type: 'pkcs8',
  format: 'pem',
  cipher: 'aes-256-cbc',
  passphrase: 'of the key',
}) as string
const pem = `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----`
const world = await openSamlWorld({
  AUTH_CORP_SP_encPrivateKey: locked,
  AUTH_CORP_SP_encPrivateKeyPass: 'of the key',
  AUTH_CORP_SP_encryptCert: pem,
})
afterAll(() => world.close())
beforeEach(() => forgetLogins(world))

const logIn = (lies: SamlLies, name = 'corp') => logInBySaml(world.url, { name, lies })
const encrypted = (xml: string): string => encryptAssertion(xml, certificate)

test('an assertion that is signed and then encrypted is read', async () => {
  expect((await logIn({ after: encrypted })).status).toBe(200)
  const text = 'select email, first_name from platform_users where external_identifier = $1'
  expect(await world.rows(text, [ada.id])).toEqual([{ email: 'ada@example.com', first_name: 'Ada' }])
})

test('so is one that is encrypted in a signed answer', async () => {
  expect((await logIn({ before: encrypted, signs: 'response' })).status).toBe(200)
})

const named = (xml: string): string => encryptName(xml, certificate)

test.each<readonly [string, SamlLies]>([
  ['in an assertion', { before: named }],
  ['in a signed answer', { before: named, signs: 'response' }],
  ['in an encrypted assertion', { before: named, after: encrypted }],
])('an encrypted name %s is read', async (_, lies) => {
  const { status } = await logIn(lies)
  expect(status).toBe(200)
  const text = 'select external_identifier from platform_users where provider = $1'
  expect(await world.rows(text, ['corp'])).toEqual([{ external_identifier: ada.id }])
})

test.each<readonly [string, SamlLies]>([
  ['that is transient', { before: named, format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }],
  ['for another key', { before: (xml) => encryptName(xml, strangeSamlKey.certificate) }],
  ['put in place of a signed one', { after: named }],
  [
    'beside another one',
    { before: (xml) => xml.replace(/(<saml:NameID.*<\/saml:NameID>)/s, (each) => named(each) + named(each)) },
  ],
  [
    'by RSA 1.5',
    { before: (xml) => encryptName(xml, certificate, { key: 'http://www.w3.org/2001/04/xmlenc#rsa-1_5' }) },
  ],
])('an encrypted name %s opens no session', async (_, lies) => {
  const { status, body } = await logIn(lies)
  expect([status, body]).toMatchObject([401, { error: { code: 'INVALID_CREDENTIALS' } }])
  expect(await world.rows('select id from platform_sessions')).toEqual([])
})

test('the metadata announce the certificate', async () => {
  const { body } = await openBrowser(world.url).get('/auth/login/corp/metadata')
  expect(String(body).replaceAll(/\s/g, '')).toContain(certificate)
  expect(String(body)).toContain('use="encryption"')
})

test.each<readonly [string, SamlLies]>([
  ['no signature', { signs: 'none', after: encrypted }],
  ['a signature of another key', { key: strangeSamlKey, after: encrypted }],
  ['a signature with SHA-1', { algorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1', after: encrypted }],
  ['another audience', { audience: 'urn:other', after: encrypted }],
  ['another recipient', { recipient: 'https://evil.example/acs', after: encrypted }],
  ['another request', { inResponseTo: '_other', after: encrypted }],
  ['an end in the past', { ends: -120_000, after: encrypted }],
  ['a changed text', { after: (xml) => encrypted(xml.replace('ada-1', 'admin')) }],
  ['another key for the encryption', { after: (xml) => encryptAssertion(xml, strangeSamlKey.certificate) }],
  [
    'RSA 1.5',
    { after: (xml) => encryptAssertion(xml, certificate, { key: 'http://www.w3.org/2001/04/xmlenc#rsa-1_5' }) },
  ],
  [
    'OAEP of XML Encryption 1.1',
    { after: (xml) => encryptAssertion(xml, certificate, { key: 'http://www.w3.org/2009/xmlenc11#rsa-oaep' }) },
  ],
  [
    'another digest of OAEP',
    { after: (xml) => encryptAssertion(xml, certificate, { digest: 'http://www.w3.org/2001/04/xmlenc#sha256' }) },
  ],
  [
    'Triple DES',
    { after: (xml) => encryptAssertion(xml, certificate, { data: 'http://www.w3.org/2001/04/xmlenc#tripledes-cbc' }) },
  ],
  [
    'a changed cipher',
    {
      after: (xml) =>
        encrypted(xml).replace(
          /(<xenc:CipherValue>)(.)(?=[^<]*<\/xenc:CipherValue><\/xenc:CipherData><\/xenc:EncryptedData>)/,
          (_, tag: string, first: string) => `${tag}${first === 'A' ? 'B' : 'A'}`,
        ),
    },
  ],
  [
    'an unsigned one before it',
    {
      after: (xml) =>
        encrypted(xml).replace(
          '<saml:EncryptedAssertion',
          '<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_x"/><saml:EncryptedAssertion',
        ),
    },
  ],
  ['no content', { after: (xml) => encrypted(xml).replaceAll(/<xenc:CipherValue>[^<]*</g, '<xenc:CipherValue><') }],
])('an encrypted assertion with %s opens no session', async (_, lies) => {
  const { status, body } = await logIn(lies)
  expect([status, body]).toMatchObject([401, { error: { code: 'INVALID_CREDENTIALS' } }])
  expect(await world.rows('select id from platform_sessions')).toEqual([])
})

test('without a key, encrypted assertions and names are refused', async () => {
  expect((await logIn({ after: encrypted }, 'other')).status).toBe(401)
  expect((await logIn({ before: named, issuer: otherEntity }, 'other')).status).toBe(401)
})

test.each([
  ['a key that is none', { AUTH_CORP_SP_encPrivateKey: 'no key' }, 'SP_encPrivateKey'],
  [
    'another password',
    { AUTH_CORP_SP_encPrivateKey: locked, AUTH_CORP_SP_encPrivateKeyPass: 'other' },
    'SP_encPrivateKey',
  ],
  ['a key without its password', { AUTH_CORP_SP_privateKey: locked }, 'SP_privateKey'],
])('the server does not start with %s', async (_, settings, name) => {
  const corp = { AUTH_PROVIDERS: 'corp', AUTH_CORP_DRIVER: 'saml', AUTH_CORP_IDP_metadata: samlMetadata() }
  const failure = await openProvidersWorld({ ...corp, ...settings }).catch((error: Error) => error.message)
  expect(failure).toContain(`AUTH_CORP_${name}`)
  expect(failure).not.toContain('BEGIN')
})
