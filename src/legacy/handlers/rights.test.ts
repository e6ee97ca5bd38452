import { afterAll, describe, expect, test } from 'vitest'
import { textFor } from '../../sql/testing/test-database.ts'
import { createTestServer, tokens } from '../testing/test-server.ts'

const server = await createTestServer()
afterAll(() => server.close())

const dataOf = async (request: string, body?: unknown): Promise<never> => {
  const { status, body: answer } = await server.ask(request, body === undefined ? {} : { body })
  expect(status, JSON.stringify(answer)).toBe(200)
  return (answer as { readonly data: unknown }).data as never
}

describe('roles', () => {
  test('are stored and returned with the names of this generation, and start with the application permissions', async () => {
    const made = await dataOf('POST /_/roles', { name: 'Editors', ip_whitelist: ['10.0.0.1'], enforce_2fa: true })
    expect(made).toEqual({
      id: 3,
      name: 'Editors',
      description: null,
      ip_whitelist: ['10.0.0.1'],
      nav_blacklist: null,
      external_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      module_listing: null,
      collection_listing: null,
      enforce_2fa: true,
    })
    const levels = await dataOf('GET /_/permissions?filter[role][eq]=3&filter[collection][eq]=platform_presets')
    expect(levels).toEqual([
      {
        id: 2,
        collection: 'platform_collection_presets',
        role: 3,
        status: null,
        create: 'full',
        read: 'full',
        update: 'mine',
        delete: 'mine',
        comment: 'none',
        explain: 'none',
        read_field_blacklist: [],
        write_field_blacklist: [],
        status_blacklist: [],
      },
    ])
    expect(await dataOf('PATCH /_/roles/3?fields=id,name', { id: 3, name: 'Writers' })).toEqual({
      id: 3,
      name: 'Writers',
    })
    expect((await server.ask('PATCH /_/roles/3', { body: { id: 4 } })).body).toMatchObject({ error: { code: 12 } })
    expect((await server.ask('DELETE /_/roles/2')).body).toMatchObject({ error: { code: 3 } })
    expect((await server.ask('DELETE /_/roles/3')).status).toBe(204)
    expect(await dataOf('GET /_/permissions?filter[role][eq]=3')).toEqual([])
  })
})

describe('records of version 7', () => {
  test('roles keep what their navigation leaves out', async () => {
    const path = 'POST /_/roles?fields=name,nav_blacklist'
    const made = { name: 'Readers', nav_blacklist: 'articles,authors' }
    expect(await dataOf(path, made)).toEqual(made)
  })

  test('a user with a role has a row for it, which is reached through relations and filters', async () => {
    const given = { email: 'held@example.com', password: 'correct-horse-42', role: 1, status: 'active' }
    const { id } = (await dataOf('POST /_/users', given)) as { readonly id: number }
    const row = { id, user: id, role: 1 }
    expect(await dataOf(`GET /_/user_roles/${id}`)).toEqual(row)
    expect(await dataOf('GET /_/user_roles?filter[user.email][eq]=held@example.com')).toEqual([row])
    expect(await dataOf(`GET /_/user_roles?fields=user.email,role.name&filter[user]=${id}`)).toEqual([
      { user: { email: given.email }, role: { name: 'Administrator' } },
    ])
    await dataOf(`PATCH /_/users/${id}`, { role: null })
    expect((await server.ask(`GET /_/user_roles/${id}`)).body).toMatchObject({ error: { code: 203 } })
    expect(await dataOf(`GET /_/user_roles?filter[user]=${id}`)).toEqual([])
  })

  test('seen entries of the activity are read, by those who may', async () => {
    const statements = [
      `insert into platform_activity (id, action, collection, item) values (9071, 'update', 'tags', '1')`,
      `insert into platform_activity_seen (id, activity, "user", seen_on)
        select 5, 9071, id, '2019-03-01T08:00:00Z' from platform_users where number = 1`,
    ]
    for (const text of statements) await server.db.run({ text: textFor(server.db, text), values: [] })
    const row = { id: 5, activity: 9071, user: 1, seen_on: '2019-03-01T08:00:00+00:00', archived: false }
    expect(await dataOf('GET /_/activity_seen')).toEqual([row])
    expect(await dataOf('GET /_/activity_seen/5?fields=activity.item,user')).toEqual({
      activity: { item: '1' },
      user: 1,
    })
    for (const path of ['GET /_/activity_seen', 'GET /_/user_roles/1']) {
      const { status, body } = await server.ask(path, { token: tokens.reader })
      expect([status, body]).toMatchObject([403, { error: { code: 300 } }])
    }
  })
})

