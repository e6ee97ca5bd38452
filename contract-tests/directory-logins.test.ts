/** Logins by a directory (LDAP), which is OpenLDAP where it is installed, and by accounts of another local provider. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { seedIds } from '../src/domain/schema/identity.ts'
import {
  type DirectoryEntry,
  directorySettings,
  group,
  groups,
  people,
  person,
  playDirectory,
  posixGroup,
  publicPeople,
} from './played-directory.ts'
import { forgetLogins, noAnswer, noProof, notYours, type Refusal } from './provider-refusals.ts'
import { editors, openProvidersWorld } from './providers-world.ts'
import { send } from './send.ts'
import { hasSlapd, startSlapd } from './slapd.ts'

const openDirectory = hasSlapd() ? startSlapd : playDirectory

const everybody = [
  person('ada'),
  person('bo'),
  person('double', { uid: 'double' }),
  group('editors', 'ada'),
  group('administrator', 'bo'),
  posixGroup('editors-by-uid', 'ada'),
  { ...person('open'), dn: `cn=open,${publicPeople}` },
]

const directory = await openDirectory(everybody)
const leaving = await openDirectory([person('ada')])
const world = await openProvidersWorld({
  AUTH_PROVIDERS: 'corp,posix,open,leaving,away,wrong,staff,directory',
  ...directorySettings('CORP', directory),
  AUTH_CORP_GROUP_DN: groups,
  AUTH_CORP_SYNC_USER_INFO: 'true',
  ...directorySettings('POSIX', directory),
  AUTH_POSIX_GROUP_DN: groups,
  AUTH_POSIX_GROUP_ATTRIBUTE: 'memberUid',
  AUTH_POSIX_ROLE_MAPPING: JSON.stringify({ 'editors-by-uid': editors }),
  ...directorySettings('DIRECTORY', directory),
  AUTH_DIRECTORY_USER_ATTRIBUTE: 'uid',
  AUTH_OPEN_DRIVER: 'ldap',
  AUTH_OPEN_CLIENT_URL: directory.url,
  AUTH_OPEN_USER_DN: publicPeople,
  ...directorySettings('LEAVING', leaving),
  ...directorySettings('AWAY', { url: 'ldap://127.0.0.1:9' }),
  ...directorySettings('WRONG', directory),
  AUTH_WRONG_BIND_PASSWORD: 'another password',
  AUTH_STAFF_DRIVER: 'local',
})
afterAll(async () => {
  await world.close()
  await directory.close()
})
beforeEach(async () => {
  await directory.load(everybody)
  await forgetLogins(world)
})

async function logIn(provider: string, identifier: string, password = 'correct-horse-42', more: object = {}) {
  const body = { identifier, password, ...more }
  const response = await send(world.url, `POST /auth/login/${provider}`, { body })
  return { status: response.status, body: response.body, cookies: response.headers.getSetCookie() }
}

const userOf = async (cn: string) =>
  (
    await world.rows(
      'select provider, email, first_name, last_name, role, status from platform_users where external_identifier = $1',
      [`cn=${cn},${people}`],
    )
  )[0]

test('an entry gets an account with the role of its group, and the same one the next time', async () => {
  const { status, body } = await logIn('corp', 'ada')
  expect([status, Object.keys((body as { data: object }).data).toSorted()]).toEqual([
    200,
    ['access_token', 'expires', 'refresh_token'],
  ])
  const ada = { provider: 'corp', email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace', status: 'active' }
  expect(await userOf('ada')).toEqual({ ...ada, role: editors })
  await directory.load([person('ada', { givenName: 'Augusta' })])
  const again = await logIn('corp', ' ada ', undefined, { mode: 'session' })
  expect([again.status, again.cookies]).toEqual([200, [expect.stringContaining('platform_session_token=')]])
  expect(await userOf('ada')).toEqual({ ...ada, first_name: 'Augusta', role: null })
  expect(await world.rows(`select count(*)::int as one from platform_users where provider = 'corp'`)).toEqual([
    { one: 1 },
  ])
})

test('a group with the name of the role of administrators makes one, and nobody else', async () => {
  await logIn('corp', 'bo')
  expect((await userOf('bo'))?.['role']).toBe(seedIds.administratorRole)
})

test('groups with names of users in place of entries (memberUid) give roles too', async () => {
  await directory.load([person('ada', { uid: 'ada' }), posixGroup('editors-by-uid', 'ada')])
  expect((await logIn('posix', 'ada')).status).toBe(200)
  expect((await userOf('ada'))?.['role']).toBe(editors)
})

test('a directory that everybody reads needs no name of the server', async () => {
  expect((await logIn('open', 'open')).status).toBe(200)
  expect((await logIn('open', 'open', 'wrong')).status).toBe(401)
})

/** The server from npm spells the others in its own way. */
const oddNames = [
  ['Lovelace, Ada', 'Lovelace\\, Ada'],
  ['Jörg "Bär" <x>', 'Jörg \\"Bär\\" \\<x\\>'],
  ['#1 + 2=3;\\', '\\#1 \\+ 2=3\\;\\\\'],
] as const

