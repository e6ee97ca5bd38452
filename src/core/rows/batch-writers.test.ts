/**
 * Concurrent clients that change the same rows in different orders. The embedded database runs them one after another.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Key } from '../../domain/query/key.ts'
import type { Mutation } from '../../domain/query/mutation.ts'
import { writeItems } from '../items/items.ts'
import { nested } from '../testing/test-changes.ts'
import { openTestWorld, type TestWorld } from '../testing/test-context.ts'

/**
 * Each update waits at its row, so that concurrent transactions overlap. The sequence counts the visits; rollbacks do
 * not undo it.
 */
const slowly = `
  insert into articles (id, title) select n, 'one of many' from generate_series(1001, 60000) n;
  analyze articles;
  create sequence visits;
  create function linger() returns trigger language plpgsql as $$ begin
    perform nextval('visits'), pg_sleep(0.1);
    return case tg_op when 'DELETE' then old else new end;
  end $$;
  create trigger linger before update or delete on articles for each row execute function linger();
  select nextval('visits')`

let it: TestWorld

beforeAll(async () => {
  it = await openTestWorld()
  await it.ctx.db.run({ text: slowly, values: [] })
})

afterAll(() => it.close())

type Item = readonly [key: Key, change: { readonly [field: string]: unknown }]

const write = (mutation: Mutation) => writeItems(it.ctx, mutation)
const each = (...items: readonly Item[]) =>
  write({
    kind: 'update-each',
    collection: 'articles',
    items: items.map(([key, changes]) => ({ key, changes: nested(changes) })),
  })
const keys = (...all: readonly Key[]) => ({ collection: 'articles', target: { kind: 'keys', keys: all } }) as const

const visits = async (): Promise<number> => {
  const [row] = (await it.rowsOf('select last_value::integer as visits from visits')) as readonly { visits: number }[]
  return row?.visits ?? 0
}

/** Two statements: the first and the last row, then the one between them. */
const list = (first: number) =>
  each([first, { views: 1 }], [first + 1, { title: 'changed' }], [first + 2, { views: 1 }])

test('lists of the same rows in opposite order do not wait for each other', async () => {
  const before = await visits()
  await Promise.all([
    each([1007, { views: 1 }], [59000, { views: 1 }]),
    each([59000, { views: 2 }], [1007, { views: 2 }]),
  ])
  // A transaction that was ended and repeated would have counted more visits.
  expect((await visits()) - before).toBe(4)
})

test('of two that wait for each other, the one that the database ended begins anew', async () => {
  await Promise.all([list(1001), each([1002, { views: 2 }], [1003, { views: 2 }])])
  expect(await it.rowsOf('select title from articles where id = 1002 and views = 2')).toEqual([{ title: 'changed' }])
})

test('a list beside a deletion, and beside the same change of several', async () => {
  const changes = nested({ featured: true })
  await Promise.all([list(1101), write({ kind: 'update', ...keys(1103, 1102), changes })])
  const [, deleted] = await Promise.allSettled([list(1201), write({ kind: 'delete', ...keys(1203, 1202) })])
  expect(deleted.status).toBe('fulfilled')
  expect(
    await it.rowsOf('select id from articles where (featured and id between 1101 and 1103) or id in (1202, 1203)'),
  ).toHaveLength(2)
})
