/** Rights in levels: each level × action × owner, asked through both generations of one server. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { send } from './send.ts'
import { openWorld, type World } from './world.ts'

let world: World
const tokens = { ann: 'static-token-of-ann', bo: 'static-token-of-bo', cy: 'static-token-of-cy' } as const
type Who = keyof typeof tokens | 'admin'

beforeAll(async () => {
  world = await openWorld()
  const fields = [
    { field: 'id', type: 'integer', datatype: 'INT', primary_key: true, auto_increment: true },
    { field: 'title', type: 'string', datatype: 'VARCHAR', length: 50 },
    { field: 'secret', type: 'string', datatype: 'VARCHAR', length: 50 },
    { field: 'owner', type: 'owner', datatype: 'INT' },
  ]
  const statuses = { draft: { name: 'Draft' }, live: { name: 'Live' }, gone: { name: 'Gone', soft_delete: true } }
  const status = {
    field: 'status',
    type: 'status',
    datatype: 'VARCHAR',
    length: 20,
    options: { status_mapping: statuses },
  }
  await asAdmin('POST', '/_/collections', { collection: 'plain', fields })
  await asAdmin('POST', '/_/collections', {
    collection: 'staged',
    fields: [...fields, { ...status, default_value: 'draft' }],
  })
  const [role, other] = [await roleOf('Levels'), await roleOf('Others')]
  for (const [name, of] of [
    ['ann', role],
    ['bo', role],
    ['cy', other],
  ] as const) {
    await asAdmin('POST', '/_/users', { email: `${name}@example.com`, token: tokens[name], role: of, status: 'active' })
  }
  levels = { role, other }
})
afterAll(() => world.close())

let levels: { readonly role: number; readonly other: number }

async function ask(method: string, path: string, who: Who, body?: unknown) {
  const answer = await send(world.url, `${method} ${path}`, { body, token: tokenOf(who) })
  return { status: answer.status, body: (answer.body ?? {}) as { data?: never; error?: { code: unknown } } }
}

const tokenOf = (who: Who) => (who === 'admin' ? world.tokens.admin : tokens[who])

async function asAdmin(method: string, path: string, body?: unknown): Promise<never> {
  const { status, body: answer } = await ask(method, path, 'admin', body)
  expect([path, status, answer.error]).toEqual([path, expect.toBeOneOf([200, 204]), undefined])
  return answer.data as never
}

const roleOf = async (name: string): Promise<number> =>
  ((await asAdmin('POST', '/_/roles', { name })) as { readonly id: number }).id

/** Items of ann, bo and cy; then the level of the role of ann and bo. */
async function given(collection: string, rows: readonly object[]): Promise<readonly number[]> {
  const present = (await asAdmin('GET', '/_/permissions?limit=-1&fields=id,collection')) as readonly {
    id: number
    collection: string
  }[]
  const old = present.filter((each) => each.collection === collection).map(({ id }) => id)
  if (old.length > 0) await asAdmin('DELETE', `/_/permissions/${old.join()}`)
  const own = [levels.role, levels.other].map((role) => ({
    collection,
    role,
    create: 'full',
    read: 'full',
    delete: 'full',
  }))
  const made = (await asAdmin('POST', '/_/permissions', own)) as readonly { id: number }[]
  const keys: number[] = []
  for (const who of ['ann', 'bo', 'cy'] as const) {
    const { body } = await ask('POST', `/_/items/${collection}`, who, { title: who, secret: 's' })
    keys.push((body.data as unknown as { id: number }).id)
  }
  await asAdmin('DELETE', `/_/permissions/${made.map(({ id }) => id).join()}`)
  await asAdmin(
    'POST',
    '/_/permissions',
    rows.map((row) => ({ collection, role: levels.role, ...row })),
  )
  return keys
}

/** Which of the items ann reaches, in each generation. */
async function reached(collection: string, keys: readonly number[], method: 'GET' | 'PATCH' | 'DELETE') {
  const found = { legacy: [] as number[], current: [] as number[] }
  for (const [at, key] of keys.entries()) {
    for (const generation of ['legacy', 'current'] as const) {
      if (method === 'DELETE' && generation === 'current') continue
      const path = `${generation === 'legacy' ? '/_' : ''}/items/${collection}/${key}`
      const body = method === 'PATCH' ? { title: 'changed' } : undefined
      if ((await ask(method, path, 'ann', body)).status < 300) found[generation].push(at)
    }
  }
  return found
}

