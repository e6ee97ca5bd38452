/** Measures tables from the statistics of the database, and long values by a few rows. */
import type { Database } from '../../domain/ports/context.ts'
import type { CollectionSize, ColumnSize } from '../../domain/schema/schema.ts'
import { quoteName } from '../dialects/quoting.ts'

type Row = {
  readonly table: string
  readonly rows: number
  readonly columns: { readonly [name: string]: ColumnSize }
  /** Columns whose values may be stored compressed, so that statistics underestimate their size. */
  readonly long: readonly string[]
}

/** Sizes of tables, and the samples that long values were measured by. */
export type Measured = {
  readonly sizes: ReadonlyMap<string, CollectionSize>
  readonly samples: ReadonlyMap<string, Sample>
}

/** A sample counts for a table until its number of rows or its long columns are others. */
type Sample = { readonly rows: number; readonly long: readonly string[]; readonly widths: Widths }

export const unmeasured: Measured = { sizes: new Map(), samples: new Map() }

/** The sizes of some tables, or of all on the search path (null). Views are not measured. */
export async function readSizes(db: Database, before: Measured, only: readonly string[] | null): Promise<Measured> {
  const { rows } = await db.run({ text, texts, values: [only === null ? null : JSON.stringify(only)] })
  const tables = rows as readonly Row[]
  const samples = await sampleTables(db, tables, before.samples)
  const sizes = new Map(
    tables.map(({ table, rows: count, columns }): [string, CollectionSize] => {
      const sampled = samples.get(table)?.widths ?? {}
      const sized = Object.entries(columns).map(([name, each]): [string, ColumnSize] => [
        name,
        { ...each, width: Math.max(each.width, sampled[name] ?? 0) },
      ])
      return [table, { rows: count, columns: new Map(sized) }]
    }),
  )
  if (only === null) return { sizes, samples }
  const others = <T>(all: ReadonlyMap<string, T>) => [...all].filter(([table]) => !only.includes(table))
  return {
    sizes: new Map([...others(before.sizes), ...sizes]),
    samples: new Map([...others(before.samples), ...samples]),
  }
}

/** Samples of the tables, those of before where they still count. */
async function sampleTables(
  db: Database,
  tables: readonly Row[],
  before: Measured['samples'],
): Promise<ReadonlyMap<string, Sample>> {
  const filled = tables.filter(({ rows, long }) => rows >= 1 && long.length > 0)
  const again = filled.filter((each) => !stillCounts(before.get(each.table), each))
  const samples = new Map<string, Sample>()
  for (const { table } of filled) {
    const sample = before.get(table)
    if (sample !== undefined) samples.set(table, sample)
  }
  for (let start = 0; start < again.length; start += mostSamples) {
    const some = again.slice(start, start + mostSamples)
    const widths = await sampleWidths(db, some)
    for (const { table, rows, long } of some) samples.set(table, { rows, long, widths: widths.get(table) ?? {} })
  }
  return samples
}

/** Tables of one statement at most: planning takes more than proportional time. */
const mostSamples = 100

const stillCounts = (sample: Sample | undefined, { rows, long }: Row): boolean =>
  sample !== undefined &&
  Math.abs(sample.rows - rows) <= rows / 10 &&
  sample.long.length === long.length &&
  long.every((name, at) => name === sample.long[at])

type Widths = { readonly [column: string]: number | null }

/** Average bytes of long values in a few rows of each table. */
async function sampleWidths(db: Database, filled: readonly Row[]): Promise<ReadonlyMap<string, Widths>> {
  const parts = filled.map(({ table, long }, at) => {
    const names = long.map(quoteName)
    const widths = names.map((_, column) => `avg(octet_length(c${column}::text))::float8`)
    const columns = names.map((name, column) => `${name} as c${column}`).join(', ')
    const sample = `select ${columns} from ${quoteName(table)} limit ${sampledRows}`
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
    and has_table_privilege(c.oid, 'select')
    and ($1::json is null or c.relname in (select json_array_elements_text($1::json)))),
counted as (
  select s.*, case when s.reltuples > 0 and s.relpages > 0 then s.reltuples / s.relpages * (s.bytes / 8192.0)
    else greatest(s.reltuples, s.bytes / (28.0 + 12 * s.relnatts)) end as rows
  from sized s)
select s.relname as "table", s.rows::float8 as rows, coalesce(json_object_agg(a.attname, json_build_object(
    'width', coalesce(t.avg_width, 8),
    'distinct', case when t.n_distinct > 0 then t.n_distinct when t.n_distinct < 0 then -t.n_distinct * s.rows end,
    'repeated', coalesce((select sum(f * f) from unnest(t.most_common_freqs) f), 0),
    'frequent', coalesce(t.most_common_freqs[1], 0)))
    filter (where a.attname is not null), '{}') as columns,
  coalesce(json_agg(a.attname) filter (where a.attstorage in ('x', 'e')), '[]') as long
from counted s
  left join pg_attribute a on a.attrelid = s.oid and a.attnum > 0 and not a.attisdropped
  left join pg_stats t on t.schemaname = s.nspname and t.tablename = s.relname and t.attname = a.attname
group by s.oid, s.relname, s.rows`

/**
 * The estimates of the server; of long texts it knows nothing. Joined directly, the views of the catalog are read anew for
 * each table.
 */
const texts = {
  mysql: `select t.table_name as "table", cast(coalesce(t.table_rows, 0) as double) as "rows",
    json_extract(concat('{', group_concat(json_quote(c.column_name), ':{"width":', least(coalesce(c.character_octet_length, 8), 8),
      ',"distinct":null,"repeated":0,"frequent":0}' separator ','), '}'), '$') as columns,
    json_extract(concat('[', ifnull(group_concat(if(c.data_type like '%text', json_quote(c.column_name), null) separator ','), ''), ']'), '$') as "long"
  from information_schema.columns c
    join (select distinct table_name collate utf8mb3_bin as table_name, table_rows from information_schema.tables
      where table_schema = database() and table_type = 'BASE TABLE') t on t.table_name = c.table_name collate utf8mb3_bin
  where c.table_schema = database()
    and ($1 is null or json_contains($1, json_quote(t.table_name))) group by t.table_name, t.table_rows`,
}
