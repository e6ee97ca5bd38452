/** Measures tables from the statistics of the database, and long values by a few rows. */
import type { Database } from '../../domain/ports/context.ts'
import type { CollectionSize, ColumnSize } from '../../domain/schema/schema.ts'
import { dialectOf } from '../dialects/dialects.ts'

type Row = {
  readonly table: string
  readonly rows: number
  readonly columns: { readonly [name: string]: ColumnSize }
  /** Columns whose values may be stored compressed, so that statistics tell too little. */
  readonly long: readonly string[]
}

/** The sizes of all tables on the search path. Views are not measured. */
export async function readSizes(db: Database): Promise<ReadonlyMap<string, CollectionSize>> {
  const { rows } = await db.run({ text, texts, values: [] })
  const tables = rows as readonly Row[]
  const widths = await sampleWidths(db, tables)
  return new Map(
    tables.map(({ table, rows: count, columns }) => {
      const sampled = widths.get(table) ?? {}
      const sized = Object.entries(columns).map(([name, each]): [string, ColumnSize] => [
        name,
        { ...each, width: Math.max(each.width, sampled[name] ?? 0) },
      ])
      return [table, { rows: count, columns: new Map(sized) }]
    }),
  )
}

type Widths = { readonly [column: string]: number | null }

/** Average bytes of long values in a few rows of each table. */
async function sampleWidths(db: Database, tables: readonly Row[]): Promise<ReadonlyMap<string, Widths>> {
  const { quote } = dialectOf(db)
  const filled = tables.filter(({ rows, long }) => rows >= 1 && long.length > 0)
  if (filled.length === 0) return new Map()
  const parts = filled.map(({ table, long }, at) => {
    const names = long.map(quote)
    const widths = names.map((_, column) => `avg(octet_length(c${column}::text))`)
    const columns = names.map((name, column) => `${name} as c${column}`).join(', ')
    const sample = `select ${columns} from ${quote(table)} limit ${sampledRows}`
    return `select ${at} as at, json_build_array(${widths.join(', ')}) as widths from (${sample}) s`
  })
  const sampled = parts.join(' union all ')
  const instead = sampled
    .replaceAll('json_build_array', 'json_array')
    .replaceAll(/select (\d+) as at/g, 'select cast($1 as double) as at')
  const { rows } = await db.run({ text: sampled, texts: { mysql: instead }, values: [] })
  return new Map(
    (rows as readonly { readonly at: number; readonly widths: readonly (number | null)[] }[]).map(({ at, widths }) => {
      const { table, long } = filled[at] as Row
      return [table, Object.fromEntries(long.map((name, column) => [name, widths[column] ?? null]))]
    }),
  )
}

const sampledRows = 30

/**
 * Rows as the planner counts them: the density at the last ANALYZE times the present pages. Without ANALYZE a row is
 * taken for 28 bytes and 12 more per column.
 */
const text = `
with sized as (
  select c.oid, c.relname, n.nspname, c.relnatts, c.reltuples, c.relpages,
    case when c.relkind = 'p' then (select coalesce(sum(pg_relation_size(p.relid)), 0)
      from pg_partition_tree(c.oid) p where p.isleaf) else pg_relation_size(c.oid) end as bytes
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'm') and n.nspname = any (current_schemas(false)) and pg_table_is_visible(c.oid)
    and has_table_privilege(c.oid, 'select')),
counted as (
  select s.*, case when s.reltuples > 0 and s.relpages > 0 then s.reltuples / s.relpages * (s.bytes / 8192.0)
    else greatest(s.reltuples, s.bytes / (28.0 + 12 * s.relnatts)) end as rows
  from sized s)
select s.relname as "table", s.rows::float8 as rows, coalesce(json_object_agg(a.attname, json_build_object(
    'width', coalesce(t.avg_width, 8),
    'distinct', case when t.n_distinct > 0 then t.n_distinct when t.n_distinct < 0 then -t.n_distinct * s.rows end,
    'repeated', coalesce((select sum(f * f) from unnest(t.most_common_freqs) f), 0)))
    filter (where a.attname is not null), '{}') as columns,
  coalesce(json_agg(a.attname) filter (where a.attstorage in ('x', 'e')), '[]') as long
from counted s
  left join pg_attribute a on a.attrelid = s.oid and a.attnum > 0 and not a.attisdropped
  left join pg_stats t on t.schemaname = s.nspname and t.tablename = s.relname and t.attname = a.attname
group by s.oid, s.relname, s.rows`

/** The estimates of the server; of long texts it knows nothing. */
const texts = {
  mysql: `select t.table_name as "table", cast(coalesce(t.table_rows, 0) as double) as "rows",
    json_extract(concat('{', group_concat(json_quote(c.column_name), ':{"width":', least(coalesce(c.character_octet_length, 8), 8),
      ',"distinct":null,"repeated":0}' separator ','), '}'), '$') as columns,
    json_extract(concat('[', ifnull(group_concat(if(c.data_type like '%text', json_quote(c.column_name), null) separator ','), ''), ']'), '$') as "long"
  from information_schema.tables t join information_schema.columns c on c.table_schema = t.table_schema and c.table_name = t.table_name
  where t.table_schema = database() and t.table_type = 'BASE TABLE' group by t.table_name, t.table_rows`,
}
