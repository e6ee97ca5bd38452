/** Rows are sorted and filtered by the values of columns of every type, in both generations, as SQL does it. */
import { afterAll, describe, expect, test } from 'vitest'
import { isOnMariaDb, perVendor } from '../src/sql/testing/test-vendors.ts'
import { openOwnDatabase } from './own-database.ts'

type Ordered = readonly [low: string, middle: string, high: string]

type Types = { readonly [type: string]: Ordered }

/** Texts that the database reads, in ascending order. */
const orderedInPostgres: Types = {
  smallint: ['-32768', '0', '7'],
  integer: ['-5', '10', '9000'],
  bigint: ['-9223372036854775808', '9007199254740992', '9007199254740993'],
  oid: ['1', '20', '4294967295'],
  numeric: ['-1e-20', '12345678901234567890.5', '12345678901234567890.6'],
  'numeric(9, 3)': ['-10.001', '9.5', '10'],
  real: ['-0.1', '1.1', '30'],
  'double precision': ['-1e300', '0.1', '123456789.123456789'],
  boolean: ['false', 'true', 'true'],
  text: ['', 'a b', 'ß,"'],
  'varchar(10)': ['10', '9', 'x'],
  'char(5)': ['a', 'b', 'c'],
  name: ['a', 'b', 'c'],
  citext: ['Ant', 'bee', 'Cat'],
  date: ['0044-03-15 BC', '2026-01-31', '12000-01-01'],
  time: ['00:00:00', '09:30:00.000001', '23:59:59'],
  timetz: ['23:00:00+14', '10:30:00+00', '10:00:00-05'],
  timestamp: ['0044-03-15 10:00:00 BC', '2026-01-31 10:00:00.000001', '2026-01-31 10:00:00.000002'],
  timestamptz: ['2026-01-31 10:00:00.5+02', '2026-01-31 09:00:00+00', '2026-01-31 08:00:00-05'],
  interval: ['-1 day', '2 hours', '1 mon'],
  uuid: [
    '00000000-0000-4000-8000-000000000001',
    '7fffffff-0000-4000-8000-000000000000',
    'ffffffff-ffff-4fff-bfff-ffffffffffff',
  ],
  bytea: [String.raw`\x00`, String.raw`\x61ff`, String.raw`\xff`],
  inet: ['9.0.0.1', '10.0.0.1', '::1'],
  cidr: ['9.0.0.0/8', '10.0.0.0/8', '::/0'],
  macaddr: ['08:00:2b:01:02:03', '08:00:2b:01:02:04', 'ff:00:2b:01:02:03'],
  macaddr8: ['08:00:2b:01:02:03:04:05', '08:00:2b:01:02:03:04:06', 'ff:00:2b:01:02:03:04:05'],
  money: ['-20', '9.5', '100'],
  'bit(3)': ['001', '010', '111'],
  'varbit(5)': ['0', '01', '1'],
  'bit(3)[]': ['{001}', '{010,111}', '{011}'],
  'char(3)[]': ['{ab}', '{abc}', '{b}'],
  int4range: ['empty', '[1,5)', '[10,12)'],
  int8range: ['[1,5)', '[9,12)', '[10,)'],
  numrange: ['[1.5,2)', '[9,10]', '(10,)'],
  daterange: ['[2025-01-01,2026-01-01)', '[2026-01-01,2026-01-02)', '[2026-01-01,)'],
  tsrange: ['["2025-01-01 10:00:00",)', '["2026-01-01 10:00:00","2026-01-02 10:00:00")', '["2026-01-02 10:00:00",)'],
  tstzrange: ['["2025-01-01 10:00:00+00",)', '["2026-01-01 10:00:00+00",)', '["2026-01-02 10:00:00+00",)'],
  mood: ['sad', 'Glad to "be"', 'calm'],
  even: ['-2', '8', '10'],
  'integer[]': ['{}', '{9}', '{10,NULL}'],
  'text[]': ['{a,b}', '{b}', '{"c \\"d\\", e"}'],
  'numeric[]': ['{1.5}', '{9}', '{10}'],
  'date[]': ['{2025-01-01}', '{2026-01-01}', '{2026-01-01,2026-01-02}'],
  'timestamptz[]': ['{"2025-01-01 10:00:00+00"}', '{"2026-01-01 10:00:00.5+00"}', '{"2026-01-02 10:00:00+00"}'],
  'uuid[]': ['{}', '{00000000-0000-4000-8000-000000000001}', '{ffffffff-ffff-4fff-bfff-ffffffffffff}'],
  'mood[]': ['{sad}', '{sad,calm}', '{calm}'],
  pg_lsn: ['0/1', '0/A', '1/0'],
  hstore: ['a=>1', 'a=>NULL', 'a=>1, "b c"=>2'],
  tsvector: [`'a'`, `'cat':3 'fat':2A`, `'a' 'b' 'c'`],
  tsquery: [`'a'`, `'a' & 'b'`, `'a' & !'b':*`],
}

