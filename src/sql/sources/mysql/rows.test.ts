/** Rows of a source come with the values that they have there. */
import { afterAll, expect, test } from 'vitest'
import type { SourceTable } from '../../../domain/ports/table-source.ts'
import { openMySql } from './connection.ts'
import { createScratch } from './test-mysql.ts'

const source = await createScratch()
afterAll(source.drop)

/** Numbers whose digits are all needed. */
const doubles = [
  ...Array.from({ length: 300 }, (_, at) => (at + 1) / 3),
  ...Array.from({ length: 300 }, (_, at) => 10 ** (at - 150) / 7),
  0.1 + 0.2,
  Number.MAX_SAFE_INTEGER,
  1.7976931348623157e308,
  2.2250738585072014e-308,
]

test('doubles keep all of their digits', async () => {
  await source.run(
    'create table doubles (id int primary key, plus double, minus double)',
    `insert into doubles values ${doubles.map((value, at) => `(${at}, ${value}, ${-value})`).join(', ')}`,
  )
  const { hostname: host, port, username: user, password, pathname } = new URL(source.url)
  const tables = await openMySql({ host, port: Number(port || 3306), user, password, database: pathname.slice(1) })
  try {
    const table = (await tables.tables()).find(({ name }) => name === 'doubles') as SourceTable
    const rows: (readonly (string | null)[])[] = []
    for await (const page of tables.rows(table, ['id', 'plus', 'minus'], ['id'])) rows.push(...page)
    expect(rows.map(([, plus]) => Number(plus))).toEqual(doubles)
    expect(rows.map(([, , minus]) => Number(minus))).toEqual(doubles.map((value) => -value))
  } finally {
    await tables.close()
  }
})
