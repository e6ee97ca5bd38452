import { afterAll, expect, test } from 'vitest'
import type { Database, Rows } from '../../domain/ports/context.ts'
import { createTestDatabase } from '../testing/test-database.ts'

const server = await createTestDatabase({ sql: "create table words (word text); insert into words values ('first')" })
const { db, openAgain } = server
afterAll(() => server.close())

const somebody = { isGone: false }

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

// The embedded database has only one connection, which cannot be broken from outside.
if (openAgain !== null) testServer()

function testServer(): void {
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
}
