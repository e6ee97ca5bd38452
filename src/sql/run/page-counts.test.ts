import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '../testing/test-database.ts'
import { field, noon, queryOf, someUser, viewOf } from '../testing/test-query.ts'
import { worldSql } from '../testing/test-world.ts'
import { runQuery } from './read.ts'

const database = await createTestDatabase({ sql: worldSql })
const schema = await database.loadSchema()
afterAll(() => database.close())

test.each([
  [0, 2],
  [2, 2],
  [4, 2],
  [6, 2],
  [0, 5],
  [3, 9],
  [0, 0],
  [0, null],
])('every page counts all rows that match: offset %i, limit %s', async (offset, limit) => {
  const ctx = { db: database.db, schema, view: viewOf(), actor: someUser, clock: noon }
  const query = { collection: 'articles', selection: [field('id')], page: { limit, offset } } as const
  const result = await runQuery(ctx, queryOf({ ...query, counts: ['filtered'] }))
  expect(result.counts).toEqual({ filtered: 5 })
  expect(result.rowCount).toBe(Math.max(0, Math.min(limit ?? 5, 5 - offset)))
})
