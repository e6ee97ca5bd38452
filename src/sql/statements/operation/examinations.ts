/** Statistics and settings of the database from which `tandem doctor` derives advice. */
import { allRows, allValues, firstRow, type Runner } from '../answers.ts'

export type DatabaseFacts = {
  readonly version: string
  /** The clock of the database, in ISO 8601. */
  readonly now: string
  readonly isReadOnly: boolean
}

export async function readDatabaseFacts(db: Runner): Promise<DatabaseFacts> {
  const text = `select current_setting('server_version') as version, pg_is_in_recovery() as "isReadOnly",
    to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now`
  const texts = {
    mysql: `select version() as version, @@read_only = 1 as "isReadOnly",
      concat(date_format(now(6), '%Y-%m-%dT%H:%i:%s.'), left(lpad(microsecond(now(6)), 6, '0'), 3), 'Z') as now`,
  }
  const facts = await firstRow<DatabaseFacts>(db, { text, texts, values: [] })
  if (facts === undefined) throw new Error('The database answered without a row')
  return facts
}

/** `rows`: an estimate. `leading`: the columns that an index begins with. */
export type IndexedTable = { readonly table: string; readonly rows: number; readonly leading: readonly string[] }

/** A table that was never analysed is estimated by its size. */
const tablesText = `
select c.relname as table,
  (case when c.reltuples >= 0 then c.reltuples else pg_relation_size(c.oid) / 100 end)::double precision as rows,
  (select coalesce(json_agg(distinct a.attname), '[]') from pg_index i
    join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
    where i.indrelid = c.oid and i.indisvalid and i.indpred is null) as leading
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'p') and n.nspname = any (current_schemas(false)) order by c.relname`

const tablesTexts = {
  mysql: `select t.table_name as "table", cast(coalesce(t.table_rows, 0) as double) as "rows",
    json_extract((select concat('[', ifnull(group_concat(distinct json_quote(s.column_name) separator ','), ''), ']') from information_schema.statistics s
      where s.table_schema = t.table_schema and s.table_name = t.table_name and s.seq_in_index = 1), '$') as "leading"
  from information_schema.tables t
  where t.table_schema = database() and t.table_type = 'BASE TABLE' order by t.table_name`,
}

/** The tables, with their size and what their indexes begin with. */
export const findIndexedTables = (db: Runner): Promise<readonly IndexedTable[]> =>
  allRows(db, { text: tablesText, texts: tablesTexts, values: [] })

/** Tables whose writes may change other tables: with triggers or rules of their own, or in parts. */
export async function findTablesWithEffects(db: Runner): Promise<ReadonlySet<string>> {
  const text = `select c.relname as table from pg_class c where c.relkind in ('r', 'p', 'f', 'v') and (
      c.relkind <> 'r' or c.relispartition or c.relhassubclass
      or exists (select 1 from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal)
      or exists (select 1 from pg_rewrite r where r.ev_class = c.oid)
      or exists (select 1 from pg_inherits i where i.inhrelid = c.oid))`
  return new Set(await allValues<string>(db, { text, values: [] }))
}
