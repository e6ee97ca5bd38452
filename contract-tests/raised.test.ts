/** What functions of the database refuse is told in their own words, in both generations and GraphQL. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { silentLog } from '../src/sql/testing/test-database.ts'
import { perVendor } from '../src/sql/testing/test-vendors.ts'
import { openOwnDatabase } from './own-database.ts'

const tables = `
create table doors (id serial primary key, name text, state text, size integer);
create view small_doors as select id, name, size from doors where size < 10 with check option;
insert into doors (name, size) values ('one', 1)`

const inPostgres = `
create function guard() returns trigger language plpgsql as $$ begin
  if new.state = 'strict' then select size into strict new.size from doors where id = -1; end if;
  if new.state = 'table' then raise exception 'No % here', (select name from nowhere); end if;
  if new.state = 'column' then execute 'select nothing from doors'; end if;
  if new.state = 'function' then perform open_sesame(new.name); end if;
  if new.state = 'rows' then new.size := (select n from generate_series(1, 2) n); end if;
  if new.state is not null then
    raise exception 'Door % is locked', new.name using errcode = new.state, detail = 'It has no key', hint = 'Ring';
  end if;
  return new;
end $$;
create trigger guard before insert or update on doors for each row execute function guard()`

/** A state has to be a constant there. */
const inMariaDb = (event: string): string => `
create trigger guard_${event} before ${event} on doors for each row begin
  if new.state = 'table' then set new.size = (select size from nowhere); end if;
  if new.state = 'column' then set new.size = (select nothing from small_doors); end if;
  if new.state = 'function' then set new.size = open_sesame(new.name); end if;
  if new.state = 'rows' then set new.size = (select 1 union select 2); end if;
  ${cases
    .filter(([state]) => ownStates[state] === undefined)
    .map(([state]) => `if new.state = '${state}' then signal sqlstate '${state}' set message_text = '${told}'; end if;`)
    .join('\n  ')}
end`

const lines: { readonly refusal?: { readonly sqlState: string } }[] = []
afterAll(() => own.close())

type Refused = readonly [status: number, code: string, legacyStatus: number, legacyCode: number]

const unprocessable: Refused = [422, 'UNPROCESSABLE_CONTENT', 422, 12]
const invalid: Refused = [400, 'INVALID_PAYLOAD', 400, 13]

type Case = readonly [state: string, expected: Refused, isTold: boolean]

/** The states that functions give. `text`: what callers read; null = the words of the server. */
const cases: readonly Case[] = [
  ['P0001', unprocessable, true],
  ['LOCKD', unprocessable, true],
  ['45000', unprocessable, true],
  ['P0999', unprocessable, true],
  ['55000', unprocessable, true],
  ['XX000', unprocessable, true],
  ['42P01', unprocessable, true],
  ['57P01', unprocessable, true],
  ['22023', invalid, true],
  ['23514', invalid, true],
  ['42501', [403, 'FORBIDDEN', 403, 10], true],
  ['23505', [400, 'RECORD_NOT_UNIQUE', 409, 204], false],
  ['40001', [503, 'SERVICE_UNAVAILABLE', 503, 21], false],
  ...perVendor<Case[]>({ postgres: [['strict', unprocessable, false]], mariadb: [] }),
  ['table', unprocessable, false],
  ['column', unprocessable, false],
  ['function', unprocessable, false],
  ['rows', unprocessable, false],
]

/** The states of functions that are broken themselves. */
const ownStates: { readonly [state: string]: string } = {
  strict: 'P0002',
  table: '42P01',
  column: '42703',
  function: '42883',
  rows: '21000',
}

const told = 'Door x is locked'

const own = await openOwnDatabase(tables, {}, { ...silentLog, info: (detail) => void lines.push(detail) })
for (const text of perVendor({ postgres: [inPostgres], mariadb: ['insert', 'update'].map(inMariaDb) }))
  await own.rows(text)

describe.each(cases)('state %s', (state, [status, code, legacyStatus, legacyCode], isTold) => {
  const body = { name: 'x', state }
  const hasWords = (message: string): void => {
    if (isTold) expect(message).toContain(told)
    else expect(message).not.toMatch(/locked|doors|nowhere|nothing|sesame|query|schema/)
  }

  const isLogged = (): void => {
    if (status === 503) return
    const sqlState = ownStates[state] ?? state
    const more = perVendor({ postgres: { detail: 'It has no key', hint: 'Ring' }, mariadb: {} })
    const said = isTold ? { message: told, ...more } : {}
    expect(lines.findLast(({ refusal }) => refusal !== undefined)?.refusal).toMatchObject({ sqlState, ...said })
  }
  beforeEach(() => void (lines.length = 0))

  test.each(['POST /items/doors', 'PATCH /items/doors/1'])('%s', async (request) => {
    const answer = await own.ask(request, { body })
    const { error } = answer.body as { readonly error: { readonly code: string; readonly message: string } }
    expect([answer.status, error.code]).toEqual([status, code])
    hasWords(error.message)
    isLogged()
  })

  test('POST /_/items/doors', async () => {
    const answer = await own.ask('POST /_/items/doors', { body })
    const { error } = answer.body as { readonly error: { readonly code: number; readonly message: string } }
    expect([answer.status, error.code]).toEqual([legacyStatus, legacyCode])
    hasWords(error.message)
    isLogged()
  })

  test('POST /graphql', async () => {
    const query = 'mutation ($data: create_doors_input!) { create_doors_item(data: $data) { id } }'
    const answer = await own.ask('POST /graphql', { body: { query, variables: { data: body } } })
    const { errors } = answer.body as {
      readonly errors: readonly { readonly message: string; readonly extensions: { readonly code: string } }[]
    }
    expect(errors.map(({ extensions }) => extensions.code)).toEqual([code])
    hasWords(errors[0]?.message ?? '')
    isLogged()
  })
})

test('a row that the condition of a view leaves out is refused', async () => {
  const answer = await own.ask('POST /items/small_doors', { body: { name: 'wide', size: 12 } })
  expect(answer).toMatchObject({ status: 422, body: { error: { code: 'UNPROCESSABLE_CONTENT' } } })
})

test('nothing of it was written, and the server goes on', async () => {
  expect((await own.ask('GET /items/doors?fields=name,state')).body).toEqual({ data: [{ name: 'one', state: null }] })
})
