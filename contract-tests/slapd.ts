/** OpenLDAP (slapd), in a process and folder of its own, as the directory of the tests. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'ldapts'
import { freePort } from './oidc-process.ts'
import {
  type DirectoryEntry,
  groups,
  type PlayedDirectory,
  people,
  publicPeople,
  searcher,
} from './played-directory.ts'

const program = '/usr/sbin/slapd'

/** Whether OpenLDAP is installed, as Debian does it. */
export const hasSlapd = (): boolean => existsSync(program)

const administrator = { dn: 'cn=admin,dc=example', password: 'password of the administrator' }

/** Starts the directory. Unlike a played one, it knows schemas, rules of names, and who may read what. */
export async function startSlapd(entries: readonly DirectoryEntry[]): Promise<PlayedDirectory> {
  const folder = await mkdtemp(join(tmpdir(), 'tandem-slapd-'))
  const url = `ldap://127.0.0.1:${await freePort()}`
  await mkdir(join(folder, 'data'))
  await writeFile(join(folder, 'slapd.conf'), settingsIn(folder))
  const child = spawn(program, ['-h', url, '-f', join(folder, 'slapd.conf'), '-d', '0'], { stdio: 'ignore' })
  await untilItAnswers(url, child)
  await asAdministrator(url, addFrame)
  await asAdministrator(url, (client) => fill(client, entries))
  return {
    url,
    load: (next) => asAdministrator(url, (client) => fill(client, next)),
    async close() {
      child.kill()
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      await rm(folder, { recursive: true })
    },
  }
}

/** Passwords are only compared; nobody reads entries without a name, except `publicPeople`. */
const settingsIn = (folder: string): string => `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
include /etc/ldap/schema/nis.schema
attributetype ( 1.2.840.113556.1.4.8 NAME 'userAccountControl'
  EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
allow bind_anon_cred bind_anon_dn
modulepath /usr/lib/ldap
moduleload back_mdb
pidfile ${folder}/slapd.pid
argsfile ${folder}/slapd.args
database mdb
suffix "dc=example"
directory ${folder}/data
rootdn "${administrator.dn}"
rootpw "${administrator.password}"
access to attrs=userPassword by anonymous auth by * none
access to dn.subtree="${publicPeople}" by * read
access to * by dn.exact="${searcher.dn}" read by anonymous auth by * none
`

async function untilItAnswers(url: string, child: ChildProcess): Promise<void> {
  for (let time = 0; time < 200 && child.exitCode === null; time += 1) {
    const hasAnswered = await asAdministrator(url, async () => true).catch(() => false)
    if (hasAnswered) return
    await new Promise((resolve) => void setTimeout(resolve, 50))
  }
  throw new Error(`slapd did not start (${child.exitCode})`)
}

async function asAdministrator<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ url, connectTimeout: 5000, timeout: 5000 })
  try {
    await client.bind(administrator.dn, administrator.password)
    return await work(client)
  } finally {
    await client.unbind()
  }
}

async function addFrame(client: Client): Promise<void> {
  await client.add('dc=example', { objectClass: ['organization', 'dcObject'], dc: 'example', o: 'Example' })
  const simple = { objectClass: ['organizationalRole', 'simpleSecurityObject'], userPassword: searcher.password }
  await client.add(searcher.dn, { ...simple, cn: 'tandem' })
}

/** Replaces all users and groups. */
async function fill(client: Client, entries: readonly DirectoryEntry[]): Promise<void> {
  for (const base of [people, groups, publicPeople]) {
    const { searchEntries } = await client.search(base, { attributes: ['1.1'] }).catch(() => ({ searchEntries: [] }))
    for (const { dn } of searchEntries.toReversed()) await client.del(dn)
    await client.add(base, { objectClass: 'organizationalUnit' })
  }
  for (const { dn, password, attributes } of entries)
    await client.add(dn, { ...stored(attributes), ...(password === undefined ? {} : { userPassword: password }) })
}

const classes: { readonly [name: string]: readonly string[] } = {
  person: ['inetOrgPerson', 'extensibleObject'],
  group: ['groupOfNames'],
  posixGroup: ['posixGroup'],
}

/** The attributes with the classes that the schemas of OpenLDAP have for them. */
function stored(attributes: DirectoryEntry['attributes']): { [name: string]: string | string[] } {
  const lists = Object.entries(attributes).map(([name, value]) => [name, [value].flat()] as const)
  return Object.fromEntries(
    lists.map(([name, values]) =>
      name === 'objectclass' ? [name, [...(classes[values[0] ?? ''] ?? values)]] : [name, values],
    ),
  )
}