test.each([
  ['none', []],
  ['mine', [0]],
  ['role', [0, 1]],
  ['full', [0, 1, 2]],
] as const)('the level %s reaches the same items in both generations', async (level, expected) => {
  const keys = await given('plain', [{ read: level, update: level, delete: level }])
  expect(await reached('plain', keys, 'GET')).toEqual({ legacy: expected, current: expected })
  expect(await reached('plain', keys, 'PATCH')).toEqual({ legacy: expected, current: expected })
  expect((await reached('plain', keys, 'DELETE')).legacy).toEqual(expected)
})

test.each(['none', 'mine', 'role', 'full'])('the level %s lets new items in unless it is none', async (create) => {
  await given('plain', [{ create }])
  const path = `/_/permissions?fields=create&filter[role]=${levels.role}&filter[collection]=plain`
  expect(await asAdmin('GET', path)).toEqual([{ create }])
  expect((await ask('POST', '/_/items/plain', 'ann', { title: 'new' })).status).toBe(create === 'none' ? 403 : 204)
})

test('fields that are left out are neither read nor written, and a new item needs the right', async () => {
  const [key] = await given('plain', [
    { read: 'full', update: 'full', read_field_blacklist: ['secret'], write_field_blacklist: ['title'] },
  ])
  const { body } = await ask('GET', `/_/items/plain/${key}`, 'ann')
  expect(Object.keys(body.data as unknown as object)).toEqual(['id', 'title', 'owner'])
  expect((await ask('GET', `/_/items/plain?fields=secret`, 'ann')).body.error?.code).toBe(304)
  expect((await ask('GET', `/items/plain?fields=secret`, 'ann')).status).toBe(403)
  expect((await ask('PATCH', `/_/items/plain/${key}`, 'ann', { title: 'x' })).body.error?.code).toBe(305)
  expect((await ask('PATCH', `/items/plain/${key}`, 'ann', { title: 'x' })).status).toBe(403)
  expect((await ask('POST', '/_/items/plain', 'ann', { secret: 'x' })).body.error?.code).toBe(301)
  expect((await ask('POST', '/items/plain', 'ann', { secret: 'x' })).status).toBe(403)
})

test('each status has levels of its own, and a deleted one needs the right to delete', async () => {
  const [key] = await given('staged', [
    { status: 'draft', create: 'full', read: 'mine', update: 'mine' },
    { status: 'live', read: 'full' },
    { status: '$create', read_field_blacklist: ['title'] },
    { read: 'full', update: 'full', delete: 'full' },
  ])
  await asAdmin('POST', '/_/items/staged', { title: 'live', status: 'live' })
  const titles = async (path: string) =>
    ((await ask('GET', path, 'ann')).body.data as unknown as readonly { title: string }[]).map(({ title }) => title)
  expect(await titles('/_/items/staged')).toEqual(['ann', 'live'])
  expect(await titles('/items/staged')).toEqual(['ann', 'live'])
  expect((await ask('POST', '/_/items/staged', 'ann', { title: 'a', status: 'live' })).status).toBe(400)
  expect((await ask('POST', '/_/items/staged', 'ann', { title: 'a' })).status).toBe(200)
  expect((await ask('PATCH', `/_/items/staged/${key}`, 'ann', { status: 'gone' })).status).toBe(400)
  expect((await ask('PATCH', `/items/staged/${key}`, 'ann', { status: 'gone' })).status).toBe(400)
  expect((await ask('PATCH', `/_/items/staged/${key}`, 'ann', { title: 'mine' })).status).toBe(200)
})

test('an explanation tells the parts of its causes, each as the specification has it', async () => {
  const [key] = await given('staged', [{ status: 'live', read: 'full' }])
  const why = '/permissions/explain?user=ann@example.com&collection=staged'
  const rule = { kind: 'level', status: 'live', role_name: 'Levels' }
  expect(await asAdmin('GET', `${why}&action=read&item=${key}`)).toMatchObject({
    actions: [
      {
        rows: { filter: { status: { _eq: 'live' } } },
        rules: [{ ...rule, filter: { status: { _eq: 'live' } } }],
        causes: [{ ...rule, code: 'item-not-covered', filter: { status: { _eq: 'live' } } }],
      },
    ],
  })
  expect(await asAdmin('GET', `${why}&action=delete`)).toMatchObject({
    actions: [{ causes: [{ ...rule, value: 'none', fault: 'none' }, { actions: ['read'] }] }],
  })
})

