/** Sizes of some tables are measured as those of all are, and leave the others as they were. */
import { afterAll, expect, test } from 'vitest'
import type { Database } from '../../domain/ports/context.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { perVendor } from '../testing/test-vendors.ts'
import { readSizes, unmeasured } from './sizes.ts'

const database = await createTestDatabase({
  sql: `
      create table letters (id int primary key, body text);
      create table notes (id int primary key, body text);
      create table marks (id int primary key, mark varchar(9));
      insert into marks (id, mark) values (1, 'a'), (2, 'a'), (3, 'a'), (4, 'b');
      insert into letters (id, body) values (1, repeat('a', 1000)), (2, repeat('b', 3000));
      insert into notes (id, body) values (1, repeat('c', 500))`,
})
await database.db.run({ text: 'analyze', texts: { mysql: 'analyze table letters, notes' }, values: [] })
afterAll(() => database.close())

test('of each column the part of the rows with its most frequent value is known on Postgres', async () => {
  const { sizes } = await readSizes(database.db, unmeasured, ['marks'])
  expect(sizes.get('marks')?.columns.get('mark')?.frequent).toBe(perVendor({ postgres: 0.75, mariadb: 0 }))
})

function recorded(db: Database): { readonly db: Database; readonly texts: string[] } {
  const texts: string[] = []
  return { db: { ...db, run: (statement) => (texts.push(statement.text), db.run(statement)) }, texts }
}

test('of some tables the sizes are those of a measurement of all, and others stay the same objects', async () => {
  const { db } = database
  const before = await readSizes(db, unmeasured, null)
  expect(before.sizes.get('letters')?.columns.get('body')?.width).toBe(2000)
  const after = await readSizes(db, before, ['notes'])
  expect(after.sizes.get('letters')).toBe(before.sizes.get('letters'))
  expect(after.sizes.get('notes')).not.toBe(before.sizes.get('notes'))
  expect(new Set(after.sizes.keys())).toEqual(new Set(before.sizes.keys()))
  expect(after.sizes.get('notes')).toEqual(before.sizes.get('notes'))
})

test('long values are sampled once, and again when the number of rows is another', async () => {
  const { db, texts } = recorded(database.db)
  const first = await readSizes(db, unmeasured, null)
  const samples = () => texts.filter((text) => text.includes('octet_length(')).length
  expect(samples()).toBe(1)
  const second = await readSizes(db, first, null)
  expect(samples()).toBe(1)
  expect(second.sizes).toEqual(first.sizes)
  await db.run({ text: `insert into notes (id, body) values (2, repeat('d', 1500))`, values: [] })
  await db.run({ text: 'analyze', texts: { mysql: 'analyze table letters, notes' }, values: [] })
  const third = await readSizes(db, second, null)
  expect(samples()).toBe(2)
  expect(third.sizes.get('notes')?.columns.get('body')?.width).toBe(perVendor({ postgres: 1004, mariadb: 1000 }))
})
