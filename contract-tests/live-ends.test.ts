/** Rights that end or narrow while somebody listens: nothing more arrives, on the server of the change and on another. */
import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { openSocket } from './live-socket.ts'
import { openOwnDatabase } from './own-database.ts'

const own = await openOwnDatabase(
  "create table notes (id serial primary key, title text); create table others (id serial primary key, title text); insert into notes (title) values ('one'), ('two')",
  { WEBSOCKETS_ENABLED: 'true', WEBSOCKETS_GRAPHQL_ENABLED: 'true' },
)
const replica = (await own.openReplica()).url
afterAll(() => own.close())

/** What arrived, as text, in its order; `stop` ends the connection. */
type Heard = { readonly texts: readonly string[]; readonly stop: () => unknown }

async function hearEvents(url: string, token: string, collection = 'notes'): Promise<Heard> {
  const stopped = new AbortController()
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}` }
  const answer = await fetch(`${url}/items/${collection}/changes?fields=id,title`, { headers, signal: stopped.signal })
  expect(answer.status).toBe(200)
  const texts: string[] = []
  const read = async (): Promise<void> => {
    for await (const text of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) texts.push(text)
    texts.push('ended')
  }
  read().catch(() => undefined)
  await expect.poll(() => texts.join('')).toContain('ready')
  return { texts, stop: () => stopped.abort() }
}

async function hearItems(url: string, token: string, collection = 'notes'): Promise<Heard> {
  const socket = await openSocket(`${url}/websocket`)
  socket.send({ type: 'auth', access_token: token })
  expect(await socket.next()).toMatchObject({ type: 'auth', status: 'ok' })
  socket.send({ type: 'subscribe', collection, query: { fields: ['id', 'title'] } })
  const texts: string[] = []
  const read = async (): Promise<void> => {
    for (;;) texts.push(JSON.stringify(await socket.next()))
  }
  read().catch(() => texts.push('ended'))
  await expect.poll(() => texts.join('')).toContain('init')
  return { texts, stop: socket.close }
}

async function hearGraphql(url: string, token: string, collection = 'notes'): Promise<Heard> {
  const texts: string[] = []
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    lazy: false,
    onNonLazyError: () => undefined,
    connectionParams: { access_token: token },
  })
  const read = async (): Promise<void> => {
    const query = `subscription { ${collection}_mutated { event key data { id title } } }`
    for await (const each of client.iterate({ query })) texts.push(JSON.stringify(each))
  }
  read().catch((error: unknown) => texts.push(`ended ${JSON.stringify(error)}`))
  await client.iterate({ query: '{ __typename }' }).next()
  return { texts, stop: () => client.dispose() }
}

const doors = [hearEvents, hearItems, hearGraphql]

type Caller = { readonly token: string; readonly user: string; readonly role: string; readonly policy: string }

const dataOf = async <T = { readonly id: string }>(request: string, body?: unknown): Promise<T> => {
  const answer = await own.ask(request, { body })
  expect([request, answer.status, answer.body]).toEqual([request, expect.toBeOneOf([200, 204]), answer.body])
  return (answer.body as { readonly data: T } | null)?.data as T
}

async function addPolicy(action: string, permissions: object | null): Promise<string> {
  const { id } = await dataOf('POST /policies', { name: 'Readers' })
  await dataOf('POST /permissions', { policy: id, collection: 'notes', action, permissions, fields: ['*'] })
  return id
}

/** A user whose role has a policy that reads all notes. */
async function addCaller(): Promise<Caller> {
  const policy = await addPolicy('read', null)
  const { id: role } = await dataOf('POST /roles', { name: 'Readers' })
  await dataOf('POST /access', { role, policy })
  const token = `static-token-${crypto.randomUUID()}`
  const email = `${crypto.randomUUID()}@example.com`
  const { id: user } = await dataOf('POST /users', { email, token, role, status: 'active' })
  return { token, user, role, policy }
}

const idOf = async (path: string): Promise<string> =>
  (await dataOf<readonly { readonly id: string }[]>(`GET ${path}&fields=id`))[0]?.id ?? 'none'

const ruleOf = ({ policy }: Caller): Promise<string> => idOf(`/permissions?filter[policy][_eq]=${policy}`)
const accessOf = ({ policy }: Caller): Promise<string> => idOf(`/access?filter[policy][_eq]=${policy}`)

/** What changes after a change was told, and whether nothing may follow or only the second note. */
const cases: readonly (readonly [string, 'all' | 'first', (caller: Caller) => Promise<unknown>])[] = [
  ['the user is suspended', 'all', ({ user }) => dataOf(`PATCH /users/${user}`, { status: 'suspended' })],
  ['the user is deleted', 'all', ({ user }) => dataOf(`DELETE /users/${user}`)],
  ['the token is removed', 'all', ({ user }) => dataOf(`PATCH /users/${user}`, { token: null })],
  [
    'the user gets another role',
    'all',
    async ({ user }) => dataOf(`PATCH /users/${user}`, { role: (await dataOf('POST /roles', { name: 'None' })).id }),
  ],
  ['the user loses its role', 'all', ({ user }) => dataOf(`PATCH /users/${user}`, { role: null })],
  [
    'the role is deleted',
    'all',
    async ({ user, role }) => {
      await dataOf(`PATCH /users/${user}`, { role: null })
      await dataOf(`DELETE /roles/${role}`)
    },
  ],
  ['the policy is deleted', 'all', ({ policy }) => dataOf(`DELETE /policies/${policy}`)],
  ['the policy is taken from the role', 'all', async (caller) => dataOf(`DELETE /access/${await accessOf(caller)}`)],
  [
    'the policy allows other addresses',
    'all',
    ({ policy }) => dataOf(`PATCH /policies/${policy}`, { ip_access: ['192.0.2.1'] }),
  ],
  ['the rule is deleted', 'all', async (caller) => dataOf(`DELETE /permissions/${await ruleOf(caller)}`)],
  [
    'the rule loses a field',
    'all',
    async (caller) => dataOf(`PATCH /permissions/${await ruleOf(caller)}`, { fields: ['id'] }),
  ],
  [
    'the filter of the rule is narrowed',
    'first',
    async (caller) => dataOf(`PATCH /permissions/${await ruleOf(caller)}`, { permissions: { id: { _eq: 2 } } }),
  ],
  [
    'the role gets a narrower policy instead',
    'first',
    async (caller) => {
      await dataOf('POST /access', { role: caller.role, policy: await addPolicy('read', { id: { _eq: 2 } }) })
      await dataOf(`DELETE /access/${await accessOf(caller)}`)
    },
  ],
]

type Place = { readonly collection: string; readonly keys: readonly [number, number] }
const notes: Place = { collection: 'notes', keys: [1, 2] }

/** Listens through each door of each server, and returns what arrived before and after the change of rights. */
async function hear(token: string, change: () => Promise<unknown>, { collection, keys }: Place = notes) {
  const secret = `secret ${crypto.randomUUID()}`
  const heard = await Promise.all(
    [own.url, replica].flatMap((url) => doors.map((door) => door(url, token, collection))),
  )
  const tell = (at: 0 | 1, title: string) => dataOf(`PATCH /items/${collection}/${keys[at]}`, { title })
  const all = (): readonly string[] => heard.map(({ texts }) => texts.join('\n'))
  await tell(0, `before ${secret}`)
  await expect.poll(all, { timeout: 5_000 }).toEqual(heard.map(() => expect.stringContaining(`before ${secret}`)))
  await change()
  await tell(0, `first ${secret}`)
  await tell(1, `second ${secret}`)
  return { secret, all, stop: () => Promise.all(heard.map(({ stop }) => stop())) }
}

/** Everything is hidden, or only the first note of those that change after the rights. */
async function expectHidden(hidden: 'all' | 'first', { secret, all, stop }: Awaited<ReturnType<typeof hear>>) {
  const last = hidden === 'all' ? ended : new RegExp(`second ${secret}`)
  await expect.poll(all, { timeout: 5_000 }).toEqual(all().map(() => expect.stringMatching(last)))
  const secrets = hidden === 'all' ? '(first|second)' : 'first'
  expect(all().filter((text) => new RegExp(`${secrets} ${secret}`).test(text))).toEqual([])
  await stop()
}

const ended = /ended|FORBIDDEN|INVALID_CREDENTIALS|USER_SUSPENDED|"type":"auth"[^\n]*$/

test.each(cases)('%s: %s changes are hidden', async (_name, hidden, change) => {
  const caller = await addCaller()
  await expectHidden(hidden, await hear(caller.token, () => change(caller)))
})

const addStaged = async (token: string, status = 'live'): Promise<number> => {
  const body = { title: 'new', status }
  const answer = await own.ask('POST /_/items/staged', { body, ...(token === '' ? {} : { token }) })
  expect([answer.status, answer.body]).toEqual([200, answer.body])
  return (answer.body as { readonly data: { readonly id: number } }).data.id
}

test('the place of somebody else, from another collection, tells what the caller may read now, each once in order', async () => {
  const caller = await addCaller()
  const from = async (collection: string, token: string, last?: string): Promise<string> => {
    const headers = { authorization: `Bearer ${token}`, ...(last === undefined ? {} : { 'last-event-id': last }) }
    return (await fetch(`${own.url}/items/${collection}/changes?fields=id,title`, { headers })).text()
  }
  const listening = await hearEvents(replica, own.adminToken)
  const [, place = ''] = /^id: (\S+)/.exec(await from('others', own.adminToken)) ?? []
  for (const title of ['a', 'b', 'c']) for (const id of [1, 2]) await dataOf(`PATCH /items/notes/${id}`, { title })
  await expect.poll(() => listening.texts.join('')).toContain('{"id":2,"title":"c"}')
  await dataOf(`PATCH /permissions/${await ruleOf(caller)}`, { permissions: { id: { _eq: 2 } } })
  const told = (await from('notes', caller.token, place)).split('\n').filter((line) => line.startsWith('data'))
  const expected = ['a', 'b', 'c'].map((title) => `data: {"id":2,"title":"${title}"}`)
  expect(told).toEqual(['data: {}', ...expected])
  await listening.stop()
})

describe('levels of a role of the legacy generation', () => {
  const rights = { create: 'full', read: 'full', update: 'full' } as const
  let role: number
  const [ann, bo] = [`token-of-ann-${crypto.randomUUID()}`, `token-of-bo-${crypto.randomUUID()}`]

  beforeAll(async () => {
    const key = { field: 'id', type: 'integer', datatype: 'INT', primary_key: true, auto_increment: true }
    const statuses = { draft: { name: 'Draft' }, live: { name: 'Live' } }
    const text = { datatype: 'VARCHAR', length: 100 }
    const fields = [
      key,
      { field: 'title', type: 'string', ...text },
      { field: 'owner', type: 'owner', datatype: 'INT' },
      { field: 'status', type: 'status', ...text, options: { status_mapping: statuses }, default_value: 'live' },
    ]
    await dataOf('POST /_/collections', { collection: 'staged', fields })
    role = (await dataOf<{ readonly id: number }>('POST /_/roles', { name: 'Levels' })).id
    for (const [email, token] of [
      ['ann@example.com', ann],
      ['bo@example.com', bo],
    ])
      await dataOf('POST /_/users', { email, token, role, status: 'active' })
  })

  test.each<[string, 'live' | 'draft', string]>([
    ['mine', 'live', ann],
    ['role', 'live', bo],
    ['none', 'live', ''],
    ['none', 'draft', ''],
    ['mine', 'draft', ''],
  ])('%s, of items that are %s, narrows what is told', async (read, status, owner) => {
    const levels = ['live', 'draft'].map((each) => ({ collection: 'staged', role, status: each, ...rights }))
    const made = await dataOf<readonly { readonly id: number }[]>('POST /_/permissions', levels)
    const changed = made[status === 'live' ? 0 : 1]?.id
    const other = status === 'live' && owner === '' ? 'draft' : 'live'
    const place: Place = { collection: 'staged', keys: [await addStaged('', status), await addStaged(owner, other)] }
    await expectHidden('first', await hear(ann, () => dataOf(`PATCH /_/permissions/${changed}`, { read }), place))
    await dataOf(`DELETE /_/permissions/${made.map(({ id }) => id).join()}`)
  })

  test('none of all: the connection is told so', async () => {
    const made = await dataOf<{ readonly id: number }>('POST /_/permissions', { collection: 'staged', role, ...rights })
    const place: Place = { collection: 'staged', keys: [await addStaged(''), await addStaged(ann)] }
    await expectHidden('all', await hear(ann, () => dataOf(`PATCH /_/permissions/${made.id}`, { read: 'none' }), place))
    await dataOf(`DELETE /_/permissions/${made.id}`)
  })
})

type Shared = { readonly share: string; readonly creator: Caller; readonly role: string; readonly policy: string }

async function addShare(): Promise<Shared & { readonly token: string }> {
  const creator = await addCaller()
  const sharing = await addPolicy('share', null)
  const body = { policy: sharing, collection: 'platform_shares', action: 'create', permissions: null, fields: ['*'] }
  await dataOf('POST /permissions', body)
  await dataOf('POST /access', { role: creator.role, policy: sharing })
  const policy = await addPolicy('read', null)
  const { id: role } = await dataOf('POST /roles', { name: 'Visitors' })
  await dataOf('POST /access', { role, policy })
  const asked = { body: { collection: 'notes', item: '1', role }, token: creator.token }
  const made = await own.ask('POST /shares?fields=id', asked)
  expect([made.status, made.body]).toEqual([expect.toBeOneOf([200, 204]), made.body])
  const share = await idOf(`/shares?filter[user_created][_eq]=${creator.user}`)
  const login = await own.ask('POST /shares/auth', { token: null, body: { share } })
  const { access_token: token } = (login.body as { readonly data: { readonly access_token: string } }).data
  return { share, creator, role, policy, token }
}

describe('a share', () => {
  test.each<[string, (shared: Shared) => Promise<unknown>]>([
    ['is deleted', ({ share }) => dataOf(`DELETE /shares/${share}`)],
    ['ends', ({ share }) => dataOf(`PATCH /shares/${share}`, { date_end: '2020-01-01T00:00:00Z' })],
    ['loses its role', ({ share }) => dataOf(`PATCH /shares/${share}`, { role: null })],
    ['is of a role without its policy', ({ policy }) => dataOf(`DELETE /policies/${policy}`)],
    [
      'is of an item that its role may not read',
      async ({ policy }) => {
        const rule = await idOf(`/permissions?filter[policy][_eq]=${policy}`)
        return dataOf(`PATCH /permissions/${rule}`, { permissions: { id: { _eq: 2 } } })
      },
    ],
    [
      'is of an item that its creator may not read',
      async ({ creator }) => dataOf(`PATCH /permissions/${await ruleOf(creator)}`, { permissions: { id: { _eq: 2 } } }),
    ],
    [
      'is of a creator who is suspended',
      ({ creator }) => dataOf(`PATCH /users/${creator.user}`, { status: 'suspended' }),
    ],
  ])('that %s tells nothing more', async (_name, change) => {
    const shared = await addShare()
    const { secret, all, stop } = await hear(shared.token, () => change(shared))
    // Somebody who may read all has been told of both notes.
    const marker = await hearEvents(own.url, own.adminToken)
    await dataOf('PATCH /items/notes/1', { title: `third ${secret}` })
    await expect.poll(() => marker.texts.join('')).toContain(`third ${secret}`)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(all().filter((text) => new RegExp(`(first|second|third) ${secret}`).test(text))).toEqual([])
    await Promise.all([stop(), marker.stop()])
  })
})
