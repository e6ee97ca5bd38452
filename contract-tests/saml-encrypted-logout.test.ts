/** Requests of a SAML provider to log out whose names are encrypted for this server. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createSigningKey } from './certificate.ts'
import { openBrowser } from './login-browser.ts'
import { encryptName, type Person, samlMetadata, strangeSamlKey } from './played-saml.ts'
import { askToLogOut, type LogoutLies, logoutService } from './played-saml-logout.ts'
import { forgetLogins } from './provider-refusals.ts'
import { ada, logInBySaml, openSamlWorld, otherEntity } from './saml-world.ts'

const own = createSigningKey('data.example.com')
const world = await openSamlWorld({
  AUTH_CORP_IDP_metadata: samlMetadata({}, logoutService),
  AUTH_CORP_SP_privateKey: own.key,
  AUTH_CORP_SP_encPrivateKey: own.key,
  AUTH_OTHER_IDP_metadata: samlMetadata({ issuer: otherEntity }, logoutService),
  AUTH_OTHER_SP_privateKey: own.key,
})
afterAll(() => world.close())
beforeEach(() => forgetLogins(world))

const hidden = (xml: string): string => encryptName(xml, own.certificate)

async function logIn(
  lies = {},
  { person = ada, name = 'corp' }: { readonly person?: Person; readonly name?: string } = {},
) {
  const { status, body } = await logInBySaml(world.url, { name, person, lies: { session: 'one', ...lies } })
  expect(status).toBe(200)
  return (body as { readonly data: { readonly access_token: string } }).data.access_token
}

const statusOf = async (token: string): Promise<number> =>
  (await fetch(`${world.url}/users/me`, { headers: { authorization: `Bearer ${token}` } })).status

describe.each(['query', 'form'] as const)('by a %s', (way) => {
  const send = async (lies: LogoutLies, name = 'corp') => {
    const target = `${world.url}/auth/login/${name}/slo`
    const message = askToLogOut(target, { subject: 'ada-1', sessions: ['one'] }, lies)
    const browser = openBrowser(world.url)
    return way === 'query' ? browser.get(`${target}?${message.toQuery()}`) : browser.post(target, message.toForm())
  }

  test('one ends the sessions of its person, also of a login with an encrypted name', async () => {
    const [plain, encrypted] = [await logIn(), await logIn({ before: hidden })]
    const other = await logIn({}, { person: { id: 'bob' } })
    expect((await send({ before: hidden })).status).toBe(302)
    expect([await statusOf(plain), await statusOf(encrypted), await statusOf(other)]).toEqual([401, 401, 200])
  })

  test('one is refused without a key', async () => {
    const token = await logIn({ issuer: otherEntity }, { name: 'other' })
    const { status, body } = await send({ before: hidden, issuer: otherEntity }, 'other')
    const reason = expect.stringMatching(/there is no key for it|No decryption key/)
    expect([status, body]).toMatchObject([400, { error: { code: 'INVALID_PAYLOAD', reason } }])
    expect(await statusOf(token)).toBe(200)
  })

  test.each<[name: string, lies: LogoutLies]>([
    [
      'beside a plain one',
      { before: (xml) => xml.replace(/<saml:NameID>.*<\/saml:NameID>/, (each) => hidden(each) + each) },
    ],
    ['for another key', { before: (xml) => encryptName(xml, strangeSamlKey.certificate) }],
    ['put in after the signature', { after: hidden }],
    [
      'by RSA 1.5',
      { before: (xml) => encryptName(xml, own.certificate, { key: 'http://www.w3.org/2001/04/xmlenc#rsa-1_5' }) },
    ],
    [
      'that holds a document type',
      { before: (xml) => hidden(xml.replace('<saml:NameID>', '<saml:NameID><!DOCTYPE a>')) },
    ],
  ])('an encrypted name %s ends no session', async (_, lies) => {
    const token = await logIn()
    const { status, body } = await send(lies)
    expect([status, body]).toMatchObject([400, { error: { code: 'INVALID_PAYLOAD' } }])
    expect(await statusOf(token)).toBe(200)
  })
})