const claimsOf = (token: string): unknown => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

describe('users', () => {
  test('are created with a role number, and never show a password', async () => {
    const made = (await dataOf('POST /_/users', {
      email: 'New@example.com',
      password: 'correct-horse-42',
      role: 2,
      status: 'draft',
    })) as { readonly id: number }
    expect(made).toMatchObject({ email: 'new@example.com', role: 2, status: 'draft', token: null })
    expect(Object.keys(made)).not.toContain('password')
    expect(await dataOf(`PATCH /_/users/${made.id}?fields=status,role`, { status: 'deleted', role: null })).toEqual({
      status: 'deleted',
      role: null,
    })
    const { rows } = await server.db.run({
      text: `select status from platform_users where email = 'new@example.com'`,
      values: [],
    })
    expect(rows).toEqual([{ status: 'archived' }])
    expect((await server.ask(`DELETE /_/users/${made.id}`)).status).toBe(204)
  })

  test('read themselves, and save their last page', async () => {
    expect(await dataOf('GET /_/users/me?fields=id,email,role.name')).toEqual({
      id: 1,
      email: 'admin@example.com',
      role: { name: 'Administrator' },
    })
    expect(await dataOf('PATCH /_/users/me/tracking/page', { last_page: '/_/files' })).toMatchObject({
      last_page: '/_/files',
    })
    expect((await server.ask('PATCH /_/users/2/tracking/page', { body: { last_page: 'x' } })).status).toBe(403)
    expect((await server.ask('PATCH /_/users/1', { body: { status: 'suspended' } })).body).toMatchObject({
      error: { code: 216 },
    })
    expect((await server.ask('GET /_/users/me', { token: null })).body).toMatchObject({ error: { code: 3 } })
  })

  test('of a new role read and change themselves, and nobody else', async () => {
    const { id: role } = (await dataOf('POST /_/roles', { name: 'Readers' })) as { readonly id: number }
    const account = { email: 'new-reader@example.com', role, status: 'active', token: 'token-of-a-reader' }
    const { id } = (await dataOf('POST /_/users', account)) as { readonly id: number }
    const other = (await dataOf('POST /_/users', { email: 'same-role@example.com', role })) as { readonly id: number }
    const own = { id, email: account.email, status: 'active', role: { id: role }, last_page: null }
    const paths = 'fields=id,email,status,role.id,last_page'
    const read = async (path: string) => (await server.ask(`GET ${path}?${paths}`, { token: account.token })).body
    expect(await read('/_/users/me')).toEqual({ data: own })
    expect(await read('/_/users')).toEqual({ data: [own] })
    expect(await read(`/_/users/${other.id}`)).toMatchObject({ error: { code: 203 } })
    const change = async (who: string, body: object): Promise<unknown> => {
      const answer = await server.ask(`PATCH /_/users/${who}?fields=first_name`, { token: account.token, body })
      const { data, error } = answer.body as { data?: unknown; error?: { code: number } }
      return data ?? error?.code
    }
    expect(await change('me', { first_name: 'Rea', locale: 'de-DE', role })).toEqual({ first_name: 'Rea' })
    expect(await change(String(other.id), { first_name: 'Rea' })).toBe(203)
    expect(await change('me', { role: 1 })).toBe(10)
    expect(await change('me', { external_id: 'another' })).toBe(305)
    expect(await change('me', { status: 'deleted' })).toBe(4)
    const invite = { token: account.token, body: { email: 'friend@example.com' } }
    expect((await server.ask('POST /_/users/invite', invite)).body).toMatchObject({ error: { code: 10 } })
    const ruleless = await server.ask('GET /_/users/me', { token: tokens.reader })
    expect(ruleless.body).toMatchObject({ data: { last_page: null, last_access_on: null, email_notifications: true } })
    await server.ask(`PATCH /_/users/${id}`, { body: { status: 'suspended' } })
    for (const each of [id, other.id]) await server.ask(`DELETE /_/users/${each}`)
  })

  test('with the status deleted are left out, unless they are asked for', async () => {
    const { id } = (await dataOf('POST /_/users', { email: 'gone@example.com' })) as { readonly id: number }
    await dataOf(`PATCH /_/users/${id}`, { status: 'deleted' })
    const ids = async (query: string) =>
      ((await dataOf(`GET /_/users?fields=id${query}`)) as readonly { readonly id: number }[]).map((each) => each.id)
    expect(await ids('')).not.toContain(id)
    expect(await ids('&status=*')).toContain(id)
    expect(await ids('&status=deleted')).toEqual([id])
    expect((await server.ask(`GET /_/users/${id}`)).body).toMatchObject({ error: { code: 203 } })
    const { type, options } = (await dataOf('GET /_/fields/platform_users/status')) as {
      readonly type: string
      readonly options: { readonly status_mapping: { readonly [status: string]: { readonly soft_delete: boolean } } }
    }
    expect([type, options.status_mapping['deleted']?.soft_delete]).toEqual(['status', true])
    expect((await server.ask(`DELETE /_/users/${id}`)).status).toBe(204)
  })

  test('are counted by all of their statuses', async () => {
    const { body } = await server.ask('GET /_/users?meta=status_count&limit=1')
    const { status_count: counts } = (body as { meta: { status_count: Record<string, number> } }).meta
    expect(Object.keys(counts)).toEqual(['draft', 'invited', 'active', 'suspended', 'deleted'])
    expect(counts).toMatchObject({ draft: 0, active: expect.toSatisfy((count) => Number(count) > 0) })
  })

  test('are invited, and accept by the link', async () => {
    const invited = await dataOf('POST /_/users/invite', { email: ['guest@example.com', 'admin@example.com'] })
    expect(invited).toMatchObject([
      { id: 1, status: 'active' },
      { status: 'invited', email: 'guest@example.com', role: null },
    ])
    const [mail] = server.mails
    const token = new URL(mail?.data.url ?? '').searchParams.get('token') ?? ''
    expect(claimsOf(token)).toMatchObject({
      type: 'invitation',
      email: 'guest@example.com',
      sender: 1,
      date: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      exp: expect.any(Number),
    })
    const reset = { token: null, body: { token, password: 'battery staple' } }
    expect((await server.ask('POST /_/auth/password/reset', reset)).body).toMatchObject({ error: { code: 104 } })
    const accepted = await server.ask(`POST /_/users/invite/${token}`, { token: null })
    expect(accepted.body).toMatchObject({ data: { status: 'active', email: 'guest@example.com' }, public: true })
    expect((await server.ask(`POST /_/users/invite/${token}`, { token: null })).body).toMatchObject({
      error: { code: 106 },
    })
  })
})

