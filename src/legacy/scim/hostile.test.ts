/** Filters, patches and callers that mean no good. */
import { afterAll, expect, test } from 'vitest'
import { groupAttributes, ofNoProvider, userAttributes } from '../../scim/attributes.ts'
import { ScimError } from '../../scim/errors.ts'
import { parseScimFilter } from '../../scim/filter.ts'
import { applyOperations } from '../../scim/patch.ts'
import { createTestServer, tokens } from '../testing/test-server.ts'

const server = await createTestServer()
afterAll(() => server.close())

const media = { 'content-type': 'application/scim+json' }
const users = '/_/scim/v2/Users'

function failureOf(call: () => unknown): ScimError {
  try {
    call()
  } catch (error) {
    if (error instanceof ScimError) return error
    throw error
  }
  throw new Error('Nothing was thrown')
}

const million = 1_000_000

/** What the library would spend much time or stack on. */
const endlessFilters: readonly (readonly [string, string])[] = [
  ['a megabyte', `userName eq "${'a'.repeat(million)}"`],
  ['a megabyte of brackets', '('.repeat(million)],
  ['nested brackets', `${'('.repeat(1500)}userName pr${')'.repeat(1500)}`],
  ['repeated negations', `${'not '.repeat(900)}userName pr`],
  ['line breaks without an end', `userName eq "${'\n'.repeat(60)}`],
  ['nested values', `${'emails['.repeat(400)}value pr${']'.repeat(400)}`],
]

test.each(endlessFilters)('a filter with %s is refused before the library reads it', (_, filter) => {
  const { failures } = failureOf(() => parseScimFilter(filter, userAttributes(ofNoProvider)))
  // What the library refuses has another reason.
  expect(failures).toMatchObject([{ reason: expect.stringMatching(/^Expected (at most|no control)/) }])
})

const hostileFilters: readonly (readonly [string, string])[] = [
  ['backslashes without an end', `userName eq "${'\\'.repeat(3900)}`],
  ['many comparisons', Array.from({ length: 300 }, () => 'userName pr').join(' or ')],
  ['no operator', 'userName'],
  ['an unknown operator', 'userName like "x"'],
  ['an unknown attribute', 'password sw "$argon2"'],
  ['a name of objects', 'constructor eq "x"'],
  ['a name of prototypes', '__proto__ pr'],
  ['an order of texts', 'userName gt "a"'],
  ['a number for a text', 'userName eq 5'],
  ...['ne "a"', 'co "a"', 'sw "a"', 'ew "a"', 'pr', 'gt "a"', 'le "a"'].map(
    (rest) => [`the operator ${rest}`, `userName ${rest}`] as const,
  ),
  ['a negation', 'not (userName eq "a")'],
  ['another operator in brackets', 'emails[value sw "a"]'],
  ['another operator behind one that is taken', 'active eq true or userName pr'],
  ['SQL', `userName eq "x" or 1=1 --`],
  ['nothing', ' '],
]

test.each(hostileFilters)('a filter with %s is refused', (_, filter) => {
  expect(failureOf(() => parseScimFilter(filter, userAttributes(ofNoProvider))).scimType).toBe('invalidFilter')
})

test('every attribute of a filter takes eq, whatever its case', () => {
  for (const table of [userAttributes(ofNoProvider), groupAttributes(ofNoProvider)]) {
    for (const name of Object.keys(table)) {
      const value = name === 'active' || name.endsWith('primary') ? 'true' : '"x"'
      expect(() => parseScimFilter(`${name.toUpperCase()} EQ ${value}`, table)).not.toThrow()
    }
  }
})

test('quotes in a filter stay a value', async () => {
  const filter = `userName eq "x' or '1'='1" or title eq "\\"; drop table platform_users; --"`
  const { status, body } = await server.ask(`GET ${users}?filter=${encodeURIComponent(filter)}`)
  expect([status, body]).toMatchObject([200, { totalResults: 0 }])
})

