import { afterAll, expect, test } from 'vitest'
import type { Database } from '../../domain/ports/context.ts'
import type { Unserved } from '../../domain/schema/schema.ts'
import { createTestDatabase, silentLog } from '../testing/test-database.ts'
import { introspect } from './introspect.ts'

let statements = 0

const world = await createTestDatabase({
  sql: `
      create type mood as enum ('sad', 'happy');
      create domain short_code as varchar(8) not null default 'none';
      create table everything (
        id integer generated always as identity primary key,
        small smallint not null default -3, big bigint default 9007199254740993, exact numeric(10, 3) default 1.5,
        loose numeric, single real, double double precision default 0.25, name varchar(40) default 'it''s',
        fixed char(3), long text default '', flag boolean not null default false, day date default current_date,
        clock time, plain timestamp, instant timestamptz default now(), data json default '{}', binary_data jsonb,
        key uuid unique, bytes bytea, feeling mood default 'happy', code short_code, words text[], net inet, cash money,
        doubled integer generated always as (small * 2) stored, nothing text default null,
        spot point, area polygon
      );
      comment on table everything is 'All of them';
      comment on column everything.name is 'How it is called';
      create table "Mixed ""C"" case" (id integer primary key);
      create table "a/b" (id integer primary key);
      create table ".." (id integer primary key);
      create table platform_guests (id integer primary key);
      create table coded_alike (code varchar(5) not null, name text not null, once text unique, unique (code, name));
      create unique index on coded_alike (code);
      create unique index on coded_alike (name) where name <> '';
      create function fill_name() returns trigger language plpgsql as $$ begin new.name := new.code; return new; end $$;
      create trigger fill_name before insert on coded_alike for each row execute function fill_name();
      create table "MixedCase" ("Id" serial primary key, "constructor" text, "It's" text);
      create table "__proto__" (id integer primary key);
      create table keyless (name text);
      create table hollow ();
      create table pairs (a integer, b integer, primary key (a, b));
      create table left_side (id serial primary key);
      create table junction (
        left_id integer references left_side (id) on delete cascade on update restrict,
        other_id integer references "MixedCase" ("Id"), primary key (other_id, left_id));
      create table coded (id serial primary key, code varchar(5) unique);
      create table by_code (id serial primary key, code varchar(5) references coded (code));
      create table forgotten (id serial primary key);
      create table partitioned (id integer primary key) partition by range (id);
      create table partitioned_low partition of partitioned for values from (0) to (100);
      create view seen as select id, name, small * 2 as twice from everything;
      create unique index on coded (lower(code));
      create schema elsewhere;
      create table elsewhere.hidden (id serial primary key);
      create table far (id serial primary key, hidden integer references elsewhere.hidden (id));`,
})
const counting: Database = {
  ...world.db,
  run: (statement) => {
    statements += 1
    return world.db.run(statement)
  },
}
const found = await introspect(counting, { exclude: ['forgotten'], log: silentLog })
const unserved: readonly Unserved[] = found.unserved
const tables = new Map(
  found.tables.filter((table) => !table.name.startsWith('platform_')).map((table) => [table.name, table]),
)
afterAll(() => world.close())

const column = (table: string, name: string) => tables.get(table)?.columns.find((each) => each.name === name)

test('tables and views are found, whatever their names, with keys or without', () => {
  expect([...tables].map(([name, { keyColumns }]) => `${name}: ${keyColumns.join(', ')}`).toSorted()).toEqual([
    'Mixed "C" case: id',
    'MixedCase: Id',
    'a/b: id',
    'by_code: id',
    'coded: id',
    'coded_alike: code',
    'everything: id',
    'far: id',
    'junction: other_id, left_id',
    'keyless: ',
    'left_side: id',
    'pairs: a, b',
    'partitioned: id',
    'partitioned_low: id',
    'seen: ',
  ])
  expect(tables.get('junction')?.keyColumns).toEqual(['other_id', 'left_id'])
  expect(tables.get('MixedCase')?.keyColumns).toEqual(['Id'])
})

test('tables that are not served are reported with the reason', () => {
  expect(unserved).toEqual([
    { table: 'hollow', reason: 'it has no columns' },
    { table: '..', reason: 'its name cannot stand in an address' },
    { table: '__proto__', reason: 'its name is reserved' },

    { table: 'platform_guests', reason: 'its name begins like that of a system collection' },
    { table: 'MixedCase', column: 'constructor', reason: 'its name is reserved' },
  ])
})

test('the writes that a view takes are known, and its writable columns', () => {
  expect(tables.get('seen')?.changes).toEqual({ create: true, update: true, delete: true })
  expect(column('seen', 'name')).toMatchObject({ generated: false, hasDefault: true })
  expect(column('seen', 'twice')).toMatchObject({ generated: true })
})

