/** MariaDB 10.6 and later. */

import type { Dialect } from '../dialect.ts'
import { createOperators, type Operator } from '../operators.ts'
import { quoteName, quoteText } from '../quoting.ts'
import { readCatalog } from './catalog.ts'
import { codecs, storedValue } from './codecs.ts'
import { ddl, tableOptions } from './ddl.ts'
import { estimateOf } from './estimate.ts'
import { linkedList, listText, memberPath, most, objectText, valueText } from './json.ts'
import { castList, elements, isOneOf, isOneOfRows, placeIn } from './lists.ts'
import { assertServer, faultOf } from './server.ts'
import {
  aggregates,
  asText,
  cast,
  castText,
  comparable,
  equal,
  functions,
  jsonAt,
  jsonPath,
  keyFromText,
  reconciled,
  sorted,
} from './types.ts'
import { recordset, valueOfRow, writes } from './writes.ts'

const unequal: Operator = (left, right) =>
  equal(left, right) === `${left} = ${right}` ? `${left} <> ${right}` : `not ${equal(left, right)}`
const like: Operator = (left, right) => String.raw`${left} like ${right} escape '\'`
const ilike: Operator = (left, right) => String.raw`lower(${left}) like lower(${right}) escape '\'`
const intersectsBox: Operator = (left, right) => `mbrintersects(${left}, ${right})`

/** A short name of a text. MySQL has no shorter hashes any more. */
const digest = (sql: string) => `left(sha2(${sql}, 256), 32)`

/** Of a given row in its list; no column has this name. */
const position = '"position "'

/** Length limit of column aliases in characters. */
const fitsAlias = (key: string) => key.length <= 64 && !/\s$/.test(key) && key !== ''

export const mysql = {
  name: 'mysql',
  assertServer,
  oneSession: false,
  preparedNames: false,
  transactionalDdl: false,
  announcementInterval: 500,
  historyInWrite: false,
  listsAsColumns: true,
  server: { name: 'MariaDB', faultOf },
  triggers: 'psm',
  replacesTriggers: true,
  tableOptions,
  migrationLock: `select get_lock(concat('tandem-', ${digest('database()')}), 3600)`,
  migrationUnlock: `select release_lock(concat('tandem-', ${digest('database()')}))`,
  readCatalog,

  cast,
  castText,
  reconciled,
  castOrdered: cast,
  // A word that an enumerated type does not list has no place.
  ordered: (expression) => expression,
  castList,
  sorted,
  encoded: (texts) =>
    ["'+', '-'", "'/', '_'", "'=', ''", "char(10), ''"].reduce(
      (sql, change) => `replace(${sql}, ${change})`,
      `to_base64(json_array(${texts.join(', ')}))`,
    ),
  comparable,
  asText,
  asFilled: asText,
  operators: createOperators({ equal, unequal, like, ilike, intersectsBox }),
  isOneOf,
  isOneOfRows,
  positionIn: placeIn,
  elements,
  listOf: (select) => `(${select})`,

  storedValue,
  codec: codecs,
  functions,
  jsonAt,
  jsonPath,
  aggregates,
  keyFromText,

  jsonRows: (entries, from) => `(select ${listText(objectText(entries))} from ${from})`,
  jsonRow: (entries, from) => (from === null ? objectText(entries) : `(select ${objectText(entries)} from ${from})`),
  jsonValue: (entry, from) => `(select ${valueText(entry)} from ${from})`,
  jsonColumn: (entry, from) => `(select ${listText(valueText(entry))} from ${from})`,
  linked: {
    rows: (entries, rows) => linkedList(objectText(entries), rows),
    column: (entry, rows) => linkedList(valueText(entry), rows),
    total: (entries, from) => `ifnull((select concat('[', ${objectText(entries)}, ']') from ${from}), '[]')`,
  },
  jsonStatement: (entries, from, extras) => {
    const more = extras.map((extra) => `, ${extra.sql} as ${quoteName(extra.key)}`).join('')
    return `select ${listText(objectText(entries))} as "json", count(*) as "rows"${more} from ${from}`
  },
  jsonRowStatement: (entries, from) => `select ${objectText(entries)} as "json" from ${from}`,
  contentTag: (entries) =>
    `left(sha2(concat_ws('|', ${entries.map((entry) => `sha2(${valueText({ ...entry, json: 'json' })}, 256)`).join(', ')}), 256), 16)`,
  explain: (analyze) => `${analyze ? 'analyze' : 'explain'} format=json`,
  estimateOf,
  overlaid: ({ table, stored, alias, condition, row, columns: all }) => {
    const values = all.map(({ column, name, type }) => {
      const path = quoteText(memberPath(name))
      const value = `if(json_exists(${row}, ${path}), ${valueOfRow(row, path, type)}, ${stored}.${column})`
      // The driver writes numbers by the type of their column, and a column rounds its decimals.
      const own = type.type === 'integer' ? 'signed' : type.digits === undefined ? null : `decimal(${type.digits})`
      return `${own === null ? value : `cast(${value} as ${own})`} as ${column}`
    })
    return `(select ${values.join(', ')} from ${table} where ${condition}) ${alias}`
  },
  recordset: ({ alias, rows, columns: all }) => recordset(rows, all, { alias, position }),
  recordsetPosition: (alias) => `${alias}.${position}`,
  fitsAlias,
  columnText: ({ sql }) => sql,

  firstOfEach: (key, agreed, from, order) =>
    `(select f.k from (select ${key} as k, row_number() over (partition by ${agreed.join(', ')} ` +
    `order by ${order.length === 0 ? key : order.join(', ')}) as n from ${from}) f where f.n = 1)`,
  random: 'rand()',
  ordersByResults: true,
  // Null is greater than every value, as in the other databases.
  orderBy: (expression, descending, nulls) => {
    const place = `${expression}${descending ? ' desc' : ''}`
    if (nulls === 'none') return place
    const last = nulls === undefined ? !descending : nulls === 'last'
    return `${expression} is null${last ? '' : ' desc'}, ${place}`
  },
  sortsNullsApart: true,
  readsIndexOneWay: true,
  // Without a limit, a derived table has no order.
  page: (limit, offset) => ` limit ${limit ?? most}${offset === null ? '' : ` offset ${offset}`}`,
  writes,
  ddl,
} as const satisfies Dialect
