/** Every column type in the catalog of the database: read, written, written back, filtered, sorted, rejected. */

import { afterAll, describe, expect, test } from 'vitest'
import { jsonOf } from '../../domain/ports/row-store.ts'
import { createTestDatabase } from '../../sql/testing/test-database.ts'
import { readItem, readItems } from '../rows/read-items.ts'
import { changesOf, createTestContext, failuresOf, is, queryOf } from '../testing/test-context.ts'
import { writeItems } from './items.ts'

/**
 * `low` and `high`: two values in sort order; `low` is also found by a filter on its text. `bad`: a value that the type
 * rejects.
 */
type Case = readonly [type: string, low: unknown, high: unknown, bad: unknown]

const cases: readonly Case[] = [
  ['smallint', -3, 4, 40_000],
  ['integer', -3, 4, 3e9],
  ['bigint', '-9007199254740993', '9007199254740993', 'x'],
  ['numeric', '1.50', 'NaN', 'x'],
  ['numeric(5, 2)', '1.50', '999.99', '1000'],
  ['real', 1.5, 'Infinity', 'x'],
  ['double precision', '-Infinity', 'NaN', 'infinite'],
  ['boolean', false, true, 'perhaps'],
  ['text', 'a', 'b', ['a']],
  ['varchar(3)', 'a', 'b', 'long'],
  ['char(2)', 'aa', 'bb', 'long'],
  ['name', 'a', 'b', ['a']],
  ['date', '2026-01-31', '2026-02-01', '2026-02-31'],
  ['time', '10:00:00', '11:00:00', '25:00:00'],
  ['timestamp', '2026-01-31T10:00:00', '2026-01-31T11:00:00', 'x'],
  ['timestamptz', '2026-01-31T10:00:00.000Z', '2026-01-31T11:00:00.000Z', 'x'],
  ['json', { a: [1] }, { b: null }, null],
  ['jsonb', { a: [1] }, { b: null }, null],
  ['uuid', '00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002', 'x'],
  ['bytea', 'AQI=', 'AQM=', '?'],
  ['oid', 1, 4_294_967_295, 4_294_967_296],
  ['interval', '1 day', '1 mon', 'soon'],
  ['money', '$1.50', '$20.00', 'much'],
  ['inet', '10.0.0.1', '10.0.0.20', 'nowhere'],
  ['cidr', '10.0.0.0/24', '10.0.1.0/24', '10.0.0.1/24'],
  ['macaddr', '08:00:2b:01:02:03', '08:00:2b:01:02:04', 'x'],
  ['macaddr8', '08:00:2b:01:02:03:04:05', '08:00:2b:01:02:03:04:06', 'x'],
  ['bit(3)', '010', '101', '2'],
  ['bit varying(5)', '01', '1011', '2'],
  ['xml', '<a>1</a>', '<b/>', '<a'],
  ['tsvector', "'a' 'b'", "'c':1", "'a"],
  ['tsquery', "'a' & 'b'", "'c'", '&'],
  ['point', '(1,2)', '(3,4)', 'x'],
  ['line', '{1,-1,0}', '{1,0,-3}', 'x'],
  ['lseg', '[(0,0),(1,1)]', '[(0,0),(2,2)]', 'x'],
  ['box', '(1,1),(0,0)', '(2,2),(0,0)', 'x'],
  ['path', '((0,0),(1,1))', '[(0,0),(1,1)]', 'x'],
  ['polygon', '((0,0),(1,0),(1,1))', '((0,0),(2,0),(2,2))', 'x'],
  ['circle', '<(0,0),1>', '<(0,0),2>', 'x'],
  ['int4range', '[1,5)', '[2,5)', '[5,1)'],
  ['int8range', '[1,5)', '[2,)', 'x'],
  ['numrange', '[1.5,2.5)', '[2.5,3)', 'x'],
  ['daterange', '[2026-01-01,2026-02-01)', '[2026-02-01,2026-03-01)', 'x'],
  ['tsrange', '["2026-01-01 10:00:00","2026-01-02 10:00:00")', '["2026-01-02 10:00:00",)', 'x'],
  ['int4multirange', '{[1,3),[5,7)}', '{[2,3)}', 'x'],
  ['pg_lsn', '0/16B3748', '0/16B3749', 'x'],
  ['jsonpath', '$."a"', '$."b"', '$['],
  ['mood', 'sad', 'glad', 'mad'],
  ['even', 2, 4, 3],
  ['pair', { a: 1, b: 'x' }, { a: 2, b: null }, 'x'],
  ['integer[]', [1, null, 3], [2], 'x'],
  ['integer[]', [[1, 2]], [[3, 4]], ['x']],
  ['text[]', ['a', 'b c', '"'], ['b'], 'x'],
  ['boolean[]', [true, false], [true, true], ['perhaps']],
  ['numeric[]', [1.5], [2], ['x']],
  ['uuid[]', ['00000000-0000-4000-8000-000000000001'], ['00000000-0000-4000-8000-000000000002'], ['x']],
  ['date[]', ['2026-01-31'], ['2026-02-01'], ['x']],
  ['jsonb[]', [{ a: 1 }], [{ a: 2 }], 'x'],
  ['inet[]', ['10.0.0.1'], ['10.0.0.2'], ['x']],
  ['mood[]', ['sad'], ['glad', 'sad'], ['mad']],
  ['pair[]', [{ a: 1, b: 'x' }], [{ a: 2, b: 'y' }], 'x'],
  ['int4range[]', ['[1,5)'], ['[2,5)'], ['x']],
]