const orderedInMariaDb: Types = {
  tinyint: ['-128', '0', '7'],
  smallint: ['-32768', '0', '7'],
  int: ['-5', '10', '9000'],
  'int unsigned': ['1', '20', '4294967295'],
  bigint: ['-9223372036854775808', '9007199254740992', '9007199254740993'],
  'bigint unsigned': ['0', '9223372036854775808', '18446744073709551615'],
  'decimal(40, 20)': ['-1e-20', '12345678901234567890.5', '12345678901234567890.6'],
  'decimal(9, 3)': ['-10.001', '9.5', '10'],
  float: ['-0.1', '1.1', '30'],
  double: ['-1e300', '0.1', '123456789.123456789'],
  boolean: ['0', '1', '1'],
  longtext: ['', 'a b', 'ß,"'],
  'varchar(10)': ['10', '9', 'x'],
  'char(5)': ['a', 'b', 'c'],
  date: ['0044-03-15', '2026-01-31', '9999-01-01'],
  'time(6)': ['00:00:00', '09:30:00.000001', '23:59:59'],
  'datetime(6)': ['0044-03-15 10:00:00', '2026-01-31 10:00:00.000001', '2026-01-31 10:00:00.000002'],
  timestamptz: ['2026-01-31 08:30:00', '2026-01-31 09:00:00', '2026-01-31 13:00:00.5'],
  year: ['1901', '2026', '2155'],
  'char(36)': orderedInPostgres['uuid'] as Ordered,
  'varbinary(5)': ['', 'a', 'b'],
  "enum('sad', 'glad', 'calm')": ['sad', 'glad', 'calm'],
  inet6: ['::1', '2001:db8::1', 'ffff::1'],
}

/** Types in whose order nothing can be put. */
const unorderedInPostgres: Types = {
  json: ['1', '{"a": 1}', '[]'],
  jsonb: ['1', '{"a": 1}', '[]'],
  xml: ['<a/>', '<b/>', '<c/>'],
  point: ['(1,2)', '(1.5,2)', '(3,-4)'],
  line: ['{1,2,3}', '{2,3,4}', '{3,4,5}'],
  lseg: ['[(1,2),(3,4)]', '[(2,2),(3,4)]', '[(3,2),(3,4)]'],
  box: ['(3,4),(1,2)', '(4,4),(1,2)', '(5,4),(1,2)'],
  path: ['((1,2),(3,4))', '[(1,2),(3,4)]', '((5,6))'],
  polygon: ['((1,2),(3,4))', '((1,2),(3,5))', '((1,2),(3,6))'],
  circle: ['<(1,2),3>', '<(1,2),4>', '<(1,2),5>'],
  jsonpath: ['$."a"', '$."b"', '$."c"'],
  'json[]': ['{1}', '{"[]"}', '{}'],
  'point[]': ['{"(1,2)"}', '{"(1.5,2)"}', '{}'],
}

