/** Keys of every kind, and rows that cannot be here: a second run finds what the first has written, and nothing stops it. */
import { afterAll, expect, test, vi } from 'vitest'
import { createScratch, createServedScratch } from '../../sql/sources/mysql/test-mysql.ts'
import { createDatabase, type Result, run, type Settings } from '../test-program.ts'
import { magazine } from './test-magazine.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
})

/** Types of keys, with values whose orders differ from type to type. */
const keys: { readonly [name: string]: readonly [type: string, ...values: readonly string[]] } = {
  bits: ['bit(10)', '0', '1', '1023', '256'],
  flags: ['tinyint(1)', '0', '1'],
  longs: ['bigint unsigned', '0', '9223372036854775807', '18446744073709551615', '5'],
  exact: [
    'decimal(40,12)',
    '-1.5',
    '-1.25',
    '12345678901234567890.5',
    '-12345678901234567890.25',
    '-12345678901234567890.5',
  ],
  singles: ['float', '0.1', '-0.5', '1e30', '3'],
  doubles: ['double', '0.1', '-0.5', '1e300', '1e-10'],
  words: ["enum('z','a','m')", "'z'", "'a'", "'m'"],
  sets: ["set('z','a','m')", "'z'", "'a,m'", "''"],
  hours: ['time', "'23:59:59'", "'00:00:00'", "'09:30:00'"],
  spans: ['time', "'-10:00:00'", "'-09:00:00'", "'100:00:00'", "'99:00:00'", "'838:59:59'"],
  years: ['year', '0', '1901', '2155'],
  bytes: ['varbinary(20)', "x''", "x'61'", "x'42'", "x'ff00'"],
  texts: ['varchar(60) character set utf8', "'a'", "'B'", "''", "'é'"],
}

const plainKeys = Object.entries(keys).flatMap(([name, [type, ...values]]) => [
  `create table key_${name} (k ${type} not null primary key, note varchar(10))`,
  `insert into key_${name} (k, note) values ${values.map((value) => `(${value}, 'old')`).join(', ')}`,
])

/** More rows than are read at once, with keys that numbers of eight bytes cannot tell apart. */
const longKeys: readonly string[] = ['bigint', 'bigint unsigned', 'decimal(30,10)'].flatMap((type, at) => [
  `create table many_${at} (k ${type} not null primary key, note varchar(10))`,
  `insert into many_${at} (k, note) select 9007199254740993 + f.id * 100 + g.id, 'old'
    from directus_fields f, directus_fields g limit 700`,
])
const manyWith = (...counts: readonly number[]) => ({ many_0: counts, many_1: counts, many_2: counts })

/** Dates of zeros, the 30th of February, and users who are gone. */
const odd: readonly string[] = [
  "set session sql_mode = 'ALLOW_INVALID_DATES'",
  'create table days (day date not null, site int not null, primary key (day, site))',
  "insert into days values ('0000-00-00', 1), ('2020-00-00', 1), ('2020-02-30', 1), ('2020-02-29', 1)",
  'create table readers (user int unsigned not null, article int unsigned not null, note varchar(9), primary key (user, article))',
  "insert into readers values (1, 10, 'a'), (4, 10, 'b'), (4, 11, 'c'), (7, 10, 'd'), (9, 10, 'e'), (66, 10, 'gone')",
  "insert into directus_fields (collection, field, type) values ('readers', 'user', 'user')",
  'create table visits (at date, word varchar(20))',
  "insert into visits values ('2020-02-30', 'a'), ('0000-00-00', 'b'), ('2020-01-01', 'c')",
]

const vendors = {
  'the embedded database': async (): Promise<Settings> => {
    const place = await createDatabase({ isEmbedded: true, isMigrated: true })
    closing.push(place.remove)
    return place.settings
  },
  'a database on MariaDB or MySQL': async (): Promise<Settings> => {
    const [place, target] = [await createDatabase({ isEmbedded: true }), await createServedScratch()]
    closing.push(place.remove, target.drop)
    return { ...place.settings, DB_CLIENT: 'mysql', DB_CONNECTION_STRING: target.url, SECRET: 's'.repeat(40) }
  },
}

/** Per table: created, updated, deleted, differing, refused. */
function countsOf({ out }: Result): { readonly [table: string]: readonly number[] } {
  const lines = out.split('\n').flatMap((line) => {
    const match = /^(\w+) +\d+ +\d+ +(\d+) +(\d+) +(\d+) +(\d+) +(\d+) +(?:equal|different)$/.exec(line)
    return match === null ? [] : [[match[1] as string, match.slice(2).map(Number)] as const]
  })
  return Object.fromEntries(lines)
}

const oddCounts = (created: readonly [number, number]) => ({
  days: [created[0], 0, 0, 3, 3],
  readers: [created[1], 0, 0, 1, 1],
})

test.each(Object.keys(vendors) as (keyof typeof vendors)[])('keys keep their order into %s', async (vendor) => {
  const source = await createScratch()
  closing.push(source.drop)
  await source.run(...magazine(), ...plainKeys, ...longKeys, ...odd)
  const settings = await vendors[vendor]()
  const take = (...words: readonly string[]) => run(settings, 'import', 'version-8', '--from', source.url, ...words)
  const planned = await take('--plan')
  expect(planned.out).toContain('\ndays.day has values that are no dates, whose rows are refused: 3\n')
  const first = await take()
  expect([first.code, first.error]).toEqual([4, ''])
  const created = Object.fromEntries(
    Object.entries(keys).map(([name, [, ...own]]) => [`key_${name}`, [own.length, 0, 0, 0, 0]]),
  )
  expect(countsOf(first)).toMatchObject({
    ...created,
    ...oddCounts([1, 5]),
    visits: [3, 0, 0, 0, 0],
    ...manyWith(700, 0, 0, 0, 0),
  })
  for (const line of [
    'days 0000-00-00,1 was refused: "day" is no date of the calendar',
    'days 2020-02-30,1 was refused: "day" is no date of the calendar',
    'readers 66,10 was refused: "user" names a row that is not there',
    'visits.at: 1 × no date of the calendar, so it became null: ["2020-02-30","a"] "2020-02-30"',
  ])
    expect(first.out.split('\n')).toContain(line)
  // A row that was refused is not told twice.
  expect(first.out).toMatch(/\nNot everything is here: rows that were refused: 4\n$/)
  const second = await take()
  const same = Object.fromEntries(Object.keys(keys).map((name) => [`key_${name}`, [0, 0, 0, 0, 0]]))
  expect(countsOf(second)).toMatchObject({
    ...same,
    ...oddCounts([0, 0]),
    visits: [0, 0, 0, 0, 0],
    ...manyWith(0, 0, 0, 0, 0),
  })
  expect(countsOf(await take('--verify'))).toMatchObject({ ...same, ...oddCounts([0, 0]) })
  await source.run(
    ...Object.keys(keys).flatMap((name) => [
      `update key_${name} set note = 'new' limit 1`,
      `delete from key_${name} where note = 'old' limit 1`,
    ]),
    ...Object.keys(manyWith()).flatMap((name) => [
      `update ${name} set note = 'new' order by k desc limit 300`,
      `delete from ${name} where note = 'old' order by k desc limit 150`,
    ]),
    "update readers set note = 'changed' where user = 4 and article = 11",
  )
  const third = await take()
  const changed = Object.fromEntries(Object.keys(keys).map((name) => [`key_${name}`, [0, 1, 1, 0, 0]]))
  expect(countsOf(third)).toMatchObject({ ...changed, readers: [1, 0, 1, 1, 1], ...manyWith(0, 300, 150, 0, 0) })
})
