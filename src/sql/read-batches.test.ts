import { afterAll, expect, test } from 'vitest'
import type { Database, Rows } from '../domain/context.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

const server = await createTestDatabase({ sql: "create table words (word text); insert into words values ('first')" })
const { db, openAgain } = server
afterAll(() => server.close())

const somebody = { isGone: false }

/** Its name is its text. */
const read = (on: Pick<Database, 'run'>, text: string, values: readonly unknown[] = [], asker = somebody) =>
  on.run({ text, name: text, values, rows: 'array', asker })

const texts = async (reads: readonly Promise<Rows>[]): Promise<readonly unknown[]> =>
  (await Promise.all(reads)).map(({ rows }) => (rows as readonly string[][])[0]?.[0])

const division = 'select 12 / $1::integer'

test('reads of one turn are answered each with its own rows, also before anything is known of them', async () => {
  const numbers = Array.from({ length: 40 }, (_, index) => index + 1)
  for (const _ of ['unknown', 'prepared', 'known']) {
    expect(await texts(numbers.map((n) => read(db, 'select $1::integer * 2', [n])))).toEqual(
      numbers.map((n) => String(n * 2)),
    )
  }
})

test('one that fails is alone in it, whether the database refuses it or its value cannot be sent', async () => {
  await read(db, division, [1])
  await read(db, 'select $1::json', ['[]'])
  const circle: { self?: unknown } = {}
  circle.self = circle
  const reads = [
    read(db, division, [1]),
    read(db, division, [0]),
    read(db, 'select $1::json', [circle]),
    read(db, division, [3]),
    read(db, 'select nonsense'),
    read(db, division, [4]),
  ]
  expect(await Promise.allSettled(reads)).toMatchObject([
    { value: { rows: [['12']] } },
    { reason: { failures: [{ kind: 'invalid-payload' }] } },
    { reason: { message: expect.stringContaining('circular') as string } },
    { value: { rows: [['4']] } },
    { reason: { failures: [{ kind: 'unavailable' }] } },
    { value: { rows: [['3']] } },
  ])
  expect(await texts([read(db, division, [6])])).toEqual(['2'])
})

test('a change of the tables is nothing to the reads that had been prepared before it', async () => {
  const words = 'select * from words'
  await read(db, words)
  await db.run({ text: "alter table words add again text default 'second'", values: [] })
  const answers = await Promise.all([read(db, words), read(db, words), read(db, words)])
  expect(answers.map(({ rows }) => rows)).toEqual(Array.from(answers, () => [['first', 'second']]))
})

test('whoever has gone before it was sent is not read for, and holds up nobody', async () => {
  const gone = { isGone: false }
  await read(db, division, [1])
  const reads = [read(db, division, [1]), read(db, division, [2], gone), read(db, division, [3])]
  gone.isGone = true
  expect(await Promise.allSettled(reads)).toMatchObject([
    { status: 'fulfilled' },
    { reason: { failures: [{ kind: 'unavailable', service: 'api' }] } },
    { value: { rows: [['4']] } },
  ])
})

if (openAgain !== null) testServer(openAgain)

function testServer(open: NonNullable<TestDatabase['openAgain']>): void {
  const pid = 'select pg_backend_pid()::text'
  const slow = 'select pg_backend_pid()::text, pg_sleep(0.1)'

  test('quick reads share a connection; one that is slow, or not known, is the last on it', async () => {
    await texts([read(db, pid), read(db, slow)])
    expect(new Set(await texts([read(db, pid), read(db, pid), read(db, pid)])).size).toBe(1)
    const [first, second, third] = await texts([read(db, pid), read(db, slow), read(db, pid)])
    expect([first === second, second === third]).toEqual([true, false])
    const [known, unknown, after] = await texts([read(db, pid), read(db, `${pid} as unknown`), read(db, pid)])
    expect([known === unknown, unknown === after]).toEqual([true, false])
  })

  test('those on a connection that the server ends are read on another', async () => {
    const kill = 'select pg_terminate_backend(pg_backend_pid())::text'
    await Promise.allSettled([read(db, kill), read(db, division, [1])])
    const reads = [read(db, division, [1]), read(db, kill), read(db, division, [2]), read(db, division, [3])]
    expect(await Promise.allSettled(reads)).toMatchObject([
      { value: { rows: [['12']] } },
      { reason: { failures: [{ kind: 'unavailable', service: 'database' }] } },
      { value: { rows: [['6']] } },
      { value: { rows: [['4']] } },
    ])
  })

  test('what waits is ended when nobody waits for any of it, and not before', async () => {
    const [one, other, locking] = [await open({ pool: { max: 1 } }), { isGone: false }, await open()]
    const rows = 'select word from words'
    await texts([read(one, rows), read(one, division, [1])])
    for (const end of [true, false]) {
      const { reads, released } = await locking.transaction(async (inner) => {
        await inner.run({ text: 'lock table words in access exclusive mode', values: [] })
        const asked = [read(one, rows), read(one, division, [2], other), read(one, rows)]
        const settled = Promise.allSettled(asked)
        await expect.poll(() => waitsForLock(db), { timeout: 20_000 }).toBe(1)
        one.giveUp(somebody)
        if (end) one.giveUp(other)
        return { reads: end ? await settled : null, released: settled }
      })
      // The second may be done before it is ended.
      if (end) expect([reads?.[0]?.status, reads?.[2]?.status]).toEqual(['rejected', 'rejected'])
      else expect(await released).toMatchObject([{ value: { rows: [['first']] } }, { value: { rows: [['6']] } }, {}])
      // What was meant for them does not hit the next one.
      expect(await texts([read(one, division, [3])])).toEqual(['4'])
    }
    await Promise.all([one.close(), locking.close()])
  })
}

const waitsForLock = async (on: Database): Promise<number> =>
  (
    await on.run({
      text: "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      values: [],
    })
  ).count
