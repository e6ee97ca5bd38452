/** A directory (LDAP) for tests. Like many real ones, it takes an empty password for an anonymous bind. It sends all attributes. */
import ldap from 'ldapjs'

/** An entry: its attributes, and the password of those who may log in. */
export type DirectoryEntry = {
  readonly dn: string
  readonly password?: string
  readonly attributes: { readonly [name: string]: string | readonly string[] }
}

export type PlayedDirectory = {
  readonly url: string
  entries: readonly DirectoryEntry[]
  readonly close: () => Promise<void>
}

/** The name and password with which a server searches. */
export const searcher = { dn: 'cn=tandem,dc=example', password: 'password of the server' }

export const people = 'ou=people,dc=example'
export const groups = 'ou=groups,dc=example'

/** A user of the directory. */
export const person = (cn: string, attributes: DirectoryEntry['attributes'] = {}): DirectoryEntry => ({
  dn: `cn=${cn},${people}`,
  password: 'correct-horse-42',
  attributes: { cn, objectclass: 'person', mail: `${cn}@example.com`, givenName: 'Ada', sn: 'Lovelace', ...attributes },
})

/** A group with these users. */
export const group = (cn: string, ...members: readonly string[]): DirectoryEntry => ({
  dn: `cn=${cn},${groups}`,
  attributes: { cn, objectclass: 'group', member: members.map((each) => `cn=${each},${people}`) },
})

const spelled = (dn: { readonly toString: () => string }): string => dn.toString().replaceAll(/, /g, ',').toLowerCase()

/** Starts the directory on a free port. */
export async function playDirectory(entries: readonly DirectoryEntry[]): Promise<PlayedDirectory> {
  const server = ldap.createServer()
  const bound = new WeakMap<object, string>()
  const played: PlayedDirectory = {
    get url() {
      return server.url.replace('0.0.0.0', '127.0.0.1')
    },
    entries,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
  server.bind('', (request, response, next) => {
    const known = [...played.entries, { ...searcher, attributes: {} }].find(
      ({ dn }) => spelled(request.dn) === dn.toLowerCase(),
    )
    // An empty password is an anonymous bind, whatever the name is.
    if (request.credentials !== '' && request.credentials !== known?.password)
      return next(new ldap.InvalidCredentialsError())
    bound.set(request.connection, request.credentials === '' ? '' : spelled(request.dn))
    response.end()
  })
  server.search('', (request, response, next) => {
    if (bound.get(request.connection) !== searcher.dn) return next(new ldap.InsufficientAccessRightsError())
    const base = spelled(request.dn)
    // The library would leave out attributes whose names have capitals.
    response.attributes.push('*')
    for (const { dn, attributes } of played.entries)
      if (dn.toLowerCase().endsWith(`,${base}`) && request.filter.matches(attributes)) response.send({ dn, attributes })
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return played
}

/** The settings of a provider that asks the directory. */
export const directorySettings = (name: string, { url }: Pick<PlayedDirectory, 'url'>) => ({
  [`AUTH_${name}_DRIVER`]: 'ldap',
  [`AUTH_${name}_CLIENT_URL`]: url,
  [`AUTH_${name}_BIND_DN`]: searcher.dn,
  [`AUTH_${name}_BIND_PASSWORD`]: searcher.password,
  [`AUTH_${name}_USER_DN`]: people,
})