test.each([
  ['nobody', null, 401],
  ['a user without rights on it', tokens.reader, 403],
] as const)('%s cannot tell collections without rights from missing ones', async (_, token, status) => {
  const askFor = async (name: string) => {
    const answer = await server.ask(`GET /_/permissions/me/${name}`, { token })
    return [answer.status, JSON.stringify(answer.body).replaceAll(name, 'x')]
  }
  const missing = await askFor('nothing_of_this_name')
  expect(missing[0]).toBe(status)
  expect(await askFor('authors')).toEqual(missing)
  expect(await askFor('platform_users')).toEqual(missing)
  expect((await server.ask('GET /_/permissions/me/tags', { token })).status).toBe(200)
})

describe('history', () => {
  test('shows who did what, and keeps deleted comments', async () => {
    await dataOf('PATCH /_/items/articles/1?comment=Typo', { title: 'Changed' })
    const [entry] = (await dataOf(
      'GET /_/activity?filter[collection][eq]=articles&sort=-id&limit=1',
    )) as readonly object[]
    expect(entry).toMatchObject({ action: 'update', action_by: 1, item: '1', comment: 'Typo' })
    const created = (await dataOf('POST /_/activity/comment', {
      collection: 'articles',
      item: 1,
      comment: 'Well said',
    })) as {
      readonly id: number
    }
    expect(created).toMatchObject({ action: 'comment', comment: 'Well said', edited_on: null })
    const changed = (await dataOf(`PATCH /_/activity/comment/${created.id}`, { comment: 'Well put' })) as {
      edited_on: unknown
    }
    expect(changed).toMatchObject({ comment: 'Well put' })
    expect(typeof changed.edited_on).toBe('string')
    expect((await server.ask(`DELETE /_/activity/comment/${created.id}`)).status).toBe(204)
    const activity = (await dataOf(`GET /_/activity/${created.id}?fields=comment_deleted_on`)) as {
      comment_deleted_on: unknown
    }
    expect(typeof activity.comment_deleted_on).toBe('string')
    expect((await server.ask('PATCH /_/activity/comment/1', { body: { comment: 'x' } })).body).toMatchObject({
      error: { code: 203 },
    })
  })

  test('shows revisions of any collection with the names of this generation', async () => {
    await dataOf('PATCH /_/users/me', { locale: 'de-DE' })
    const [last] = (await dataOf('GET /_/revisions?sort=-id&limit=1&fields=id,delta,collection')) as readonly {
      id: number
    }[]
    expect(last).toMatchObject({ collection: 'platform_users', delta: { locale: 'de-DE' } })
    expect(await dataOf(`GET /_/revisions/${last?.id}?fields=delta`)).toEqual({ delta: { locale: 'de-DE' } })
  })
})