test('a comment that a role owes is asked for, and its own rights are told', async () => {
  const [key] = await given('plain', [{ read: 'full', update: 'full', explain: 'update' }])
  expect((await ask('PATCH', `/_/items/plain/${key}`, 'ann', { title: 'x' })).body.error?.code).toBe(10)
  expect((await ask('PATCH', `/_/items/plain/${key}?comment=Typo`, 'ann', { title: 'x' })).status).toBe(200)
  // The current generation takes no comments, so that it refuses what needs one.
  const refused = await ask('PATCH', `/items/plain/${key}`, 'ann', { title: 'y' })
  expect([refused.status, refused.body]).toMatchObject([403, { error: { code: 'FORBIDDEN' } }])
  expect((await ask('GET', `/items/plain/${key}?fields=title`, 'ann')).body.data).toEqual({ title: 'x' })
  const mine = await ask('GET', '/_/permissions/me/plain', 'ann')
  expect(mine.body.data).toMatchObject({ collection: 'plain', role: levels.role, update: 'full', explain: 'update' })
  expect((await ask('POST', '/_/permissions', 'ann', { collection: 'plain', role: levels.role })).status).toBe(403)
})

const explaining = [
  ['always', { create: 10, update: 10, delete: 10 }],
  ['update', { create: 200, update: 10, delete: 204 }],
  ['create', { create: 10, update: 200, delete: 204 }],
] as const

test.each(explaining)('a comment (%s) that items of one status need does not bind the others', async (explain, due) => {
  const all = { create: 'full', read: 'full', update: 'full', delete: 'full', comment: 'update' }
  await given('staged', [
    { ...all, status: 'draft' },
    { ...all, status: 'live', explain },
  ])
  const outcome = async (request: string, body?: object) => {
    const [method = '', path = ''] = request.split(' ')
    const { status, body: answer } = await ask(method, path, 'ann', body)
    return (answer.error?.code as number | undefined) ?? status
  }
  const made = (await asAdmin('POST', '/_/items/staged', [{ status: 'live' }, { status: 'draft' }])) as readonly {
    readonly id: number
  }[]
  const [live, draft] = made.map(({ id }) => id)
  expect(await outcome('POST /_/items/staged', { status: 'live' })).toBe(due.create)
  expect(await outcome('POST /_/items/staged?comment=so', { status: 'live' })).toBe(200)
  expect(await outcome('POST /_/items/staged', { status: 'draft' })).toBe(200)
  expect(await outcome('POST /_/items/staged', { title: 'by default' })).toBe(200)
  expect(await outcome(`PATCH /_/items/staged/${draft}`, { title: 'x' })).toBe(200)
  expect(await outcome(`PATCH /_/items/staged/${live}`, { title: 'x' })).toBe(due.update)
  expect(await outcome(`PATCH /_/items/staged/${draft},${live}`, { title: 'y' })).toBe(due.update)
  expect(await outcome('PATCH /_/items/staged', [{ id: draft, title: 'z' }, { id: live }])).toBe(due.update)
  expect(await outcome(`PATCH /_/items/staged/${live}?comment=so`, { title: 'x' })).toBe(200)
  // The current generation takes no comments, so that it refuses what needs one.
  expect((await ask('PATCH', `/items/staged/${live}`, 'ann', { title: 'x' })).status).toBe(
    due.update === 10 ? 403 : 200,
  )
  expect((await ask('PATCH', `/items/staged/${draft}`, 'ann', { title: 'x' })).status).toBe(200)
  expect((await ask('POST', '/items/staged', 'ann', { status: 'live' })).status).toBe(due.create === 10 ? 403 : 200)
  expect(await outcome(`DELETE /_/items/staged/${draft},${live}`)).toBe(due.delete)
  if (due.delete === 10) expect(await outcome(`DELETE /_/items/staged/${live}?comment=so`)).toBe(204)
})

