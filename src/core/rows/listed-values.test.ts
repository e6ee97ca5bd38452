/** Paths of `$CURRENT_USER` that end in a field with several values: `_in` and `_nin` use each value. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '../../domain/ports/context.ts'
import type { Filter } from '../../domain/query/filter.ts'
import type { OperatorName } from '../../domain/query/operators.ts'
import { createTestDatabase, type TestDatabase } from '../../sql/testing/test-database.ts'
import { writeItems } from '../items/items.ts'
import { changesOf, createTestContext, failuresOf, queryOf, testUser, userWith } from '../testing/test-context.ts'
import { readItems } from './read-items.ts'

const sql = `
create table posts (id integer primary key, team text, place integer);
insert into posts values (1, 'red', 1), (2, 'blue', 2), (3, 'green', 3), (4, null, null);
alter table platform_users add column teams json, add column teamsb jsonb, add column words text, add column list text[],
  add column places json, add column team json, add column nothing json, add column "empty" json;
insert into platform_fields (collection, field, special) values
  ('platform_users', 'words', 'cast-csv'), ('platform_users', 'list', 'cast-csv');
insert into platform_users (id, email, teams, teamsb, words, list, places, team, nothing, "empty") values
  ('${testUser}', 'a@example.com', '["red", "blue"]', '["red", "blue"]', 'red,blue', '{red,blue}', '[1, 2]', '"red"', null, '[]');
`

let database: TestDatabase
let ctx: Context

beforeAll(async () => {
  database = await createTestDatabase({ sql })
  ctx = createTestContext(database.db, await database.loadSchema())
})

afterAll(() => database.close())

const ruleOf = (field: string, operator: OperatorName, path: string): Filter => ({
  kind: 'compare',
  operand: { kind: 'field', field },
  operator,
  values: [{ kind: 'current-user', path: [path] }],
})

async function idsUnder(filter: Filter): Promise<readonly number[]> {
  const actor = userWith([{ collection: 'posts', action: 'read', filter }])
  const sort = [{ kind: 'field', path: [], field: 'id', descending: false }] as const
  const { pieces } = await readItems({ ...ctx, actor }, queryOf('posts', { sort }))
  return (JSON.parse(pieces.join('')) as readonly { readonly id: number }[]).map(({ id }) => id)
}

test.each([
  ['team', 'teams', [1, 2], [3]],
  ['team', 'teamsb', [1, 2], [3]],
  ['team', 'words', [1, 2], [3]],
  ['team', 'list', [1, 2], [3]],
  ['place', 'places', [1, 2], [3]],
  ['team', 'team', [1], [2, 3]],
  ['team', 'nothing', [], []],
  ['team', 'empty', [], []],
])('%s in the user’s %s: %j, not in: %j', async (field, path, inside, outside) => {
  expect(await idsUnder(ruleOf(field, 'in', path))).toEqual(inside)
  expect(await idsUnder(ruleOf(field, 'nin', path))).toEqual(outside)
})

test.each([
  ['teams', 5],
  ['teamsb', 6],
  ['words', 7],
  ['list', 8],
])('what is written is judged by %s alike', async (path, id) => {
  const actor = userWith([
    { collection: 'posts', action: 'create', fields: ['id', 'team'], validation: ruleOf('team', 'in', path) },
  ])
  const create = (team: string) =>
    writeItems({ ...ctx, actor }, { kind: 'create', collection: 'posts', items: [changesOf({ id, team })] })
  expect(await failuresOf(create('green'))).toMatchObject([{ kind: 'failed-validation', field: 'team' }])
  expect(await create('blue')).toEqual([id])
})