const unorderedInMariaDb: Types = {
  json: ['1', '{"a": 1}', '[]'],
  point: ['POINT(1 2)', 'POINT(1.5 2)', 'POINT(3 -4)'],
  polygon: ['POLYGON((0 0,1 0,1 1,0 0))', 'POLYGON((0 0,2 0,1 1,0 0))', 'POLYGON((0 0,3 0,1 1,0 0))'],
}

const ordered = perVendor({ postgres: orderedInPostgres, mariadb: orderedInMariaDb })
const unordered = perVendor({ postgres: unorderedInPostgres, mariadb: unorderedInMariaDb })

/** Types that are put in order, and compared for equality alone. */
const unranked = new Set(
  perVendor({
    postgres: ['boolean', 'text', 'varchar(10)', 'char(5)', 'name', 'citext', 'uuid', 'bytea'],
    mariadb: ['boolean', 'longtext', 'varchar(10)', 'char(5)', 'char(36)', 'varbinary(5)', 'inet6'],
  }),
)

/** Texts, and what is shown as text without a type of its own, are ordered by the legacy generation alone. */
const texts = new Set(['text', 'longtext', 'varchar(10)', 'char(5)', 'name', 'citext', 'inet6'])

const equalities = new Set(['eq', 'neq', 'in', 'nin'])

/** The order of hstore has no operators, but that of its lists has. */
const placed = (type: string, text: string): string => (type === 'hstore' ? `array[${text}]` : text)

const types = [...Object.entries(ordered), ...Object.entries(unordered)]
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
const nameOf = (type: string): string => `c${types.findIndex(([each]) => each === type)}`
const literal = (type: string, text: string): string =>
  isOnMariaDb && /^(point|polygon)$/.test(type) ? `st_geomfromtext(${quoted(text)})` : quoted(text)
const rowOf = (place: 0 | 1 | 2): string => types.map(([type, texts]) => literal(type, texts[place])).join(', ')

const made = perVendor({
  postgres: `
create extension citext;
create extension hstore;
create type mood as enum ('sad', 'Glad to "be"', 'calm');
create domain even as integer check (value % 2 = 0);`,
  mariadb: '',
})
const sql = `${made}
create table thing (id integer primary key, ${types.map(([type]) => `${nameOf(type)} ${type}`).join(', ')});
insert into thing values (1, ${rowOf(1)}), (2, ${rowOf(2)}), (3, ${rowOf(0)}), (4${', null'.repeat(types.length)});
insert into platform_collections (collection) values ('thing')`
const own = await openOwnDatabase(sql)
afterAll(() => own.close())

type Item = { readonly id: number; readonly [name: string]: unknown }
const generations = {
  current: {
    items: '/items/thing',
    filter: (name: string, operator: string, value: unknown) =>
      `filter=${encodeURIComponent(JSON.stringify({ [name]: { [`_${operator}`]: value } }))}`,
  },
  legacy: {
    items: '/_/items/thing',
    filter: (name: string, operator: string, value: unknown) =>
      (Array.isArray(value) ? value : [value])
        .map(
          (each) =>
            `filter[${name}][${operator}]${Array.isArray(value) ? '[]' : ''}=${encodeURIComponent(String(each))}`,
        )
        .join('&'),
  },
} as const

const idsOfSql = async (rest: string): Promise<readonly unknown[]> =>
  (await own.rows(`select id from thing ${rest}`)).map(({ id }) => id)

