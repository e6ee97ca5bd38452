/**
 * Golden cases: `golden/<name>.json` holds a query and its result in the test world, `golden/<name>.sql` its statement.
 * After a deliberate change run `npx vitest run src/sql/compile/golden.test.ts -u`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Query } from '../../domain/query/query.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import { dialectOf } from '../dialects/dialects.ts'
import { prepare } from '../run/prepare.ts'
import { jsonOf, runQuery } from '../run/read.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { layOut, noon, queryOf, someUser, viewOf } from '../testing/test-query.ts'
import { worldSql } from '../testing/test-world.ts'

type Case = { readonly query: Query; readonly computed?: 'text'; readonly answer: unknown; readonly counts?: object }

const folder = join(import.meta.dirname, 'golden')
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.slice(0, -5))

let database: TestDatabase
let schema: Schema

beforeAll(async () => {
  database = await createTestDatabase({ sql: worldSql })
  schema = await database.loadSchema()
})
afterAll(() => database.close())

describe('a golden query', () => {
  test.each(names)('%s compiles to its statement and gives its answer', async (name) => {
    const { query, computed, answer, counts } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Case
    const ctx = { db: database.db, schema, view: viewOf({}, computed), actor: someUser, clock: noon }
    const whole = queryOf(query)
    const { statement, values } = prepare(whole, { ...ctx, dialect: dialectOf(database.db) })
    await expect(`${layOut(statement.text)}\n-- ${JSON.stringify(values)}\n`).toMatchFileSnapshot(
      join(folder, `${name}.sql`),
    )
    const result = await runQuery(ctx, whole)
    expect(JSON.parse(jsonOf(result))).toEqual(answer)
    expect(result.rowCount).toBe((answer as readonly unknown[]).length)
    expect(result.counts).toEqual(counts ?? {})
  })
})

/**
 * Pages never overlap: limited results are sorted, and the last sort key is the primary key or, for groups, all their
 * keys.
 */
test.each(names)('%s has one order only', (name) => {
  const { query } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Case
  const { statement } = prepare(queryOf(query), {
    schema,
    view: viewOf({}),
    actor: someUser,
    clock: noon,
    dialect: dialectOf(database.db),
  })
  const keys = new Set([...schema.collections.values()].flatMap(({ keyColumns }) => keyColumns))
  const last = new RegExp(`(?:"(?:${[...keys].join('|')})"|\\bk\\d+)(?: desc)?(?: nulls (?:first|last))?$`)
  // A single related row and a single group need no order.
  const pages = statement.text.split(/ limit (?!1\b)\S+/).slice(0, -1)
  for (const page of pages.filter((each) => !/\) t\d+$/.test(each))) expect(page).toMatch(last)
})