test.each(hasSlapd() ? oddNames : oddNames.slice(0, 1))(
  'the name "%s" opens the session of its entry',
  async (cn, escaped) => {
    const dn = `cn=${escaped},${people}`
    await directory.load([
      { ...person(cn, { mail: 'ada@example.com' }), dn },
      { ...group('editors'), attributes: { ...group('editors').attributes, member: dn } },
    ])
    expect((await logIn('corp', cn)).status).toBe(200)
    const text = `select external_identifier, role from platform_users where provider = 'corp'`
    const first = await world.rows(text)
    expect(first).toEqual([{ external_identifier: expect.stringContaining(`,${people}`), role: editors }])
    expect((await logIn('corp', cn)).status).toBe(200)
    expect(await world.rows(text)).toEqual(first)
  },
)

test('a directory that stops, while in use, stops its own logins alone', async () => {
  expect((await logIn('leaving', 'ada')).status).toBe(200)
  await leaving.close()
  expect(await logIn('leaving', 'ada')).toMatchObject({ status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } })
  expect((await logIn('corp', 'bo')).status).toBe(200)
})

test('GraphQL takes the provider beside the name', async () => {
  const query = 'mutation { auth_login(email: "ada", password: "correct-horse-42", provider: "corp") { expires } }'
  const response = await send(world.url, 'POST /graphql/system', { body: { query } })
  expect(response.body).toEqual({ data: { auth_login: { expires: '900000' } } })
})

test('accounts of another local provider have passwords here', async () => {
  await world.insertLocal('eve@example.com')
  expect((await logIn('staff', 'eve@example.com')).status).toBe(401)
  await world.rows(`update platform_users set provider = 'staff' where email = 'eve@example.com'`)
  expect((await logIn('staff', 'eve@example.com')).status).toBe(200)
  expect((await logIn('staff', 'eve@example.com', 'wrong')).status).toBe(401)
})

const badRequest: Refusal = [400, 'INVALID_PAYLOAD']
const unknownPath: Refusal = [404, 'ROUTE_NOT_FOUND']

type Login = readonly [provider: string, identifier: string, password?: string]

