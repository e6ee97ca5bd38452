/** What callers with few rights find out about users and groups. */
import { afterAll, describe, expect, test } from 'vitest'
import { createTestServer, tokens } from '../testing/test-server.ts'

const reader = '44444444-4444-4444-8444-444444444444'
const writer = '44444444-4444-4444-8444-444444444445'
const [readers, writers] = ['55555555-5555-4555-8555-555555555555', '55555555-5555-4555-8555-555555555556']
const [seen, hidden] = ['77777777-7777-4777-8777-777777777771', '77777777-7777-4777-8777-777777777772']
const [group, other] = ['88888888-8888-4888-8888-888888888881', '88888888-8888-4888-8888-888888888882']
const server = await createTestServer()
const run = (text: string) => server.db.run({ text, values: [] })
await run(`insert into platform_roles (id, name) values ('${group}', 'Crew'), ('${other}', 'Others')`)
await run(`insert into platform_users (id, email, title, status, role) values
    ('${seen}', 'seen@example.com', 'Chief', 'active', '${group}'),
    ('${hidden}', 'hidden@example.com', 'Chief', 'active', '${group}')`)
// The reader sees one other user without the title, and changes only itself. The writer changes that user unread.
await run(`insert into platform_permissions (policy, collection, action, permissions, fields) values
    ('${readers}', 'platform_users', 'read', '{"id":{"_in":["${reader}","${seen}"]}}', 'id,external_identifier,first_name'),
    ('${readers}', 'platform_users', 'update', '{"id":{"_eq":"$CURRENT_USER"}}', '*'),
    ('${readers}', 'platform_roles', 'read', null, 'id,name'),
    ('${readers}', 'platform_roles', 'update', '{"id":{"_eq":"${group}"}}', 'name'),
    ('${writers}', 'platform_users', 'update', '{"id":{"_eq":"${seen}"}}', 'title')`)
afterAll(() => server.close())

const headers = { 'content-type': 'application/scim+json' }

const statusOf = async (request: string, body: object, token: string): Promise<number> =>
  (await server.ask(request.replace(' ', ' /_/scim/v2'), { token, headers, body })).status

const operations = (...list: readonly object[]) => ({ Operations: list })

const guesses: readonly (readonly [string, object, object])[] = [
  ['the title', operations({ op: 'replace', path: 'title', value: 'Chief' }), { title: 'Nobody' }],
  [
    'a value in brackets',
    operations({ op: 'replace', path: 'emails[value eq "hidden@example.com"].type', value: 'work' }),
    operations({ op: 'replace', path: 'emails[value eq "nobody@example.com"].type', value: 'work' }),
  ],
  ['the status', operations({ op: 'replace', path: 'active', value: true }), { active: false }],
  ['the address', { userName: 'hidden@example.com' }, { userName: 'nobody@example.com' }],
]

describe('a user that the caller may not read is missing', () => {
  test.each(guesses)('whatever PATCH says of %s', async (_, right, wrong) => {
    for (const token of [tokens.reader, tokens.writer]) {
      expect([
        await statusOf(`PATCH /Users/${hidden}`, right, token),
        await statusOf(`PATCH /Users/${hidden}`, wrong, token),
      ]).toEqual([404, 404])
    }
  })

  test('whatever PUT says', async () => {
    for (const userName of ['hidden@example.com', 'nobody@example.com']) {
      expect(await statusOf(`PUT /Users/${hidden}`, { userName, title: 'Chief' }, tokens.reader)).toBe(404)
    }
  })

  test('for DELETE', async () => {
    expect((await server.ask(`DELETE /_/scim/v2/Users/${hidden}`, { token: tokens.reader })).status).toBe(404)
  })
})

test.each(['Chief', 'Nobody'])(
  'a column that the caller may not read is not changed, whatever the value (%s)',
  async (title) => {
    expect(await statusOf(`PATCH /Users/${seen}`, { title }, tokens.reader)).toBe(403)
    const change = operations({ op: 'replace', path: 'title', value: title })
    expect(await statusOf(`PATCH /Users/${seen}`, change, tokens.reader)).toBe(403)
  },
)

