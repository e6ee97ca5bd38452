import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Context } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { refusalOf } from '../../sql/errors/refusals.ts'
import { createTestDatabase } from '../../sql/testing/test-database.ts'
import { writeItems } from '../items/items.ts'
import { changesOf, createTestContext, failuresOf, userWith } from '../testing/test-context.ts'

const sql = `
create domain even as integer constraint even_only check (value % 2 = 0);
create table places (id serial primary key, name text, "Zip Code" text, constraint one_place unique (name, "Zip Code"));
create table stays (
  id serial primary key, place integer constraint real_place references places, guests integer,
  pairs even, price numeric(5, 2) constraint fair_price check (price > 0), paid numeric,
  during int4range, mood text, constraint paid_up check (paid <= price),
  constraint one_at_a_time exclude using gist (during with &&));
create function grumble() returns trigger language plpgsql as $$ begin
  if new.mood = 'bad' then
    raise exception 'no % moods, sorry', new.mood using hint = 'Try another one', detail = 'It was ' || new.mood;
  end if;
  return new;
end $$;
create trigger grumble before insert on stays for each row execute function grumble();
create table hosts (id serial primary key, name text);
insert into hosts (name) values ('Ann');
create table secret_visits (
  id serial primary key, host integer constraint visited_host references hosts,
  note text not null constraint secret_note unique, fee integer constraint secret_fee check (fee < 10));
insert into secret_visits (host, note) values (1, 'x');
create function visit() returns trigger language plpgsql as $$ begin
  insert into secret_visits (note, fee) values (
    case new.name when 'none' then null when 'again' then 'x' else new.name end, case new.name when 'dear' then 99 end);
  return new;
end $$;
create trigger visit before insert on hosts for each row execute function visit();
create table guides (id serial primary key);
create table tours (id serial primary key, guide integer references guides deferrable initially deferred);
insert into guides default values;
insert into tours (guide) values (1);
insert into places (name, "Zip Code") values ('Rome', '00100')`

let database: Awaited<ReturnType<typeof createTestDatabase>>
let ctx: Context

beforeAll(async () => {
  database = await createTestDatabase({ sql })
  ctx = createTestContext(database.db, await database.loadSchema())
})

afterAll(() => database.close())

type Item = { readonly [field: string]: unknown }

const create = (collection: string, item: Item, by: Context = ctx) =>
  writeItems(by, { kind: 'create', collection, items: [changesOf(item)] })

test.each<readonly [name: string, collection: string, item: Item, failure: object]>([
  [
    'a taken key of two columns',
    'places',
    { name: 'Rome', 'Zip Code': '00100' },
    { kind: 'not-unique', collection: 'places', field: 'name', constraint: 'one_place', value: 'Rome, 00100' },
  ],
  [
    'a key of no row',
    'stays',
    { place: 77 },
    { kind: 'invalid-foreign-key', collection: 'stays', field: 'place', constraint: 'real_place', value: '77' },
  ],
  [
    'a condition on one column',
    'stays',
    { price: -1 },
    {
      kind: 'invalid-payload',
      name: 'price',
      reason: 'The value "-1" breaks the condition "fair_price" of the database',
    },
  ],
  [
    'a condition on several columns',
    'stays',
    { price: 1, paid: 2 },
    { kind: 'invalid-payload', reason: 'The values price "1", paid "2" break the condition "paid_up" of the database' },
  ],
  [
    'a condition of a domain',
    'stays',
    { pairs: 3 },
    {
      kind: 'invalid-payload',
      name: 'pairs',
      reason: 'The value "3" breaks the condition "even_only" of the database',
    },
  ],
  ['what a function raises', 'stays', { mood: 'bad' }, { kind: 'unprocessable', reason: 'no bad moods, sorry' }],
])('%s is told', async (_name, collection, item, failure) => {
  expect(await failuresOf(create(collection, item))).toEqual([failure])
})

