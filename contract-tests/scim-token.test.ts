/** SCIM in the current generation: a token that gives rights for SCIM alone, and what happens to deactivated users. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ids } from '../src/clock-and-ids.ts'
import { setScimToken } from '../src/core/server/provision.ts'
import { seedIds } from '../src/domain/schema/identity.ts'
import { findProviderUser } from '../src/sql/statements/accounts/provider-logins.ts'
import { hashToken } from '../src/tokens/opaque.ts'
import { hashPassword } from '../src/tokens/password.ts'
import { openSocket } from './live-socket.ts'
import { type OwnDatabase, openOwnDatabase, secret } from './own-database.ts'

let own: OwnDatabase
const token = 'scim-token-of-this-test'
const role = '11111111-1111-4111-8111-111111111111'
const policy = '22222222-2222-4222-8222-222222222222'

beforeAll(async () => {
  own = await openOwnDatabase('create table notes (id integer primary key, text varchar(50))', {
    WEBSOCKETS_ENABLED: 'true',
    LOGIN_STALL_TIME: '0ms',
    RATE_LIMITER_LOGIN_ENABLED: 'false',
    HASH_MEMORY_COST: '8',
    HASH_TIME_COST: '1',
    HASH_PARALLELISM: '1',
  })
  await setScimToken(own.db, ids, hashToken(token, secret))
  await own.rows(`insert into platform_roles (id, name) values ($1, 'Editors')`, [role])
  await own.rows(`insert into platform_policies (id, name) values ($1, 'Notes')`, [policy])
  await own.rows(`insert into platform_access (id, role, policy) values (gen_random_uuid(), $1, $2)`, [role, policy])
  const text = `insert into platform_permissions (policy, collection, action, fields) values ($1, 'notes', 'read', '*')`
  await own.rows(text, [policy])
  await own.app.refresh()
})
afterAll(() => own.close())

const scim = (request: string, body?: unknown, as: string | null = token) =>
  own.ask(request, {
    token: as,
    ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/scim+json' } }),
  })

const deactivate = { Operations: [{ op: 'Replace', path: 'active', value: 'False' }] }

const createUser = async (userName: string): Promise<string> => {
  const { status, body } = await scim('POST /scim/v2/Users', {
    userName,
    externalId: `id-of-${userName}`,
    active: true,
  })
  expect([status, body]).toMatchObject([201, { id: `id-of-${userName}`, userName, active: true }])
  return (body as { readonly id: string }).id
}

/** How the guide finds a user. */
const guide = readFileSync(new URL('../docs/scim.md', import.meta.url), 'utf8')
const [, request = ''] = /Bearer \$SCIM_TOKEN" 'http:\/\/localhost:8055(\S+)'/.exec(guide) ?? []

test('a token for SCIM creates, finds, changes and deletes users', async () => {
  const id = await createUser('ann@example.com')
  const { body, status } = await scim(`GET ${request}`)
  expect([status, body]).toMatchObject([200, { totalResults: 1, startIndex: 1, itemsPerPage: 1, Resources: [{ id }] }])
  const changed = await scim(`PATCH /scim/v2/Users/${id}`, {
    Operations: [{ op: 'replace', path: 'name.givenName', value: 'Ann' }],
  })
  expect([changed.status, changed.body]).toMatchObject([200, { name: { givenName: 'Ann' } }])
  const { meta } = changed.body as { readonly meta: { readonly location: string } }
  expect(meta.location).toBe(`${own.url}/scim/v2/Users/${encodeURIComponent(id)}`)
  expect((await scim(`DELETE /scim/v2/Users/${id}`)).status).toBe(204)
  expect((await scim(`GET /scim/v2/Users/${id}`)).status).toBe(404)
})

