/** LDAP: a search for the user with the rights of the server, then a bind with the password of the user. */
import type { Client, Entry } from 'ldapts'
import type { Identity } from '../domain/ports/providers.ts'
import { TandemError } from '../domain/rights/errors.ts'
import { toIdentity } from './claims.ts'
import { type Dependencies, finishing } from './openid-client.ts'
import type { LdapSettings } from './settings.ts'

type Library = typeof import('ldapts')

/** `userAccountControl` of Active Directory: disabled, locked, expired password. */
const closed = 0x2 | 0x10 | 0x800000

/** The provider. Its library is loaded with the first login. */
export const createLdap = (settings: LdapSettings, around: Dependencies) => ({
  check: (identifier: string, password: string): Promise<Identity> =>
    finishing(settings.name, around, () => checkPassword(settings, identifier, password)),
})

/** `reason` is for the log. It never names what the caller has sent, which may be a password in the wrong field. */
const unproven = (reason: string, cause?: unknown): TandemError =>
  new TandemError({ kind: 'invalid-credentials' }, { cause: new Error(reason, { cause }) })

/** An empty password would be an anonymous bind, which succeeds for everybody. */
async function checkPassword(settings: LdapSettings, identifier: string, password: string): Promise<Identity> {
  if (identifier.trim() === '' || password === '' || /\p{Cc}/u.test(identifier))
    throw unproven('The name or the password is empty, or the name has control characters')
  const library = await import('ldapts')
  const entry = await asServer(settings, library, (client) => findUser(client, settings, { library, identifier }))
  await withClient(settings, library, (client) => bindAs(client, library, { dn: entry.dn, password }))
  const groups = await asServer(settings, library, (client) => findGroups(client, settings, { library, entry }))
  const { email, firstName, lastName } = settings.attributes
  const claims = {
    dn: entry.dn,
    email: textOf(entry, email),
    first: textOf(entry, firstName),
    last: textOf(entry, lastName),
    groups,
  }
  return { ...toIdentity(claims, names), isAnyCase: true }
}

/** The directory identifies the user; distinguished names are compared without case. */
const names = {
  identifier: 'dn',
  email: 'email',
  firstName: 'first',
  lastName: 'last',
  groups: 'groups',
  verified: 'verified',
  required: {},
}

/** Closes the connection in any case. What is no answer of the directory is `unavailable`. */
async function withClient<T>(
  settings: LdapSettings,
  library: Library,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const { url, timeout } = settings
  const client = new library.Client({ url, timeout, connectTimeout: timeout, strictDN: false })
  try {
    return await work(client)
  } catch (cause) {
    if (cause instanceof TandemError) throw cause
    throw new TandemError(
      { kind: 'unavailable', service: 'provider', reason: 'It gives no answer', retryAfter: 30 },
      { cause },
    )
  } finally {
    await client.unbind().catch(() => {})
  }
}

const asServer = <T>(settings: LdapSettings, library: Library, work: (client: Client) => Promise<T>): Promise<T> =>
  withClient(settings, library, async (client) => {
    if (settings.bind !== null) await bindAsServer(client, library, settings.bind)
    return work(client)
  })

type Bind = { readonly dn: string; readonly password: string }

async function bindAsServer(client: Client, library: Library, { dn, password }: Bind): Promise<void> {
  try {
    await client.bind(dn, password)
  } catch (cause) {
    if (cause instanceof library.ResultCodeError)
      throw new Error('The directory refuses BIND_DN with BIND_PASSWORD', { cause })
    throw cause
  }
}

async function bindAs(client: Client, library: Library, { dn, password }: Bind): Promise<void> {
  try {
    await client.bind(dn, password)
  } catch (cause) {
    // Directories report closed accounts with this code too.
    if (cause instanceof library.ResultCodeError)
      throw unproven('The directory refuses the password, or the account is closed', cause)
    throw cause
  }
}

/** Exactly one entry has the value. It is sent as a value, never as a part of a filter's text. */
async function findUser(
  client: Client,
  { user, attributes }: LdapSettings,
  { library, identifier }: { readonly library: Library; readonly identifier: string },
): Promise<Entry> {
  const { searchEntries: entries } = await client.search(user.dn, {
    scope: user.scope,
    filter: new library.EqualityFilter({ attribute: user.attribute, value: identifier.trim() }),
    attributes: [attributes.email, attributes.firstName, attributes.lastName, 'uid', 'userAccountControl'],
    sizeLimit: 2,
  })
  const [entry] = entries
  const searched = `of "${user.dn}" has the name in USER_ATTRIBUTE, "${user.attribute}"`
  if (entry === undefined) throw unproven(`No entry ${searched}`)
  if (entries.length > 1) throw unproven(`More than one entry ${searched}`)
  if ((Number(textOf(entry, 'userAccountControl') ?? 0) & closed) !== 0)
    throw unproven('The account is disabled or locked, or its password has expired')
  return entry
}

/** Groups name their members by distinguished name, those of POSIX (`memberUid`) by user name. */
async function findGroups(
  client: Client,
  { group }: LdapSettings,
  { library, entry }: { readonly library: Library; readonly entry: Entry },
): Promise<readonly string[]> {
  if (group === null) return []
  const value = group.attribute.toLowerCase() === 'memberuid' ? textOf(entry, 'uid') : entry.dn
  if (value === null) return []
  const { searchEntries: entries } = await client.search(group.dn, {
    scope: group.scope,
    filter: new library.EqualityFilter({ attribute: group.attribute, value }),
    attributes: ['cn'],
    sizeLimit: 1000,
  })
  return entries.flatMap((each) => textOf(each, 'cn') ?? [])
}

/** The first value of an attribute, whose name directories spell in their own case. */
function textOf(entry: Entry, attribute: string): string | null {
  const name = Object.keys(entry).find((each) => each.toLowerCase() === attribute.toLowerCase()) ?? attribute
  const value = [entry[name]].flat()[0]
  const text = Buffer.isBuffer(value) ? value.toString() : value
  return text === undefined || text === '' ? null : text
}
