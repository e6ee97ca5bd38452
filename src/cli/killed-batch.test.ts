/**
 * Kills the server while batches are written: each batch is there as a whole, with its history, or not at all, and a
 * repetition under its key writes what is missing. `BATCH_KILLS` is the number of kills.
 */
import { afterAll, expect, test } from 'vitest'
import { textFor } from '../sql/testing/test-database.ts'
import { adminToken, createDatabase, startServer } from './test-program.ts'

const kills = Number(process.env['BATCH_KILLS'] ?? 1)
const operationsOfBatch = 20
const database = await createDatabase({ isMigrated: true })
const settings: { readonly [name: string]: string } = {
  ...database.settings,
  ADMIN_TOKEN: adminToken,
  LOG_LEVEL: 'error',
  PRESSURE_LIMITER_ENABLED: 'false',
}
await database.onDatabase(async (db) => {
  for (const text of [
    'create table parts (id serial primary key, batch text not null)',
    "insert into platform_collections (collection, singleton, accountability) values ('parts', false, 'all')",
  ])
    await db.run({ text: textFor(db, text), values: [] })
})
afterAll(() => database.remove())

/** Sends a batch of creates under its name as the key; null if the server is gone. */
async function send(url: string, batch: string): Promise<number | null> {
  const operation = { method: 'POST', path: '/items/parts', body: { batch } }
  const answer = await fetch(`${url}/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json', 'idempotency-key': batch },
    body: JSON.stringify({ operations: Array.from({ length: operationsOfBatch }, () => operation) }),
  }).catch(() => null)
  await answer?.text().catch(() => '')
  return answer?.status ?? null
}

type Count = { readonly batch: string; readonly rows: number; readonly history: number }

const countText = `select batch, count(*)::integer as rows, count(a.id)::integer as history from parts
  left join platform_activity a on a.collection = 'parts' and a.action = 'create' and a.item = parts.id::text
  group by batch order by batch`

const counts = (): Promise<readonly Count[]> =>
  database.onDatabase(async (db) => (await db.run({ text: countText, values: [] })).rows as readonly Count[])

const whole = (batch: string): Count => ({ batch, rows: operationsOfBatch, history: operationsOfBatch })

test(
  `after ${kills} kills each batch is whole or absent, and repetitions complete them`,
  async () => {
    const sent: string[] = []
    const acknowledged = new Set<string>()
    for (let kill = 0; kill < kills; kill += 1) {
      const server = await startServer(settings)
      const writers = Array.from({ length: 3 }, async (_, writer) => {
        for (let at = 0; ; at += 1) {
          const batch = `batch-${kill}-${writer}-${at}`
          sent.push(batch)
          const status = await send(server.url, batch)
          if (status === null) return
          expect(status).toBe(200)
          acknowledged.add(batch)
        }
      })
      // Another moment of a batch each time, after some batches.
      const enough = acknowledged.size + 2
      while (acknowledged.size < enough)
        await Promise.race([new Promise((resolve) => setTimeout(resolve, 1)), Promise.all(writers)])
      await new Promise((resolve) => setTimeout(resolve, kill % 25))
      await server.stop('SIGKILL')
      await Promise.all(writers)
    }
    const found = await counts()
    expect(found).toEqual(found.map(({ batch }) => whole(batch)))
    const present = new Set(found.map(({ batch }) => batch))
    expect([...acknowledged].filter((batch) => !present.has(batch))).toEqual([])
    const server = await startServer(settings)
    for (const batch of sent) expect(await send(server.url, batch)).toBe(200)
    await server.stop('SIGTERM')
    const complete = await counts()
    expect(new Set(complete.map(({ batch }) => batch))).toEqual(new Set(sent))
    expect(complete).toEqual(complete.map(({ batch }) => whole(batch)))
  },
  120_000 + kills * 30_000,
)