describe('tools', () => {
  test.each([
    ['md5', '5d41402abc4b2a76b9719d911017c592'],
    ['sha1', 'aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d'],
    ['sha256', '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'],
  ])('%s is a digest in hex', async (hasher, hash) => {
    expect(await dataOf('POST /_/utils/hash', { string: 'hello', hasher })).toEqual({ hash })
    expect(await dataOf('POST /_/utils/hash/match', { string: 'hello', hasher, hash })).toEqual({ valid: true })
    expect(await dataOf('POST /_/utils/hash/match', { string: 'hallo', hasher, hash })).toEqual({ valid: false })
  })

  test.each(['core', 'bcrypt'])('%s salts each hash and verifies it', async (hasher) => {
    const { hash } = (await dataOf('POST /_/utils/hash', { string: 'hello', hasher })) as { readonly hash: string }
    expect(hash).toMatch(hasher === 'core' ? /^\$argon2id\$/ : /^\$2[aby]\$10\$/)
    expect(await dataOf('POST /_/utils/hash/match', { string: 'hello', hash, hasher })).toEqual({ valid: true })
    expect(await dataOf('POST /_/utils/hash/match', { string: 'other', hash, hasher })).toEqual({ valid: false })
  })

  test('random texts, secrets, types, updates, and denials', async () => {
    const { random } = (await dataOf('POST /_/utils/random/string', { length: 40 })) as { readonly random: string }
    expect(random).toMatch(/^[A-Za-z0-9]{40}$/)
    const secret = (await dataOf('GET /_/utils/2fa_secret')) as { readonly '2fa_secret': string }
    expect(secret['2fa_secret']).toMatch(/^[A-Z2-7]{32}$/)
    expect(((await dataOf('GET /types')) as readonly object[]).slice(0, 2)).toEqual([
      { name: 'alias' },
      { name: 'array' },
    ])
    expect((await server.ask('POST /_/update')).status).toBe(204)
    expect((await server.ask('POST /_/utils/hash', { body: { string: 'a', hasher: 'rot13' } })).body).toMatchObject({
      error: { code: 1000 },
    })
    expect((await server.ask('GET /types', { token: null })).body).toMatchObject({ error: { code: 108 } })
    expect((await server.ask('POST /_/utils/hash', { token: null, body: { string: 'a' } })).status).toBe(401)
  })
})

test('users that the caller may not read are not shown to whoever invites them', async () => {
  const { id: role } = (await dataOf('POST /_/roles', { name: 'Inviters' })) as { readonly id: number }
  await dataOf('POST /_/permissions', { collection: 'platform_users', role, create: 'full', read: 'none' })
  const account = { email: 'inviter@example.com', role, status: 'active', token: 'token-of-an-inviter' }
  const { id } = (await dataOf('POST /_/users', account)) as { readonly id: number }
  const body = { email: ['admin@example.com', 'unseen@example.com', account.email] }
  const answer = await server.ask('POST /_/users/invite', { token: account.token, body })
  expect([answer.status, answer.body]).toEqual([200, { data: [] }])
  const [made] = (await dataOf('GET /_/users?filter[email][eq]=unseen@example.com&fields=id')) as [{ id: number }]
  for (const each of [id, made.id]) await server.ask(`DELETE /_/users/${each}`)
})

