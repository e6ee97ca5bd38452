/** Converts the settings of clients of OpenID Connect and OAuth. */
import type { OAuthOneSettings, OAuthSettings, OpenIdSettings } from '../../identity/settings.ts'
import type { Environment } from '../environment.ts'
import { refuse } from '../error.ts'
import { type ProviderValues, providerSettings } from './provider-settings.ts'

export type ProviderReading = {
  /** Prefix of the settings of the provider. */
  readonly prefix: string
  readonly name: string
  readonly environment: Environment
}

type Client = ProviderValues<'openid'> | ProviderValues<'oauth2'> | ProviderValues<'oauth1'>

const toShared = (values: Client, { name, prefix, environment }: ProviderReading) => ({
  name,
  label: values.LABEL ?? name,
  icon: values.ICON,
  ...toRedirecting(values),
  clientId: values.CLIENT_ID ?? refuse(`${prefix}CLIENT_ID`, 'the id of a client', 'nothing'),
  clientSecret: values.CLIENT_SECRET,
  clientMethod: values.CLIENT_TOKEN_ENDPOINT_AUTH_METHOD,
  scope: 'SCOPE' in values ? values.SCOPE : '',
  parameters: { ...values.PARAMS, ...toParameters(prefix, environment) },
  claims: {
    identifier: values.IDENTIFIER_KEY ?? values.EMAIL_KEY,
    email: values.EMAIL_KEY,
    firstName: values.FIRST_NAME_KEY,
    lastName: values.LAST_NAME_KEY,
    groups: values.GROUP_CLAIM_NAME,
    verified: values.EMAIL_VERIFIED_KEY,
    required: values.REQUIRED_CLAIMS,
  },
})

/** `AUTH_<NAME>_PARAMS__CLAIMS` is the parameter `claims`. */
function toParameters(prefix: string, environment: Environment): { readonly [name: string]: string } {
  const start = `${prefix}PARAMS__`
  const parameters = Object.entries(environment).filter(([name]) => name.startsWith(start))
  const row = providerSettings.openid.PARAMS
  return Object.assign(
    {},
    ...parameters.map(([name, value = '']) => {
      const parameter = name.slice(start.length).toLowerCase()
      const text = JSON.stringify({ [parameter]: value.replace(/^string:/, '') })
      return (
        row.schema.safeParse(text).data ?? refuse(name, 'a parameter that a login does not decide by itself', parameter)
      )
    }),
  )
}

export function toOpenId(values: ProviderValues<'openid'>, own: ProviderReading): OpenIdSettings {
  const { prefix } = own
  const shared = toShared(values, own)
  const privateKey = (values.CLIENT_PRIVATE_KEYS ?? values.PRIVATE_KEYS)?.[0] ?? null
  if (shared.clientMethod === 'private_key_jwt' && privateKey === null)
    return refuse(`${prefix}CLIENT_PRIVATE_KEYS`, 'a private key for private_key_jwt', 'nothing')
  assertSecret(shared, own)
  return {
    ...shared,
    driver: 'openid',
    issuer: values.ISSUER_URL ?? refuse(`${prefix}ISSUER_URL`, 'the address of an issuer', 'nothing'),
    privateKey,
    algorithm: values.CLIENT_ID_TOKEN_SIGNED_RESPONSE_ALG,
    claims: {
      ...shared.claims,
      firstName: shared.claims.firstName ?? 'given_name',
      lastName: shared.claims.lastName ?? 'family_name',
    },
  }
}

export function toOAuth(values: ProviderValues<'oauth2'>, own: ProviderReading): OAuthSettings {
  const { prefix } = own
  const shared = toShared(values, own)
  if (shared.clientMethod === 'private_key_jwt')
    return refuse(`${prefix}CLIENT_TOKEN_ENDPOINT_AUTH_METHOD`, 'another method with oauth2', 'private_key_jwt')
  assertSecret(shared, own)
  const address = (name: 'AUTHORIZE_URL' | 'ACCESS_URL' | 'PROFILE_URL'): string =>
    values[name] ?? refuse(`${prefix}${name}`, 'an absolute http or https address', 'nothing')
  return {
    ...shared,
    driver: 'oauth2',
    authorizeUrl: address('AUTHORIZE_URL'),
    accessUrl: address('ACCESS_URL'),
    profileUrl: address('PROFILE_URL'),
    emailUrl: values.EMAIL_URL,
  }
}

export function toOAuthOne(values: ProviderValues<'oauth1'>, own: ProviderReading): OAuthOneSettings {
  const { prefix } = own
  const { clientSecret, ...shared } = toShared(values, own)
  const address = (name: 'REQUEST_URL' | 'AUTHORIZE_URL' | 'ACCESS_URL' | 'PROFILE_URL'): string =>
    values[name] ?? refuse(`${prefix}${name}`, 'an absolute http or https address', 'nothing')
  return {
    ...shared,
    driver: 'oauth1',
    clientSecret: clientSecret ?? refuse(`${prefix}CLIENT_SECRET`, 'a secret', 'nothing'),
    requestUrl: address('REQUEST_URL'),
    authorizeUrl: address('AUTHORIZE_URL'),
    accessUrl: address('ACCESS_URL'),
    profileUrl: address('PROFILE_URL'),
  }
}

/** The settings of every provider that a login is redirected to. */
export const toRedirecting = (values: Client | ProviderValues<'saml'>) => ({
  mode: values.MODE,
  pages: values.REDIRECT_ALLOW_LIST,
  accounts: {
    allowRegistration: values.ALLOW_PUBLIC_REGISTRATION,
    requireVerifiedEmail: values.REQUIRE_VERIFIED_EMAIL,
    linkByEmail: values.LINK_BY_EMAIL,
    defaultRole: values.DEFAULT_ROLE_ID,
    roleMapping: values.ROLE_MAPPING,
    rolesByName: false,
    syncUserInfo: values.SYNC_USER_INFO,
  },
})

/** Refuses a client without a secret whose method needs one. */
function assertSecret({ clientMethod, clientSecret }: ReturnType<typeof toShared>, { prefix }: ProviderReading): void {
  const needsNone = clientMethod === 'none' || clientMethod === 'private_key_jwt'
  if (clientSecret === null && !needsNone)
    refuse(`${prefix}CLIENT_SECRET`, `a secret, or ${prefix}CLIENT_TOKEN_ENDPOINT_AUTH_METHOD=none`, 'nothing')
}
