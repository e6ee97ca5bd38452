/** Whatever the type of a column, values that it cannot hold are refused by the name of the field, never a fault. */
import { afterAll, describe, expect, test } from 'vitest'
import { perVendor } from '../src/sql/testing/test-vendors.ts'
import { openOwnDatabase } from './own-database.ts'

/** A value of the type, and values that are none; null = the type has no values that can be written. */
type Case = readonly [type: string, good: unknown, ...bad: readonly unknown[]]

const long = '9'.repeat(400)
const inPostgres: readonly Case[] = [
  ['regclass', 'pg_class', 'no such table', 'a.b', 'x.y.z', '(', '"', { a: 1 }, ['x']],
  ['regtype', 'integer', 'no such type', 'a.b', 'x.y.z', "'", 'integer[]x', { a: 1 }, ['x']],
  ['regproc', 'now', 'nothing', 'a.b', 'x.y.z', 'abs', '"', { a: 1 }],
  ['regprocedure', 'abs(integer)', 'nothing()', 'abs(', 'abs(no_type)', 'a.b()', { a: 1 }],
  ['regoper', '||/', '+', 'x', 'a.b', { a: 1 }],
  ['regoperator', '+(integer,integer)', '+', '+(x,y)', 'a.+(integer,integer)', { a: 1 }],
  ['regconfig', 'simple', 'no such configuration', 'a.b', 'x.y.z', { a: 1 }],
  ['regdictionary', 'simple', 'nothing', 'a.b', { a: 1 }],
  ['regrole', 'postgres', 'no such role', 'a.b', '"', { a: 1 }],
  ['regnamespace', 'pg_catalog', 'nowhere', 'a.b', { a: 1 }],
  ['regcollation', '"C"', 'nothing', 'a.b', { a: 1 }],
  ['regclass[]', ['pg_class'], ['no such table'], ['a.b'], 'x', [{ a: 1 }]],
  ['aclitem', 'postgres=r/postgres', 'x', 'nobody_here=r/postgres', long],
  ['gtsvector', null, 'x', ''],
  ['pg_node_tree', null, 'x'],
  ['tid', '(0,1)', 'x', '(0)'],
  ['pg_snapshot', '10:20:10', 'x', '20:10:'],
  ['int2vector', '1 2', 'x', '1 99999'],
  ['jsonpath', '$."a"', '$[', 'x y'],
  ['varchar(2)', 'ab', 'abc', 'NaN', 'Infinity'],
  ['char(2)', 'ab', 'NaN'],
  ['char(2)[]', ['ab'], ['abc'], [{ a: 1 }], 'ab'],
  ['bit(3)', '010', '2', '01', long],
  ['interval', '1 day', 'soon', '(', long],
  ['cidr', '10.0.0.0/24', '10.0.0.1/24', 'x'],
  ['xml', '<a/>', '<a', '&'],
  ['tsquery', "'a'", '&', "'"],
  ['int4range', '[1,5)', '[5,1)', '[', '[1,99999999999)'],
  ['numeric(5,2)', null, '1000', 'x', long],
  ['point', '(1,2)', 'x', '(1'],
  ['uuid', '00000000-0000-4000-8000-000000000001', 'x', 1],
]