test('the value of a key is told to whoever may read all of its fields', async () => {
  const rule = { collection: 'places', fields: ['name', 'Zip Code'], action: 'create' } as const
  const item = { name: 'Rome', 'Zip Code': '00100' }
  const failure = { kind: 'not-unique', collection: 'places', field: 'name', constraint: 'one_place' }
  const half = userWith([rule, { ...rule, action: 'read', fields: ['name'] }])
  expect(await failuresOf(create('places', item, { ...ctx, actor: half }))).toEqual([failure])
  const whole = userWith([rule, { ...rule, action: 'read' }])
  expect(await failuresOf(create('places', item, { ...ctx, actor: whole }))).toEqual([
    { ...failure, value: 'Rome, 00100' },
  ])
  const writer = userWith([{ collection: 'stays', fields: ['price', 'paid'], action: 'create' }])
  expect(await failuresOf(create('stays', { price: 1, paid: 2 }, { ...ctx, actor: writer }))).toEqual([
    { kind: 'invalid-payload', reason: 'A value breaks the condition "paid_up" of the database' },
  ])
})

const remove = (by: Context) =>
  writeItems(by, { kind: 'delete', collection: 'hosts', target: { kind: 'keys', keys: [1] } })

describe('a refusal that is about another table', () => {
  const removing = { collection: 'hosts', action: 'delete' } as const
  const nothing = { kind: 'invalid-foreign-key', collection: null, field: null }

  test('names it to whoever may read it', async () => {
    const whole = { ...nothing, collection: 'secret_visits', field: 'id', constraint: 'visited_host' }
    expect(await failuresOf(remove(ctx))).toEqual([whole])
    const reader = userWith([removing, { collection: 'secret_visits', action: 'read' }])
    expect(await failuresOf(remove({ ...ctx, actor: reader }))).toEqual([whole])
  })

  test('names nothing to others', async () => {
    const others = [userWith([removing]), userWith([removing, { collection: 'stays', action: 'read' }])]
    for (const actor of others) expect(await failuresOf(remove({ ...ctx, actor }))).toEqual([nothing])
    const half = userWith([removing, { collection: 'secret_visits', action: 'read', fields: ['id'] }])
    expect(await failuresOf(remove({ ...ctx, actor: half }))).toEqual([
      { ...nothing, collection: 'secret_visits', field: 'id' },
    ])
  })

  test('names nothing at the commit either', async () => {
    const changing = userWith([{ collection: 'guides', action: 'delete' }])
    const by = { ...ctx, actor: changing }
    const gone = writeItems(by, { kind: 'delete', collection: 'guides', target: { kind: 'keys', keys: [1] } })
    expect(await failuresOf(gone)).toEqual([nothing])
  })

  test('names nothing of what a trigger writes', async () => {
    const actor = userWith([{ collection: 'hosts', action: 'create' }])
    expect(await failuresOf(create('hosts', { name: 'none' }, { ...ctx, actor }))).toEqual([
      { kind: 'not-null', collection: null, field: null },
    ])
    expect(await failuresOf(create('hosts', { name: 'dear' }, { ...ctx, actor }))).toEqual([
      { kind: 'invalid-payload', reason: 'A value breaks a condition of the database' },
    ])
    expect(await failuresOf(create('hosts', { name: 'again' }, { ...ctx, actor }))).toEqual([
      { kind: 'not-unique', collection: null, field: null },
    ])
  })
})

test('the log can tell all that the database said, but not what rows of system collections hold', async () => {
  const error = await create('stays', { mood: 'bad' }).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(TandemError)
  expect(refusalOf(error)).toMatchObject({
    sqlState: 'P0001',
    message: 'no bad moods, sorry',
    detail: 'It was bad',
    hint: 'Try another one',
  })
  const folder = { text: `insert into platform_folders (id, name) values (gen_random_uuid(), null)`, values: [] }
  const refused = await database.db.run(folder).catch((reason: unknown) => reason)
  expect(refusalOf(refused)).toMatchObject({ sqlState: '23502', table: 'platform_folders', detail: null })
  expect(refusalOf(new Error('something else'))).toBeNull()
})
