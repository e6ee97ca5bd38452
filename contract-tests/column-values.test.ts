/** Whatever a column holds, the answer to a read can be written back in both generations, and changes nothing. */
import {
  type Arbitrary,
  array,
  assert,
  asyncProperty,
  bigInt,
  boolean,
  constantFrom,
  integer,
  option,
  record,
  string,
} from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { isOnMariaDb, perVendor } from '../src/sql/testing/test-vendors.ts'
import { openOwnDatabase } from './own-database.ts'

const two = (value: number): string => String(value).padStart(2, '0')

/** From 4000 BC to the year 12000, with up to six digits of a second. */
const moment = record({
  year: integer({ min: 1, max: 12_000 }),
  month: integer({ min: 1, max: 12 }),
  day: integer({ min: 1, max: 28 }),
  hour: integer({ min: 0, max: 23 }),
  second: integer({ min: 0, max: 59 }),
  micro: constantFrom(0, 1, 500, 1000, 123_000, 999_999),
  isBefore: boolean(),
})
const date = moment.map(({ year, month, day, isBefore }) => {
  const text = `${String(isBefore ? 1 + (year % 4000) : year).padStart(4, '0')}-${two(month)}-${two(day)}`
  return { text, era: isBefore ? ' BC' : '' }
})
const time = moment.map(
  ({ hour, second, micro }) => `${two(hour)}:${two(second)}:${two(second)}.${String(micro).padStart(6, '0')}`,
)
const at = record({ date, time })
const orInfinite = (texts: Arbitrary<string>): Arbitrary<string> =>
  option(texts, { nil: 'infinity', freq: 20 }).map((text) => text ?? 'infinity')
const word = string({ maxLength: 8 }).map((text) => text.replaceAll(/[^\x20-\x7eäß]/g, ''))
const list = (elements: Arbitrary<unknown>) =>
  array(elements, { maxLength: 3 }).map((each) => `{${each.map((one) => JSON.stringify(String(one))).join(',')}}`)
const digits = bigInt({ min: -(10n ** 30n), max: 10n ** 30n })

type Columns = { readonly [type: string]: Arbitrary<string> }

