/** Read replicas of Postgres: where reads go, that clients read their writes, and what happens when servers end. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PostgresCluster, type PostgresNode, startCluster, until } from './postgres-cluster.ts'
import { openSwitch, type Switch } from './switch.ts'
import { openTandem, type Tandem } from './tandem.ts'

/** Writes that are sent while the primary ends. */
const writes = Number(process.env['CLUSTER_WRITES'] ?? 300)

let cluster: PostgresCluster
let standby: PostgresNode
let address: Switch
let tandem: Tandem

beforeAll(async () => {
  cluster = await startCluster()
  await cluster.primary.query('create table notes (id serial primary key, title text unique)')
  standby = await cluster.addStandby({ isSynchronous: true })
  address = await openSwitch(cluster.primary.port)
  tandem = await openTandem({
    DB_CONNECTION_STRING: address.url,
    DB_READ_REPLICAS: standby.url,
    DB_READ_MAX_LAG: '2s',
    DB_READ_INTERVAL: '100ms',
  })
})
afterAll(async () => {
  await tandem?.close()
  address?.close()
  await cluster?.close()
})

const titles = async (headers: HeadersInit = {}): Promise<unknown> => {
  const { status, body } = await tandem.ask('GET /items/notes?fields=title&sort=id&limit=-1', { headers })
  return status === 200
    ? (body as { readonly data: readonly { title: string }[] }).data.map(({ title }) => title)
    : status
}

const write = async (title: string): Promise<string | null> => {
  const { status, headers } = await tandem.ask('POST /items/notes', { body: { title } })
  expect(status).toBe(200)
  return headers.get('x-tandem-position')
}

const waits = { timeout: 20_000, interval: 20 }

test('reads go to the replica, and a client reads its own writes', async () => {
  const first = await write('one')
  expect(first).toMatch(/^[\dA-F]+\/[\dA-F]+$/)
  expect(await titles({ 'x-tandem-position': String(first) })).toEqual(['one'])
  await until(async () => (await standby.query('select 1 from notes')).length === 1)
  await standby.query('select pg_wal_replay_pause()')
  const second = await write('two')
  expect(await titles()).toEqual(['one'])
  expect(await titles({ 'x-tandem-position': String(second) })).toEqual(['one', 'two'])
  expect(await titles({ cookie: `tandem_position=${second}` })).toEqual(['one', 'two'])
  expect(await titles({ 'x-tandem-position': String(first) })).toEqual(['one'])
  expect(await titles({ 'x-tandem-position': 'nonsense' })).toEqual(['one'])
  const graphql = await tandem.ask('POST /graphql', {
    body: { query: '{ notes(sort: "id") { title } }' },
    headers: { 'x-tandem-position': String(second) },
  })
  expect(graphql.body).toEqual({ data: { notes: [{ title: 'one' }, { title: 'two' }] } })
})

test('a replica that lags is left out, and comes back', async () => {
  await expect.poll(() => titles(), waits).toEqual(['one', 'two'])
  expect(tandem.lines).toContain('A read replica is left out')
  await standby.query('select pg_wal_replay_resume()')
  await expect.poll(() => tandem.lines.at(-1), waits).toBe('A read replica answers reads')
})

test('a replica that is killed costs no read, and comes back', async () => {
  await standby.kill()
  expect(await titles()).toEqual(['one', 'two'])
  await standby.start()
  await expect.poll(() => tandem.lines.at(-1), waits).toBe('A read replica answers reads')
  expect(await titles()).toEqual(['one', 'two'])
})

test('after a failover writes resume by themselves, and nothing acknowledged is lost', async () => {
  const acknowledged: string[] = []
  let failures = 0
  let failedOver: { readonly at: number; resumed: number | null } | null = null
  const writer = async (number: number): Promise<void> => {
    for (let at = number; at < writes; at += 4) {
      for (;;) {
        const title = `${at} ${crypto.randomUUID()}`
        const { status } = await tandem.ask('POST /items/notes', { body: { title } })
        if (status !== 200) {
          failures += 1
          await new Promise((resolve) => setTimeout(resolve, 20))
          continue
        }
        acknowledged.push(title)
        if (failedOver !== null) failedOver.resumed ??= Date.now()
        break
      }
    }
  }
  const working = Promise.all([0, 1, 2, 3].map(writer))
  await until(async () => acknowledged.length > writes / 4)
  await cluster.primary.kill()
  await standby.query(`alter system set synchronous_standby_names = ''`)
  await standby.promote()
  failedOver = { at: Date.now(), resumed: null }
  address.leadTo(standby.port)
  await working
  const kept = new Set((await standby.query('select title from notes')).map(({ title }) => title))
  expect(acknowledged.filter((title) => !kept.has(title))).toEqual([])
  expect(acknowledged).toHaveLength(writes)
  expect(failures).toBeGreaterThan(0)
  console.log(
    `failover: ${acknowledged.length} acknowledged, 0 lost; first write ${(failedOver.resumed ?? 0) - failedOver.at} ms after the promotion`,
  )
})