const hostilePatches: readonly (readonly [string, object, string])[] = [
  ['the prototype as path', { op: 'add', path: '__proto__.polluted', value: 'yes' }, 'invalidPath'],
  ['the constructor as path', { op: 'add', path: 'constructor.prototype.polluted', value: 'yes' }, 'invalidPath'],
  ['the prototype as name', { op: 'add', value: { '__proto__.polluted': 'yes' } }, 'invalidPath'],
  ['the constructor as name', { op: 'add', value: { 'constructor.prototype.polluted': 'yes' } }, 'invalidPath'],
  ['a nested name', { op: 'add', path: 'name', value: { 'constructor.prototype.polluted': 'yes' } }, 'invalidPath'],
  ['line breaks', { op: 'add', path: `emails[value eq "${'\n'.repeat(60)}].value`, value: 'x' }, 'invalidPath'],
  ['brackets', { op: 'remove', path: `emails[${'('.repeat(900)}]` }, 'invalidPath'],
  ['no filter', { op: 'remove', path: 'emails[' }, 'invalidPath'],
  ['a prefix', { op: 'replace', path: 'emails[value sw "a"].value', value: 'x' }, 'invalidPath'],
  ['a presence', { op: 'replace', path: 'emails[value pr].value', value: 'x' }, 'invalidPath'],
  ['a negation', { op: 'replace', path: 'emails[not (value eq "a")].value', value: 'x' }, 'invalidPath'],
  ['no match', { op: 'replace', path: 'emails[type eq "home"]', value: { value: 'x' } }, 'noTarget'],
  ['no path to remove', { op: 'remove' }, 'noTarget'],
  ['no value to add', { op: 'add', path: 'title' }, 'invalidValue'],
  ['neither path nor object', { op: 'add', value: 'x' }, 'invalidValue'],
]

test.each(hostilePatches)('a patch with %s is refused', (_, operation, scimType) => {
  const draft = { title: 'Author', emails: [{ value: 'ann@example.com', type: 'work' }] }
  expect(failureOf(() => applyOperations(draft, [operation as never], [])).scimType).toBe(scimType)
  expect({}).not.toHaveProperty('polluted')
  expect(draft).toEqual({ title: 'Author', emails: [{ value: 'ann@example.com', type: 'work' }] })
})

const wrongBodies: readonly (readonly [string, string, object, string])[] = [
  ['POST', '', { userName: 'nobody' }, 'invalidValue'],
  ['POST', '', { userName: 'new@example.com', active: 'perhaps' }, 'invalidValue'],
  ['POST', '', { externalId: 'x' }, 'invalidValue'],
  ['PATCH', '/u-1', { Operations: [{ op: 'replace', path: 'title', value: { a: 1 } }] }, 'invalidValue'],
  ['PATCH', '/u-1', { Operations: [{ op: 'move', path: 'title' }] }, 'invalidValue'],
  [
    'PATCH',
    '/u-1',
    { Operations: [{ op: 'replace', path: 'emails', value: [{ value: 'no address' }] }] },
    'invalidValue',
  ],
  ['PATCH', '/u-1', { Operations: [{ op: 'replace', path: 'title', value: 'x'.repeat(300) }] }, 'invalidValue'],
  ['PATCH', '/u-1', { Operations: [{ op: 'replace', path: 'title', value: 'a\u0000b' }] }, 'invalidValue'],
]

test.each(wrongBodies)('%s %s with %j is refused', async (method, path, body, scimType) => {
  await server.ask(`POST ${users}`, { headers: media, body: { userName: 'one@example.com', externalId: 'u-1' } })
  const answer = await server.ask(`${method} ${users}${path}`, { headers: media, body })
  expect([answer.status, answer.body]).toMatchObject([400, { status: '400', scimType }])
})

