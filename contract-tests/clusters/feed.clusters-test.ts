/**
 * The database ends without a chance to write anything and starts again, while items change through two servers: whoever
 * follows is told of each change once and in the order of its row, and nothing acknowledged is lost.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMariaDb } from './mariadb-server.ts'
import { startCluster, until } from './postgres-cluster.ts'
import { adminToken, openTandem, type Tandem } from './tandem.ts'

/** How often the database is killed. */
const kills = Number(process.env['CLUSTER_KILLS'] ?? 2)
const redis = process.env['TEST_REDIS_URL']
const rowCount = 6
/** Acknowledged changes before each kill. */
const writesPerKill = 30

type DatabaseServer = {
  readonly url: string
  readonly query: (text: string) => Promise<readonly Record<string, unknown>[]>
  readonly kill: () => Promise<void>
  readonly start: () => Promise<void>
  readonly close: () => Promise<void>
}

const numbers = Array.from({ length: rowCount }, (_, at) => `(${at + 1}, 0)`).join(', ')

async function startPostgres(): Promise<DatabaseServer> {
  const { primary, close } = await startCluster()
  return { ...primary, close }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 20))

/** `position`: the number with which the id of an event begins. */
type Told = { readonly position: number; readonly row: number; readonly value: number }

/** Follows the changes of the counters as `EventSource` does: after a break it comes back by the id of the last event. */
function follow(url: string) {
  const told: Told[] = []
  const resets: string[] = []
  const ended = new AbortController()
  let last = ''
  const read = (block: string): void => {
    const lines = new Map(block.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]))
    const [id, event, data = ''] = [lines.get('id'), lines.get('event'), lines.get('data')]
    if (event === 'reset') resets.push(block)
    if (event === 'update') {
      const { id: row, value } = JSON.parse(data) as { readonly id: number; readonly value: number }
      told.push({ position: Number.parseInt(id ?? '', 10), row, value })
    }
    if (id !== undefined) last = id
  }
  const connect = async (): Promise<void> => {
    const headers = { authorization: `Bearer ${adminToken}`, accept: 'text/event-stream' }
    const answer = await fetch(`${url}/items/counters/changes`, {
      headers: { ...headers, ...(last === '' ? {} : { 'last-event-id': last }) },
      signal: ended.signal,
    })
    if (!answer.ok || answer.body === null) return
    let text = ''
    for await (const piece of answer.body.pipeThrough(new TextDecoderStream())) {
      text += piece
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        read(text.slice(0, end))
        text = text.slice(end + 2)
      }
    }
  }
  const run = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await connect().catch(() => undefined)
      await pause()
    }
  }
  const running = run()
  return {
    told,
    resets,
    isReady: async () => last !== '',
    async stop() {
      ended.abort()
      await running
    },
  }
}

describe.each([
  ['Postgres', startPostgres],
  ['MariaDB', startMariaDb],
] as const)('%s', (name, startDatabase) => {
  let database: DatabaseServer
  let servers: readonly [Tandem, Tandem]

  beforeAll(async () => {
    database = await startDatabase()
    await database.query(`create table counters (id integer primary key, value integer not null);
      insert into counters values ${numbers}`)
    const settings = {
      DB_CLIENT: name === 'MariaDB' ? 'mysql' : 'pg',
      DB_CONNECTION_STRING: database.url,
      WEBSOCKETS_ENABLED: 'true',
      ...(redis === undefined ? {} : { REDIS: redis, CACHE_NAMESPACE: `clusters-${crypto.randomUUID()}` }),
    }
    servers = [await openTandem(settings), await openTandem(settings)]
  })
  afterAll(async () => {
    for (const server of servers ?? []) await server.close()
    await database?.close()
  })

  async function stored(row: number): Promise<number> {
    for (;;) {
      const { status, body } = await servers[0].ask(`GET /items/counters/${row}?fields=value`)
      if (status === 200) return (body as { readonly data: { readonly value: number } }).data.value
      await pause()
    }
  }

  test(`after ${kills} kills of the database nothing is lost, and each change is told once`, async () => {
    const followers = servers.map(({ url }) => follow(url))
    await until(async () => (await Promise.all(followers.map(({ isReady }) => isReady()))).every(Boolean))
    const state = { isOver: false, acknowledged: 0, refused: 0 }
    const writer = async (row: number): Promise<number> => {
      let value = 0
      while (!state.isOver) {
        const { status } = await (servers[row % 2] as Tandem).ask(`PATCH /items/counters/${row}`, {
          body: { value: value + 1 },
        })
        if (status === 200) state.acknowledged += 1
        else state.refused += 1
        // A change without an answer may be there all the same.
        const now = status === 200 ? value + 1 : await stored(row)
        expect(now).toBeGreaterThanOrEqual(value)
        value = now
      }
      return value
    }
    const working = Promise.all(Array.from({ length: rowCount }, (_, at) => writer(at + 1)))
    for (let kill = 1; kill <= kills; kill += 1) {
      await until(async () => state.acknowledged >= kill * writesPerKill)
      await database.kill()
      await pause()
      await database.start()
    }
    await until(async () => state.acknowledged >= (kills + 1) * writesPerKill)
    state.isOver = true
    const last = await working
    const expected = last.map((value) => Array.from({ length: value }, (_, at) => at + 1))
    for (const follower of followers) {
      const { told, resets } = follower
      await until(async () => told.length >= expected.flat().length)
      await follower.stop()
      const values = Array.from({ length: rowCount }, (_, at) =>
        told.filter(({ row }) => row === at + 1).map(({ value }) => value),
      )
      expect(values).toEqual(expected)
      const positions = told.map(({ position }) => position)
      expect(positions).toEqual([...new Set(positions)].toSorted((one, other) => one - other))
      expect(resets).toEqual([])
    }
    expect(await Promise.all(last.map((_, at) => stored(at + 1)))).toEqual(last)
    expect(state.refused).toBeGreaterThan(0)
    console.log(
      `${name}, ${kills} kills: ${state.acknowledged} changes acknowledged, ${state.refused} refused, 0 lost, 0 told twice`,
    )
  })
})