test('users turn the second factor on by writing the secret that they were offered, as the page of a user does', async () => {
  const { id: role } = (await dataOf('POST /_/roles', { name: 'Careful' })) as { readonly id: number }
  await dataOf('POST /_/permissions', { collection: 'platform_users', role, read: 'mine', update: 'mine' })
  const token = 'token-of-a-careful-user'
  const account = { email: 'careful@example.com', role, status: 'active', token }
  const { id } = (await dataOf('POST /_/users', account)) as { readonly id: number }
  const offer = async (as?: string) => {
    const answer = await server.ask('GET /_/utils/2fa_secret', as === undefined ? {} : { token: as })
    return (answer.body as { readonly data: { readonly '2fa_secret': string } }).data['2fa_secret']
  }
  const secret = await offer(token)
  const refused = [
    { token, body: { '2fa_secret': 'WS36IYF5QGENQ3NE3UTBJN2AVYXYFX4G' } },
    { body: { '2fa_secret': await offer() } },
    { body: { '2fa_secret': secret } },
  ]
  for (const each of refused) expect((await server.ask(`PATCH /_/users/${id}`, each)).status).toBe(400)
  const body = { '2fa_secret': secret, company: 'Engines' }
  const written = await server.ask(`PATCH /_/users/${id}`, { token, body })
  expect(written.body).toMatchObject({ data: { id, '2fa_secret': '**********', company: 'Engines' } })
  const again = await server.ask('PATCH /_/users/me', { token, body: { '2fa_secret': '**********', company: 'Mills' } })
  expect(again.body).toMatchObject({ data: { '2fa_secret': '**********', company: 'Mills' } })
  expect((await server.ask(`PATCH /_/users/${id}`, { token, body })).status).toBe(400)
  expect(await dataOf(`PATCH /_/users/${id}`, { '2fa_secret': null })).toMatchObject({ '2fa_secret': null })
  expect((await server.ask('PATCH /_/users/me', { token, body: { '2fa_secret': await offer(token) } })).status).toBe(
    200,
  )
  await server.ask(`DELETE /_/users/${id}`)
})

describe('a new user without a status', () => {
  const made: number[] = []
  afterAll(async () => {
    for (const id of made) await server.ask(`DELETE /_/users/${id}`)
  })
  const statusOf = async (body: object, token: string = tokens.admin): Promise<unknown> => {
    const answer = await server.ask('POST /_/users?fields=id,status', { body, token })
    const { data, error } = answer.body as { data?: { id: number; status: string }; error?: { code: number } }
    if (data !== undefined) made.push(data.id)
    return data?.status ?? error?.code ?? answer.status
  }
  const holder = async (name: string, level: object): Promise<string> => {
    const { id: role } = (await dataOf('POST /_/roles', { name })) as { readonly id: number }
    const { id: own } = (await dataOf(
      `GET /_/permissions?filter[role]=${role}&filter[collection]=platform_users&single=1`,
    )) as {
      readonly id: number
    }
    await server.ask(`DELETE /_/permissions/${own}`)
    await dataOf('POST /_/permissions', { collection: 'platform_users', role, read: 'full', create: 'full', ...level })
    await statusOf({ email: `${name}@example.com`, role, status: 'active', token: `token-of-${name}` })
    return `token-of-${name}`
  }

  test('is a draft, who cannot log in', async () => {
    const account = { email: 'early@example.com', password: 'correct-horse-42' }
    expect(await statusOf(account)).toBe('draft')
    expect(await statusOf({ email: 'late@example.com', status: 'active' })).toBe('active')
    const login = await server.ask('POST /_/auth/authenticate', { body: account, token: null })
    expect([login.status, login.body]).toMatchObject([401, { error: { code: 103 } }])
    expect(await dataOf('GET /_/fields/platform_users/status')).toMatchObject({ default_value: 'draft' })
  })

  test('is a draft for a role that may create drafts only', async () => {
    const token = await holder('registrar', { status: 'draft' })
    expect(await statusOf({ email: 'a-draft@example.com' }, token)).toBe('draft')
    expect(await statusOf({ email: 'no-draft@example.com', status: 'active' }, token)).toBe(4)
  })

  test('has the default of the column where the role may not write the status', async () => {
    const token = await holder('blind', { write_field_blacklist: ['status'] })
    expect(await statusOf({ email: 'by-default@example.com' }, token)).toBe('active')
    expect(await statusOf({ email: 'by-choice@example.com', status: 'draft' }, token)).toBe(305)
  })
})
