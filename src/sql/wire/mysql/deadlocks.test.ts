/** What MariaDB or MySQL rolls back because of a deadlock stays rolled back. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '../../../domain/ports/context.ts'
import { isConflict } from '../../errors/errors.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'

let opened: TestDatabase
beforeAll(async () => {
  const sql = `
    create table seats (id integer primary key, taken integer not null);
    create table notes (id integer primary key);
    insert into seats values (1, 0), (2, 0)`
  opened = await createTestDatabase({ sql })
})
beforeEach(async () => {
  await opened.db.run({ text: 'delete from notes', values: [] })
})
afterAll(() => opened.close())

const take = (db: Database, seat: number) =>
  db.run({ text: 'update seats set taken = taken + 1 where id = $1', values: [seat] })
const note = (db: Database, id: number) => db.run({ text: 'insert into notes values ($1)', values: [id] })

/** Two transactions that take both seats in opposite orders, and do `rest` with the second one: one of them fails. */
async function meet(rest: (db: Database, seat: number) => Promise<unknown>) {
  const [one, two] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const ofTwo = (own: number, other: number, mine: typeof one, theirs: typeof one) =>
    opened.db.transaction(async (inner) => {
      await take(inner, own)
      mine.resolve()
      await theirs.promise
      await rest(inner, other)
    })
  const ends = await Promise.allSettled([ofTwo(1, 2, one, two), ofTwo(2, 1, two, one)])
  const failed = ends.flatMap((end) => (end.status === 'rejected' ? [isConflict(end.reason)] : []))
  const rows = (await opened.db.run({ text: 'select id from notes', values: [], rows: 'array' })).rows
  return { failed, rows, noted: [[ends[0].status === 'fulfilled' ? '2' : '1']] }
}

test('a statement that waited behind it takes no effect', async () => {
  const { failed, rows, noted } = await meet((db, seat) => Promise.all([take(db, seat), note(db, seat)]))
  expect(failed).toEqual([true])
  expect(rows).toEqual(noted)
})

test('a transaction that goes on after its part fails as a whole', async () => {
  const { failed, rows, noted } = await meet(async (db, seat) => {
    await db.transaction((part) => take(part, seat)).catch(() => undefined)
    await note(db, seat)
  })
  expect(failed).toEqual([true])
  expect(rows).toEqual(noted)
})

test('nothing is read in its place either', async () => {
  const seen: unknown[] = []
  const { failed } = await meet(async (db, seat) => {
    await db.transaction((part) => take(part, seat)).catch(() => undefined)
    const text = 'select taken from seats where id = 1'
    await db.stream?.({ text, values: [], rows: 'array' }, async (rows) => void seen.push(...rows))
  })
  expect(failed).toEqual([true])
  expect(seen).toHaveLength(1)
})