const outcomes = async (read: string) => {
  const [own, other] = await given('plain', [{ read, update: 'mine', delete: 'mine' }])
  const asked = [
    ['PATCH', `/_/items/plain/${other}`, { title: 'x' }],
    ['PATCH', `/_/items/plain/${own},${other}`, { title: 'x' }],
    [
      'PATCH',
      '/_/items/plain',
      [
        { id: own, title: 'x' },
        { id: other, title: 'x' },
      ],
    ],
    ['DELETE', `/_/items/plain/${other}`],
    ['DELETE', `/_/items/plain/${own},${other}`],
    ['PATCH', '/_/items/plain/999999', { title: 'x' }],
    ['DELETE', '/_/items/plain/999999'],
  ] as const
  const codes = []
  for (const [method, path, body] of asked) codes.push((await ask(method, path, 'ann', body)).body.error?.code)
  expect((await ask('PATCH', `/items/plain/${other}`, 'ann', { title: 'x' })).status).toBe(403)
  expect((await ask('GET', `/_/items/plain/${own}?fields=title`, 'ann')).body.data).toEqual({ title: 'ann' })
  return codes
}

test('writing a readable item of another owner is denied by its own code, and an unreadable one is missing', async () => {
  expect(await outcomes('full')).toEqual([302, 302, 302, 303, 303, 203, 203])
  expect(await outcomes('mine')).toEqual([203, 203, 203, 203, 203, 203, 203])
})

test('levels reach the roles below, each role with its own statuses', async () => {
  const [key] = await given('staged', [{ read: 'full' }])
  const below = await roleOf('Below')
  const found = (await asAdmin('GET', '/roles?filter[name][_in]=Below,Levels&fields=id,name')) as readonly {
    readonly id: string
    readonly name: string
  }[]
  const idOf = (name: string) => found.find((each) => each.name === name)?.id
  await asAdmin('PATCH', `/roles/${idOf('Below')}`, { parent: idOf('Levels') })
  await asAdmin('POST', '/_/permissions', { collection: 'staged', role: below, status: 'live', read: 'full' })
  await asAdmin('PATCH', `/_/items/staged/${key}`, { status: 'draft' })
  const user = { email: 'dee@example.com', token: 'static-token-of-dee', role: below, status: 'active' }
  await asAdmin('POST', '/_/users', user)
  for (const path of ['/_/items/staged', '/items/staged']) {
    const answer = await fetch(`${world.url}${path}/${key}`, { headers: { authorization: `Bearer ${user.token}` } })
    expect([path, answer.status]).toEqual([path, 200])
  }
})

test.each(['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'])(
  'the role %s cannot be deleted, whichever way it is asked for',
  async (id) => {
    expect((await ask('DELETE', `/roles/${id}`, 'admin')).status).toBe(403)
    expect((await ask('DELETE', `/_/roles/${Number(id.at(-1))}`, 'admin')).body.error?.code).toBe(3)
    const answer = await ask('GET', `/_/roles/${Number(id.at(-1))}`, 'admin')
    expect(answer.status).toBe(200)
  },
)

test('lists of left out fields have the names of version 8, also where the current generation has others', async () => {
  const users = 'platform_users'
  const row = { collection: users, role: levels.role, read: 'full', update: 'full' }
  const made = (await asAdmin('POST', '/_/permissions', {
    ...row,
    read_field_blacklist: ['last_access_on', 'first_name'],
    write_field_blacklist: ['locale'],
  })) as { readonly id: number; readonly read_field_blacklist: readonly string[] }
  expect(made.read_field_blacklist).toEqual(['last_access_on', 'first_name'])
  for (const [path, names] of [
    ['/_/users', ['last_access_on', 'first_name', 'email']],
    ['/users', ['last_access', 'first_name', 'email']],
  ] as const) {
    const answers = await Promise.all(names.map((name) => ask('GET', `${path}?fields=${name}`, 'ann')))
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 200])
  }
  const [own] = (await asAdmin('GET', `/users?filter[email][_eq]=ann@example.com&fields=id`)) as readonly {
    id: string
  }[]
  const number = ((await ask('GET', '/_/users/me', 'ann')).body.data as unknown as { readonly id: number }).id
  expect((await ask('PATCH', `/_/users/${number}`, 'ann', { locale: 'de-DE' })).body.error?.code).toBe(305)
  expect((await ask('PATCH', `/users/${own?.id}`, 'ann', { language: 'de-DE' })).status).toBe(403)
  expect((await ask('PATCH', `/_/users/${number}`, 'ann', { title: 'Dr' })).status).toBe(200)
  await asAdmin('DELETE', `/_/permissions/${made.id}`)
})