test.each<readonly [name: string, login: Login, expected: Refusal]>([
  ['a wrong password', ['corp', 'ada', 'wrong'], noProof],
  ['an empty password (anonymous bind)', ['corp', 'ada', ''], badRequest],
  ['an unknown name', ['corp', 'nobody'], noProof],
  ['a name of spaces', ['corp', '  '], noProof],
  ['any name', ['corp', '*'], noProof],
  ['the beginning of a name', ['corp', 'ad*'], noProof],
  ['a filter in a name', ['corp', 'ada)(objectclass=*'], noProof],
  ['another filter in a name', ['corp', '*)(|(cn=*'], noProof],
  ['an escaped name', ['corp', '\\61da'], noProof],
  ['a distinguished name', ['corp', `cn=ada,${people}`], noProof],
  ['a NUL byte in a name', ['corp', 'ada\u0000'], badRequest],
  ['a line break in a name', ['corp', 'a\nda'], noProof],
  ['a provider that is away', ['away', 'ada'], noAnswer],
  ['a password of the server that is wrong', ['wrong', 'ada'], noAnswer],
  ['no such provider', ['nowhere', 'ada'], unknownPath],
])('%s opens no session', async (_, login, [status, code]) => {
  const answer = await logIn(...login)
  expect([answer.status, answer.body]).toMatchObject([status, { error: { code } }])
  expect(await world.rows('select id from platform_sessions')).toEqual([])
})

test.each<readonly [name: string, entries: readonly DirectoryEntry[], expected: Refusal]>([
  ['two entries with the name', [person('ada'), person('other', { cn: ['other', 'ada'] })], noProof],
  ['three entries with the name', ['a', 'b', 'c'].map((each) => person(each, { cn: [each, 'ada'] })), noProof],
  ['an account that the directory has disabled', [person('ada', { userAccountControl: '514' })], noProof],
  ['an account that the directory has locked', [person('ada', { userAccountControl: '528' })], noProof],
  ['the address of another user', [person('ada', { mail: 'admin@example.com' })], notYours],
])('%s opens no session', async (_, entries, [status, code]) => {
  await directory.load(entries)
  const answer = await logIn('corp', 'ada')
  expect([answer.status, answer.body]).toMatchObject([status, { error: { code } }])
  expect(await world.rows('select id from platform_sessions')).toEqual([])
})

test.each<readonly [login: Login, reason: string]>([
  [['corp', 'nobody'], `invalid-credentials: No entry of "${people}" has the name in USER_ATTRIBUTE, "cn"`],
  [['corp', 'double'], `invalid-credentials: More than one entry of "${people}" has the name in USER_ATTRIBUTE, "cn"`],
  [['corp', 'ada', 'wrong'], 'invalid-credentials: The directory refuses the password, or the account is closed: '],
  [['wrong', 'ada'], 'unavailable: The directory refuses BIND_DN with BIND_PASSWORD: '],
])('the log names the cause of a refusal (%s)', async (login, reason) => {
  await directory.load([person('ada'), person('double'), person('other', { cn: ['other', 'double'] })])
  const before = world.warnings.length
  expect((await logIn(...login)).status).toBeGreaterThanOrEqual(401)
  expect(world.warnings[before]).toMatchObject({
    provider: login[0],
    reason: expect.stringContaining(reason),
    message: 'A login by a provider failed',
  })
})

test('a user that is suspended here stays so', async () => {
  await logIn('corp', 'ada')
  await world.rows(`update platform_users set status = 'suspended' where provider = 'corp'`)
  expect(await logIn('corp', 'ada')).toMatchObject({ status: 401, body: { error: { code: 'USER_SUSPENDED' } } })
})

test('the request of docs/providers.md logs in by the attribute that its settings name', async () => {
  const guide = readFileSync(new URL('../docs/providers.md', import.meta.url), 'utf8')
  const [, attribute = ''] = /AUTH_DIRECTORY_USER_ATTRIBUTE=(\w+)/.exec(guide) ?? []
  const [, login = '', path = ''] = /-d '(.+)' http:\/\/localhost:8055(\/auth\/login\/directory)/.exec(guide) ?? []
  const { identifier } = JSON.parse(login) as { readonly identifier: string }
  await directory.load([person('Ada Lovelace', { [attribute]: identifier })])
  const body = { identifier, password: 'correct-horse-42' }
  expect((await send(world.url, `POST ${path}`, { body })).status).toBe(200)
  expect(await userOf('Ada Lovelace')).toMatchObject({ provider: 'directory', first_name: 'Ada' })
})
