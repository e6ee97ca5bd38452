/** Behaviour of a server with several connections. The embedded database is skipped here. */
import { expect, test } from 'vitest'
import { TandemError } from '../../domain/rights/errors.ts'
import { loadSchema } from '../schema/load-schema.ts'
import { migrate } from '../schema/migrate.ts'
import { createTestDatabase, silentLog, type TestDatabase } from '../testing/test-database.ts'

const server = await createTestDatabase({ sql: 'create table notes (id integer primary key)' })
const { openAgain } = server

if (openAgain === null) {
  test('the embedded database has one connection, which nobody else can break', async () => {
    await server.db.ping()
    await server.close()
  })
} else {
  testServer(server, openAgain)
}

const sleep = (seconds: number): string => `select pg_backend_pid()::text, pg_sleep(${seconds})::text`

function testServer({ db, close }: TestDatabase, openAgain: NonNullable<TestDatabase['openAgain']>): void {
  const terminateOthers = `select count(pg_terminate_backend(pid)) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`
  const run = (text: string) => db.run({ text, values: [] })
  const running = (seconds: number) =>
    expect
      .poll(async () => (await db.run({ text: asleep, values: [`%pg_sleep(${seconds})%`] })).count, { timeout: 20_000 })
      .toBe(1)
  const asleep = `select 1 from pg_stat_activity where state = 'active' and query like $1 and datname = current_database()
    and pid <> pg_backend_pid()`
  const readWords = () => db.run({ text: 'select word from words', values: [], name: 'words', rows: 'plain' })

  test('a read on a connection that the server ended is repeated on another', async () => {
    const other = await openAgain()
    await run('select 1')
    await other.run({ text: terminateOthers, values: [] })
    expect((await run('select 7 as seven')).rows).toEqual([{ seven: 7 }])
    await other.close()
  })

  test('a transaction that begins on a connection that the server ended begins anew on another', async () => {
    const other = await openAgain()
    for (const together of ['array', 'object'] as const) {
      await run('select 1')
      await other.run({ text: terminateOthers, values: [] })
      const work = db.transaction((inner) => inner.run({ text: 'select 7 as seven', values: [], rows: together }))
      expect((await work).count).toBe(1)
    }
    await other.close()
  })

  test('a transaction whose connection the server ended is unavailable and leaves nothing', async () => {
    const other = await openAgain()
    const work = db.transaction(async (inner) => {
      await inner.run({ text: 'insert into notes values (1)', values: [] })
      await other.run({ text: terminateOthers, values: [] })
      await inner.run({ text: 'insert into notes values (2)', values: [] })
    })
    const error = await work.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(TandemError)
    expect((error as TandemError).failures[0].kind).toBe('unavailable')
    expect((await run('select id from notes')).rows).toEqual([])
    await other.close()
  })

  test('a server that is listened to is asked for a sign of life without a connection of the pool', async () => {
    const other = await openAgain()
    await other.listen('anything', () => {})
    const busy = Promise.withResolvers<void>()
    const holding = Array.from({ length: 60 }, () => other.transaction(() => busy.promise))
    await other.ping()
    busy.resolve()
    await Promise.all(holding)
    await other.close()
  })

  test('statements prepared before a column changed its type are repeated', async () => {
    await run('create table words (word varchar(20)); insert into words values (1)')
    await Promise.all([readWords(), readWords(), readWords()])
    await run('alter table words alter word type integer using word::integer')
    for (let time = 0; time < 3; time += 1) expect((await readWords()).rows).toEqual([{ word: 1 }])
  })

  test('a deadlock is unavailable for one of the two and succeeds for the other', async () => {
    await run('create table accounts (id integer primary key, sum integer); insert into accounts values (1, 0), (2, 0)')
    const both = Promise.withResolvers<void>()
    let arrived = 0
    const transfer = (first: number, second: number) =>
      db.transaction(async (inner) => {
        await inner.run({ text: 'update accounts set sum = sum + 1 where id = $1', values: [first] })
        arrived += 1
        if (arrived === 2) both.resolve()
        await both.promise
        await inner.run({ text: 'update accounts set sum = sum + 1 where id = $1', values: [second] })
      })
    const outcomes = await Promise.allSettled([transfer(1, 2), transfer(2, 1)])
    expect(outcomes.map((outcome) => outcome.status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const [lost] = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(lost).toMatchObject({ reason: { failures: [{ kind: 'unavailable', service: 'database' }] } })
  })

  test('a notification reaches another process and the listener comes back after its connection was ended', async () => {
    const other = await openAgain()
    const heard: (string | null)[] = []
    const [first, missed, last] = [
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
    ]
    await other.listen('replicas', (payload) => {
      heard.push(payload)
      if (payload === 'one') first.resolve()
      if (payload === null) missed.resolve()
      if (payload === 'two') last.resolve()
    })
    await run("select pg_notify('replicas', 'one')")
    await first.promise
    await run(terminateOthers)
    await missed.promise
    await run("select pg_notify('replicas', 'two')")
    await last.promise
    expect(heard).toEqual(['one', null, 'two'])
    await other.close()
  })

  test('a statement that runs longer than it may is unavailable', async () => {
    const work = db.transaction(async (inner) => {
      await inner.run({ text: "set local statement_timeout = '50ms'", values: [] })
      await inner.run({ text: 'select pg_sleep(10)', values: [] })
    })
    await expect(work).rejects.toMatchObject({ failures: [{ kind: 'unavailable', service: 'database' }] })
  })

  test('a read whose client has left is cancelled, and its connection is reused', async () => {
    const single = await openAgain({ pool: { max: 1 } })
    const [asker, another] = [{ isGone: false }, { isGone: false }]
    const read = (seconds: number, by = asker) =>
      single.run({ text: sleep(seconds), values: [], name: 'sleep', rows: 'array', asker: by })
    const [[pid] = []] = (await read(0)).rows as readonly string[][]
    for (let time = 0; time < 3; time += 1) {
      const ended = expect(single.run({ text: sleep(60), values: [], rows: 'array', asker })).rejects.toMatchObject({
        failures: [{ kind: 'unavailable' }],
      })
      await running(60)
      single.cancelReads(another)
      single.cancelReads(asker)
      // The next statement on the only connection is not hit by the cancellation of the one before.
      const next = read(0.05, another)
      await ended
      expect((await next).rows).toEqual([[pid, '']])
    }
    await single.close()
  })

  test('reads without a client, and transactions, are not cancelled', async () => {
    const asker = { isGone: false }
    const work = db.transaction((inner) => inner.run({ text: 'select pg_sleep(0.31)', values: [], asker }))
    const alone = db.run({ text: 'select pg_sleep(0.32)', values: [] })
    await Promise.all([running(0.31), running(0.32)])
    db.cancelReads(asker)
    expect([(await work).count, (await alone).count]).toEqual([1, 1])
  })

  test('nothing is read for somebody who has gone already', async () => {
    const text = "insert into notes values (77) returning 'read'"
    await expect(db.run({ text, values: [], asker: { isGone: true } })).rejects.toBeInstanceOf(TandemError)
    expect((await run('select id from notes where id = 77')).count).toBe(0)
  })

  test('a read-only database refuses writes as unavailable and goes on reading', async () => {
    const work = db.transaction(async (inner) => {
      await inner.run({ text: 'set transaction read only', values: [] })
      await inner.run({ text: 'insert into notes values (9)', values: [] })
    })
    await expect(work).rejects.toMatchObject({ failures: [{ kind: 'unavailable', service: 'database' }] })
    expect((await run('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  test('a search path leads to the tables of its schemas and to no others', async () => {
    await run('create schema "Other place"; create table "Other place".found (id integer primary key)')
    const other = await openAgain({ searchPath: ['Other place'] })
    await migrate(other, silentLog)
    const schema = await loadSchema(other, { exclude: [], log: silentLog })
    expect([...schema.collections.values()].flatMap(({ name, system }) => (system ? [] : [name]))).toEqual(['found'])
    await other.close()
  })

  test('sessions speak UTC and ISO dates whatever the server is set to', async () => {
    await run(`do $$ begin execute format('alter database %I set timezone to ''Asia/Tokyo''', current_database());
      execute format('alter database %I set datestyle to ''German''', current_database()); end $$`)
    const other = await openAgain()
    const { rows } = await other.run({
      text: `select timestamptz '2024-01-31T00:00:00Z' as instant, date '2024-01-31' as day`,
      values: [],
    })
    expect(rows).toEqual([{ instant: '2024-01-31T00:00:00Z', day: '2024-01-31' }])
    await other.close()
    await close()
  })
}