test('it gives a role with rights that the token does not have, and takes it', async () => {
  const id = await createUser('bob@example.com')
  const add = { Operations: [{ op: 'Add', path: 'members', value: [{ value: id }] }] }
  const { status, body } = await scim(`PATCH /scim/v2/Groups/${role}`, add)
  expect([status, body]).toMatchObject([200, { displayName: 'Editors', members: [{ value: id }] }])
  const remove = { Operations: [{ op: 'Remove', path: `members[value eq "${id}"]` }] }
  expect((await scim(`PATCH /scim/v2/Groups/${role}`, remove)).body).toMatchObject({ displayName: 'Editors' })
  expect(await own.rows('select role from platform_users where external_identifier = $1', [id])).toEqual([
    { role: null },
  ])
  const made = await scim('POST /scim/v2/Groups', {
    displayName: 'Staff',
    externalId: 'staff',
    members: [{ value: id }],
  })
  expect([made.status, made.body]).toMatchObject([201, { id: 'staff', members: [{ value: id }] }])
  expect((await scim('DELETE /scim/v2/Groups/staff')).status).toBe(204)
})

/** Another administrator than the last one, who is protected anyway. */
const addAdministrator = async (): Promise<string> => {
  const id = crypto.randomUUID()
  const text = `insert into platform_users (id, email, status, role) values ($1, 'chief@example.com', 'active', $2)`
  await own.rows(text, [id, seedIds.administratorRole])
  return id
}