const inMariaDb: readonly Case[] = [
  ['tinyint', 127, 128, -129, 'x', 1.5, { a: 1 }, [1]],
  ['tinyint unsigned', 255, -1, 256, 'x'],
  ['smallint', -32_768, 32_768, 'x'],
  ['mediumint', 8_388_607, 8_388_608],
  ['int', 1, 2_147_483_648, 'x', long],
  ['int unsigned', 4_294_967_295, -1, 4_294_967_296],
  ['int(12) zerofill', 4_294_967_295, -1, 4_294_967_296],
  ['bigint', '9223372036854775807', '9223372036854775808', 'x', long],
  ['bigint unsigned', '18446744073709551615', '-1', '18446744073709551616'],
  ['decimal(5,2)', null, '1000', 'x', long],
  ['float', 1.5, 'x', { a: 1 }],
  ['double', 1.5, 'x', long],
  ['boolean', true, 'x', 7, { a: 1 }],
  ['varchar(2)', 'ab', 'abc', { a: 1 }],
  ['char(2)', 'ab', 'abc'],
  ['varchar(2) character set latin1', 'ab', 'abc', '€€€', '漢'],
  ['varchar(2) collate latin1_german2_ci', 'ab', 'abc', '€€€', '漢'],
  ['tinytext', 'ab', 'x'.repeat(256)],
  ['date', '2026-01-31', '2026-02-30', 'x', '10000-01-01', long],
  ['time', '10:00:00', 'x', '25:00:00', long],
  ['datetime', null, '2026-02-30T10:00:00', 'x', '10000-01-01T00:00:00'],
  ['timestamptz', null, '1969-01-01T00:00:00Z', '2039-01-01T00:00:00Z', 'x'],
  ['year', 2026, 1900, 2156, 'x'],
  ['year', 0, 1900, 2156],
  ['json', { a: 1 }],
  ['varbinary(2)', 'YWI=', 'YWJj', '***', 1],
  ['bit(3)', 7, 8, -1, 'x'],
  ["enum('a','b')", 'a', 'c', { a: 1 }],
  ["set('a','b')", ['a', 'b'], ['c'], ['a', 'c']],
  ['uuid', '00000000-0000-4000-8000-000000000001', 'x', 1],
  ['char(36)', '00000000-0000-4000-8000-000000000001', 'x', 1],
  ['inet4', '10.0.0.1', 'x', '10.0.0.256', '::1'],
  ['inet6', '::1', 'x', ':::'],
  ['point', { type: 'Point', coordinates: [1, 2] }, 'x', { type: 'Polygon', coordinates: [] }, { type: 'Point' }],
]

const cases = perVendor({ postgres: inPostgres, mariadb: inMariaDb })

const sql = `
${cases.map(([type], at) => `create table t${at} (id serial primary key, v ${type}); insert into t${at} (v) values (null);`).join('\n')}`
const own = await openOwnDatabase(sql)
afterAll(() => own.close())

describe.each(cases.map(([type, good, ...bad], at) => [type, `t${at}`, good, bad] as const))(
  '%s',
  (_type, table, good, bad) => {
    describe.each(['', '/_'])('%s/items', (prefix) => {
      const path = `${prefix}/items/${table}`

      test('takes a value and shows it', async () => {
        if (good === null) return
        const made = await own.ask(`POST ${path}?fields=v`, { body: { v: good } })
        expect([made.status, made.body]).toMatchObject([200, { data: { v: good } }])
      })

      test.each(bad.map((value) => [JSON.stringify(value).slice(0, 30), value] as const))(
        'refuses %s',
        async (_text, v) => {
          for (const request of [`POST ${path}`, `PATCH ${path}/1`]) {
            const { status, body } = await own.ask(request, { body: { v } })
            expect([400, 422]).toContain(status)
            expect(JSON.stringify(body)).toMatch(/"v"|\\"v\\"|"v: /)
          }
        },
      )

      test.each(['_eq', '_neq', '_in', '_lt', '_gte', '_contains', '_empty'])(
        'has no fault in %s',
        async (operator) => {
          for (const v of bad) {
            const given = operator === '_in' ? [v] : v
            const filter =
              prefix === ''
                ? `filter=${encodeURIComponent(JSON.stringify({ v: { [operator]: given } }))}`
                : `filter[v][${operator.slice(1)}]=${encodeURIComponent(typeof v === 'string' ? v : JSON.stringify(v))}`
            const { status } = await own.ask(`GET ${path}?fields=id&${filter}`)
            expect([200, 400]).toContain(status)
          }
        },
      )
    })
  },
)
