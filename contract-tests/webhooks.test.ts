/** Webhooks: what receivers are sent, how deliveries go on after failures, and who may see and replay them. */
import { Webhook as Verifier } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openReceiver, type Receiver } from './webhook-receiver.ts'
import { openWorld, type UserKind, type World } from './world.ts'

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
  const headers = { authorization: `Bearer ${world.tokens[as]}`, 'content-type': 'application/json' }
  const answer = await fetch(`${world.url}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? null : JSON.parse(text) }
}

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
