import { afterAll, describe, expect, test } from 'vitest'
import { TandemError } from '../domain/rights/errors.ts'
import { type OpenDatabase, openDatabase } from './database.ts'
import { createTestDatabase, preparedArchive } from './testing/test-database.ts'

const world = await createTestDatabase({
  sql: `create table notes (id integer primary key, text varchar(10) unique, parent integer references notes (id))`,
})
const db = world.db
afterAll(() => world.close())

const run = (text: string, ...values: readonly unknown[]) => db.run({ text, values })
const ids = async () => (await run('select id from notes order by id')).rows

const failureOf = async (promise: Promise<unknown>): Promise<unknown> => {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  )
  return error instanceof TandemError ? error.failures[0] : error
}

describe('values', () => {
  test('object rows hold JavaScript values where one holds the column exactly, else its text', async () => {
    const { rows, count } =
      await run(`select 1::smallint as small, 2::integer as whole, 9007199254740993::bigint as big,
      1.50::numeric as exact, 0.5::real as float, true as flag, '{"a":[1]}'::json as json, '{"b":2}'::jsonb as jsonb,
      '2024-01-31 12:00:00.123+02'::timestamptz as instant, '2024-01-31'::date as day, null::text as nothing`)
    expect(count).toBe(1)
    expect(rows).toEqual([
      {
        small: 1,
        whole: 2,
        big: '9007199254740993',
        exact: '1.50',
        float: 0.5,
        flag: true,
        json: { a: [1] },
        jsonb: { b: 2 },
        instant: '2024-01-31T10:00:00.123Z',
        day: '2024-01-31',
        nothing: null,
      },
    ])
  })

  test('array rows hold the texts of the columns', async () => {
    const text = `select 1::integer, true, '{"a": 1}'::json, null, '2024-01-31 12:00:00Z'::timestamptz`
    const { rows } = await db.run({ text, values: [], rows: 'array', name: 'texts' })
    expect(rows).toEqual([['1', 't', '{"a": 1}', null, '2024-01-31 12:00:00+00']])
  })

  test('a date is written as the instant that it is, whatever the zone of the process', async () => {
    const date = new Date('2024-07-01T10:00:00.250Z')
    const { rows } = await run('select $1::timestamp::text as plain, $1::timestamptz as instant', date)
    expect(rows).toEqual([{ plain: '2024-07-01 10:00:00.25', instant: '2024-07-01T10:00:00.25Z' }])
  })

  test('a prepared statement can be run many times at once', async () => {
    const echo = { text: 'select $1::integer as value', name: 'echo' }
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => db.run({ ...echo, values: [index] })))
    expect(answers.map(({ rows }) => rows[0])).toEqual(Array.from({ length: 50 }, (_, index) => ({ value: index })))
  })

  test('a prepared statement survives a change of the type that it returns', async () => {
    await run('create table changing (value integer)')
    await run('insert into changing values (1)')
    const statement = { text: 'select value from changing', values: [], name: 'changing' }
    expect((await db.run(statement)).rows).toEqual([{ value: 1 }])
    await run('alter table changing alter column value type text')
    expect((await db.run(statement)).rows).toEqual([{ value: '1' }])
  })
})

const insert = (id: number, name: string) =>
  ({ text: `insert into notes values ($1) returning '${name}'`, values: [id], rows: 'array', name }) as const

