import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { objects, translate } from './attributes.ts'
import { ProjectError } from './error.ts'
import type { Plain } from './php-array.ts'

const client = { client_id: 'tandem', client_secret: 'a secret' }

function providersOf(social: Plain) {
  const own = translate({ social_providers: social }, objects.auth, 'auth')
  const settings = Object.fromEntries(Object.entries(own).map(([name, { text }]) => [name, text]))
  return readConfig(settings, '/tmp').providers.list
}

test.each([
  [
    'facebook',
    { ...client, graph_api_version: 'v2.8' },
    'oauth2',
    {
      authorizeUrl: 'https://www.facebook.com/v2.8/dialog/oauth',
      accessUrl: 'https://graph.facebook.com/v2.8/oauth/access_token',
    },
  ],
  [
    'github',
    client,
    'oauth2',
    { profileUrl: 'https://api.github.com/user', emailUrl: 'https://api.github.com/user/emails' },
  ],
  ['google', client, 'openid', { issuer: 'https://accounts.google.com', parameters: {} }],
  [
    'google',
    { ...client, hosted_domain: 'example.com' },
    'openid',
    { parameters: { hd: 'example.com' }, claims: { required: { hd: 'example.com' } } },
  ],
  ['okta', { ...client, base_url: 'https://example.okta.com' }, 'openid', { issuer: 'https://example.okta.com' }],
  [
    'twitter',
    { identifier: 'tandem', secret: 'a secret' },
    'oauth1',
    { requestUrl: 'https://api.twitter.com/oauth/request_token', clientSecret: 'a secret' },
  ],
  [
    'github',
    { ...client, access_url: 'https://proxy.example.com/token' },
    'oauth2',
    { accessUrl: 'https://proxy.example.com/token' },
  ],
])('%s %j', (name, given, driver, expected) => {
  const accounts = { linkByEmail: true, allowRegistration: false }
  expect(providersOf({ [name]: given })).toMatchObject([{ name, driver, clientId: 'tandem', accounts, ...expected }])
})

test.each<readonly [string, Plain]>([
  ['auth.social_providers', ['github']],
  ['auth.social_providers.myspace', { myspace: client }],
  ['auth.social_providers.github', { github: 'x' }],
  ['auth.social_providers.github.color', { github: { ...client, color: 'red' } }],
  ['auth.social_providers.github.scope', { github: { ...client, scope: { a: 'b' } } }],
])('%s is refused by its name', (at, social) => {
  const refused = (): unknown => providersOf(social)
  expect(refused).toThrow(ProjectError)
  expect(refused).toThrow(expect.objectContaining({ message: expect.stringContaining(at) }))
})

test('an empty list of providers configures none', () => {
  expect([providersOf([]), providersOf(null), providersOf({ github: {} })]).toEqual([[], [], []])
})
