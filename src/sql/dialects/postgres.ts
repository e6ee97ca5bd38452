/** PostgreSQL 12 and later. */

import type { Dialect, Entry } from './dialect.ts'
import { createOperators, infix } from './operators.ts'
import { readCatalog } from './postgres-catalog.ts'
import { readChanges } from './postgres-changes.ts'
import { codecs } from './postgres-codecs.ts'
import { ddl } from './postgres-ddl.ts'
import { aggregates, functions } from './postgres-functions.ts'
import { elements, jsonAt } from './postgres-json.ts'
import {
  asFilled,
  asText,
  cast,
  castList,
  castOrdered,
  comparable,
  keyFromText,
  ordered,
  sorted,
} from './postgres-types.ts'
import { writes } from './postgres-writes.ts'
import { columnList, quoteName, quoteText } from './quoting.ts'

/** Length limit of column aliases. Longer keys are written without an alias. */
const longestAlias = 63

const fitsAlias = (key: string) => key.length <= longestAlias && Buffer.byteLength(key) <= longestAlias

/** The record `r` per row of `from`; joined text if a key is too long for an alias. */
function records(entries: readonly Entry[], table: string | null): { readonly record: string; readonly from: string } {
  const from = table === null ? '' : ` from ${table}`
  if (entries.every(({ key }) => fitsAlias(key)))
    return { record: 'r.*', from: `(select ${columnList(entries)}${from}) r` }
  const pairs = entries.map(
    ({ key, sql }) => `${quoteText(`${JSON.stringify(key)}:`)} || coalesce(to_json(${sql})::text, 'null')`,
  )
  return { record: 'r.r', from: `(select ('{' || ${pairs.join(` || ',' || `)} || '}')::json as r${from}) r` }
}

type Plan = readonly { readonly Plan?: { readonly 'Total Cost'?: number; readonly 'Plan Rows'?: number } }[]

/** In units of the planner, of which one is a page read in order: about 50,000 rows of ordinary width. */
const cheapCost = 1000

export const postgres = {
  name: 'postgres',
  oneSession: false,
  transactionalDdl: true,
  server: {
    name: 'Postgres',
    faultOf: (version) =>
      Number.parseInt(version, 10) < 12 ? `Expected Postgres 12 or later but received ${version}` : null,
  },
  triggers: 'plpgsql',
  historyInWrite: true,
  preparedNames: true,
  tableOptions: '',
  // An arbitrary key that other applications are unlikely to use.
  migrationLock: 'select pg_advisory_xact_lock(7263018455)',
  readCatalog,
  readChanges,

  cast,
  castText: cast,
  castOrdered,
  ordered,
  castList,
  sorted,
  comparesRows: true,
  scan: (name, query) => `${name} as materialized (${query})`,
  encoded: (texts) =>
    `translate(encode(convert_to(json_build_array(${texts.join(', ')})::text, 'UTF8'), 'base64'), E'+/=\\n', '-_')`,
  comparable,
  asText,
  asFilled,
  operators: createOperators({
    equal: infix('='),
    unequal: infix('<>'),
    like: infix('like'),
    ilike: infix('ilike'),
    intersectsBox: infix('&&'),
  }),
  isOneOf: (expression, list) => `${expression} = any(${list})`,
  isOneOfRows: (expressions, lists) => `(${expressions.join(', ')}) in (select * from unnest(${lists.join(', ')}))`,
  positionIn: (expression, list) => ({ sql: `array_position(${list}, ${expression})`, join: '' }),
  elements,
  listOf: (select) => `nullif(array(${select}), '{}')`,

  // Rows are read back with the row type of the table.
  storedValue: (expression) => ({ sql: expression, json: 'value' }),
  codec: codecs,
  functions,
  jsonAt,
  aggregates,
  keyFromText,

  jsonRows: (entries, from) => {
    const rows = records(entries, from)
    return `(select coalesce(json_agg(${rows.record}), '[]') from ${rows.from})`
  },
  jsonRow: (entries, from) => {
    const rows = records(entries, from)
    return `(select ${rows.record === 'r.*' ? 'row_to_json(r.*)' : rows.record} from ${rows.from})`
  },
  jsonValue: (entry, from) => `(select to_json(${entry.sql}) from ${from})`,
  jsonColumn: (entry, from) => `(select coalesce(json_agg(${entry.sql}), '[]') from ${from})`,
  jsonStatement: (entries, from, extras) => {
    const rows = records(entries, from)
    const more = extras.map((extra) => `, ${extra.sql} as ${quoteName(extra.key)}`).join('')
    return `select coalesce(json_agg(${rows.record}), '[]')::text as "json", count(*)::integer as "rows"${more} from ${rows.from}`
  },
  jsonRowStatement: (entries, from) => {
    const row = records(entries, from)
    const json = row.record === 'r.*' ? 'row_to_json(r.*)' : row.record
    return `select ${json}::text as "json" from ${row.from}`
  },
  contentTag: (entries) => `to_hex(hashtextextended(row(${entries.map(({ sql }) => sql).join(', ')})::text, 0))`,
  explain: (analyze) => `explain (${analyze ? 'analyze, buffers, ' : ''}format json)`,
  estimateOf: (plan) => {
    const root = (plan as Plan)[0]?.Plan
    const cost = root?.['Total Cost'] ?? null
    return { cost, rows: root?.['Plan Rows'] ?? null, isCheap: cost !== null && cost <= cheapCost }
  },
  overlaid: ({ table, stored, alias, condition, row }) =>
    `${table} join lateral json_populate_record(${stored}, ${row}::json) ${alias} on ${condition}`,
  recordset: ({ table, alias, rows }) =>
    `json_array_elements(${rows}::json) with ordinality g${alias}(v, n) ` +
    `cross join lateral json_populate_record(null::${table}, g${alias}.v) ${alias}`,
  recordsetPosition: (alias) => `g${alias}.n::text`,
  fitsAlias,
  columnText: ({ sql, json }) => (json === 'value' ? `to_json(${sql})::text` : `${sql}::text`),

  firstOfEach: (key, agreed, from, order) =>
    `(select distinct on (${agreed.join(', ')}) ${key} from ${from} order by ${[...agreed, ...order].join(', ')})`,
  random: 'random()',
  orderBy: (expression, descending, nulls) =>
    `${expression}${descending ? ' desc' : ''}${nulls === undefined || nulls === 'none' ? '' : ` nulls ${nulls}`}`,
  page: (limit, offset) =>
    `${limit === null ? '' : ` limit ${limit}::bigint`}${offset === null ? '' : ` offset ${offset}::bigint`}`,
  writes,
  ddl,
} as const satisfies Dialect
