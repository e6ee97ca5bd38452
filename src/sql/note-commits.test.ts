import { expect, test } from 'vitest'
import type { Database } from '../domain/ports/context.ts'
import { noteCommits } from './note-commits.ts'

const nothing = { rows: [], count: 0 }

const database = (): Database => ({
  dialect: 'postgres',
  run: ({ text }) => (text === 'insert what fails' ? Promise.reject(new Error('refused')) : Promise.resolve(nothing)),
  runLast: () => Promise.resolve(),
  transaction: (work) => work(database()),
})

const write = { text: 'insert into notes', values: [] }
const read = { text: ' SELECT 1', values: [] }

test('reads, and what fails, leave nothing that cannot be done again', async () => {
  const { db, committed } = noteCommits(database())
  await db.run(read)
  await expect(db.run({ text: 'insert what fails', values: [] })).rejects.toThrow('refused')
  await expect(db.transaction(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(committed()).toBe(false)
})

test.each([
  ['a write by itself', (db: Database) => db.run(write)],
  ['the last one', (db: Database) => db.runLast(write)],
  ['a transaction', (db: Database) => db.transaction((inner) => inner.run(write))],
])('%s is done once', async (_name, work) => {
  const { db, committed } = noteCommits(database())
  await work(db)
  expect(committed()).toBe(true)
})
