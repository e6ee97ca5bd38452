/** Deliveries of two processes, and what restricted owners are sent. */
import { assert, asyncProperty, constantFrom, record, subarray } from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import type { Database } from '../../domain/ports/context.ts'
import type { WebhookRequest, WebhookSettings } from '../../domain/ports/webhooks.ts'
import { coreView } from '../../domain/schema/core-view.ts'
import { silentLog } from '../../sql/testing/test-database.ts'
import { receiveAnnouncements } from '../announcements.ts'
import { createFeed } from '../feed/feed.ts'
import { writeItems } from '../items/items.ts'
import { adminUser, changesOf, openTestWorld } from '../testing/test-context.ts'
import { createWebhooks, type OpenWebhooks } from './webhooks.ts'

const replicas: OpenWebhooks[] = []
/** In the order in which they came. */
const sent: WebhookRequest[] = []
let views = 1
let isDown: () => boolean = () => false

const settings: WebhookSettings = {
  timeout: 1000,
  concurrency: 3,
  attempts: 50,
  firstWait: 1,
  longestWait: 5,
  queue: 10_000,
  retention: 60_000,
}
const role = '00000000-0000-4000-8000-00000000aa01'
const policy = '00000000-0000-4000-8000-00000000aa02'

const world = await openTestWorld()
const db = world.ctx.db as Database & Parameters<typeof receiveAnnouncements>[0]
const announcements = await receiveAnnouncements(db)
const feed = await createFeed(db, { announcements, log: silentLog, settings: { retention: 60_000, most: 1000 } })
const ctx = { ...world.ctx, feed, actor: adminUser }
await world.rowsOf(`insert into platform_roles (id, name) values ('${role}', 'Restricted')`)
await world.rowsOf(`insert into platform_policies (id, name) values ('${policy}', 'Restricted')`)
await world.rowsOf(
  `insert into platform_access (id, role, policy) values ('00000000-0000-4000-8000-00000000aa03', '${role}', '${policy}')`,
)
for (const _ of [1, 2])
  replicas.push(
    createWebhooks({
      db,
      rows: ctx.rows,
      log: silentLog,
      announcements,
      feed,
      settings,
      ids: { uuid: () => crypto.randomUUID(), token: (length) => 'x'.repeat(length) },
      clock: () => new Date(),
      schema: () => ctx.schema,
      limits: ctx.limits,
      views: { standard: coreView },
      chance: () => 0,
      userAgent: 'Test',
      observe: () => undefined,
      async send(request) {
        sent.push(request)
        return { status: isDown() ? 500 : 200, retryAfter: null }
      },
    }),
  )
afterAll(async () => {
  for (const each of replicas) await each.close(1000)
  await feed.close()
  await world.close()
})

const create = async (collection: string, values: { readonly [field: string]: unknown }) =>
  Number((await writeItems(ctx, { kind: 'create', collection, items: [changesOf(values)] }))[0])
const update = (key: number, values: { readonly [field: string]: unknown }) =>
  writeItems(ctx, {
    kind: 'update',
    collection: 'articles',
    target: { kind: 'keys', keys: [key] },
    changes: changesOf(values),
  })
const remove = (key: number) =>
  writeItems(ctx, { kind: 'delete', collection: 'platform_webhooks', target: { kind: 'keys', keys: [key] } })

const hook = (more: object) =>
  create('platform_webhooks', {
    name: 'Test',
    url: 'https://example.com/hook',
    collections: ['articles'],
    actions: ['create', 'update', 'delete'],
    role: '00000000-0000-4000-8000-000000000001',
    ...more,
  })

type Body = {
  readonly type: string
  readonly data: { readonly key: number; readonly item?: { [name: string]: unknown } }
}

const bodyOf = ({ body }: WebhookRequest) => JSON.parse(body ?? '{}') as Body

/** Waits until nothing is left to deliver. */
async function settled(): Promise<void> {
  await expect
    .poll(
      async () => {
        for (const each of replicas) each.wake()
        const text = `select 1 as open from platform_webhook_deliveries where state = 'pending' union all
  select 1 from platform_events e where e.position is null
    or e.position > (select r.position from platform_webhook_reader r where r.id = 1)`
        return (await world.rowsOf(text)).length
      },
      { timeout: 25_000, interval: 20 },
    )
    .toBe(0)
}

