/** Integer columns that refer to users: they hold numbers, and their fields show keys. */

import { afterAll, expect, test } from 'vitest'
import type { Context } from '../../domain/ports/context.ts'
import { jsonOf } from '../../domain/ports/row-store.ts'
import { compare, equals, type Filter, matchAll } from '../../domain/query/filter.ts'
import type { Query, Selection } from '../../domain/query/query.ts'
import { createTestDatabase } from '../../sql/testing/test-database.ts'
import { readItems } from '../rows/read-items.ts'
import { detail, nested } from '../testing/test-changes.ts'
import { changesOf, createTestContext, failuresOf, is, queryOf, testUser, userWith } from '../testing/test-context.ts'
import { writeItems } from './items.ts'

const ann = '00000000-0000-4000-8000-0000000000a1'
const nobody = '00000000-0000-4000-8000-0000000000ff'

const sql = `
create table notes (id serial primary key, title varchar(50), owner integer);
create table profiles (person integer primary key, motto varchar(50));
insert into platform_users (id, number, email) values ('${ann}', 101, 'ann@example.com'), ('${testUser}', 102, 'bob@example.com');
insert into platform_collections (collection, accountability) values ('notes', 'all');
insert into platform_relations (many_collection, many_field, one_collection, one_field) values
  ('notes', 'owner', 'platform_users', 'notes'), ('profiles', 'person', 'platform_users', null);
insert into platform_fields (collection, field, special) values ('platform_users', 'notes', 'o2m');
insert into notes (title, owner) values ('one', 101), ('two', 102), ('three', null), ('four', 4711);
insert into profiles (person, motto) values (102, 'go on')`

const database = await createTestDatabase({ sql })
const ctx = createTestContext(database.db, await database.loadSchema())

afterAll(() => database.close())

const field = (name: string): Selection[number] => ({ kind: 'field', key: name, field: name })
const email: Selection[number] = {
  kind: 'one',
  key: 'by',
  field: 'owner',
  selection: [field('email')],
  filter: matchAll,
}

const read = async (changes: Partial<Query>, as: Context = ctx, collection = 'notes'): Promise<unknown> =>
  JSON.parse(jsonOf(await readItems(as, queryOf(collection, changes))))

const titles = async (filter: Filter, as?: Context): Promise<unknown> =>
  ((await read({ filter, selection: [field('title')] }, as)) as { title: string }[]).map(({ title }) => title)

const stored = async (): Promise<unknown> =>
  (await database.db.run({ text: 'select id, owner from notes order by id', values: [] })).rows

test('a number is shown as the key of its row, and leads to the row', async () => {
  expect(await read({ selection: [field('id'), field('owner'), email] })).toEqual([
    { id: 1, owner: ann, by: { email: 'ann@example.com' } },
    { id: 2, owner: testUser, by: { email: 'bob@example.com' } },
    { id: 3, owner: null, by: null },
    { id: 4, owner: null, by: null },
  ])
  const notes: Selection[number] = {
    kind: 'many',
    key: 'notes',
    field: 'notes',
    query: queryOf('notes', { selection: [field('title')] }),
  }
  expect(await read({ selection: [notes], filter: is('id', ann) }, ctx, 'platform_users')).toEqual([
    { notes: [{ title: 'one' }] },
  ])
})

test('a key of a table that is a number stays one', async () => {
  expect(await read({ selection: [field('person')] }, ctx, 'profiles')).toEqual([{ person: 102 }])
})

test('filters compare keys', async () => {
  expect(await titles(is('owner', ann))).toEqual(['one'])
  expect(await titles(is('owner', nobody))).toEqual([])
  expect(await titles(compare('owner', 'neq', [ann]))).toEqual(['two'])
  expect(await titles(compare('owner', 'in', [ann, testUser]))).toEqual(['one', 'two'])
  expect(
    await titles(compare('owner', 'in', [{ kind: 'numbered', collection: 'platform_users', number: 102 }])),
  ).toEqual(['two'])
})

test('rules of the own rows hold', async () => {
  const own: Filter = equals('owner', { kind: 'current-user', path: [] })
  const rules = (['read', 'update', 'create'] as const).map((action) => ({
    collection: 'notes',
    action,
    filter: own,
    validation: action === 'create' ? own : null,
  }))
  const bob: Context = { ...ctx, actor: userWith(rules) }
  expect(await titles(matchAll, bob)).toEqual(['two'])
  const update = (key: number) =>
    writeItems(bob, {
      kind: 'update',
      collection: 'notes',
      target: { kind: 'keys', keys: [key] },
      changes: changesOf({ title: 'mine' }),
    })
  expect(await failuresOf(update(1))).toMatchObject([{ kind: 'item-not-found' }])
  const create = (owner: string) =>
    writeItems(bob, { kind: 'create', collection: 'notes', items: [changesOf({ title: 'new', owner })] })
  expect(await failuresOf(create(ann))).toMatchObject([{ kind: 'failed-validation', field: 'owner' }])
})

test('writes store numbers, and history names keys', async () => {
  const [id] = await writeItems(ctx, {
    kind: 'create',
    collection: 'notes',
    items: [changesOf({ title: 'five', owner: ann })],
  })
  const target = { kind: 'keys', keys: [Number(id)] } as const
  await writeItems(ctx, { kind: 'update', collection: 'notes', target, changes: changesOf({ owner: testUser }) })
  expect(await stored()).toContainEqual({ id: Number(id), owner: 102 })
  const text = 'select data, delta from platform_revisions where item = $1 order by id'
  const revisions = (await database.db.run({ text, values: [String(id)] })).rows
  expect(revisions).toMatchObject([
    { data: { owner: ann }, delta: { owner: ann } },
    { data: { owner: testUser }, delta: { owner: testUser } },
  ])
  const failures = await failuresOf(
    writeItems(ctx, { kind: 'update', collection: 'notes', target, changes: changesOf({ owner: nobody }) }),
  )
  expect(failures).toEqual([{ kind: 'invalid-foreign-key', collection: 'notes', field: 'owner' }])
  await writeItems(ctx, { kind: 'update', collection: 'notes', target, changes: changesOf({ owner: null }) })
  expect(await stored()).toContainEqual({ id: Number(id), owner: null })
  await writeItems(ctx, { kind: 'delete', collection: 'notes', target })
})

test('nested rows get the number of the row above', async () => {
  const changes = nested({ notes: detail({ create: [{ title: 'six' }], delete: [1] }) })
  await writeItems(ctx, {
    kind: 'update',
    collection: 'platform_users',
    target: { kind: 'keys', keys: [ann] },
    changes,
  })
  const text = 'select title, owner from notes where owner = 101 order by id'
  expect((await database.db.run({ text, values: [] })).rows).toEqual([{ title: 'six', owner: 101 }])
})
