/** The login providers of version 8: presets of their endpoints, each of which a file can replace. */
import { ProjectError } from './error.ts'
import type { Plain } from './php-array.ts'

type Texts = { readonly [name: string]: string }

/** Attributes of a provider, and the settings that they are. */
const attributes: Texts = {
  client_id: 'CLIENT_ID',
  client_secret: 'CLIENT_SECRET',
  identifier: 'CLIENT_ID',
  secret: 'CLIENT_SECRET',
  base_url: 'ISSUER_URL',
  issuer_url: 'ISSUER_URL',
  request_url: 'REQUEST_URL',
  authorize_url: 'AUTHORIZE_URL',
  access_url: 'ACCESS_URL',
  profile_url: 'PROFILE_URL',
  email_url: 'EMAIL_URL',
  scope: 'SCOPE',
  label: 'LABEL',
  icon: 'ICON',
  redirect_allow_list: 'REDIRECT_ALLOW_LIST',
  email_verified_key: 'EMAIL_VERIFIED_KEY',
}

/**
 * Users of version 8 exist before they log in so, and are found by the address that the provider has verified. Facebook
 * and Twitter say nothing about it, so theirs are found only where the file has `email_verified_key` of `always`.
 */
const usual = { LINK_BY_EMAIL: 'true' }

const graph = 'https://graph.facebook.com'

const presets: { readonly [provider: string]: (texts: Texts) => Texts } = {
  facebook: ({ graph_api_version: version = 'v19.0' }) => ({
    DRIVER: 'oauth2',
    AUTHORIZE_URL: `https://www.facebook.com/${version}/dialog/oauth`,
    ACCESS_URL: `${graph}/${version}/oauth/access_token`,
    PROFILE_URL: `${graph}/${version}/me?fields=id,email,first_name,last_name`,
    IDENTIFIER_KEY: 'id',
    FIRST_NAME_KEY: 'first_name',
    LAST_NAME_KEY: 'last_name',
  }),
  github: () => ({
    DRIVER: 'oauth2',
    AUTHORIZE_URL: 'https://github.com/login/oauth/authorize',
    ACCESS_URL: 'https://github.com/login/oauth/access_token',
    PROFILE_URL: 'https://api.github.com/user',
    EMAIL_URL: 'https://api.github.com/user/emails',
    SCOPE: 'read:user user:email',
    IDENTIFIER_KEY: 'id',
  }),
  google: ({ hosted_domain: domain }) => ({
    DRIVER: 'openid',
    ISSUER_URL: 'https://accounts.google.com',
    ...(domain === undefined
      ? {}
      : { PARAMS: JSON.stringify({ hd: domain }), REQUIRED_CLAIMS: JSON.stringify({ hd: domain }) }),
  }),
  okta: () => ({ DRIVER: 'openid' }),
  twitter: () => ({
    DRIVER: 'oauth1',
    REQUEST_URL: 'https://api.twitter.com/oauth/request_token',
    AUTHORIZE_URL: 'https://api.twitter.com/oauth/authenticate',
    ACCESS_URL: 'https://api.twitter.com/oauth/access_token',
    PROFILE_URL: 'https://api.twitter.com/1.1/account/verify_credentials.json?include_email=true&skip_status=true',
  }),
}

/** Settings without which no provider works, and their attributes. */
const always = [
  ['CLIENT_ID', 'client_id'],
  ['CLIENT_SECRET', 'client_secret'],
] as const

/** Attributes that only choose a preset. */
const choosing: ReadonlySet<string> = new Set(['graph_api_version', 'hosted_domain'])

/** The settings of the providers, with the attributes that they come from. */
export function toSocialProviders(
  value: { readonly [provider: string]: Plain },
  at: string,
): { readonly [setting: string]: { readonly text: string; readonly at: string } } {
  const names = Object.keys(value)
  const all = names.flatMap((name) => Object.entries(toProvider(name, value[name] ?? null, `${at}.${name}`)))
  return names.length === 0 ? {} : { AUTH_PROVIDERS: { text: names.join(','), at }, ...Object.fromEntries(all) }
}

function toProvider(name: string, value: Plain, at: string) {
  const preset = Object.hasOwn(presets, name) ? presets[name] : undefined
  if (preset === undefined) throw new ProjectError(at, `one of ${Object.keys(presets).join(', ')}`, 'another one')
  const texts = toTexts(value, at)
  const own = Object.entries(texts).flatMap(([attribute, text]): readonly (readonly [string, string])[] => {
    const setting = Object.hasOwn(attributes, attribute) ? attributes[attribute] : undefined
    if (setting !== undefined) return [[setting, text]]
    if (choosing.has(attribute)) return []
    const existing = [...Object.keys(attributes), ...choosing].join(', ')
    throw new ProjectError(`${at}.${attribute}`, `no attribute but ${existing}`, 'another one')
  })
  const settings: Texts = { ...usual, ...preset(texts), ...Object.fromEntries(own) }
  const needed = settings['DRIVER'] === 'openid' ? [...always, ['ISSUER_URL', 'base_url'] as const] : always
  const missing = needed.find(([setting]) => settings[setting] === undefined)
  if (missing !== undefined) throw new ProjectError(`${at}.${missing[1]}`, 'a value', 'nothing')
  return Object.fromEntries(
    Object.entries(settings).map(([setting, text]) => [`AUTH_${name.toUpperCase()}_${setting}`, { text, at }]),
  )
}

/** Empty values are left out. */
function toTexts(value: Plain, at: string): Texts {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ProjectError(
      at,
      'an object with client_id and client_secret',
      Array.isArray(value) ? 'a list' : typeof value,
    )
  return Object.fromEntries(
    Object.entries(value).flatMap(([attribute, each]: [string, Plain]) => {
      const text = Array.isArray(each) ? each.join(',') : each
      if (text === null || text === '') return []
      if (typeof text === 'object') throw new ProjectError(`${at}.${attribute}`, 'a text or a list', 'an object')
      return [[attribute, String(text)]]
    }),
  )
}