/** Types without an order, and types with too few values for one. */
const unordered = new Set([
  'json',
  'jsonb',
  'xml',
  'point',
  'line',
  'lseg',
  'box',
  'path',
  'polygon',
  'circle',
  'jsonpath',
  'pair',
  'tsquery',
  'tsvector',
  'boolean[]',
  'jsonb[]',
  'pair[]',
])

const sql = `
create type mood as enum ('sad', 'glad', 'calm');
create domain even as integer check (value % 2 = 0);
create type pair as (a integer, b text);
${cases.map(([type], at) => `create table t${at} (id serial primary key, v ${type});`).join('\n')}`

const database = await createTestDatabase({ sql })
const ctx = createTestContext(database.db, await database.loadSchema())

afterAll(() => database.close())

const selection = [{ kind: 'field', key: 'v', field: 'v' }] as const
const create = (collection: string, ...values: readonly unknown[]) =>
  writeItems(ctx, { kind: 'create', collection, items: values.map((v) => changesOf({ v })) })
const read = async (collection: string, key: number): Promise<unknown> =>
  (JSON.parse(await readItem(ctx, queryOf(collection, { selection }), key)) as { v: unknown }).v

describe.each(cases.map(([type, ...values], at) => [type, `t${at}`, values] as const))(
  '%s',
  (type, collection, [low, high, bad]) => {
    test('is written, read, and the same when its answer is written back', async () => {
      const ids = await create(collection, low, high)
      expect(await read(collection, 1)).toEqual(low)
      expect(await read(collection, 2)).toEqual(high)
      const target = { kind: 'keys', keys: ids } as const
      const stored = async () =>
        (await database.db.run({ text: `select v::text from ${collection} order by id`, values: [] })).rows
      const before = await stored()
      await writeItems(ctx, {
        kind: 'update-each',
        collection,
        items: await Promise.all(
          target.keys.map(async (key) => ({ key, changes: changesOf({ v: await read(collection, Number(key)) }) })),
        ),
      })
      expect(await stored()).toEqual(before)
    })

    test('is found by what is shown of it, and put in order', async () => {
      const list = queryOf(collection, { selection })
      expect(JSON.parse(jsonOf(await readItems(ctx, list)))).toEqual([{ v: low }, { v: high }])
      if (typeof low !== 'object') {
        const found = await readItems(ctx, { ...list, filter: is('v', low as string) })
        expect(JSON.parse(jsonOf(found))).toEqual([{ v: low }])
      }
      if (unordered.has(type)) return
      const sort = [{ kind: 'field', path: [], field: 'v', descending: true }] as const
      expect(JSON.parse(jsonOf(await readItems(ctx, { ...list, sort })))).toEqual([{ v: high }, { v: low }])
    })

    test('refuses what it cannot hold by the name of the field', async () => {
      if (bad === null) return
      const [failure] = await failuresOf(create(collection, bad))
      expect(Object.values(failure ?? {})).toContain('v')
    })
  },
)
