/** Clients that disconnect before the answer: their reads are cancelled, their writes complete. */
import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { adminPassword, adminToken, ask, createDatabase, type ProgramDatabase, startServer } from './test-program.ts'

const database: ProgramDatabase = await createDatabase({ isMigrated: true })

const text = "create table notes (id integer primary key, body text); insert into notes values (1, 'old')"
await database.onDatabase((db) => db.run({ text, values: [] }))
const admin = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: adminPassword, ADMIN_TOKEN: adminToken }
const server = await startServer({ ...database.settings, ...admin, DB_POOL__MAX: '2', LOG_STYLE: 'raw' })

afterAll(async () => {
  await server.stop()
  await database.remove()
})

const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' }
const aborted = (): number => server.printed().split('"aborted":true').length - 1

/** Sends a request and disconnects once `meanwhile` is done. */
async function askAndGo(method: string, body: object | null, meanwhile: () => Promise<void>): Promise<void> {
  const before = aborted()
  const sent = request(`${server.url}/items/notes${body === null ? '' : '/1'}`, { method, headers, agent: false })
  sent.on('error', () => undefined)
  sent.end(body === null ? undefined : JSON.stringify(body))
  await meanwhile()
  sent.destroy()
  await expect.poll(aborted).toBe(before + 1)
}

const bodyOfFirst = async (): Promise<unknown> =>
  ((await ask(server.url, '/items/notes/1')).body as { data: { body: unknown } }).data.body

if (database.settings['DB_CLIENT'] === undefined) {
  test('a client that disconnects midway does not affect the server', async () => {
    const expecting = { ...headers, expect: '100-continue' }
    const sent = request(`${server.url}/items/notes`, { method: 'POST', headers: expecting })
    sent.on('error', () => undefined)
    sent.write('{')
    await once(sent, 'continue')
    sent.destroy()
    await expect.poll(aborted).toBe(1)
    expect(await bodyOfFirst()).toBe('old')
  })
} else {
  test('reads of a disconnected client are cancelled, and its writes complete', async () => {
    await database.onDatabase(async (db) => {
      const waiting = async (like: string): Promise<number> => {
        const text = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query ilike $1
          and datname = current_database()`
        return (await db.run({ text, values: [like] })).count
      }
      const waits = (like: string, count: number) => expect.poll(() => waiting(like)).toBe(count)
      await db.transaction(async (inner) => {
        await inner.run({ text: 'lock table notes in access exclusive mode', values: [] })
        await askAndGo('GET', null, () => waits('select%notes%', 1))
        await waits('select%notes%', 0)
        await askAndGo('SEARCH', null, () => waits('select%notes%', 1))
        await waits('select%notes%', 0)
        await askAndGo('PATCH', { body: 'new' }, () => waits('%update%notes%', 1))
        expect(await waiting('%update%notes%')).toBe(1)
      })
    })
    expect(await bodyOfFirst()).toBe('new')
    expect(server.printed()).not.toContain('"level":50')
  })
}
