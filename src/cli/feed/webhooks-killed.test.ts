/** Kills servers that deliver to a webhook: no change is lost, each has one id, and rows keep their order. */
import { afterAll, expect, test } from 'vitest'
import { openReceiver } from '../../../contract-tests/webhook-receiver.ts'
import { adminToken, createDatabase, startServer } from '../test-program.ts'

const database = await createDatabase({ isMigrated: true })
const receiver = await openReceiver(async () => {
  await new Promise((resolve) => {
    setTimeout(resolve, 5)
  })
  return { status: 204 }
})
const settings = {
  ...database.settings,
  ADMIN_TOKEN: adminToken,
  LOG_LEVEL: 'error',
  WEBHOOKS_IP_ALLOW_LIST: '127.0.0.1',
  WEBHOOKS_TIMEOUT: '500ms',
  WEBHOOKS_RETRY_FIRST: '50ms',
}
afterAll(async () => {
  await receiver.close()
  await database.remove()
})

const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' }

/** The data of the answer; null if the server was killed before it had answered. */
async function ask(url: string, method: string, body: object): Promise<{ readonly id: string } | null> {
  const answer = await fetch(url, { method, headers, body: JSON.stringify(body) }).catch(() => null)
  if (answer === null || !answer.ok) return null
  return ((await answer.json().catch(() => null)) as { readonly data: { readonly id: string } } | null)?.data ?? null
}

/** Folders with names that count up: their number is the last one that was acknowledged. */
async function writeUntilKilled(url: string, acknowledged: Map<string, number>): Promise<void> {
  for (;;) {
    const made = await ask(`${url}/folders`, 'POST', { name: '0' })
    if (made === null) return
    acknowledged.set(made.id, 0)
    for (let step = 1; step <= 3; step += 1) {
      if ((await ask(`${url}/folders/${made.id}`, 'PATCH', { name: String(step) })) === null) return
      acknowledged.set(made.id, step)
    }
  }
}

type Sent = { readonly id: string; readonly key: string; readonly step: number }

const sent = (): readonly Sent[] =>
  receiver.received.map(({ headers: { 'webhook-id': id = '' }, body }) => {
    const { data } = JSON.parse(body) as {
      readonly data: { readonly key: string; readonly item: { readonly name: string } }
    }
    return { id, key: data.key, step: Number(data.item.name) }
  })

test('three kills under load lose nothing', { timeout: 240_000 }, async () => {
  const acknowledged = new Map<string, number>()
  let server = await startServer(settings)
  await ask(`${server.url}/webhooks`, 'POST', {
    name: 'Folders',
    url: `${receiver.url}/hook`,
    collections: ['platform_folders'],
    actions: ['create', 'update'],
  })
  for (let kill = 0; kill < 3; kill += 1) {
    const before = receiver.received.length
    const writing = Promise.all([1, 2].map(() => writeUntilKilled(server.url, acknowledged)))
    await receiver.until((received) => received.length >= before + 20)
    await server.stop('SIGKILL')
    await writing
    server = await startServer(settings)
  }
  const isWhole = (): boolean => {
    const last = new Map<string, number>()
    for (const { key, step } of sent()) last.set(key, Math.max(step, last.get(key) ?? -1))
    return [...acknowledged].every(([key, step]) => (last.get(key) ?? -1) >= step)
  }
  await receiver.until(isWhole)
  await server.stop('SIGTERM')
  const first = new Map(sent().map((each) => [`${each.key} ${each.step}`, each.id]))
  expect(acknowledged.size).toBeGreaterThan(3)
  // Each change has one id, however often it was sent.
  expect(sent().filter(({ id, key, step }) => first.get(`${key} ${step}`) !== id)).toEqual([])
  expect(new Set(first.values()).size).toBe(first.size)
  const orders = new Map<string, number[]>()
  for (const { key, step } of sent()) orders.set(key, [...(orders.get(key) ?? []), step])
  // A change that was sent twice is the same one; later ones come after it.
  for (const steps of orders.values()) expect(steps).toEqual(steps.toSorted((one, other) => one - other))
})