test('administrators are out of its reach', async () => {
  const admin = await addAdministrator()
  const id = await createUser('eve@example.com')
  const attempts = [
    scim(`PATCH /scim/v2/Users/${admin}`, deactivate),
    scim(`PATCH /scim/v2/Users/${admin}`, {
      Operations: [{ op: 'replace', path: 'userName', value: 'me@example.com' }],
    }),
    scim(`PATCH /scim/v2/Users/${admin}`, { Operations: [{ op: 'replace', path: 'externalId', value: 'mine' }] }),
    scim(`DELETE /scim/v2/Users/${admin}`),
    scim(`PATCH /scim/v2/Groups/${seedIds.administratorRole}`, {
      Operations: [{ op: 'add', path: 'members', value: [{ value: id }] }],
    }),
  ]
  expect((await Promise.all(attempts)).map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
  const text = 'select role, status, external_identifier, email from platform_users where id = $1'
  expect(await own.rows(text, [admin])).toMatchObject([{ status: 'active', email: 'chief@example.com' }])
  expect(await own.rows('select role from platform_users where external_identifier = $1', [id])).toEqual([
    { role: null },
  ])
})

test.each([
  ['GET /users', 403],
  ['GET /roles', 403],
  ['GET /items/notes', 403],
  ['GET /settings', 403],
  ['GET /_/scim/v2/Users', 403],
  ['DELETE /roles/11111111-1111-4111-8111-111111111111', 403],
])('it gives no other right: %s', async (request, expected) => {
  expect((await own.ask(request, { token })).status).toBe(expected)
})

test('other users have their own rights there, and nobody else has any', async () => {
  expect((await scim('GET /scim/v2/Users', undefined, own.adminToken)).status).toBe(200)
  const reader = await own.addUser([{ collection: 'platform_users', action: 'read', fields: 'id,email' }])
  expect((await scim('GET /scim/v2/Users', undefined, reader)).status).toBe(200)
  expect((await scim('POST /scim/v2/Users', { userName: 'x@example.com' }, reader)).status).toBe(403)
  expect((await scim('GET /scim/v2/Users', undefined, null)).status).toBe(403)
  expect((await scim('GET /scim/v2/Users', undefined, 'another-token-of-nobody')).status).toBe(401)
})

test('only administrators can make a user one that stands for an identity provider', async () => {
  const writer = await own.addUser([
    { collection: 'platform_users', action: 'create' },
    { collection: 'platform_users', action: 'update' },
  ])
  const body = { email: 'mallory@example.com', provider: 'scim', token: 'a-token-that-mallory-chose' }
  expect((await own.ask('POST /users', { token: writer, body })).status).toBe(403)
})

test('a new token replaces the earlier one', async () => {
  await setScimToken(own.db, ids, hashToken('another-scim-token', secret))
  await own.app.refresh()
  expect((await scim('GET /scim/v2/Users?count=0')).status).toBe(401)
  expect((await scim('GET /scim/v2/Users?count=0', undefined, 'another-scim-token')).status).toBe(200)
  await setScimToken(own.db, ids, hashToken(token, secret))
  await own.app.refresh()
})

const connect = async (url: string, access_token: string) => {
  const socket = await openSocket(`${url}/websocket`)
  socket.send({ type: 'auth', access_token })
  expect(await socket.next()).toMatchObject({ type: 'auth', status: 'ok' })
  return socket
}

test('a deactivated user loses sessions, tokens and live connections, on all replicas', async () => {
  const id = await createUser('cyd@example.com')
  const password = await hashPassword('correct-horse-42', { memory: 8, passes: 1, parallelism: 1, length: 16 })
  const text = 'update platform_users set password = $1, token = $2, role = $4 where external_identifier = $3'
  await own.rows(text, [password, hashToken('static-token-of-cyd', secret), id, role])
  const replica = await own.openReplica()
  const credentials = { email: 'cyd@example.com', password: 'correct-horse-42' }
  const login = async (ask: OwnDatabase['ask']) => {
    const { body } = await ask('POST /auth/login', { token: null, body: credentials })
    return (body as { readonly data: { readonly access_token: string; readonly refresh_token: string } }).data
  }
  const here = await login(own.ask)
  const there = await login(replica.ask)
  const sockets = [
    await connect(own.url, here.access_token),
    await connect(replica.url, there.access_token),
    await connect(replica.url, 'static-token-of-cyd'),
  ]
  for (const token of [there.access_token, 'static-token-of-cyd'])
    expect((await replica.ask('GET /items/notes', { token })).status).toBe(200)
  expect((await scim(`PATCH /scim/v2/Users/${id}`, deactivate)).status).toBe(200)
  expect((await Promise.all(sockets.map(({ ended }) => ended))).map(({ code }) => code)).toEqual([1008, 1008, 1008])
  const after = await Promise.all(
    [here.access_token, there.access_token, 'static-token-of-cyd'].flatMap((token) =>
      [own.ask, replica.ask].map(async (ask) => (await ask('GET /items/notes', { token })).status),
    ),
  )
  expect(after).toEqual([401, 401, 401, 401, 401, 401])
  const renewed = await replica.ask('POST /auth/refresh', { token: null, body: { refresh_token: there.refresh_token } })
  expect(renewed.status).toBe(401)
  expect((await replica.ask('POST /auth/login', { token: null, body: credentials })).status).toBe(401)
})

test('the key of a person at a login provider is no id: it names the user of no provider, and its own by the uuid', async () => {
  const shared = 'shared-key'
  const uuid = '7c0e2a52-9d1b-4d7e-8f3c-3c5d5e6f7a81'
  await own.rows(
    `insert into platform_users (id, email, provider, external_identifier)
      values ($1, 'of-keycloak@example.com', 'keycloak', $2)`,
    [uuid, shared],
  )
  expect((await scim(`GET /scim/v2/Users/${shared}`)).status).toBe(404)
  expect((await scim(`GET /scim/v2/Users/${uuid}`)).body).toMatchObject({ id: uuid, externalId: shared })
  const made = await scim('POST /scim/v2/Users', { userName: 'own@example.com', externalId: shared, active: true })
  expect([made.status, made.body]).toMatchObject([201, { id: shared, userName: 'own@example.com' }])
  expect((await scim(`GET /scim/v2/Users/${shared}`)).body).toMatchObject({ userName: 'own@example.com' })
  const found = await scim(`GET /scim/v2/Users?filter=${encodeURIComponent(`id eq "${shared}"`)}`)
  expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ userName: 'own@example.com' }] })
  const add = { Operations: [{ op: 'Add', path: 'members', value: [{ value: shared }] }] }
  await scim(`PATCH /scim/v2/Groups/${role}`, add)
  const text = 'select email, role from platform_users where external_identifier = $1 order by email'
  expect(await own.rows(text, [shared])).toEqual([
    { email: 'of-keycloak@example.com', role: null },
    { email: 'own@example.com', role },
  ])
  await own.rows(`update platform_users set status = 'archived' where id = $1`, [uuid])
  expect((await scim(`DELETE /scim/v2/Users/${shared}`)).status).toBe(204)
  const again = await scim('POST /scim/v2/Users', { userName: 'new@example.com', externalId: shared, active: true })
  expect([again.status, again.body]).toMatchObject([201, { id: shared }])
  expect(await own.rows(text, [shared])).toMatchObject([
    { email: 'new@example.com' },
    { email: 'of-keycloak@example.com' },
  ])
})