/** Texts that the database reads. */
const inPostgres: Columns = {
  smallint: integer({ min: -32_768, max: 32_767 }).map(String),
  integer: integer().map(String),
  bigint: bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  numeric: record({ digits, scale: integer({ min: 0, max: 25 }) }).map(({ digits, scale }) => `${digits}e-${scale}`),
  'numeric(9, 3)': integer({ min: -999_999_999, max: 999_999_999 }).map((value) => `${value}e-3`),
  real: constantFrom('1.1', '3.4e38', '1e-40', 'NaN', 'Infinity', '0.1'),
  'double precision': constantFrom('0.1', '1e308', '5e-324', '-Infinity', 'NaN', '123456789.123456789'),
  boolean: boolean().map(String),
  text: word,
  'varchar(10)': word,
  'char(10)': word,
  citext: word,
  date: orInfinite(date.map(({ text, era }) => text + era)),
  time: option(time, { nil: '24:00:00', freq: 20 }).map((text) => text ?? '24:00:00'),
  timetz: record({ time, zone: constantFrom('+00', '-11', '+05:30', '+14', '-00:30', '+01:02:03') }).map(
    ({ time, zone }) => `${time}${zone}`,
  ),
  timestamp: orInfinite(at.map(({ date, time }) => `${date.text} ${time}${date.era}`)),
  timestamptz: orInfinite(at.map(({ date, time }) => `${date.text} ${time}+00${date.era}`)),
  interval: integer({ min: -1e6, max: 1e6 }).map((value) => `${value} seconds`),
  uuid: constantFrom('00000000-0000-4000-8000-000000000001', 'ffffffff-ffff-4fff-bfff-ffffffffffff'),
  json: constantFrom('{"a":[1,null]}', '[]', '{}', '"text"', '1', 'true', '"[x"'),
  jsonb: constantFrom('{"a": [1, null]}', '[]', '{}', '"text"', '1.5', 'false'),
  bytea: word.map((text) => `\\x${Buffer.from(text).toString('hex')}`),
  oid: constantFrom('0', '4294967295'),
  inet: constantFrom('10.0.0.1', '10.0.0.1/8', '::1'),
  int4range: constantFrom('[1,5)', 'empty', '(,3]'),
  tstzrange: constantFrom('["2026-01-01 10:00:00.5+00",)', 'empty'),
  hstore: constantFrom('a=>1', '"b c"=>NULL', '', String.raw`"q\"\\n"=>"\\"`, '"line\n"=>"tab\t"'),
  tsvector: constantFrom(`'fat':2A 'cat':3`, `'it''s':1 'a\\b'`, ''),
  tsquery: constantFrom(`'fat' & !'cat':*`, `'a' <2> 'b' | 'it''s'`, ''),
  oidvector: constantFrom('1 2', ''),
  mood: constantFrom('sad', 'Glad to "be"', 'calm'),
  'bit(3)': constantFrom('010', '111'),
  money: constantFrom('1.50', '-20'),
  xml: constantFrom('<a>1</a>', '<b/>'),
  point: constantFrom('(1.5,2)', '(0.1,-1e-7)'),
  pair: constantFrom('(1,"b c")', '(,)'),
  'integer[]': list(integer()),
  'text[]': list(word),
  'numeric[]': list(integer()),
  'timestamptz[]': list(at.map(({ date, time }) => `${date.text} ${time}+00${date.era}`)),
  'mood[]': list(constantFrom('sad', 'calm')),
}
const dayInMariaDb = moment.map(
  ({ year, month, day }) => `${String(year % 10_000).padStart(4, '0')}-${two(month)}-${two(day)}`,
)
const atInMariaDb = record({ day: dayInMariaDb, time }).map(({ day, time }) => `${day} ${time}`)

const inMariaDb: Columns = {
  tinyint: integer({ min: -128, max: 127 }).map(String),
  'tinyint unsigned': integer({ min: 0, max: 255 }).map(String),
  smallint: integer({ min: -32_768, max: 32_767 }).map(String),
  mediumint: integer({ min: -8_388_608, max: 8_388_607 }).map(String),
  int: integer().map(String),
  'int unsigned': integer({ min: 0, max: 2 ** 32 - 1 }).map(String),
  bigint: bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  'bigint unsigned': bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String),
  'decimal(65, 30)': record({ digits, scale: integer({ min: 0, max: 25 }) }).map(
    ({ digits, scale }) => `${digits}e-${scale}`,
  ),
  'decimal(9, 3)': integer({ min: -999_999_999, max: 999_999_999 }).map((value) => `${value}e-3`),
  float: constantFrom('1.1', '3.4e38', '1e-30', '0.1', '-0'),
  double: constantFrom('0.1', '1e308', '2.3e-308', '123456789.123456789'),
  boolean: boolean().map((value) => (value ? '1' : '0')),
  longtext: word,
  'varchar(10)': word,
  'varchar(10) collate utf8mb4_general_ci': word,
  'varchar(10) character set latin1': word,
  'varchar(10) collate latin1_german2_ci': word,
  'char(10)': word.map((text) => text.trimEnd()),
  date: dayInMariaDb,
  'time(6)': time,
  time: time.map((text) => text.slice(0, 8)),
  'datetime(6)': atInMariaDb,
  datetime: atInMariaDb.map((text) => text.slice(0, 19)),
  timestamptz: time.map((text) => `2026-01-31 ${text}`),
  year: integer({ min: 1901, max: 2155 }).map(String),
  // The column keeps the spelling of the text.
  json: constantFrom('{"a":[1,null]}', '[]', '{}', '"text"', '1.5', 'false', '"[x"'),
  longblob: word,
  'varbinary(20)': word,
  'bit(3)': constantFrom('0', '2', '7'),
  'bit(1)': constantFrom('0', '1'),
  'bit(64)': constantFrom('0', '18446744073709551615'),
  "enum('sad', 'Glad to \"be\"', 'it''s')": constantFrom('sad', 'Glad to "be"', "it's"),
  "set('a', 'b')": constantFrom('', 'a', 'a,b'),
  uuid: constantFrom('00000000-0000-4000-8000-000000000001', 'ffffffff-ffff-4fff-bfff-ffffffffffff'),
  'char(36)': constantFrom('00000000-0000-4000-8000-000000000001', 'ffffffff-ffff-4fff-bfff-ffffffffffff'),
  inet4: constantFrom('10.0.0.1', '255.255.255.255'),
  inet6: constantFrom('::1', '2001:db8::ff00:42:8329'),
  point: constantFrom('POINT(1.5 2)', 'POINT(0.1 -1e-7)'),
}

