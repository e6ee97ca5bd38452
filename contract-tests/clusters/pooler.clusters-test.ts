/** Tandem behind PgBouncer in transaction mode, with fewer sessions than clients. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PostgresCluster, startBouncer, startCluster } from './postgres-cluster.ts'
import { openTandem, type Tandem } from './tandem.ts'

let cluster: PostgresCluster
let bouncer: Awaited<ReturnType<typeof startBouncer>>
let settings: { readonly [name: string]: string }
const tandems: Tandem[] = []

beforeAll(async () => {
  cluster = await startCluster()
  await cluster.primary.query(`create table notes (id serial primary key, title text, day timestamptz)`)
  bouncer = await startBouncer(cluster.primary)
  settings = {
    DB_CONNECTION_STRING: bouncer.url,
    DB_POOLER: 'transaction',
    DB_DIRECT_CONNECTION_STRING: cluster.primary.url,
    WEBSOCKETS_ENABLED: 'true',
  }
})
afterAll(async () => {
  for (const each of tandems) await each.close()
  bouncer?.close()
  await cluster?.close()
})

test('sessions with another time zone are refused at the start', async () => {
  await cluster.primary.query(`create role traveller login superuser`)
  await cluster.primary.query(`alter role traveller set timezone = 'Europe/Paris'`)
  const other = await startBouncer(cluster.primary, 'traveller')
  const opening = openTandem({ ...settings, DB_CONNECTION_STRING: other.url })
  await expect(opening.finally(other.close)).rejects.toThrow('DB_POOLER: expected a role with timezone UTC')
})

test('prepared statements are refused at the start with a pooler that does not carry them', async () => {
  const { stdout } = await promisify(execFile)('pgbouncer', ['--version'])
  const minor = Number(/PgBouncer 1\.(\d+)/.exec(stdout)?.[1])
  const opening = openTandem({ ...settings, DB_POOLER_PREPARED: 'true' })
  // From 1.24 on, PgBouncer carries them without a setting.
  if (minor < 24) return expect(opening).rejects.toThrow('DB_POOLER_PREPARED: expected false, or a pooler that')
  tandems.push(await opening)
})

test('reads, writes, batches and changes of the model work on sessions that change', async () => {
  for (let count = 0; count < 2; count += 1) tandems.push(await openTandem(settings))
  const [one, two] = tandems as [Tandem, Tandem]
  const many = Array.from({ length: 60 }, (_, at) => at)
  const made = await Promise.all(
    many.map((at) =>
      (at % 2 === 0 ? one : two).ask('POST /items/notes', {
        body: { title: `Note ${at}`, day: '2026-01-01T00:00:00Z' },
      }),
    ),
  )
  expect(made.map(({ status }) => status)).toEqual(many.map(() => 200))
  for (let round = 0; round < 3; round += 1) {
    const reads = await Promise.all(
      many.map((at) =>
        (at % 2 === 0 ? two : one).ask(`GET /items/notes?filter[title][_eq]=Note%20${at}&fields=title,day`),
      ),
    )
    expect(reads.map(({ body }) => body)).toEqual(
      many.map((at) => ({ data: [{ title: `Note ${at}`, day: '2026-01-01T00:00:00.000Z' }] })),
    )
  }
  const batch = await one.ask('POST /batch', {
    body: {
      operations: [
        { method: 'POST', path: '/items/notes', body: { title: 'Kept?' } },
        { method: 'PATCH', path: '/items/notes/999999', body: { title: 'Missing' } },
      ],
    },
  })
  expect(batch.status).toBe(403)
  const { body } = await two.ask('GET /items/notes?filter[title][_eq]=Kept%3F')
  expect(body).toEqual({ data: [] })
})

test('changes of the model are announced past the pooler', async () => {
  const [one, two] = tandems as [Tandem, Tandem]
  const field = { field: 'color', type: 'string' }
  expect((await one.ask('POST /fields/notes', { body: field })).status).toBe(200)
  await expect
    .poll(async () => (await two.ask('GET /items/notes?fields=color&limit=1')).status, { timeout: 20_000 })
    .toBe(200)
  expect((await two.ask('GET /items/notes?fields=color&limit=1')).body).toEqual({ data: [{ color: null }] })
})
