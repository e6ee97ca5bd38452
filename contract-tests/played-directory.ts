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
  /** Replaces all users and groups. */
  readonly load: (entries: readonly DirectoryEntry[]) => Promise<void>
  readonly close: () => Promise<void>
}

/** The name and password with which a server searches. */
export const searcher = { dn: 'cn=tandem,dc=example', password: 'password of the server' }

export const people = 'ou=people,dc=example'
export const groups = 'ou=groups,dc=example'
/** Users whose entries everybody reads. */
export const publicPeople = 'ou=public,dc=example'

export const person = (cn: string, attributes: DirectoryEntry['attributes'] = {}): DirectoryEntry => ({
  dn: `cn=${cn},${people}`,
  password: 'correct-horse-42',
  attributes: { cn, objectclass: 'person', mail: `${cn}@example.com`, givenName: 'Ada', sn: 'Lovelace', ...attributes },
})

export const group = (cn: string, ...members: readonly string[]): DirectoryEntry => ({
  dn: `cn=${cn},${groups}`,
  attributes: { cn, objectclass: 'group', member: members.map((each) => `cn=${each},${people}`) },
})

/** A group with the names (`uid`) of these users. */
export const posixGroup = (cn: string, ...users: readonly string[]): DirectoryEntry => ({
  dn: `cn=${cn},${groups}`,
  attributes: { cn, objectclass: 'posixGroup', gidNumber: '1', memberUid: users },
})

const spelled = (dn: { readonly toString: () => string }): string => dn.toString().replaceAll(/, /g, ',').toLowerCase()

/** Starts the directory on a free port, for want of a real one. */
export async function playDirectory(entries: readonly DirectoryEntry[]): Promise<PlayedDirectory> {
  const server = ldap.createServer()
  const bound = new WeakMap<object, string>()
  let current = entries
  server.bind('', (request, response, next) => {
    const known = [...current, { ...searcher, attributes: {} }].find(
      ({ dn }) => spelled(request.dn) === spelled(ldap.parseDN(dn)),
    )
    // An empty password is an anonymous bind, whatever the name is.
    if (request.credentials !== '' && request.credentials !== known?.password)
      return next(new ldap.InvalidCredentialsError())
    bound.set(request.connection, request.credentials === '' ? '' : spelled(request.dn))
    response.end()
  })
  server.search('', (request, response, next) => {
    const base = spelled(request.dn)
    if (base !== publicPeople && bound.get(request.connection) !== searcher.dn)
      return next(new ldap.InsufficientAccessRightsError())
    // The library would leave out attributes whose names have capitals.
    response.attributes.push('*')
    for (const { dn, attributes } of current) {
      const known = {
        ...attributes,
        member: [attributes['member'] ?? []].flat().map((each) => ldap.parseDN(each).toString()),
      }
      if (dn.toLowerCase().endsWith(`,${base}`) && request.filter.matches(known)) response.send({ dn, attributes })
    }
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: server.url,
    load: async (next) => void (current = next),
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** The settings of a provider that asks the directory. */
export const directorySettings = (name: string, { url }: Pick<PlayedDirectory, 'url'>) => ({
  [`AUTH_${name}_DRIVER`]: 'ldap',
  [`AUTH_${name}_CLIENT_URL`]: url,
  [`AUTH_${name}_BIND_DN`]: searcher.dn,
  [`AUTH_${name}_BIND_PASSWORD`]: searcher.password,
  [`AUTH_${name}_USER_DN`]: people,
})
