import { afterAll, beforeAll, expect, test } from 'vitest'
import { jsonOf } from '../../domain/ports/row-store.ts'
import type { DynamicValue, Filter } from '../../domain/query/filter.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { compare, field, noon, queryOf, someUser, viewOf } from '../testing/test-query.ts'
import { isOnMariaDb } from '../testing/test-vendors.ts'
import { worldSql } from '../testing/test-world.ts'
import { runQuery } from './read.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase({ sql: worldSql })
  await database.db.run({
    text: `insert into platform_users (id, status, email, title, location, tags, auth_data)
      values ($1, 'active', 'some@example.com', '1 or 2', '2', $2, $3)`,
    values: [someUser.user, '["2", 1]', '["2", "x"]'],
  })
})
afterAll(() => database.close())

const read = async (filter: Filter): Promise<unknown> => {
  const schema = await database.loadSchema()
  const ctx = { db: database.db, view: viewOf(), actor: someUser, schema, clock: noon }
  const query = queryOf({ collection: 'articles', selection: [field('id')], filter })
  return JSON.parse(jsonOf(await runQuery(ctx, query)))
}

const ofUser = (name: string): DynamicValue => ({ kind: 'current-user', path: [name] })

test.each([
  compare('id', 'eq', ofUser('title')),
  compare('id', 'neq', ofUser('email')),
  compare('id', 'in', ofUser('title')),
  compare('rating', 'gt', ofUser('email')),
  compare('published_at', 'gt', ofUser('title')),
  compare('id', 'nin', ofUser('auth_data')),
  compare('id', 'eq', ofUser('auth_data')),
  compare('rating', 'neq', ofUser('auth_data')),
])('a text of the user that is no value of the column lets no row through: %j', async (filter) => {
  if (isOnMariaDb) expect(await read(filter)).toEqual([])
  else await expect(read(filter)).rejects.toMatchObject({ failures: [{ kind: 'invalid-query' }] })
})

test('a text of the user that is a number is compared as one', async () => {
  expect(await read(compare('id', 'eq', ofUser('location')))).toEqual([{ id: 2 }])
  expect(await read(compare('id', 'in', ofUser('location')))).toEqual([{ id: 2 }])
  expect(await read(compare('rating', 'eq', ofUser('location')))).toEqual([])
})

test('a list of the user gives its elements to a column of any type', async () => {
  expect(await read(compare('id', 'in', ofUser('tags')))).toEqual([{ id: 2 }, { id: 1 }])
  expect(await read(compare('id', 'nin', ofUser('tags')))).not.toContainEqual({ id: 2 })
  expect(await read(compare('rating', 'in', ofUser('tags')))).toEqual([{ id: 4 }])
  expect(await read(compare('title', 'in', ofUser('tags')))).toEqual([])
})
