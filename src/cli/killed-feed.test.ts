/**
 * Kills the server while items change: whoever follows by the id of the last event is told of each change once and in
 * order, those before the kill and those after it. `FEED_KILLS` is the number of kills. On a database server there are two
 * servers, of which one is killed; with `TEST_REDIS_URL` they share a Redis.
 */
import { afterAll, expect, test } from 'vitest'
import { textFor } from '../sql/testing/test-database.ts'
import { adminToken, createDatabase, type Server, startServer } from './test-program.ts'

const kills = Number(process.env['FEED_KILLS'] ?? 1)
const isServer = process.env['TEST_DATABASE_URL'] !== undefined
const redis = process.env['TEST_REDIS_URL']
const rowCount = 6
const writesPerKill = 40
const database = await createDatabase({ isMigrated: true })
const shared = redis === undefined ? {} : { REDIS: redis, RATE_LIMITER_STORE: 'redis', CACHE_STORE: 'redis' }
const own = { ADMIN_TOKEN: adminToken, LOG_LEVEL: 'error', PRESSURE_LIMITER_ENABLED: 'false' }
const settings: { readonly [name: string]: string } = { ...database.settings, ...own, ...shared }
await database.onDatabase(async (db) => {
  for (const text of [
    'create table counters (id integer primary key, value integer not null)',
    "insert into platform_collections (collection, singleton) values ('counters', false)",
    `insert into counters select n, 0 from generate_series(1, ${rowCount}) n`,
  ])
    await db.run({ text: textFor(db, text), values: [] })
})
afterAll(() => database.remove())

const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' }

type Change = { readonly id: number; readonly row: number; readonly value: number }
type Counter = { readonly id: number; readonly value: number }

/** A member of an event. */
const lineOf = (block: string, name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? ''

/** What is told after an event, and the id of the last one. */
async function readChanges(
  url: string,
  last: string,
): Promise<{ readonly found: readonly Change[]; readonly last: string }> {
  const answer = await fetch(`${url}/items/counters/changes`, {
    headers: { ...headers, ...(last === '' ? {} : { 'last-event-id': last }) },
  })
  const text = await answer.text()
  expect(answer.status, text).toBe(200)
  const events = text.split('\n\n').filter((block) => block.includes('event: '))
  expect(events.filter((each) => lineOf(each, 'event') === 'reset')).toEqual([])
  const found = events
    .filter((each) => lineOf(each, 'event') === 'update')
    .map((each) => {
      const { id, value } = JSON.parse(lineOf(each, 'data')) as Counter
      return { id: Number.parseInt(lineOf(each, 'id'), 10), row: id, value }
    })
  return { found, last: lineOf(events.at(-1) ?? '', 'id') }
}

async function readCounters(url: string): Promise<readonly Counter[]> {
  const answer = await fetch(`${url}/items/counters?sort=id`, { headers })
  return ((await answer.json()) as { readonly data: readonly Counter[] }).data
}

/** Adds one to a row again and again, until the server is gone or there were enough writes. Returns whether it is gone. */
async function writeOn(url: string, { id, value }: Counter, written: { count: number }): Promise<boolean> {
  for (let next = value + 1; written.count < writesPerKill * 2; next += 1) {
    const body = JSON.stringify({ value: next })
    const answer = await fetch(`${url}/items/counters/${id}`, { method: 'PATCH', headers, body }).catch(() => null)
    if (answer === null) return true
    const text = await answer.text().catch(() => '')
    expect(answer.status, text).toBe(200)
    written.count += 1
  }
  return false
}

test(
  `after ${kills} kills each change has been told once, in the order of its row`,
  async () => {
    const received: Change[] = []
    let last = ''
    const follow = async (url: string): Promise<void> => {
      const { found, last: next } = await readChanges(url, last)
      received.push(...found)
      last = next
    }
    const other: Server | null = isServer ? await startServer(settings) : null
    for (let kill = 0; kill < kills; kill += 1) {
      const doomed = await startServer(settings)
      const reader = other?.url ?? doomed.url
      await follow(reader)
      const written = { count: 0 }
      const rows = await readCounters(reader)
      const writers = rows.map((row, at) =>
        writeOn(at % 2 === 0 || other === null ? doomed.url : other.url, row, written),
      )
      while (written.count < writesPerKill) await follow(reader)
      await doomed.stop('SIGKILL')
      await Promise.all(writers)
    }
    const after = other ?? (await startServer(settings))
    await follow(after.url)
    const expected = (await readCounters(after.url)).map(({ value }) =>
      Array.from({ length: value }, (_, at) => at + 1),
    )
    const values = Array.from({ length: rowCount }, (_, at) =>
      received.filter(({ row }) => row === at + 1).map(({ value }) => value),
    )
    expect(values).toEqual(expected)
    expect(expected.flat().length).toBeGreaterThanOrEqual(kills * writesPerKill)
    const ids = received.map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b))
    console.info(`${kills} kills, ${received.length} changes told once and in order`)
    await after.stop('SIGTERM')
  },
  120_000 + kills * 60_000,
)