const types = Object.entries(perVendor({ postgres: inPostgres, mariadb: inMariaDb }))
const nameOf = (index: number): string => `c${index}`

const made = perVendor({
  postgres: `
create extension citext;
create extension hstore;
create type mood as enum ('sad', 'Glad to "be"', 'calm');
create type pair as (a integer, b text);`,
  mariadb: '',
})
const computed = perVendor({
  postgres: 'computed integer generated always as (id * 2) stored, counted integer generated always as identity',
  mariadb: 'number integer not null default 2, computed integer generated always as (number * 2) stored',
})
const sql = `${made}
create table every_type (
  id serial primary key, ${computed},
  ${types.map(([type], at) => `${nameOf(at)} ${type}`).join(', ')});
insert into every_type (c0) values (null);
insert into platform_collections (collection) values ('every_type')`
afterAll(() => own.close())

/** Zeros behind the point are no part of a number. */
const stripped = (number: unknown): string =>
  String(number)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')

const textOf = (name: string, type: string): string => {
  if (!isOnMariaDb) return `${name}::text`
  if (/blob|binary/.test(type)) return `hex(${name})`
  if (type === 'point') return `st_astext(${name})`
  return `cast(${type.startsWith('bit') ? `${name} + 0` : name} as char)`
}
const valueOf = (place: string, type: string): string => {
  if (!isOnMariaDb) return `${place}::text::${type}`
  if (type === 'point') return `st_geomfromtext(${place})`
  return type.startsWith('bit') ? `cast(${place} as unsigned)` : place
}
const texts = types
  .map(([type], at) => `${textOf(nameOf(at), type)} as "${nameOf(at)} ${type.replaceAll('"', '')}"`)
  .join(', ')

const own = await openOwnDatabase(sql)
const stored = async (): Promise<unknown> => {
  const [row = {}] = await own.rows(`select ${texts} from every_type`)
  return Object.entries(row).map(([name, text]) => [name, name.endsWith(' numeric') ? stripped(text) : text])
}

test.each(['/items/every_type/1', '/_/items/every_type/1'])('%s', async (path) => {
  // The legacy generation knows no third value between true and false, and no list that is null.
  const optional = (type: string, texts: Arbitrary<string>) =>
    /^(boolean|bit\(1\)|set\(.*)$/.test(type) && path.startsWith('/_/') ? texts : option(texts)
  const values = record(Object.fromEntries(types.map(([type, texts], at) => [nameOf(at), optional(type, texts)])))
  const set = types.map(([type], at) => `${nameOf(at)} = ${valueOf(`$${at + 1}`, type)}`).join(', ')
  await assert(
    asyncProperty(values, async (row) => {
      await own.rows(
        `update every_type set ${set}`,
        types.map((_type, at) => row[nameOf(at)] ?? null),
      )
      const before = await stored()
      const read = await own.ask(`GET ${path}`)
      const item = (read.body as { readonly data: object }).data
      const { status, body } = await own.ask(`PATCH ${path}`, { body: item })
      expect({ status, body }).toEqual({ status: 200, body: read.body })
      expect(await stored()).toEqual(before)
    }),
    { numRuns: 60 },
  )
})
