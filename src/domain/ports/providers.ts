/** Identity providers: they authenticate people. Core decides which account a person has. */

/** Protocols. `local`: email and password of this server, under another name. */
export type ProviderDriver = 'local' | 'oauth1' | 'oauth2' | 'openid' | 'saml' | 'ldap'

/** A session at a provider, with which the session here ends. */
export type ProviderSession = {
  /** Key of the person in messages about sessions, and its format (SAML). */
  readonly subject: string
  readonly format: string | null
  /** Namespaces of that key at the provider and at this server (SAML); null = none. */
  readonly qualifiers: readonly [string | null, string | null]
  /** Name of the session there (`sid`, SessionIndex); null = the provider gives none. */
  readonly name: string | null
  /** Refresh token; null = the session here does not live on it. */
  readonly token: string | null
}

/** The same, with the name of the provider. */
export type SessionOrigin = ProviderSession & { readonly provider: string }

/** A session that a provider has ended; both are null for neither. Each message counts once until it expires. */
export type EndedSession = {
  readonly id: string
  readonly expires: Date
  readonly subject: string | null
  readonly name: string | null
}

/** The start of a logout at a provider: where it answers, and the session that ends there. */
export type LogoutStart = Pick<FlowSecrets, 'state' | 'nonce'> & {
  readonly callback: string
  readonly session: ProviderSession
}

/**
 * A message about a logout that a browser brought to `callback`, in its address (as it came) or as a form. `nonce`: that
 * of the logout which began here; null = none did.
 */
export type LogoutMessage = { readonly callback: string; readonly nonce: string | null } & (
  | { readonly binding: 'query'; readonly parameters: string }
  | { readonly binding: 'form'; readonly parameters: URLSearchParams }
)

/** The content of such a message: the provider ends sessions (all of the person without `names`), or has done so. */
export type ProviderLogout =
  | {
      readonly kind: 'request'
      readonly id: string
      readonly expires: Date
      readonly subject: string
      readonly names: readonly string[]
    }
  | { readonly kind: 'answer'; readonly isEnded: boolean }

/** The answer to a request of the provider; `state` is the text that came with it. */
export type LogoutAnswer = { readonly callback: string; readonly request: string; readonly state: string | null }

/** Logout here and at the provider at once, by the browser. */
export type SingleLogout = {
  /** The page of the provider that ends the session there. */
  readonly begin: (start: LogoutStart) => Promise<URL>
  /** Verifies a message. Throws `invalid-payload`. */
  readonly read: (message: LogoutMessage) => Promise<ProviderLogout>
  /** The page of the provider with the answer to its request. */
  readonly answer: (answer: LogoutAnswer) => Promise<URL>
}

/** An authenticated person. Texts are as the provider sends them. */
export type Identity = {
  /** Key of the person at the provider. */
  readonly identifier: string
  /** Whether the key is an address, so that it has to be verified like one. */
  readonly isAddress: boolean
  /** Whether its case does not matter. */
  readonly isAnyCase: boolean
  readonly email: string | null
  /** Whether the provider has verified the address; null = it does not say. */
  readonly isVerified: boolean | null
  readonly firstName: string | null
  readonly lastName: string | null
  readonly groups: readonly string[]
  /** Null = the protocol has no sessions. */
  readonly session: ProviderSession | null
}

/** What an identity may do with the accounts of this server. */
export type AccountRules = {
  /** Whether an unknown identity gets an account. */
  readonly allowRegistration: boolean
  readonly requireVerifiedEmail: boolean
  /** Whether a verified address leads to an account of this server with that address. */
  readonly linkByEmail: boolean
  /** Id of the role of new accounts, and of those that no group gives another one. */
  readonly defaultRole: string | null
  /** Ids of roles and policies by name of a group; null = groups are not looked at. */
  readonly roleMapping: ReadonlyMap<string, readonly string[]> | null
  /** Whether the names of groups are those of roles, where nothing maps them. */
  readonly rolesByName: boolean
  /** Whether names and address are taken over at each login. */
  readonly syncUserInfo: boolean
}

/** Random texts of one login. They bind the answer to the browser that began it. */
export type FlowSecrets = { readonly state: string; readonly nonce: string; readonly verifier: string }

/** The start of a login: where the provider answers, and what it shall ask (`prompt` of OpenID Connect). */
export type FlowStart = FlowSecrets & { readonly callback: string; readonly prompt: string | null }

/** The page of the provider, and what the login has to remember until the answer. */
export type FlowBeginning = { readonly page: URL; readonly memory: string | null }

/** The answer of a provider: the parameters that it sent to the callback. */
export type FlowAnswer = FlowSecrets & {
  readonly callback: string
  readonly parameters: URLSearchParams
  readonly memory: string | null
}

/** A login that the provider began without a request of this server. */
export type UnsolicitedAnswer = {
  readonly identity: Identity
  /** Key of the answer at the provider; it counts once until it expires. */
  readonly id: string
  readonly expires: Date
}

type Facts = {
  /** Name in addresses, and in `provider` of its users. */
  readonly name: string
  readonly driver: ProviderDriver
  readonly label: string
  readonly icon: string
  readonly accounts: AccountRules
}

/** A provider on whose own page people log in. */
export type RedirectProvider = Facts & {
  readonly kind: 'redirect'
  /** Where tokens go after a login that returns to a page. */
  readonly mode: 'cookie' | 'session'
  /** Pages of others to which a login may return. */
  readonly pages: readonly string[]
  /** How the browser brings the answer: with the address of the callback, or as a form that the provider sends. */
  readonly answersBy: 'query' | 'form'
  /** Throws `unavailable`. */
  readonly begin: (start: FlowStart) => Promise<FlowBeginning>
  /** Verifies the answer. Throws `invalid-credentials`, `invalid-token` or `unavailable`. */
  readonly finish: (answer: FlowAnswer) => Promise<Identity>
  /** Verifies an answer to no request; null = such answers are refused. */
  readonly accept: ((answer: Pick<FlowAnswer, 'callback' | 'parameters'>) => Promise<UnsolicitedAnswer>) | null
  /**
   * Exchanges a refresh token of the person for the next one. Throws `invalid-credentials` if the provider refuses, or
   * `unavailable`; null = the protocol has none.
   */
  readonly renew: ((held: { readonly token: string; readonly subject: string }) => Promise<string>) | null
  /** Verifies a logout token. Throws `invalid-payload` or `unavailable`; null = the protocol has none. */
  readonly readLogoutToken: ((token: string) => Promise<EndedSession>) | null
  /** Logout by messages of the browser; null = the provider or its protocol has none. */
  readonly logout: SingleLogout | null
  /** The metadata of this server for the provider, as XML; null = the protocol has none. */
  readonly describe: ((callback: string) => Promise<string>) | null
}

/** A directory that checks passwords. */
export type PasswordProvider = Facts & {
  readonly kind: 'password'
  /** Throws `invalid-credentials` or `unavailable`. */
  readonly check: (identifier: string, password: string) => Promise<Identity>
}

/** Accounts with a password of this server. */
export type LocalProvider = Facts & { readonly kind: 'local' }

export type Provider = RedirectProvider | PasswordProvider | LocalProvider

export type Providers = {
  readonly list: readonly Provider[]
  /** Whether logins with email and password are switched off. */
  readonly disableDefault: boolean
  /** Public addresses of this server; callbacks use the one that the client called. */
  readonly publicUrls: readonly string[]
}

/** No providers. */
export const noProviders: Providers = { list: [], disableDefault: false, publicUrls: [] }