test('a caller changes what it may change, unread columns included', async () => {
  expect(await statusOf(`PATCH /Users/${reader}`, { title: 'Reader' }, tokens.reader)).toBe(200)
  expect(await statusOf(`PATCH /Users/${seen}`, { title: 'Captain' }, tokens.writer)).toBe(204)
  const { rows } = await server.db.run({
    text: `select title from platform_users where id in ($1, $2) order by title`,
    values: [reader, seen],
  })
  expect(rows).toEqual([{ title: 'Captain' }, { title: 'Reader' }])
})

describe('members whose role the caller may not read', () => {
  test.each([
    ['a member', seen],
    ['a member that is not readable', hidden],
    ['a user of no group', writer],
    ['nobody', '99999999-9999-4999-8999-999999999999'],
  ])('are not removed, and not told from others (%s)', async (_, id) => {
    const removal = operations({ op: 'remove', path: `members[value eq "${id}"]` })
    expect(await statusOf(`PATCH /Groups/${group}`, removal, tokens.reader)).toBe(200)
    const added = operations({ op: 'add', path: 'members', value: [{ value: id }] })
    expect(await statusOf(`PATCH /Groups/${group}`, added, tokens.reader)).toBe(400)
  })

  test('keep their role', async () => {
    expect(await statusOf(`PUT /Groups/${group}`, { displayName: 'Crew', members: [] }, tokens.reader)).toBe(200)
    const { rows } = await server.db.run({
      text: `select count(*)::int as members from platform_users where role = $1`,
      values: [group],
    })
    expect(rows).toEqual([{ members: 2 }])
  })

  test('are not found by address', async () => {
    expect(await statusOf(`PATCH /Groups/${group}`, added('reader@example.com'), tokens.reader)).toBe(400)
    expect(await statusOf(`PATCH /Groups/${group}`, added('hidden@example.com'), tokens.reader)).toBe(400)
  })
})

const added = (value: string) => operations({ op: 'add', path: 'members', value: [{ value }] })

const link = (value: string) => operations({ op: 'add', path: 'externalId', value })

describe('external ids', () => {
  type Shown = { readonly data: { readonly id: number; readonly external_id: string } }

  test('of users and roles that the API makes are uuids, and their ids in SCIM', async () => {
    for (const [path, body, kind] of [
      ['users', { email: 'fresh@example.com', password: 'correct-horse-42', role: 1, status: 'active' }, 'Users'],
      ['roles', { name: 'Fresh' }, 'Groups'],
    ] as const) {
      const made = (await server.ask(`POST /_/${path}`, { body })).body as Shown
      const { external_id: id } = made.data
      expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
      expect((await server.ask(`GET /_/scim/v2/${kind}/${id}`)).body).toMatchObject({ id, externalId: id })
      const filter = encodeURIComponent(`id eq "${id}"`)
      expect((await server.ask(`GET /_/scim/v2/${kind}?filter=${filter}`)).body).toMatchObject({
        totalResults: 1,
        Resources: [{ id }],
      })
      expect((await server.ask(`GET /_/${path}?filter[external_id][eq]=${id}&single=1`)).body).toMatchObject({
        data: { id: made.data.id },
      })
    }
  })

  test('that the caller sends are kept', async () => {
    const body = {
      email: 'own@example.com',
      password: 'correct-horse-42',
      role: 1,
      status: 'active',
      external_id: 'own-1',
    }
    expect((await server.ask('POST /_/users', { body })).body).toMatchObject({ data: { external_id: 'own-1' } })
    expect((await server.ask('GET /_/scim/v2/Users/own-1')).body).toMatchObject({
      id: 'own-1',
      userName: 'own@example.com',
    })
  })

  test('are given once by an identity provider, in the place of the uuid', async () => {
    expect(await statusOf(`PATCH /Users/${hidden}`, link('entra-1'), tokens.admin)).toBe(200)
    expect(await statusOf('PATCH /Users/entra-1', link('entra-2'), tokens.admin)).toBe(400)
    expect((await server.ask('GET /_/scim/v2/Users/entra-1')).body).toMatchObject({
      id: 'entra-1',
      userName: 'hidden@example.com',
    })
  })
})