test('members that do not exist undo the whole change', async () => {
  const groups = '/_/scim/v2/Groups'
  const made = { displayName: 'New', externalId: 'g-1', members: [{ value: 'nobody' }] }
  const refused = await server.ask(`POST ${groups}`, { headers: media, body: made })
  expect([refused.status, refused.body]).toMatchObject([400, { scimType: 'invalidValue' }])
  expect((await server.ask(`GET ${groups}/g-1`)).status).toBe(404)
  await server.ask(`POST ${groups}`, { headers: media, body: { ...made, members: [] } })
  const body = {
    Operations: [
      { op: 'replace', path: 'displayName', value: 'Renamed' },
      { op: 'add', path: 'members', value: [{ value: 'a\u0000b' }] },
    ],
  }
  expect((await server.ask(`PATCH ${groups}/g-1`, { headers: media, body })).body).toMatchObject({
    scimType: 'invalidValue',
  })
  expect((await server.ask(`GET ${groups}/g-1`)).body).toMatchObject({ displayName: 'New', members: [] })
})

test('the fixed roles stay, and so does the last administrator', async () => {
  const { body } = await server.ask('GET /_/scim/v2/Groups?filter=displayName%20eq%20%22Administrator%22')
  const [role] = (body as { readonly Resources: readonly { readonly id: string }[] }).Resources
  expect((await server.ask(`DELETE /_/scim/v2/Groups/${role?.id}`)).status).toBe(403)
  const empty = { Operations: [{ op: 'remove', path: 'members' }] }
  const answer = await server.ask(`PATCH /_/scim/v2/Groups/${role?.id}`, { headers: media, body: empty })
  expect([answer.status, answer.body]).toMatchObject([403, { status: '403' }])
})

test('others than administrators get what their rights allow, with errors of SCIM', async () => {
  const denied = await server.ask(`GET ${users}`, { token: tokens.reader })
  expect([denied.status, denied.headers.get('content-type')]).toEqual([403, 'application/scim+json'])
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:Error']
  expect((await server.ask(`GET ${users}`, { token: null })).body).toEqual({
    schemas,
    status: '401',
    detail: 'Unauthorized request',
  })
  expect((await server.ask('GET /_/scim/v2/Schemas', { token: null })).status).toBe(401)
  expect((await server.ask('GET /_/scim/v2/Schemas', { token: tokens.reader })).status).toBe(403)
  expect((await server.ask('GET /_/scim/v2/Nothing')).body).toMatchObject({ schemas, status: '404' })
  expect((await server.ask('DELETE /_/scim/v2/Users')).body).toMatchObject({ schemas, status: '405' })
  const policy = '55555555-5555-4555-8555-555555555555'
  const text = `insert into platform_permissions (policy, collection, action, permissions, fields)
    values ('${policy}', 'platform_users', 'read', '{"email":{"_starts_with":"reader"}}', 'id,email')`
  await server.db.run({ text, values: [] })
  await server.ask('PATCH /_/users/1', { body: { title: 'Chief' } })
  const own = await server.ask(`GET ${users}`, { token: tokens.reader })
  const found = (own.body as { readonly Resources: readonly object[] }).Resources
  expect(found.map((each) => Object.keys(each))).toEqual([
    ['schemas', 'id', 'userName', 'name', 'displayName', 'emails', 'meta'],
  ])
  expect((await server.ask('GET /_/scim/v2/Schemas', { token: tokens.reader })).status).toBe(200)
  const filter = encodeURIComponent('name.givenName eq "ann"')
  const guess = await server.ask(`GET ${users}?filter=${filter}`, { token: tokens.reader })
  expect([guess.status, guess.body]).toMatchObject([403, { status: '403' }])
  const change = { Operations: [{ op: 'replace', path: 'active', value: false }] }
  const write = await server.ask(`PATCH ${users}/u-1`, { token: tokens.reader, headers: media, body: change })
  expect(write.status).toBe(403)
})