describe('transactions', () => {
  test('a transaction commits when its work resolves', async () => {
    const result = await db.transaction(async (inner) => {
      await inner.run({ text: "insert into notes values (1, 'one')", values: [] })
      return 'done'
    })
    expect(result).toBe('done')
    expect(await ids()).toEqual([{ id: 1 }])
  })

  test('a transaction rolls back when its work rejects, with the same error', async () => {
    const work = db.transaction(async (inner) => {
      await inner.run({ text: "insert into notes values (2, 'two')", values: [] })
      throw new Error('changed my mind')
    })
    await expect(work).rejects.toThrow('changed my mind')
    expect(await ids()).toEqual([{ id: 1 }])
  })

  test('a nested transaction rolls back alone', async () => {
    await db.transaction(async (inner) => {
      await inner.run({ text: "insert into notes values (3, 'three')", values: [] })
      const nested = inner.transaction(async (innermost) => {
        await innermost.run({ text: "insert into notes values (4, 'four')", values: [] })
        await innermost.run({ text: "insert into notes values (4, 'again')", values: [] })
      })
      expect(await failureOf(nested)).toEqual({
        kind: 'not-unique',
        collection: 'notes',
        field: 'id',
        constraint: 'notes_pkey',
      })
      await inner.transaction((innermost) =>
        innermost.run({ text: "insert into notes values (5, 'five')", values: [] }),
      )
    })
    expect(await ids()).toEqual([{ id: 1 }, { id: 3 }, { id: 5 }])
  })

  test('a transaction in which a failed statement was ignored is not reported as committed', async () => {
    const work = db.transaction(async (inner) => {
      await inner.run({ text: "insert into notes values (6, 'six')", values: [] })
      await inner.run({ text: "insert into notes values (6, 'again')", values: [] }).catch(() => undefined)
    })
    await expect(work).rejects.toThrow('rolled back')
    expect(await ids()).toEqual([{ id: 1 }, { id: 3 }, { id: 5 }])
  })

  test('of statements sent together, one that fails takes those after it along and leaves the connection in order', async () => {
    const outcomes = await db.transaction(async (outer) => {
      const nested = outer.transaction(async (inner) => {
        const inserts = [insert(7, 'first'), insert(7, 'again'), insert(8, 'never')].map((each) => inner.run(each))
        const settled = await Promise.allSettled(inserts)
        await Promise.all(inserts).catch(() => undefined)
        throw settled
      })
      return nested.catch((reason: unknown) => reason as PromiseSettledResult<unknown>[])
    })
    const refused = { status: 'rejected', reason: { failures: [{ kind: 'not-unique' }] } }
    expect(outcomes).toMatchObject([{ status: 'fulfilled', value: { rows: [['first']] } }, refused, refused])
    await db.transaction(async (inner) => {
      expect(await Promise.all([inner.run(insert(9, 'never')), inner.run(insert(10, 'again'))])).toEqual([
        { rows: [['never']], count: 1 },
        { rows: [['again']], count: 1 },
      ])
    })
    expect(await ids()).toEqual([1, 3, 5, 9, 10].map((id) => ({ id })))
    await run('delete from notes where id > 5')
  })

  test('a last statement that fails fails the transaction', async () => {
    const work = db.transaction(async (inner) => {
      await inner.run({ text: 'insert into notes values (11)', values: [] })
      await inner.runLast({ text: 'insert into notes values (1)', values: [], rows: 'array', name: 'last' })
    })
    expect(await failureOf(work)).toEqual({
      kind: 'not-unique',
      collection: 'notes',
      field: 'id',
      constraint: 'notes_pkey',
    })
    expect(await ids()).toEqual([{ id: 1 }, { id: 3 }, { id: 5 }])
  })

  test('a last statement outside of a transaction is done at once', async () => {
    await db.runLast({ text: 'insert into notes values (12)', values: [] })
    expect((await run('delete from notes where id = 12')).count).toBe(1)
  })

  test('the inner database is of no use once the transaction has ended', async () => {
    const leaked = await db.transaction((inner) => Promise.resolve(inner))
    await expect(leaked.run({ text: 'select 1', values: [] })).rejects.toThrow('The transaction has ended')
  })

  test('a statement outside waits for its turn while a transaction runs', async () => {
    const outside: Promise<unknown>[] = []
    await db.transaction(async (inner) => {
      outside.push(ids())
      await inner.run({ text: 'select 1', values: [] })
    })
    expect(await Promise.all(outside)).toEqual([[{ id: 1 }, { id: 3 }, { id: 5 }]])
  })
})

const notify = (payload: string) => ({
  text: 'select pg_notify($1, $2)',
  values: ['Channel of a test', payload],
})

describe('notifications', () => {
  test('a notification arrives once its transaction commits, and none from one that rolls back', async () => {
    const heard = Promise.withResolvers<readonly (string | null)[]>()
    const messages: (string | null)[] = []
    await db.listen('Channel of a test', (payload) => {
      messages.push(payload)
      if (payload === 'last') heard.resolve(messages)
    })
    await db.transaction((inner) => inner.run(notify('first')))
    await db.transaction((inner) => inner.run(notify('never')).then(() => Promise.reject(new Error()))).catch(() => {})
    await db.run(notify('last'))
    expect(await heard.promise).toEqual(['first', 'last'])
  })
})

test('a database that cannot be reached is a failure of its own, not the end of the process', async () => {
  const nowhere = await openDatabase({ kind: 'pg', host: '127.0.0.1', port: 1, user: 'nobody', database: 'none' })
  const failure = { kind: 'unavailable', service: 'database', retryAfter: 1 }
  expect(await failureOf(nowhere.ping())).toMatchObject(failure)
  expect(await failureOf(nowhere.transaction(() => Promise.resolve()))).toMatchObject(failure)
  await nowhere.close()
})

test('a statement that gets no connection in time is unavailable, and may be repeated later', async () => {
  const { failure, after } = await withOneConnection(async (single) => {
    const busy = Promise.withResolvers<void>()
    const holding = single.transaction(() => busy.promise)
    const failure = await failureOf(single.ping())
    busy.resolve()
    await holding
    return { failure, after: await failureOf(single.ping()) }
  })
  expect(failure).toMatchObject({ kind: 'unavailable', service: 'database', retryAfter: 1 })
  expect(after).toBeNull()
})

async function withOneConnection<T>(work: (single: OpenDatabase) => Promise<T>): Promise<T> {
  const url = process.env['TEST_DATABASE_URL']
  const acquireTimeout = 200
  const single = await openDatabase(
    url === undefined
      ? { kind: 'pglite', dataDir: null, dump: await preparedArchive(), acquireTimeout }
      : { kind: 'pg', connectionString: url, pool: { max: 1 }, acquireTimeout },
  )
  try {
    await single.ping()
    return await work(single)
  } finally {
    await single.close()
  }
}
