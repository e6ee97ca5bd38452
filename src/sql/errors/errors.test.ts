import { DatabaseError } from 'pg'
import { afterAll, expect, test } from 'vitest'
import type { Failure } from '../../domain/rights/errors.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { isBrokenConnection, isOutdated, toTandemError } from './errors.ts'

const world = await createTestDatabase({
  sql: `
      create table owners (id integer primary key, email varchar(20) unique, "Full Name" text unique);
      create unique index owners_lower on owners (lower(email));
      create table things (
        id integer primary key, name varchar(5) not null, size smallint, owner integer references owners (id),
        kept integer references owners (id) on delete restrict, made date, moment timestamptz, token uuid,
        price numeric(5, 2) check (price > 0), twice integer generated always as (id * 2) stored,
        constraint no_two exclude (size with =));
      create function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'not this one, sorry'; end $$;
      create sequence counted maxvalue 2;
      create table kept (id integer);
      create rule keep as on delete to kept do instead nothing;
      create trigger guard before delete on things for each row execute function refuse();
      insert into owners values (1, 'a@b.c', 'A B');
      insert into things (id, name, size, owner) values (1, 'one', 1, 1);`,
})
afterAll(() => world.close())

const cases: readonly (readonly [name: string, text: string, values: readonly unknown[], failure: Failure])[] = [
  [
    'a missing value',
    'insert into things (id) values (2)',
    [],
    { kind: 'not-null', collection: 'things', field: 'name' },
  ],
  [
    'a value that is taken',
    "insert into owners values (2, 'a@b.c')",
    [],
    { kind: 'not-unique', collection: 'owners', field: 'email', constraint: 'owners_email_key' },
  ],
  [
    'a value that is taken in another case',
    "insert into owners values (2, 'A@b.c')",
    [],
    { kind: 'not-unique', collection: 'owners', field: 'email', constraint: 'owners_lower' },
  ],
  [
    'a taken value of a column with a space',
    "insert into owners values (2, 'x', 'A B')",
    [],
    { kind: 'not-unique', collection: 'owners', field: 'Full Name', constraint: 'owners_Full Name_key' },
  ],
  [
    'a value that excludes another',
    "insert into things (id, name, size) values (2, 'two', 1)",
    [],
    { kind: 'not-unique', collection: 'things', field: 'size', constraint: 'no_two' },
  ],
  [
    'a reference to nothing',
    "insert into things (id, name, owner) values (2, 'two', 9)",
    [],
    { kind: 'invalid-foreign-key', collection: 'things', field: 'owner', constraint: 'things_owner_fkey' },
  ],
  [
    'deleting what is referred to',
    'delete from owners where id = 1',
    [],
    { kind: 'invalid-foreign-key', collection: 'things', field: 'id', constraint: 'things_owner_fkey' },
  ],
  [
    'a text that is too long',
    "insert into things (id, name) values (2, 'toolong')",
    [],
    { kind: 'value-too-long', collection: null, field: null },
  ],
  [
    'a number out of range',
    "insert into things (id, name, size) values (2, 'two', 99999)",
    [],
    { kind: 'value-out-of-range', collection: null, field: null },
  ],
  [
    'an automatic key beyond the last one',
    "select setval('counted', 2), nextval('counted')",
    [],
    { kind: 'unprocessable', reason: 'No automatic key is left: the last one is taken' },
  ],
  [
    'a broken check',
    "insert into things (id, name, price) values (2, 'two', -1)",
    [],
    { kind: 'invalid-payload', reason: 'A value breaks the condition "things_price_check" of the database' },
  ],
  [
    'a date that is none',
    'update things set made = $1',
    ['tomorrowish'],
    { kind: 'invalid-payload', reason: 'Expected a valid date or time' },
  ],
  [
    'a date out of range',
    'update things set made = $1',
    ['2024-02-31'],
    { kind: 'invalid-payload', reason: 'Expected a date or time in the range that the database holds' },
  ],
  [
    'a uuid that is none',
    'update things set token = $1',
    ['x'],
    { kind: 'invalid-payload', reason: 'Expected a value of the type of its column' },
  ],
  [
    'text with NUL',
    'update things set name = $1',
    ['a\0b'],
    { kind: 'invalid-payload', reason: 'Expected text of valid characters without NUL' },
  ],
  [
    'a value for a computed column',
    "insert into things (id, name, twice) values (2, 'two', 4)",
    [],
    { kind: 'invalid-payload', reason: 'Expected no value for a column that the database computes' },
  ],
  [
    'a deletion that a rule replaces',
    'delete from kept returning 1',
    [],
    { kind: 'unprocessable', reason: 'The database does not support this for its rows' },
  ],
  ['a trigger that refuses', 'delete from things', [], { kind: 'unprocessable', reason: 'not this one, sorry' }],
  [
    'a division by zero',
    'select 1 / 0',
    [],
    { kind: 'invalid-payload', reason: 'Expected a value that the database can hold' },
  ],
]

