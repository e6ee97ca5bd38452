import type { AccountRules } from '../domain/ports/providers.ts'

type Shared = {
  readonly name: string
  readonly label: string
  readonly icon: string
  readonly accounts: AccountRules
}

/** Names of claims; dots lead into objects. */
export type ClaimNames = {
  readonly identifier: string
  readonly email: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly groups: string
  /** Claim for whether the address is verified; `always` = the operator trusts all addresses. */
  readonly verified: string
  /** Claims that an identity must have, with one of their values. */
  readonly required: { readonly [name: string]: string }
}

/** How the client proves itself at the token endpoint. */
export type ClientMethod =
  | 'client_secret_basic'
  | 'client_secret_post'
  | 'client_secret_jwt'
  | 'private_key_jwt'
  | 'none'

type ClientSettings = Shared & {
  readonly mode: 'cookie' | 'session'
  readonly pages: readonly string[]
  readonly clientId: string
  readonly clientSecret: string | null
  readonly clientMethod: ClientMethod | null
  readonly scope: string
  /** Parameters of the address of the login page. */
  readonly parameters: { readonly [name: string]: string }
  readonly claims: ClaimNames
}

export type OpenIdSettings = ClientSettings & {
  readonly driver: 'openid'
  readonly issuer: string
  /** JSON Web Key for `private_key_jwt`. */
  readonly privateKey: { readonly [part: string]: unknown } | null
  /** Algorithm of ID tokens; null = what the provider announces. */
  readonly algorithm: string | null
}

export type OAuthSettings = ClientSettings & {
  readonly driver: 'oauth2'
  readonly authorizeUrl: string
  readonly accessUrl: string
  readonly profileUrl: string
  /** List of addresses of the user, with `email`, `primary` and `verified`; null = the profile has the address. */
  readonly emailUrl: string | null
}

export type OAuthOneSettings = Omit<ClientSettings, 'clientSecret' | 'clientMethod' | 'scope'> & {
  readonly driver: 'oauth1'
  readonly clientSecret: string
  readonly requestUrl: string
  readonly authorizeUrl: string
  readonly accessUrl: string
  readonly profileUrl: string
}

export type SamlSettings = Shared &
  Pick<ClientSettings, 'mode' | 'pages' | 'claims'> & {
    readonly driver: 'saml'
    /** XML. */
    readonly providerMetadata: string
    /** XML; null = it is generated. */
    readonly ownMetadata: string | null
    /** PEM; null = requests are not signed. */
    readonly privateKey: string | null
    /** PEM; null = encrypted assertions are refused. */
    readonly decryptionKey: string | null
    /** PEM, for the generated metadata; null = they announce none. */
    readonly encryptionCertificate: string | null
    /** Certificate of `privateKey` (PEM), for the metadata. */
    readonly signingCertificate: string | null
    readonly allowUnsolicited: boolean
  }

type Scope = 'base' | 'one' | 'sub'

export type LdapSettings = Shared & {
  readonly driver: 'ldap'
  readonly url: string
  /** Null = the directory may be searched by anybody. */
  readonly bind: { readonly dn: string; readonly password: string } | null
  readonly user: { readonly dn: string; readonly attribute: string; readonly scope: Scope }
  readonly attributes: { readonly email: string; readonly firstName: string; readonly lastName: string }
  /** Null = groups are not looked for. */
  readonly group: { readonly dn: string; readonly attribute: string; readonly scope: Scope } | null
  /** Limit in milliseconds of each step. */
  readonly timeout: number
}

export type LocalSettings = Shared & { readonly driver: 'local' }

export type ProviderSettings =
  | OpenIdSettings
  | OAuthSettings
  | OAuthOneSettings
  | SamlSettings
  | LdapSettings
  | LocalSettings

export type ProvidersSettings = {
  readonly list: readonly ProviderSettings[]
  readonly disableDefault: boolean
  readonly publicUrls: readonly string[]
  /** Private addresses and networks that providers may have. */
  readonly allowedAddresses: readonly string[]
  /** Limit in milliseconds of one request to a provider. */
  readonly timeout: number
}
