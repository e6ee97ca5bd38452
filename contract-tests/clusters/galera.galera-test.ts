/** Three processes of Tandem over the three nodes of a Galera cluster, of which one is killed. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GaleraCluster, startGalera } from './galera-cluster.ts'
import { until } from './postgres-cluster.ts'
import { openTandem, type Tandem } from './tandem.ts'

/** Writes that are sent while a node ends. */
const writes = Number(process.env['CLUSTER_WRITES'] ?? 300)

let cluster: GaleraCluster
const tandems: Tandem[] = []

beforeAll(async () => {
  cluster = await startGalera(3)
  // The first one makes the tables; the others find them.
  for (const { url } of cluster.nodes) tandems.push(await openTandem({ DB_CLIENT: 'mysql', DB_CONNECTION_STRING: url }))
  const fields = [
    { field: 'title', type: 'string', schema: { is_unique: true } },
    { field: 'seen', type: 'integer' },
  ]
  expect(
    await tandemOf(0).ask('POST /collections', { body: { collection: 'notes', schema: {}, fields } }),
  ).toMatchObject({
    status: 200,
  })
})
afterAll(async () => {
  for (const tandem of tandems) await tandem.close()
  await cluster?.close()
})

const tandemOf = (at: number): Tandem => tandems[at % tandems.length] as Tandem
const nodeOf = (at: number) => cluster.nodes[at] as GaleraCluster['nodes'][number]
const waits = { timeout: 30_000, interval: 50 }

const answerOf = async (at: number): Promise<unknown> =>
  (await tandemOf(at).ask('GET /items/notes?fields=title&sort=title')).body

const titlesOf = async (at: number): Promise<ReadonlySet<unknown>> =>
  new Set((await nodeOf(at).query('select title from test.notes')).map(({ title }) => title))

test('what is written through one node is read through all', async () => {
  for (let at = 0; at < 3; at += 1) {
    await expect.poll(async () => (await tandemOf(at).ask('GET /items/notes')).status, waits).toBe(200)
    expect(await tandemOf(at).ask('POST /items/notes', { body: { title: `by ${at}` } })).toMatchObject({ status: 200 })
  }
  const data = [0, 1, 2].map((at) => ({ title: `by ${at}` }))
  for (let at = 0; at < 3; at += 1) await expect.poll(() => answerOf(at), waits).toEqual({ data })
})

test('writes of one row through several nodes happen one after another', async () => {
  const { body } = await tandemOf(0).ask('POST /items/notes', { body: { title: 'counted', seen: 0 } })
  const { id } = (body as { readonly data: { readonly id: number } }).data
  await expect.poll(async () => (await tandemOf(2).ask(`GET /items/notes/${id}`)).status, waits).toBe(200)
  const statuses = await Promise.all(
    Array.from({ length: 12 }, async (_, at) => {
      const { status } = await tandemOf(at).ask(`PATCH /items/notes/${id}`, { body: { seen: at } })
      return status
    }),
  )
  // A conflict that does not end is told, and has changed nothing.
  expect(statuses.filter((status) => status !== 200 && status !== 409 && status !== 503)).toEqual([])
  const revisions = `select count(*) as n from test.platform_revisions where collection = 'notes' and item = '${id}'`
  const written = statuses.filter((status) => status === 200).length
  for (let at = 0; at < 3; at += 1)
    await expect.poll(() => nodeOf(at).query(revisions), waits).toEqual([{ n: written + 1 }])
})

test('a node that is killed loses nothing that was acknowledged, and comes back', async () => {
  const acknowledged: string[] = []
  let failures = 0
  const writer = async (number: number): Promise<void> => {
    for (let at = number; at < writes; at += 6) {
      for (let turn = number; ; turn += 1) {
        const title = `${at} ${crypto.randomUUID()}`
        const { status } = await tandemOf(turn).ask('POST /items/notes', { body: { title } })
        if (status === 200) {
          acknowledged.push(title)
          break
        }
        failures += 1
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
  }
  const working = Promise.all([0, 1, 2, 3, 4, 5].map(writer))
  await until(async () => acknowledged.length > writes / 3)
  await nodeOf(2).kill()
  const killed = Date.now()
  const before = acknowledged.length
  await until(async () => acknowledged.length > before)
  const resumed = Date.now() - killed
  await working
  await nodeOf(2).start()
  for (let at = 0; at < 3; at += 1) {
    const kept = await titlesOf(at)
    expect(acknowledged.filter((title) => !kept.has(title))).toEqual([])
  }
  expect(acknowledged).toHaveLength(writes)
  expect(failures).toBeGreaterThan(0)
  await expect
    .poll(async () => (await tandemOf(2).ask('POST /items/notes', { body: { title: 'back' } })).status, waits)
    .toBe(200)
  await expect.poll(async () => (await titlesOf(0)).has('back'), waits).toBe(true)
  console.log(`a node of three killed: ${acknowledged.length} acknowledged, 0 lost; next write after ${resumed} ms`)
})

// The administrator of the tests is none afterwards.
test('the last administrator stays, whichever nodes are asked', async () => {
  const role = '00000000-0000-4000-8000-000000000001'
  const tokens = ['a-token-of-the-first-one', 'a-token-of-the-second-one']
  const users: string[] = []
  for (const token of tokens) {
    const body = { email: `${token}@example.com`, role, status: 'active', token }
    const { body: made } = await tandemOf(0).ask('POST /users?fields=id', { body })
    users.push((made as { readonly data: { readonly id: string } }).data.id)
  }
  const others = `select id from test.platform_users where role = '${role}' and id not in ('${users.join("','")}')`
  await nodeOf(0).query(
    `update test.platform_users set status = 'suspended' where id in (select id from (${others}) o)`,
  )
  const seen = `select count(*) as n from test.platform_users where role = '${role}' and status = 'active'`
  for (let at = 0; at < 3; at += 1) await expect.poll(() => nodeOf(at).query(seen), waits).toEqual([{ n: 2 }])
  // Each suspends itself.
  const answers = await Promise.all(
    tokens.map((token, at) => tandemOf(at).ask(`PATCH /users/${users[at]}`, { body: { status: 'suspended' }, token })),
  )
  // One of them is refused.
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  for (let at = 0; at < 3; at += 1) await expect.poll(() => nodeOf(at).query(seen), waits).toEqual([{ n: 1 }])
})