test.each(cases)('%s', async (_name, text, values, failure) => {
  const error = await world.db.run({ text, values }).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(TandemError)
  expect((error as TandemError).failures).toEqual([failure])
  expect((error as TandemError).message).toBe(failure.kind)
})

test('a column or a table that is gone meanwhile is a reason to ask again', async () => {
  for (const text of ['select nonsense', 'select 1 from nonsense']) {
    const failure = {
      kind: 'unavailable',
      service: 'database',
      reason: 'The schema has changed during the request',
      retryAfter: 1,
    }
    await expect(world.db.run({ text, values: [] })).rejects.toMatchObject({ failures: [failure] })
  }
})

test('a statement that is wrong in itself is a bug and stays what it is', async () => {
  await expect(world.db.run({ text: 'select nonsense()', values: [] })).rejects.toThrow('does not exist')
  await expect(world.db.run({ text: 'select nonsense()', values: [] })).rejects.not.toBeInstanceOf(TandemError)
})

test.each(['08000', '08006', '25006', '40001', '40P01', '53100', '53300', '55P03', '57014', '57P01', '57P02', '57P03'])(
  'state %s is unavailable for the moment',
  (code) => {
    const error = Object.assign(new DatabaseError('password of the database', 1, 'error'), { code })
    const translated = toTandemError(error)
    expect(translated).toMatchObject({ failures: [{ kind: 'unavailable', service: 'database', retryAfter: 1 }] })
    expect(JSON.stringify((translated as TandemError).failures)).not.toContain('password')
  },
)

const rejected = { kind: 'unprocessable', reason: 'A trigger or rule of the database rejects the change' }

test.each<readonly [name: string, fields: object, failure: Failure | null]>([
  ['a right that the server lacks', { code: '42501', routine: 'aclcheck_error' }, null],
  ['a row that a policy does not admit', { code: '42501', routine: 'ExecWithCheckOptions' }, rejected as Failure],
  ['a setting that is missing', { code: '42704', routine: 'find_option', file: 'guc.c' }, null],
  ['an unknown type in a statement', { code: '42704', routine: 'typenameType', position: '12' }, null],
  [
    'a right that a function denies',
    { code: '42501', routine: 'exec_stmt_raise' },
    { kind: 'forbidden', reason: 'no' },
  ],
  ['a state of no documented class', { code: 'TS001', routine: 'other' }, { kind: 'unprocessable', reason: 'no' }],
])('%s', (_name, fields, failure) => {
  const error = Object.assign(new DatabaseError('no', 1, 'error'), fields)
  const translated = toTandemError(error)
  expect(translated instanceof TandemError ? translated.failures : null).toEqual(failure === null ? null : [failure])
  expect(isOutdated(error)).toBe(failure === null && error.code !== undefined)
})

test.each([
  ['ProcessInterrupts', true],
  ['exec_stmt_raise', false],
])('a connection ends by the state of its end if %s gives it: %s', (routine, broken) => {
  const error = Object.assign(new DatabaseError('no', 1, 'error'), { code: '57P01', routine })
  expect(isBrokenConnection(error)).toBe(broken)
})

test.each([
  ['ECONNRESET', true],
  ['EPIPE', true],
  ['ERR_INVALID_ARG_TYPE', false],
] as const)('an error with the code %s breaks the connection: %s', (code, broken) => {
  expect(isBrokenConnection(Object.assign(new Error('some text'), { code }))).toBe(broken)
})