describe.each(['current', 'legacy'] as const)('the %s generation', (generation) => {
  const { items, filter } = generations[generation]
  const read = async (query: string): Promise<readonly Item[]> => {
    const { status, body } = await own.ask(`GET ${items}?limit=-1&${query}`)
    expect([query, status, status === 200 ? '' : body]).toEqual([query, 200, ''])
    return (body as { readonly data: readonly Item[] }).data
  }
  const idsOf = async (query: string) => (await read(query)).map(({ id }) => id)

  test.each(Object.keys(ordered))('sorts and compares %s', async (type) => {
    const name = nameOf(type)
    const there = filter(name, 'nnull', true)
    expect(await idsOf(`sort=${name},id&${there}`)).toEqual(
      await idsOfSql(`where ${name} is not null order by ${name}, id`),
    )
    expect(await idsOf(`sort=-${name},id&${there}`)).toEqual(
      await idsOfSql(`where ${name} is not null order by ${name} desc, id`),
    )
    expect(await idsOf(filter(name, 'null', true))).toEqual([4])
    const [middle, high, low] = await valuesOf(name)
    const column = placed(type, name)
    const of = (id: 1 | 2 | 3) => `(select ${column} from thing where id = ${id})`
    const conditions: readonly [string, unknown, string][] = [
      ['eq', middle, `= ${of(1)}`],
      ['neq', middle, `<> ${of(1)}`],
      ['in', [middle, low], `in (${of(1)}, ${of(3)})`],
      ['nin', [high, low], `not in (${of(2)}, ${of(3)})`],
      ['gt', middle, `> ${of(1)}`],
      ['gte', middle, `>= ${of(1)}`],
      ['lt', middle, `< ${of(1)}`],
      ['lte', middle, `<= ${of(1)}`],
      ['between', [low, middle], `between ${of(3)} and ${of(1)}`],
      ['nbetween', [middle, high], `not between ${of(1)} and ${of(2)}`],
    ]
    for (const [operator, value, sql] of conditions) {
      const asked = filter(name, operator, value)
      const isRanked = !unranked.has(type) || (generation === 'legacy' && texts.has(type))
      if (!isRanked && !equalities.has(operator)) {
        const { status, body } = await own.ask(`GET ${items}?${asked}`)
        expect([operator, status, JSON.stringify(body)]).toEqual([operator, 400, expect.stringContaining(name)])
        continue
      }
      const expected = await idsOfSql(`where ${name} is not null and ${column} ${sql} order by id`)
      expect([operator, await idsOf(`sort=id&${asked}`)]).toEqual([operator, expected])
    }
  })

  test.each(
    perVendor({
      postgres: ['int4range', 'hstore', 'tsquery', 'macaddr', 'bit(3)', 'integer[]'],
      mariadb: ['int unsigned', 'decimal(9, 3)', 'year'],
    }),
  )('refuses what is no %s', async (type) => {
    const asked = filter(nameOf(type), 'gt', '(x" ')
    const { status, body } = await own.ask(`GET ${items}?${asked}`)
    expect([status, JSON.stringify(body)]).toEqual([
      400,
      expect.stringMatching(/Expected (a value|an integer|a number)/),
    ])
    for (const wrong of type === 'integer[]' ? [['x'], 'x'] : ['(x" ', ['x']]) {
      const written = await own.ask(`PATCH ${items}/1`, { body: { [nameOf(type)]: wrong } })
      expect([written.status, JSON.stringify(written.body)]).toEqual([
        generation === 'current' || written.status === 422 ? written.status : 400,
        expect.stringContaining(nameOf(type)),
      ])
    }
  })

  /** As they are shown; lists are compared in the notation of the database. */
  async function valuesOf(name: string): Promise<readonly unknown[]> {
    const texts = await own.rows(
      `select ${isOnMariaDb ? name : `${name}::text`} as text from thing where id < 4 order by id`,
    )
    const shown = (await read(`fields=id,${name}&sort=id`)).map((item) => item[name])
    return texts.map(({ text }, at) => (typeof shown[at] === 'object' ? text : shown[at]))
  }

  test.each(Object.keys(unordered))('refuses to sort %s, and finds nulls', async (type) => {
    const name = nameOf(type)
    const { status } = await own.ask(`GET ${items}?sort=${name}`)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect(await idsOf(`sort=id&${filter(name, 'null', true)}`)).toEqual([4])
    expect(await idsOf(`sort=id&${filter(name, 'nnull', true)}`)).toEqual([1, 2, 3])
  })
})