test('a column that a trigger may fill is not demanded', () => {
  expect(column('coded_alike', 'name')).toMatchObject({ nullable: false, hasDefault: true })
  expect(column('coded_alike', 'code')).toMatchObject({ nullable: false, primaryKey: true })
  expect(column('pairs', 'a')).toMatchObject({ nullable: false, hasDefault: false })
})

test('introspection takes four statements, however many tables there are', () => {
  expect(statements).toBe(4)
})

test('every column has the field type that its vendor type maps to', () => {
  const types = tables.get('everything')?.columns.map((each) => `${each.name} ${each.dataType}: ${each.type}`)
  expect(types).toEqual([
    'id integer: integer',
    'small smallint: integer',
    'big bigint: bigInteger',
    'exact numeric: decimal',
    'loose numeric: decimal',
    'single real: float',
    'double double precision: float',
    'name character varying: string',
    'fixed character: string',
    'long text: text',
    'flag boolean: boolean',
    'day date: date',
    'clock time without time zone: time',
    'plain timestamp without time zone: dateTime',
    'instant timestamp with time zone: timestamp',
    'data json: json',
    'binary_data jsonb: json',
    'key uuid: uuid',
    'bytes bytea: binary',
    'feeling mood: string',
    'code character varying: string',
    'words text[]: unknown',
    'net inet: unknown',
    'cash money: unknown',
    'doubled integer: integer',
    'nothing text: text',
    'spot point: unknown',
    'area polygon: unknown',
  ])
})

test('constant defaults are values, the others are only known to exist', () => {
  const defaults = tables
    .get('everything')
    ?.columns.filter((each) => each.hasDefault)
    .map((each) => [each.name, each.defaultValue])
  expect(Object.fromEntries(defaults ?? [])).toEqual({
    id: null,
    small: -3,
    big: '9007199254740993',
    exact: '1.5',
    double: 0.25,
    name: "it's",
    long: '',
    flag: false,
    day: null,
    instant: null,
    data: '{}',
    feeling: 'happy',
    code: null,
    doubled: null,
  })
})

test('sizes, nullability, keys and generated columns are those of the table', () => {
  expect(column('everything', 'id')).toEqual({
    name: 'id',
    comment: null,
    dataType: 'integer',
    type: 'integer',
    nullable: false,
    generated: true,
    autoIncrement: true,
    hasDefault: true,
    defaultValue: null,
    defaultExpression: null,
    maxLength: null,
    precision: 32,
    scale: 0,
    unique: true,
    indexed: false,
    leads: true,
    primaryKey: true,
  })
  expect(column('everything', 'exact')).toMatchObject({ precision: 10, scale: 3, nullable: true })
  expect(column('everything', 'loose')).toMatchObject({ precision: null, scale: null })
  expect(column('everything', 'name')).toMatchObject({ maxLength: 40, comment: 'How it is called', unique: false })
  expect(column('everything', 'fixed')).toMatchObject({ maxLength: 3 })
  expect(column('everything', 'code')).toMatchObject({ maxLength: 8, nullable: false })
  expect(column('everything', 'key')).toMatchObject({ unique: true, primaryKey: false })
  expect(column('everything', 'doubled')).toMatchObject({ generated: true, autoIncrement: false })
  expect(column('MixedCase', 'Id')).toMatchObject({ autoIncrement: true, generated: false, primaryKey: true })
  expect(column('junction', 'left_id')).toMatchObject({ unique: false, primaryKey: true, nullable: false })
  expect(tables.get('everything')?.comment).toBe('All of them')
})

test('a column leads an index or a key if it is the first of its columns', () => {
  expect([column('pairs', 'a')?.leads, column('pairs', 'b')?.leads]).toEqual([true, undefined])
  const leading = ['code', 'name', 'once'].filter((name) => column('coded_alike', name)?.leads === true)
  expect(leading).toEqual(['code', 'once'])
})

test('foreign keys to the key of a served table are relations, others are not', () => {
  expect(tables.get('junction')?.foreignKeys).toEqual([
    {
      name: 'junction_left_id_fkey',
      column: 'left_id',
      table: 'left_side',
      onDelete: 'CASCADE',
      onUpdate: 'RESTRICT',
    },
    {
      name: 'junction_other_id_fkey',
      column: 'other_id',
      table: 'MixedCase',
      onDelete: 'NO ACTION',
      onUpdate: 'NO ACTION',
    },
  ])
  expect(tables.get('by_code')?.foreignKeys).toEqual([])
  expect(tables.get('far')?.foreignKeys).toEqual([])
})
