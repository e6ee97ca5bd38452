/** The settings of one identity provider, by driver. */
import { z } from 'zod'
import { choice, flag, type Kind, list, optional, type Setting, secret, setting, text, timeout } from '../kinds.ts'
import { pages, url } from '../kinds-network.ts'

/** Prefix that some deployments write before JSON values. */
const jsonPrefix = /^json:/

const json = <T>(expected: string, schema: z.ZodType<T>): Kind<T> => ({
  expected,
  schema: z
    .string()
    .transform((raw, context): unknown => {
      try {
        return JSON.parse(raw.replace(jsonPrefix, ''))
      } catch {
        context.addIssue('No JSON')
        return z.NEVER
      }
    })
    .pipe(schema),
})

const uuid: Kind<string> = { expected: 'the id of a role (a uuid)', schema: z.uuid().toLowerCase() }

const id = z.uuid().toLowerCase()

/** `{"editors": "<id>"}`; a group may have a list of ids. */
const mapping: Kind<ReadonlyMap<string, readonly string[]>> = json(
  'a JSON object with the id of a role or policy, or a list of ids, by name of a group',
  z
    .record(z.string().min(1), z.union([id.transform((one): readonly string[] => [one]), z.array(id).min(1)]))
    .transform((lists): ReadonlyMap<string, readonly string[]> => new Map(Object.entries(lists))),
)

/** Parameters that a login decides by itself. */
const ownParameters: ReadonlySet<string> = new Set([
  'client_id',
  'client_secret',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'request',
  'request_uri',
])

const parameters: Kind<{ readonly [name: string]: string }> = json(
  `a JSON object of texts, without ${[...ownParameters].join(', ')}`,
  z.record(
    z.string().refine((name) => !ownParameters.has(name)),
    z.coerce.string(),
  ),
)

const claims: Kind<{ readonly [name: string]: string }> = json(
  'a JSON object of texts',
  z.record(z.string(), z.string()),
)

const keys: Kind<readonly { readonly [part: string]: unknown }[]> = json(
  'a JSON list with one private JSON Web Key, or a key set',
  z.union([
    z.array(z.looseObject({ kty: z.string() })).min(1),
    z.object({ keys: z.array(z.looseObject({ kty: z.string() })).min(1) }).transform((set) => set.keys),
  ]),
)

const accounts = {
  DEFAULT_ROLE_ID: optional('Role of new users, and of those to whom no group gives another one.', uuid),
  ROLE_MAPPING: optional('Roles and policies by name of a group, as JSON; looked at in each login.', mapping),
  SYNC_USER_INFO: setting('Take over names, and the verified address, in each login.', flag, 'false'),
} as const

const every = {
  LABEL: optional('Name to show; otherwise that of the provider.', text),
  ICON: setting('Icon to show.', text, 'account_circle'),
} as const

const redirecting = {
  ...every,
  ...accounts,
  MODE: setting('Where tokens go after a login that returns to a page.', choice('cookie', 'session'), 'session'),
  REDIRECT_ALLOW_LIST: setting('Pages of others to which a login may return.', pages, ''),
  ALLOW_PUBLIC_REGISTRATION: setting('Create accounts for unknown people.', flag, 'false'),
  REQUIRE_VERIFIED_EMAIL: setting('Create them only with an address that the provider has verified.', flag, 'false'),
  LINK_BY_EMAIL: setting(
    'Log in to an account of this server with the same address, if the provider has verified it.',
    flag,
    'false',
  ),
  GROUP_CLAIM_NAME: setting('Claim with the groups of a user.', text, 'groups'),
} as const

const scope = choice('base', 'one', 'sub')