test('two processes deliver each change with one id and each row in order, also while the receiver fails', async () => {
  const id = await hook({})
  sent.length = 0
  let count = 0
  isDown = () => ++count % 3 === 0
  const keys: number[] = []
  for (const title of ['a', 'b', 'c', 'd']) keys.push(await create('articles', { title, status: '0' }))
  for (const status of ['1', '2', '3']) for (const key of keys) await update(key, { status })
  await settled()
  isDown = () => false
  const events = new Map<string, string>()
  for (const request of sent) {
    const { data } = bodyOf(request)
    const change = `${data.key} ${JSON.stringify(data.item?.['status'])}`
    const event = request.headers['webhook-id'] ?? ''
    expect(events.get(change) ?? event).toBe(event)
    events.set(change, event)
  }
  expect(events.size).toBe(16)
  for (const key of keys) {
    const steps = sent.map(bodyOf).filter(({ data }) => data.key === key)
    const order = steps.map(({ data }) => Number(data.item?.['status']))
    expect(order).toEqual(order.toSorted((one, other) => one - other))
  }
  await remove(id)
})

test('a restricted owner is sent the rows and the fields that it may read, and no others', {
  timeout: 120_000,
}, async () => {
  const fields = ['id', 'title', 'status', 'body', 'views', 'price', 'metadata'] as const
  const id = await hook({ role, user: null })
  const cases = record({ readable: subarray([...fields], { minLength: 1 }), status: constantFrom('x', 'y') })
  const key = await create('articles', { title: 'first', status: 'x', body: 'secret', views: 1 })
  await assert(
    asyncProperty(cases, async ({ readable, status }) => {
      await world.rowsOf(`delete from platform_permissions where policy = '${policy}'`)
      const rule = JSON.stringify({ status: { _eq: 'x' } })
      await world.rowsOf(
        `insert into platform_permissions (policy, collection, action, fields, permissions) values ('${policy}', 'articles', 'read', '${['id', ...readable].join(',')}', '${rule}')`,
      )
      await settled()
      sent.length = 0
      const [row] = (await world.rowsOf(`select status from articles where id = ${key}`)) as { status: string }[]
      await update(key, { status, views: ++views })
      await settled()
      const bodies = sent.map(bodyOf)
      const kind = { xx: 'update', xy: 'delete', yx: 'create', yy: null }[`${row?.status ?? ''}${status}` as 'xx']
      expect(bodies.map(({ type }) => type)).toEqual(kind === null ? [] : [`items.${kind}`])
      for (const { data } of bodies)
        if (data.item !== undefined)
          expect(Object.keys(data.item).toSorted()).toEqual([...new Set(['id', ...readable])].toSorted())
    }),
    { numRuns: 15 },
  )
  await remove(id)
})

test('deliveries of a suspended user are sent when the user is active again', async () => {
  const user = '00000000-0000-4000-8000-00000000aa04'
  await world.rowsOf(
    `insert into platform_users (id, email, status, role) values ('${user}', 'owner@example.com', 'active', '00000000-0000-4000-8000-000000000001')`,
  )
  const [owned, other] = [
    await hook({ user, url: 'https://example.com/owned' }),
    await hook({ user: null, url: 'https://example.com/other' }),
  ]
  const sentTo = (path: string) => sent.filter(({ url }) => url.endsWith(path)).length
  isDown = () => true
  await settled()
  sent.length = 0
  await create('articles', { title: 'waits' })
  await expect.poll(() => sentTo('/owned')).toBeGreaterThan(0)
  await world.rowsOf(`update platform_users set status = 'suspended' where id = '${user}'`)
  // What was claimed before the change has come to its end when the other webhook has been tried again a few times.
  const tries = sentTo('/other')
  await expect.poll(() => sentTo('/other')).toBeGreaterThan(tries + 10)
  sent.length = 0
  isDown = () => false
  await expect.poll(() => sentTo('/other')).toBe(1)
  expect(sentTo('/owned')).toBe(0)
  await world.rowsOf(`update platform_users set status = 'active' where id = '${user}'`)
  await expect.poll(() => sentTo('/owned')).toBe(1)
  await remove(owned)
  await remove(other)
})