test('what levels stand for is listed by the current generation, and cannot be changed there', async () => {
  await given('plain', [{ read: 'mine', write_field_blacklist: ['secret'] }])
  const rules = (await asAdmin('GET', '/permissions')) as readonly { [name: string]: unknown }[]
  const derived = rules.filter((each) => each['collection'] === 'plain')
  const role = expect.stringMatching(/^[0-9a-f-]{36}$/)
  expect(derived).toEqual([
    {
      policy: null,
      role,
      collection: 'plain',
      action: 'read',
      permissions: { owner: { _eq: '$CURRENT_USER' } },
      validation: null,
      presets: null,
      fields: ['*'],
      system: true,
      level: { id: expect.any(Number), status: null, value: 'mine' },
    },
  ])
})

test('whoever comes from elsewhere than the role allows is not let in', async () => {
  await asAdmin('PATCH', `/_/roles/${levels.role}`, { ip_whitelist: ['203.0.113.7'] })
  expect((await ask('GET', '/_/items/plain', 'ann')).body.error?.code).toBe(18)
  await asAdmin('PATCH', `/_/roles/${levels.role}`, { ip_whitelist: [] })
  expect((await ask('GET', '/_/items/plain', 'ann')).status).toBe(200)
})

/** Rules on system collections by the names that version 8 has for them, and by the prefix that it had. */
const systemRules = [
  ['platform_collection_presets', 'read', 'GET /_/collection_presets', 'GET /presets'],
  ['platform_collection_presets', 'create', 'POST /_/collection_presets', 'POST /presets'],
  ['directus_collection_presets', 'create', 'POST /_/collection_presets', 'POST /presets'],
  ['platform_permissions', 'read', 'GET /_/permissions', null],
  ['directus_permissions', 'read', 'GET /_/permissions', null],
  ['platform_collections', 'read', 'GET /_/collections', 'GET /collections'],
  ['platform_fields', 'read', 'GET /_/fields', 'GET /fields'],
  ['platform_relations', 'read', 'GET /_/relations', 'GET /relations'],
  ['platform_activity', 'read', 'GET /_/activity', 'GET /activity'],
  ['platform_revisions', 'read', 'GET /_/revisions', 'GET /revisions'],
  ['platform_settings', 'read', 'GET /_/settings', 'GET /settings'],
  ['platform_roles', 'read', 'GET /_/roles', 'GET /roles'],
  ['platform_users', 'read', 'GET /_/users', 'GET /users'],
  ['directus_users', 'read', 'GET /_/users', 'GET /users'],
  ['platform_files', 'read', 'GET /_/files', 'GET /files'],
  ['directus_files', 'read', 'GET /_/files', 'GET /files'],
  ['directus_files', 'create', 'POST /_/files', null],
  ['directus_folders', 'create', 'POST /_/folders', 'POST /folders'],
] as const

const bodies: { readonly [request: string]: object } = {
  'POST /_/collection_presets': { collection: 'plain' },
  'POST /presets': { collection: 'plain' },
  'POST /_/files': { data: 'aGVsbG8=', filename_disk: 'a.txt', filename_download: 'a.txt' },
  'POST /_/folders': { name: 'Papers' },
  'POST /folders': { name: 'Others' },
}

test.each(systemRules)('a rule on %s to %s decides %s, and %s alike', async (collection, action, legacy, current) => {
  const shown = collection.replace('directus_', 'platform_')
  const rows = async () =>
    (await asAdmin('GET', `/_/permissions?filter[role]=${levels.role}&filter[collection]=${collection}`)) as readonly {
      readonly collection: string
    }[]
  const isAllowed = async () =>
    Promise.all(
      [legacy, current].map(async (request) => {
        const [method = '', path = ''] = request?.split(' ') ?? []
        return request === null || (await ask(method, path, 'ann', bodies[request])).status < 300
      }),
    )
  // A later rule for the same place takes the place of the earlier one.
  for (const level of ['full', 'none'] as const) {
    await asAdmin('POST', '/_/permissions', { collection, role: levels.role, [action]: level })
    expect((await rows()).map((each) => each.collection)).toEqual([shown])
    expect(await isAllowed()).toEqual(level === 'full' ? [true, true] : [false, current === null])
  }
  const told = (await ask('GET', `/_/permissions/me/${collection}`, 'ann')).body.data
  expect(told).toMatchObject({ collection: shown, [action]: 'none' })
  await asAdmin('PATCH', '/_/permissions', [{ ...(await rows())[0], [action]: 'full' }])
  expect((await ask('GET', `/_/permissions/me/${shown}`, 'ann')).body.data).toMatchObject({ [action]: 'full' })
})
