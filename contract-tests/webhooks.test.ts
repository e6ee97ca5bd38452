/** Webhooks: what receivers are sent, how deliveries go on after failures, and who may see and replay them. */
import { Webhook as Verifier } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openReceiver, type Receiver } from './webhook-receiver.ts'
import { openWorld, type UserKind, type World } from './world.ts'
import { writerPolicy } from './world-data.ts'

let world: World
let receiver: Receiver
beforeAll(async () => {
  world = await openWorld({
    WEBHOOKS_IP_ALLOW_LIST: '127.0.0.0/8',
    WEBHOOKS_TIMEOUT: '500ms',
    WEBHOOKS_ATTEMPTS: '3',
    WEBHOOKS_RETRY_FIRST: '20ms',
    WEBHOOKS_RETRY_LONGEST: '50ms',
  })
})
beforeEach(async () => {
  await world.reset()
  receiver = await openReceiver()
})
afterEach(async () => {
  for (const { id } of (await data('GET /webhooks')) as readonly { id: number }[]) await ask(`DELETE /webhooks/${id}`)
  await receiver.close()
})
afterAll(() => world.close())

type Answer = { readonly status: number; readonly body: unknown }

async function ask(request: string, body?: unknown, as: UserKind = 'admin'): Promise<Answer> {
  const [method = '', path = ''] = request.split(' ')
  const headers = { ...bearer(as), 'content-type': 'application/json' }
  const answer = await fetch(`${world.url}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? null : JSON.parse(text) }
}

const bearer = (as: UserKind) => ({ authorization: `Bearer ${world.tokens[as]}` })

async function data(request: string, body?: unknown, as: UserKind = 'admin'): Promise<unknown> {
  const { status, body: answered } = await ask(request, body, as)
  if (status >= 300) throw new Error(`${request}: ${status} ${JSON.stringify(answered)}`)
  return (answered as { readonly data: unknown } | null)?.data
}

const hook = (more: object = {}) => ({
  name: 'Test',
  url: `${receiver.url}/hook`,
  collections: ['tags'],
  actions: ['create', 'update', 'delete'],
  ...more,
})

const create = async (more: object = {}, as: UserKind = 'admin') =>
  (await data('POST /webhooks', hook(more), as)) as { readonly id: number; readonly secret: string }

const bodies = (received: Receiver['received'] | readonly { readonly body: string }[]) =>
  received.map(({ body }) => JSON.parse(body) as { readonly type: string; readonly data: object })

test('each change of a row is sent in order, signed as the reference verifier expects', async () => {
  const { secret } = await create()
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
  const { id } = (await data('POST /items/tags', { name: 'new' })) as { id: number }
  await data(`PATCH /items/tags/${id}`, { name: 'newer' })
  await data(`DELETE /items/tags/${id}`)
  const received = await receiver.until(3)
  expect(bodies(received)).toEqual([
    {
      type: 'items.create',
      timestamp: expect.any(String),
      data: { collection: 'tags', key: id, item: { id, name: 'new' } },
    },
    {
      type: 'items.update',
      timestamp: expect.any(String),
      data: { collection: 'tags', key: id, item: { id, name: 'newer' } },
    },
    { type: 'items.delete', timestamp: expect.any(String), data: { collection: 'tags', key: id } },
  ])
  const verifier = new Verifier(secret)
  for (const { body, headers } of received) expect(verifier.verify(body, headers)).toEqual(JSON.parse(body))
  expect(() => new Verifier(secret).verify('{}', received[0]?.headers ?? {})).toThrow('No matching signature')
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(3)
})

type Delivery = {
  readonly id: number
  readonly event: string
  readonly state: string
  readonly attempts: number
  readonly last_status: number | null
  readonly last_error: string | null
}

/** The deliveries of a webhook as soon as none is under way. */
async function settled(id: number): Promise<readonly Delivery[]> {
  for (;;) {
    const found = (await data(`GET /webhooks/${id}/deliveries`)) as readonly Delivery[]
    if (found.length > 0 && found.every(({ state }) => state !== 'pending')) return found
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
  }
}

const ids = ({ received }: Pick<Receiver, 'received'>) => received.map(({ headers }) => headers['webhook-id'])

test('a failed delivery is tried again with the same id, and the next change of the row waits for it', async () => {
  receiver.answer = (_request, before) => ({ status: before.length < 2 ? 500 : 204 })
  const { id } = await create()
  const { id: tag } = (await data('POST /items/tags', { name: 'a' })) as { id: number }
  await data(`PATCH /items/tags/${tag}`, { name: 'b' })
  const received = await receiver.until(4)
  expect(bodies(received).map(({ type }) => type)).toEqual([
    'items.create',
    'items.create',
    'items.create',
    'items.update',
  ])
  expect(new Set(ids({ received: received.slice(0, 3) })).size).toBe(1)
  expect((await settled(id)).map(({ state, attempts }) => [state, attempts])).toEqual([
    ['delivered', 1],
    ['delivered', 3],
  ])
})

test.each([
  ['a redirect', 302, { location: 'http://127.0.0.1:9/' }, 'The receiver answered 302, and redirects are not followed'],
  ['an error', 503, {}, 'The receiver answered 503'],
] as const)(
  '%s is given up after the last attempt, listed, and replayed with its id',
  async (_name, status, headers, reason) => {
    receiver.answer = () => ({ status, headers })
    const { id } = await create()
    await data('POST /items/tags', { name: 'a' })
    const [dead] = await settled(id)
    expect(dead).toMatchObject({ state: 'dead', attempts: 3, last_status: status, last_error: reason })
    expect(await data(`GET /webhooks/${id}?fields=status,failure`)).toEqual({ status: 'active', failure: reason })
    receiver.answer = () => ({ status: 200 })
    expect(await data(`POST /webhooks/${id}/replay`)).toEqual({ replayed: 1 })
    expect(await settled(id)).toMatchObject([{ state: 'delivered', attempts: 1, event: dead?.event }])
    expect(await data(`GET /webhooks/${id}?fields=failure,failing_since`)).toEqual({
      failure: null,
      failing_since: null,
    })
    expect(await data(`POST /webhooks/deliveries/${dead?.id}/replay`)).toMatchObject({
      event: dead?.event,
      state: 'pending',
    })
    await settled(id)
    expect(ids(receiver)).toEqual(Array.from({ length: 5 }, () => dead?.event))
  },
)

test('410 turns the webhook off, and nothing is sent afterwards', async () => {
  receiver.answer = () => ({ status: 410 })
  const { id } = await create()
  await data('POST /items/tags', { name: 'a' })
  expect(await settled(id)).toMatchObject([{ state: 'dead', attempts: 1, last_status: 410 }])
  expect(await data(`GET /webhooks/${id}?fields=status`)).toEqual({ status: 'inactive' })
  await data('POST /items/tags', { name: 'b' })
  expect(await data(`GET /webhooks/${id}/deliveries`)).toHaveLength(1)
})

test('a receiver that is slow or down does not hold up another, and a giant answer is a success', async () => {
  const other = await openReceiver(() => ({ status: 200, body: Buffer.alloc(5_000_000, 'x') }))
  receiver.answer = () => new Promise(() => undefined)
  const slow = await create()
  const down = await create({ url: 'http://127.0.0.1:9/hook' })
  const fast = await create({ url: `${other.url}/hook` })
  for (const name of ['a', 'b', 'c']) await data('POST /items/tags', { name })
  await other.until(3)
  expect((await settled(fast.id)).map(({ state, attempts }) => [state, attempts])).toEqual(
    Array.from({ length: 3 }, () => ['delivered', 1]),
  )
  expect((await settled(down.id))[0]).toMatchObject({ state: 'dead', last_error: 'The receiver could not be reached' })
  expect((await settled(slow.id))[0]).toMatchObject({
    state: 'dead',
    last_error: 'The receiver did not answer in time',
  })
  await other.close()
})

test('private addresses that are not allowed are refused, and told so', async () => {
  const { id } = await create({ url: receiver.url.replace('127.0.0.1', '[::1]') })
  await data('POST /items/tags', { name: 'a' })
  const error = 'The address is not allowed: WEBHOOKS_IP_ALLOW_LIST allows private ones'
  expect((await settled(id))[0]).toMatchObject({ state: 'dead', last_status: null, last_error: error })
  expect(receiver.received).toEqual([])
})

test('a replaced secret signs beside the former one until the overlap has ended', async () => {
  const { id, secret } = await create()
  const rotated = (await data(`POST /webhooks/${id}/rotate-secret`, { overlap: 60 })) as { readonly secret: string }
  await data('POST /items/tags', { name: 'a' })
  const [first] = await receiver.until(1)
  for (const each of [secret, rotated.secret])
    expect(new Verifier(each).verify(first?.body ?? '', first?.headers ?? {})).toMatchObject({ type: 'items.create' })
  const last = (await data(`POST /webhooks/${id}/rotate-secret`, { overlap: 0 })) as { readonly secret: string }
  await data('POST /items/tags', { name: 'b' })
  const [, second] = await receiver.until(2)
  new Verifier(last.secret).verify(second?.body ?? '', second?.headers ?? {})
  expect(() => new Verifier(rotated.secret).verify(second?.body ?? '', second?.headers ?? {})).toThrow('No matching')
  expect(await data(`GET /webhooks/${id}?fields=secret`)).toEqual({ secret: '**********' })
})

test('without a body the former secret signs for another day', async () => {
  const { id } = await create()
  const rotated = (await data(`POST /webhooks/${id}/rotate-secret`)) as { readonly previous_secret_until: string }
  const hours = (Date.parse(rotated.previous_secret_until) - Date.now()) / 3_600_000
  expect(hours).toBeGreaterThan(23)
  expect(hours).toBeLessThanOrEqual(25)
})

test('what is sent is what the user of the webhook may read', async () => {
  const everything = await create({ collections: ['articles', 'platform_users'] })
  const seen = (await data('GET /articles/1'.replace('/articles', '/items/articles'), undefined, 'editor')) as object
  const editor = (await data('GET /users/me?fields=id', undefined, 'editor')) as { readonly id: string }
  const own = await openReceiver()
  await create({ url: own.url, collections: ['articles', 'platform_users'], user: editor.id })
  await data('PATCH /items/articles/1', { title: 'Changed' })
  const [whole] = bodies(await receiver.until(1)) as unknown as { data: { item: object } }[]
  const [part] = bodies(await own.until(1)) as unknown as { data: { item: object } }[]
  expect(Object.keys(whole?.data.item ?? {}).length).toBeGreaterThan(0)
  for (const name of Object.keys(part?.data.item ?? {})) expect(Object.keys(seen)).toContain(name)
  await data(`PATCH /users/${editor.id}`, { password: 'another-password-42' })
  const user = (await receiver.until(2))[1]
  expect(user?.body).not.toMatch(/argon2|\$2[aby]\$|another-password/)
  expect(everything.id).toBeGreaterThan(0)
  await own.close()
})

test('other callers than administrators can have sent only what they may read themselves', async () => {
  const admin = (await data('GET /users/me?fields=id')) as { readonly id: string }
  const refused = await ask('POST /webhooks', hook({ user: admin.id }), 'writer')
  expect(refused).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } })
  const { id } = await create()
  expect((await ask(`PATCH /webhooks/${id}`, { url: 'http://127.0.0.1/elsewhere' }, 'writer')).status).toBe(403)
  expect(await data(`GET /webhooks/${id}?fields=url`)).toEqual({ url: `${receiver.url}/hook` })
  // What waits was seen by the former user, and its headers may hold credentials.
  const writer = (await data('GET /users/me?fields=id', undefined, 'writer')) as { readonly id: string }
  const taken = { user: writer.id, role: null, url: 'http://127.0.0.1/elsewhere' }
  for (const [request, body] of [
    [`PATCH /webhooks/${id}`, taken],
    ['PATCH /webhooks', { keys: [id], data: taken }],
  ] as const) {
    const { status, body: answer } = await ask(request, body, 'writer')
    expect([status, answer]).toMatchObject([403, { error: { code: 'FORBIDDEN' } }])
  }
  expect(await data(`GET /webhooks/${id}?fields=url,user`)).toEqual({ url: `${receiver.url}/hook`, user: admin.id })
  await create({}, 'writer')
  const [own] = (await data(`GET /webhooks?filter[user][_eq]=${writer.id}`)) as readonly { readonly id: number }[]
  await data(`PATCH /webhooks/${own?.id}`, { name: 'Other' }, 'writer')
  expect(await data(`GET /webhooks/${own?.id}?fields=name,user`)).toEqual({ name: 'Other', user: writer.id })
  expect((await ask(`GET /webhooks/${id}/deliveries`, undefined, 'nobody')).status).toBe(403)
})

test.each([
  ['url', { url: 'file:///etc/passwd' }],
  ['url', { url: 'http://user:password@example.com/' }],
  ['actions', { actions: ['read'] }],
  ['collections', { collections: ['nowhere'] }],
  ['collections', { collections: [] }],
  ['secret', { secret: 'whsec_short' }],
  ['headers', { headers: [{ header: 'webhook-id', value: 'x' }] }],
  ['headers', { headers: [{ header: 'X', value: 'a\r\nb' }] }],
  ['failure', { failure: 'none' }],
] as const)('a wrong %s is refused: %j', async (name, more) => {
  const { status, body } = await ask('POST /webhooks', hook(more))
  expect([status, JSON.stringify(body).includes(name)]).toEqual([400, true])
})

test('only administrators read headers, in every way', async () => {
  for (const collection of ['webhooks', 'revisions'])
    await data('POST /permissions', {
      policy: writerPolicy,
      collection: `platform_${collection}`,
      action: 'read',
      fields: ['*'],
    })
  const headers = [{ header: 'X-Key', value: 'of-the-receiver' }]
  const { id } = await create({ headers })
  expect(await data(`GET /webhooks/${id}?fields=headers`)).toEqual({ headers })
  const reads = ['', '?export=csv', '?fields=*.*', `/${id}`, '?fields=headers', '?filter[headers][_nnull]=true']
  for (const query of [...reads, '?fields=json(headers, [0].value)', '?fields=count(headers)', '?sort=headers']) {
    const answer = await fetch(`${world.url}/webhooks${query}`, { headers: bearer('writer') })
    expect([query, answer.status === 200, await answer.text()]).toEqual([
      query,
      !query.includes('headers'),
      expect.not.stringMatching(/of-the-receiver|"headers"/) as unknown,
    ])
  }
  const document = { query: '{ webhooks { id headers { header } } }' }
  expect(JSON.stringify(await ask('POST /graphql/system', document, 'writer'))).not.toContain('of-the-receiver')
  expect(JSON.stringify(await ask('GET /_/webhooks', undefined, 'writer'))).not.toContain('of-the-receiver')
  expect(JSON.stringify(await ask('GET /revisions?fields=*', undefined, 'writer'))).not.toContain('of-the-receiver')
  // Who may write a webhook sets its headers, and does not get them back.
  const answered = await ask('POST /webhooks', hook({ headers }), 'writer')
  expect([answered.status, JSON.stringify(answered.body)]).toEqual([
    200,
    expect.not.stringContaining('of-the-receiver'),
  ])
})

test('version 8 shows the same rows, and its webhooks are sent the item alone', async () => {
  const legacy = (await data('POST /_/webhooks', {
    http_action: 'post',
    url: `${receiver.url}/old`,
    collection: 'tags',
    directus_action: 'item.create:after',
    status: 'active',
  })) as { readonly id: number }
  expect(await data(`GET /_/webhooks/${legacy.id}`)).toEqual({
    id: legacy.id,
    status: 'active',
    http_action: 'post',
    url: `${receiver.url}/old`,
    collection: 'tags',
    directus_action: 'item.create:after',
  })
  expect(await data(`GET /webhooks/${legacy.id}?fields=method,actions,collections,format`)).toEqual({
    method: 'POST',
    actions: ['create'],
    collections: ['tags'],
    format: 'item',
  })
  const get = await data('POST /_/webhooks', {
    http_action: 'get',
    url: `${receiver.url}/get`,
    collection: 'tags',
    directus_action: 'item.delete:after',
  })
  const { id } = (await data('POST /items/tags', { name: 'old' })) as { id: number }
  expect((await receiver.until(1)).map(({ path, method, body }) => [path, method, JSON.parse(body)])).toEqual([
    ['/old', 'POST', { id, name: 'old' }],
  ])
  await data(`DELETE /items/tags/${id}`)
  expect((await receiver.until(2)).slice(1).map(({ path, method, body }) => [path, method, body])).toEqual([
    ['/get', 'GET', ''],
  ])
  expect(get).toMatchObject({ http_action: 'get' })
})