const person = (identifier: string) => ({ provider: 'keycloak', identifier, anyCase: false })
const loginOf = async (identifier: string) => (await findProviderUser(own.db, person(identifier)))?.email
const calledBy = (value: string) => ({ Operations: [{ op: 'replace', path: 'externalId', value }] })

describe.each(['/scim/v2', '/_/scim/v2'])('a user of a login provider at %s', (base) => {
  const name = base === '/scim/v2' ? 'current' : 'legacy'
  const email = `${name}@example.com`
  const as = () => (name === 'current' ? token : own.adminToken)
  const send = async (request: string, body?: unknown) => {
    const answer = await scim(request, body, as())
    return { status: answer.status, body: answer.body as { readonly [name: string]: unknown } }
  }

  test('keeps its login, whatever SCIM calls it', async () => {
    const text = `insert into platform_users (id, email, provider, external_identifier, status)
      values (gen_random_uuid(), $1, 'keycloak', $2, 'active')`
    await own.rows(text, [email, `sub-of-${name}`])
    const filter = encodeURIComponent(`userName eq "${email}"`)
    const { body } = await send(`GET ${base}/Users?filter=${filter}`)
    const [found] = body['Resources'] as readonly { readonly id: string; readonly externalId: string }[]
    expect(found?.externalId).toBe(`sub-of-${name}`)
    const path = `${base}/Users/${found?.id}`
    expect(await send(`PATCH ${path}`, calledBy(`entra-${name}`))).toMatchObject({
      status: 200,
      body: { id: found?.id, externalId: `entra-${name}` },
    })
    const replaced = { userName: email, externalId: `okta-${name}`, active: true }
    expect(await send(`PUT ${path}`, replaced)).toMatchObject({ status: 200, body: { externalId: `okta-${name}` } })
    expect(await loginOf(`sub-of-${name}`)).toBe(email)
    const byExternal = await send(`GET ${base}/Users?filter=${encodeURIComponent(`externalId eq "okta-${name}"`)}`)
    expect(byExternal.body['totalResults']).toBe(1)
  })

  test('is nobody else at its provider, whose key SCIM happens to use', async () => {
    for (const identifier of [`entra-${name}`, `okta-${name}`]) expect(await loginOf(identifier)).toBeUndefined()
  })

  test('has no login left when SCIM creates it again', async () => {
    const [user] = await own.rows('select id from platform_users where email = $1', [email])
    expect((await send(`DELETE ${base}/Users/${String(user?.['id'])}`)).status).toBe(204)
    const { status } = await send(`POST ${base}/Users`, { userName: email, active: true })
    expect([status, await loginOf(`sub-of-${name}`)]).toEqual([201, undefined])
    expect(await own.rows('select provider from platform_users where email = $1', [email])).toEqual([
      { provider: 'default' },
    ])
  })
})
