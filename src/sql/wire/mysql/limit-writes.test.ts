/** What ends statements of MariaDB and MySQL that take too long, or that nobody waits for. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { firstRow } from '../../statements/answers.ts'
import { limitStatements } from '../../statements/batch/transactions.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'

let database: TestDatabase
/** A database with one connection. */
let single: Awaited<ReturnType<NonNullable<TestDatabase['openAgain']>>>
beforeAll(async () => {
  const sql = `
    create table slow (id integer primary key, word varchar(20));
    create trigger dawdle before insert on slow for each row do sleep(if(new.word = 'slow', 20, 0))`
  database = await createTestDatabase({ sql })
  single = await (database.openAgain as NonNullable<TestDatabase['openAgain']>)({ pool: { max: 1 } })
})
beforeEach(async () => {
  await single.run({ text: 'delete from slow', values: [] })
})
afterAll(async () => {
  await single.close()
  await database.close()
})

const write = 'insert into slow values ($1, $2)'
const tooLate = { failures: [{ kind: 'unavailable', reason: 'The database took too long to answer' }] }
const idsNow = async (): Promise<unknown> =>
  (await single.run({ text: 'select id from slow order by id', values: [], rows: 'array' })).rows

test('a write of a transaction ends when its time is over, and nothing of the transaction stays', async () => {
  const work = single.transaction(async (inner) => {
    await inner.run({ text: write, values: [1, 'quick'] })
    await limitStatements(inner, 300)
    await inner.run({ text: write, values: [2, 'slow'] })
  })
  await expect(work).rejects.toMatchObject(tooLate)
  expect(await idsNow()).toEqual([])
})

test('the limit of a transaction is none of the next one, and a write in time is not ended', async () => {
  await single.transaction(async (inner) => {
    await limitStatements(inner, 300)
    await inner.run({ text: write, values: [1, 'quick'] })
    await sleep(700)
    await inner.run({ text: write, values: [2, 'quick'] })
  })
  await single.transaction(async (inner) => {
    await inner.run({ text: 'insert into slow select 3, if(sleep(0.7) = 0, $1, null)', values: ['later'] })
  })
  expect(await idsNow()).toEqual([[1], [2], [3]].map(([id]) => [String(id)]))
})

test('reads that nobody waits for end, also if they hold all connections', async () => {
  const asker = { isGone: false }
  const read = single.run({ text: 'select sleep(20), id from (select 1 as id) one', values: [], asker })
  await sleep(300)
  single.cancelReads(asker)
  // An interrupted `sleep` is an error on MariaDB, and a value on MySQL.
  await read.catch(() => undefined)
  expect(await firstRow(single, { text: 'select 1 as one', values: [] })).toEqual({ one: expect.anything() as unknown })
}, 10_000)
