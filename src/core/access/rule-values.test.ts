import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toRules } from '../../authz/rules.ts'
import { jsonOf } from '../../domain/ports/row-store.ts'
import { type Filter, matchNone } from '../../domain/query/filter.ts'
import type { Actor } from '../../domain/rights/actor.ts'
import type { Schema } from '../../domain/schema/schema.ts'
import { runQuery } from '../../sql/run/read.ts'
import { createTestDatabase, type TestDatabase } from '../../sql/testing/test-database.ts'
import { field, noon, queryOf, somebody, someUser, viewOf } from '../../sql/testing/test-query.ts'
import { worldSql } from '../../sql/testing/test-world.ts'
import { createTestContext } from '../testing/test-context.ts'
import { fixedRights } from './fixed-rules.ts'

let database: TestDatabase
let schema: Schema

beforeAll(async () => {
  database = await createTestDatabase({ sql: worldSql })
  await database.db.run({
    text: `insert into platform_users (id, status, email) values ($1, 'active', 'some@example.com')`,
    values: [someUser.user],
  })
  await database.db.run({ text: 'update articles set user_created = $1 where author = 1', values: [someUser.user] })
  schema = await database.loadSchema()
})
afterAll(() => database.close())

/** The stored rule: authors without an article that one of these users has created. */
function ruleFor(value: unknown) {
  const permissions = { articles: { _none: { user_created: { _in: value } } } }
  const row = {
    id: 1,
    collection: 'authors',
    action: 'read',
    fields: 'id',
    permissions,
    validation: null,
    presets: null,
  }
  return toRules([row], schema).rules
}

async function authorsFor(actor: Actor, filter: Filter): Promise<readonly number[]> {
  const sort = [{ kind: 'field', path: [], field: 'id', descending: false }] as const
  const ctx = { db: database.db, view: viewOf(), actor, schema, clock: noon }
  const rows = await runQuery(ctx, queryOf({ collection: 'authors', selection: [field('id')], filter, sort }))
  return (JSON.parse(jsonOf(rows)) as readonly { readonly id: number }[]).map(({ id }) => id)
}

describe.each([
  '$CURRENT_USER',
  '$CURRENT_USER.id',
  '$CURRENT_USER.role.users',
  '$CURRENT_ROLE',
  '$CURRENT_ROLES',
  '$CURRENT_POLICIES',
])('a rule with `_none` and %s', (value) => {
  const filterOf = () => ruleFor(value)[0]?.filter as Filter

  test('grants a visitor nothing, who has no such value', async () => {
    expect(await authorsFor(somebody, filterOf())).toEqual([])
  })

  test('grants nothing beside a filter of the request on the same field', async () => {
    const own: Filter = {
      kind: 'related',
      field: 'articles',
      collection: 'articles',
      quantifier: 'none',
      filter: matchNone,
    }
    for (const filters of [
      [own, filterOf()],
      [filterOf(), own],
    ])
      expect(await authorsFor(somebody, { kind: 'and', filters })).toEqual([])
  })

  test('grants nothing by a share of somebody who has no such value', async () => {
    const holder = { user: null, role: null, roles: [], access: { ...someUser.access, rules: ruleFor(value) } }
    const { rules } = await fixedRights(createTestContext(database.db, schema), holder)
    expect(await authorsFor(someUser, rules[0]?.filter as Filter)).toEqual([])
  })
})

test('a rule with `_none` and several values grants nothing where one of them is not there', async () => {
  const rules = ruleFor(['$CURRENT_ROLES', someUser.user])
  const holder = { user: null, role: null, roles: [], access: { ...someUser.access, rules } }
  const fixed = await fixedRights(createTestContext(database.db, schema), holder)
  expect(await authorsFor(somebody, rules[0]?.filter as Filter)).toEqual([])
  expect(await authorsFor(someUser, fixed.rules[0]?.filter as Filter)).toEqual([])
  expect(await authorsFor(someUser, rules[0]?.filter as Filter)).toEqual([2, 3, 4])
})

test.each(['$CURRENT_USER', '$CURRENT_USER.id'])('a rule with `_none` and %s grants the other rows', async (value) => {
  const rules = ruleFor(value)
  const holder = { user: someUser.user, role: null, roles: [], access: { ...someUser.access, rules } }
  const fixed = await fixedRights(createTestContext(database.db, schema), holder)
  expect(await authorsFor(someUser, rules[0]?.filter as Filter)).toEqual([2, 3, 4])
  expect(await authorsFor(somebody, fixed.rules[0]?.filter as Filter)).toEqual([2, 3, 4])
})
