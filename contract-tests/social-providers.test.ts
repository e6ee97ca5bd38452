/** The five social providers of version 8, each with answers in the shape that the real one gives. */
import type { ServerResponse } from 'node:http'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestProjects } from '../src/projects/test-projects.ts'
import { openBrowser } from './login-browser.ts'
import { playOAuthOne } from './played-oauth-one.ts'
import { playProvider } from './played-provider.ts'

const client = { client_id: 'tandem', client_secret: 'a secret' }

/** The providers of a project, at addresses of this machine. */
const social = (more: { readonly [attribute: string]: string }) => {
  const { url } = provider
  const endpoints = { authorize_url: `${url}/authorize`, access_url: `${url}/token`, profile_url: `${url}/userinfo` }
  return {
    facebook: { ...client, ...endpoints, ...more },
    github: { ...client, ...endpoints, email_url: `${url}/user/emails` },
    google: { ...client, issuer_url: url, hosted_domain: 'example.com' },
    okta: { ...client, base_url: url },
    twitter: {
      identifier: 'tandem',
      secret: 'a secret',
      request_url: `${twitter.url}/request`,
      authorize_url: `${twitter.url}/authorize`,
      access_url: `${twitter.url}/access`,
      profile_url: `${twitter.url}/profile?include_email=true&skip_status=true`,
      ...more,
    },
  }
}

const provider = await playProvider()
const twitter = await playOAuthOne('a secret')
const files = {
  _: { auth: { social_providers: social({}) } },
  trusting: { auth: { social_providers: social({ email_verified_key: 'always' }) } },
}
const world = await openTestProjects(files, { AUTH_IP_ALLOW_LIST: '127.0.0.0/8', VALIDATE_RESPONSES: 'true' })
afterAll(async () => {
  await world.close()
  await provider.close()
  await twitter.close()
})
beforeEach(() => {
  provider.lies = {}
})

type Json = { readonly [name: string]: unknown }

/** Logs in by the legacy generation: the address of the user whose session it is, or the code of the error. */
async function logIn(name: string, profile: Json, project = '_'): Promise<unknown> {
  const browser = openBrowser(world.url)
  const begun = await browser.get(`/${project}/auth/sso/${name}?mode=jwt&redirect_url=/in`)
  const { data } = begun.body as { readonly data: { readonly authorization_url: string } }
  const back = (name === 'twitter' ? twitter : provider).consent(data.authorization_url, profile)
  const { location } = await browser.get(back)
  const page = new URL(location ?? '').searchParams
  if (page.has('code')) return Number(page.get('code'))
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ request_token: page.get('request_token') })
  const exchanged = await world.ask(`POST /${project}/auth/sso/access_token`, { headers, body })
  const { token } = (exchanged.body as { readonly data: { readonly token: string } }).data
  const authorization = `Bearer ${token}`
  const me = await world.ask(`GET /${project}/users/me?fields=email`, { headers: { authorization } })
  return (me.body as { readonly data: { readonly email: string } }).data.email
}

const answering = (path: string, body: unknown): void => {
  const headers = { 'content-type': 'application/json' }
  const answer = (response: ServerResponse) => void response.writeHead(200, headers).end(JSON.stringify(body))
  provider.lies = { answer: { ...provider.lies.answer, [path]: answer } }
}

/** Neither an unknown person nor the owner of an address that nobody has verified. */
const [unknown, notYours] = [100, 100]
const owner = '_@example.com'

describe('GitHub', () => {
  const profile = { login: 'octocat', id: 583231, node_id: 'MDQ6VXNlcjU4MzIzMQ==', name: 'The Octocat', email: null }
  const spare = { email: '583231+octocat@users.noreply.github.com', primary: false, verified: true, visibility: null }

  test('gives a private address by its list, where it is primary and verified', async () => {
    answering('/user/emails', [spare, { email: owner, primary: true, verified: true, visibility: 'private' }])
    expect(await logIn('github', profile)).toBe(owner)
  })

  test.each([
    ['not verified', [spare, { email: owner, primary: true, verified: false, visibility: 'private' }]],
    ['not primary', [{ email: owner, primary: false, verified: true, visibility: null }]],
    ['of the profile alone', []],
    ['refused, without the scope', { message: 'Not Found', documentation_url: 'https://docs.github.com/rest' }],
  ])('gives no address that is %s', async (_, emails) => {
    answering('/user/emails', emails)
    expect(await logIn('github', { ...profile, id: 2, email: owner })).toBe(unknown)
  })

  test('says with the status 200 that a code is wrong', async () => {
    answering('/token', { error: 'bad_verification_code', error_description: 'The code is incorrect or expired.' })
    expect(await logIn('github', profile)).toBe(unknown)
  })
})

describe('Facebook', () => {
  const profile = { id: '10224567890123456', first_name: 'Ann', last_name: 'Author' }

  test('may give no address', async () => {
    expect(await logIn('facebook', profile)).toBe(unknown)
  })

  test('says of no address that it is verified, so it leads to no user unless the operator trusts it', async () => {
    expect(await logIn('facebook', { ...profile, email: owner })).toBe(notYours)
    expect(await logIn('facebook', { ...profile, email: 'trusting@example.com' }, 'trusting')).toBe(
      'trusting@example.com',
    )
  })
})

describe('Twitter', () => {
  const profile = { id: 38895958, id_str: '38895958', name: 'Sean Cook', screen_name: 'theSeanCook', verified: true }

  test('may give no address, or an empty one', async () => {
    for (const given of [{}, { email: null }, { email: '' }])
      expect(await logIn('twitter', { ...profile, ...given })).toBe(unknown)
  })

  test('says of no address that it is verified, so it leads to no user unless the operator trusts it', async () => {
    expect(await logIn('twitter', { ...profile, email: owner })).toBe(notYours)
    expect(await logIn('twitter', { ...profile, email: 'trusting@example.com' }, 'trusting')).toBe(
      'trusting@example.com',
    )
  })
})

describe('Google', () => {
  const claims = { sub: '110169484474386276334', email: owner, email_verified: true, hd: 'example.com', name: 'Ann' }

  test('gives a verified address of the domain', async () => {
    expect(await logIn('google', claims)).toBe(owner)
  })

  test.each([{ hd: 'evil.example' }, { hd: undefined }, { sub: '2', email_verified: false }])(
    'with %j opens no session',
    async (changes) => {
      expect(await logIn('google', { ...claims, ...changes })).toBe(unknown)
    },
  )
})

test('Okta gives its claims, and the current generation has the same providers', async () => {
  const claims = { sub: '00uid4BxXw6I6TV4m0g3', email: owner, email_verified: true, preferred_username: owner }
  expect(await logIn('okta', claims)).toBe(owner)
  const browser = openBrowser(world.url)
  const { status, body } = await browser.get(provider.consent(await browser.begin('okta'), claims))
  expect([status, body]).toMatchObject([200, { data: { access_token: expect.any(String) } }])
  expect(
    ((await browser.get('/auth')).body as { readonly data: readonly Json[] }).data.map(({ name }) => name),
  ).toEqual(['facebook', 'github', 'google', 'okta', 'twitter'])
})
