/** Converts `AUTH_PROVIDERS` and the settings `AUTH_<NAME>_*`. */
import type { AccountRules } from '../../domain/ports/providers.ts'
import type { LdapSettings, ProviderSettings, ProvidersSettings, SamlSettings } from '../../identity/settings.ts'
import { openPrivateKey } from '../../tokens/private-keys.ts'
import type { Environment } from '../environment.ts'
import { refuse } from '../error.ts'
import type { ReadSetting, Setting } from '../kinds.ts'
import { assertNetworks } from '../kinds-network.ts'
import type { Values } from '../settings.ts'
import { type ProviderReading, toOAuth, toOAuthOne, toOpenId, toRedirecting } from './client-providers.ts'
import { drivers, type ProviderValues, providerSettings } from './provider-settings.ts'

/** The names of accounts without a provider and of that for SCIM, and a path. */
const reserved: ReadonlySet<string> = new Set(['default', 'access_token', 'scim'])

type Driver = keyof typeof providerSettings

const driverRow: Setting<unknown> = { about: '', fallback: null, secret: false, ...drivers }

/** The providers in order. */
export function toProviders(values: Values, read: ReadSetting, environment: Environment): ProvidersSettings {
  const names = values.AUTH_PROVIDERS
  const wrong = names.find((name) => !/^[A-Za-z][A-Za-z0-9_-]{0,62}$/.test(name) || reserved.has(name.toLowerCase()))
  if (wrong !== undefined)
    refuse(
      'AUTH_PROVIDERS',
      'names of letters, digits, - and _ other than "default", "access_token" and "scim"',
      JSON.stringify(wrong),
    )
  if (new Set(names.map(prefixOf)).size < names.length)
    refuse('AUTH_PROVIDERS', 'different names', JSON.stringify(names))
  assertNetworks('AUTH_IP_ALLOW_LIST', values.AUTH_IP_ALLOW_LIST)
  return {
    list: names.map((name) => toProvider(name, { read, environment, timeout: values.AUTH_PROVIDER_TIMEOUT })),
    disableDefault: values.AUTH_DISABLE_DEFAULT,
    publicUrls: values.AUTH_ALLOWED_PUBLIC_URLS.map((each) => each.replace(/\/+$/, '')),
    allowedAddresses: values.AUTH_IP_ALLOW_LIST,
    timeout: values.AUTH_PROVIDER_TIMEOUT,
  }
}

/** The prefix of the settings of a provider. */
export const prefixOf = (name: string): string => `AUTH_${name.toUpperCase().replaceAll('-', '_')}_`

function toProvider(name: string, { read, environment, timeout }: ReadingContext): ProviderSettings {
  const prefix = prefixOf(name)
  const driver = read(`${prefix}DRIVER`, driverRow) as Driver | null
  if (driver === null) return refuse(`${prefix}DRIVER`, drivers.expected, 'nothing')
  const rows = Object.entries(providerSettings[driver] as { readonly [key: string]: Setting<unknown> })
  const values = Object.fromEntries(rows.map(([key, row]) => [key, read(`${prefix}${key}`, row)]))
  const own = { prefix, name, environment }
  if (driver === 'openid') return toOpenId(values as unknown as ProviderValues<'openid'>, own)
  if (driver === 'oauth2') return toOAuth(values as unknown as ProviderValues<'oauth2'>, own)
  if (driver === 'ldap') return toLdap(values as unknown as ProviderValues<'ldap'>, own, timeout)
  if (driver === 'saml') return toSaml(values as unknown as ProviderValues<'saml'>, own)
  if (driver === 'oauth1') return toOAuthOne(values as unknown as ProviderValues<'oauth1'>, own)
  const { LABEL, ICON } = values as unknown as ProviderValues<'local'>
  return { driver, name, label: LABEL ?? name, icon: ICON, accounts: noRules }
}

type ReadingContext = { readonly read: ReadSetting; readonly environment: Environment; readonly timeout: number }

/** Local accounts are created here, and by nobody else. */
const noRules: AccountRules = {
  allowRegistration: false,
  requireVerifiedEmail: false,
  linkByEmail: false,
  defaultRole: null,
  roleMapping: null,
  rolesByName: false,
  syncUserInfo: false,
}

function toSaml(values: ProviderValues<'saml'>, { name, prefix }: ProviderReading): SamlSettings {
  return {
    driver: 'saml',
    name,
    label: values.LABEL ?? name,
    icon: values.ICON,
    ...toRedirecting(values),
    providerMetadata: values.IDP_metadata ?? refuse(`${prefix}IDP_metadata`, 'the metadata of a provider', 'nothing'),
    ownMetadata: values.SP_metadata,
    privateKey: keyOf(values, 'SP_privateKey', prefix),
    decryptionKey: keyOf(values, 'SP_encPrivateKey', prefix),
    encryptionCertificate: values.SP_encryptCert,
    signingCertificate: values.SP_signingCert,
    allowUnsolicited: values.ALLOW_UNSOLICITED,
    claims: {
      identifier: values.IDENTIFIER_KEY,
      email: values.EMAIL_KEY,
      firstName: values.GIVEN_NAME_KEY,
      lastName: values.FAMILY_NAME_KEY,
      groups: values.GROUP_CLAIM_NAME,
      verified: values.EMAIL_VERIFIED_KEY,
      required: values.REQUIRED_CLAIMS,
    },
  }
}

/** A private key as PEM without its password. */
function keyOf(
  values: ProviderValues<'saml'>,
  name: 'SP_privateKey' | 'SP_encPrivateKey',
  prefix: string,
): string | null {
  const privateKey = values[name]
  if (privateKey === null) return null
  const expected = `a private key (PEM), and its password in ${prefix}${name}Pass if it has one`
  return openPrivateKey(privateKey, values[`${name}Pass`]) ?? refuse(`${prefix}${name}`, expected, 'something else')
}

function toLdap(values: ProviderValues<'ldap'>, { name, prefix }: ProviderReading, timeout: number): LdapSettings {
  const needed = (key: 'CLIENT_URL' | 'USER_DN'): string =>
    values[key] ??
    refuse(`${prefix}${key}`, key === 'USER_DN' ? 'where users are' : 'the address of a directory', 'nothing')
  const { BIND_DN: dn, BIND_PASSWORD: password, GROUP_DN: groups } = values
  if ((dn === null) !== (password === null))
    refuse(`${prefix}BIND_PASSWORD`, `${prefix}BIND_DN and ${prefix}BIND_PASSWORD, or neither`, 'one of them')
  return {
    driver: 'ldap',
    name,
    label: values.LABEL ?? name,
    icon: values.ICON,
    url: needed('CLIENT_URL'),
    bind: dn === null || password === null ? null : { dn, password },
    user: { dn: needed('USER_DN'), attribute: values.USER_ATTRIBUTE, scope: values.USER_SCOPE },
    attributes: {
      email: values.MAIL_ATTRIBUTE,
      firstName: values.FIRST_NAME_ATTRIBUTE,
      lastName: values.LAST_NAME_ATTRIBUTE,
    },
    group: groups === null ? null : { dn: groups, attribute: values.GROUP_ATTRIBUTE, scope: values.GROUP_SCOPE },
    timeout,
    accounts: {
      ...noRules,
      // The operator names the part of the directory whose users have accounts.
      allowRegistration: true,
      defaultRole: values.DEFAULT_ROLE_ID,
      roleMapping: values.ROLE_MAPPING,
      rolesByName: groups !== null && values.ROLE_MAPPING === null,
      syncUserInfo: values.SYNC_USER_INFO,
    },
  }
}