const directory: Kind<string> = {
  expected: 'ldap://host:389 or ldaps://host:636',
  schema: z.string().refine((value) => /^ldaps?:\/\/[^/?#@]+\/?$/.test(value) && URL.canParse(value)),
}

const methods = choice('client_secret_basic', 'client_secret_post', 'client_secret_jwt', 'private_key_jwt', 'none')

const verified = setting(
  'Claim that says whether the address is verified; always = trust all addresses of the provider.',
  text,
  'email_verified',
)

const required = setting('Claims that an identity must have, as a JSON object of texts.', claims, '{}')

const client = {
  ...redirecting,
  CLIENT_ID: optional('Client at the provider.', text),
  CLIENT_SECRET: secret('Secret of the client.'),
  CLIENT_TOKEN_ENDPOINT_AUTH_METHOD: optional('How the client proves itself.', methods),
  PARAMS: setting('More parameters for the login page, as JSON; PARAMS__NAME sets one.', parameters, '{}'),
  FIRST_NAME_KEY: optional('Claim with the first name.', text),
  LAST_NAME_KEY: optional('Claim with the last name.', text),
  EMAIL_KEY: setting('Claim with the address.', text, 'email'),
  EMAIL_VERIFIED_KEY: verified,
  REQUIRED_CLAIMS: required,
} as const

const schemas = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'

/** The rows of each driver, named AUTH_<NAME>_LABEL and so on. */
export const providerSettings = {
  local: every,
  openid: {
    ...client,
    ISSUER_URL: optional('Issuer, or the address of its discovery document.', url),
    SCOPE: setting('Scopes to ask for.', text, 'openid profile email'),
    IDENTIFIER_KEY: setting('Claim with the key of a user at the provider.', text, 'sub'),
    CLIENT_PRIVATE_KEYS: { ...optional('Private keys for private_key_jwt, as JSON.', keys), secret: true },
    PRIVATE_KEYS: { ...optional('The same as CLIENT_PRIVATE_KEYS.', keys), secret: true },
    CLIENT_ID_TOKEN_SIGNED_RESPONSE_ALG: optional(
      'Algorithm of ID tokens, if it is not one that the provider announces.',
      choice('RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'),
    ),
  },
  oauth2: {
    ...client,
    AUTHORIZE_URL: optional('Login page of the provider.', url),
    ACCESS_URL: optional('Token endpoint.', url),
    PROFILE_URL: optional('Address of the profile of the logged in user.', url),
    EMAIL_URL: optional('Address of the list of addresses of that user, if the profile lacks the verified one.', url),
    SCOPE: setting('Scopes to ask for.', text, 'email'),
    IDENTIFIER_KEY: optional('Claim with the key of a user at the provider; otherwise EMAIL_KEY.', text),
  },
  oauth1: {
    ...client,
    REQUEST_URL: optional('Address that gives request tokens.', url),
    AUTHORIZE_URL: optional('Login page of the provider.', url),
    ACCESS_URL: optional('Address that gives access tokens.', url),
    PROFILE_URL: optional('Address of the profile of the logged in user.', url),
    IDENTIFIER_KEY: setting('Member of the profile with the key of a user at the provider.', text, 'id_str'),
  },
  saml: {
    ...redirecting,
    IDP_metadata: optional('Metadata of the provider, as XML.', text),
    SP_metadata: optional(
      'Metadata of this server, as XML, if they are not to be generated; names its entityID.',
      text,
    ),
    SP_privateKey: secret(
      'Private key (PEM) that signs requests; unset = requests of logins are not signed, and there is no single logout.',
    ),
    SP_privateKeyPass: secret('Its password.'),
    SP_signingCert: optional('Certificate (PEM) of that key, for the generated metadata.', text),
    SP_encPrivateKey: secret(
      'Private key (PEM, RSA) that reads encrypted assertions and names; unset = they are refused.',
    ),
    SP_encPrivateKeyPass: secret('Its password.'),
    SP_encryptCert: optional('Certificate (PEM) of that key, for the generated metadata.', text),
    IDENTIFIER_KEY: setting(
      'Attribute with the key of a user at the provider; the default is the NameID unless there is such an attribute.',
      text,
      `${schemas}/nameidentifier`,
    ),
    EMAIL_KEY: setting('Attribute with the address.', text, `${schemas}/emailaddress`),
    GIVEN_NAME_KEY: setting('Attribute with the first name.', text, `${schemas}/givenname`),
    FAMILY_NAME_KEY: setting('Attribute with the last name.', text, `${schemas}/surname`),
    EMAIL_VERIFIED_KEY: verified,
    REQUIRED_CLAIMS: required,
    ALLOW_UNSOLICITED: setting('Accept logins that begin at the provider, without a request.', flag, 'false'),
  },
  ldap: {
    ...every,
    ...accounts,
    CLIENT_URL: optional('Address of the directory: ldaps://host:636 or ldap://host:389.', directory),
    BIND_DN: optional('Distinguished name with which the server searches; unset = without a name.', text),
    BIND_PASSWORD: secret('Its password.'),
    USER_DN: optional('Where users are.', text),
    USER_ATTRIBUTE: setting('Attribute with the name that users log in with.', text, 'cn'),
    USER_SCOPE: setting('Depth of that search.', scope, 'one'),
    MAIL_ATTRIBUTE: setting('Attribute with the address.', text, 'mail'),
    FIRST_NAME_ATTRIBUTE: setting('Attribute with the first name.', text, 'givenName'),
    LAST_NAME_ATTRIBUTE: setting('Attribute with the last name.', text, 'sn'),
    GROUP_DN: optional('Where groups are; their `cn` is the name of a role, or in ROLE_MAPPING.', text),
    GROUP_ATTRIBUTE: setting('Attribute of groups with their members.', text, 'member'),
    GROUP_SCOPE: setting('Depth of that search.', scope, 'one'),
  },
} as const

export const drivers = choice('local', 'openid', 'oauth2', 'oauth1', 'saml', 'ldap')

export type ProviderValues<Driver extends keyof typeof providerSettings> = {
  readonly [Name in keyof (typeof providerSettings)[Driver]]: (typeof providerSettings)[Driver][Name] extends Setting<
    infer T
  >
    ? T
    : never
}

export const providersSettings = {
  AUTH_PROVIDERS: setting('Names of the identity providers; AUTH_<NAME>_DRIVER and so on configure each.', list, ''),
  AUTH_DISABLE_DEFAULT: setting('Switch logins with email and password off.', flag, 'false'),
  AUTH_ALLOWED_PUBLIC_URLS: setting(
    'Other public URLs of the server; a login that begins at one returns to it. A proxy may take away their paths.',
    pages,
    '',
  ),
  AUTH_IP_ALLOW_LIST: setting('Private addresses and networks that identity providers may have.', list, ''),
  AUTH_PROVIDER_TIMEOUT: setting('Maximum duration of one request to an identity provider.', timeout, '10s'),
} as const
