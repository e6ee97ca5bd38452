import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { createTestDatabase } from '../../sql/testing/test-database.ts'
import { refusalOf } from '../../sql/wire/refusals.ts'
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
