/** Finds the tables that have changed since the catalog was read, without reading the catalog whole. */
import type { Database } from '../../domain/ports/context.ts'
import type { CatalogChanges, CatalogState } from './catalog.ts'

type Row = {
  readonly oid: string
  readonly name: string
  readonly digest: string
  readonly changed: boolean
  readonly now: string
}

/** Tables are summed up in so many groups by their object ids: few rows are sent, and few tables share a group. */
const groups = 1024

/**
 * The state of the catalog, and the tables that are new, gone or others than in the state before. Null for the tables if
 * everything may be another: without a state before, or if types have changed. With a table of which something was
 * deleted come those that share its group.
 */
export async function readChanges(db: Database, before: CatalogState | null): Promise<CatalogChanges> {
  const { rows } = await db.run({ text: changesText, values: [before?.since ?? '0'], name: 'catalog-changes' })
  const [types, sums, ...changed] = rows as readonly Row[]
  if (types === undefined || sums === undefined) throw new Error('The catalog has no state')
  const state = { since: types.now, types: types.digest, sums: JSON.parse(sums.digest) as CatalogState['sums'] }
  const names = changed.map(({ oid, name }) => [oid, name] as const)
  if (before === null) return { state: { ...state, tables: new Map(names) }, tables: null }
  if (types.changed || types.digest !== before.types) {
    return { state: { ...state, tables: new Map(await readNames(db, null)) }, tables: null }
  }
  const others = groupsThatDiffer(before.sums, state.sums)
  const present = [...names, ...(await readNames(db, others))]
  if (present.length === 0 && others.size === 0) return { state: { ...state, tables: before.tables }, tables: [] }
  const tables = new Map(before.tables)
  const columns = new Set<string>()
  for (const [oid, name] of before.tables) if (others.has(groupOf(oid)) && tables.delete(oid)) columns.add(name)
  for (const [oid, name] of present) {
    const previous = tables.get(oid)
    if (previous !== undefined) columns.add(previous)
    columns.add(name)
    tables.set(oid, name)
  }
  return { state: { ...state, tables }, tables: [...columns] }
}

const groupOf = (oid: string): string => String(Number(oid) % groups)

function groupsThatDiffer(before: CatalogState['sums'], now: CatalogState['sums']): ReadonlySet<string> {
  const names = new Set([...Object.keys(before), ...Object.keys(now)])
  return new Set([...names].filter((group) => before[group] !== now[group]))
}

/** The names of the tables in these groups, or of all, by object id. */
async function readNames(
  db: Database,
  some: ReadonlySet<string> | null,
): Promise<readonly (readonly [oid: string, name: string])[]> {
  if (some?.size === 0) return []
  const values = [some === null ? null : JSON.stringify([...some].map(Number))]
  const { rows } = await db.run({ text: namesText, values, name: 'catalog-names' })
  return (rows as readonly Pick<Row, 'oid' | 'name'>[]).map(({ oid, name }) => [oid, name])
}

const isServed = `c.relkind in ('r', 'p', 'v', 'm', 'f')
    and c.relnamespace in (select n.oid from pg_namespace n where n.nspname = any (current_schemas(false)))`

const namesText = `
select c.oid::text, c.relname::text as name from pg_class c
where ${isServed} and ($1::json is null
  or (c.oid::bigint % ${groups})::int in (select g::int from json_array_elements_text($1::json) g))`

const isRecent = 'age(xmin) <= (select age from recent)'

/**
 * A row that a transaction has written that had not ended when the state was read counts as changed. What is deleted
 * leaves no such row: it is missing in the sums of object ids. The first row is about types, of which any change may
 * concern any table; the second has the sums. Before the first state every row has changed.
 */
const changesText = `
with given as (select (($1::bigint % 4294967296)::text)::xid as xid, txid_snapshot_xmin(txid_current_snapshot()) as now),
recent as materialized (select now,
  case when $1::bigint > 0 and now - $1::bigint < 1000000000 then age(xid) else 2147483647 end as age from given),
classes as materialized (
  select c.oid, c.relname, c.relkind, ${isRecent} as changed from pg_class c where c.relkind = 'c' or ${isServed}),
changed (id) as materialized (
  select attrelid from pg_attribute where ${isRecent}
  union select adrelid from pg_attrdef where ${isRecent}
  union select conrelid from pg_constraint where ${isRecent}
  union select indrelid from pg_index where ${isRecent}
  union select tgrelid from pg_trigger where ${isRecent}
  union select ev_class from pg_rewrite where ${isRecent}
  union select objoid from pg_description where ${isRecent}),
parts (id, part) as (
  select conrelid::bigint % ${groups}, sum(oid::bigint) from pg_constraint where conrelid <> 0 group by 1
  union all select indrelid::bigint % ${groups}, sum(indexrelid::bigint) from pg_index group by 1
  union all select tgrelid::bigint % ${groups}, sum(oid::bigint) from pg_trigger where not tgisinternal group by 1
  union all select ev_class::bigint % ${groups}, sum(oid::bigint) from pg_rewrite group by 1
  union all select objoid::bigint % ${groups}, sum(objoid::bigint * 1601 + objsubid)
    from pg_description where classoid = 'pg_class'::regclass group by 1
  union all select oid::bigint % ${groups}, sum(oid::bigint) from classes where relkind <> 'c' group by 1),
sums (id, sum) as (select id, sum(part) from parts group by 1),
types (id, isNew) as (
  select t.oid::bigint, age(t.xmin) <= recent.age from pg_type t, recent where t.typtype in ('d', 'e', 'r', 'm')
  union all select e.oid::bigint, age(e.xmin) <= recent.age from pg_enum e, recent
  union all select k.oid::bigint, age(k.xmin) <= recent.age from pg_constraint k, recent where k.contypid <> 0
  union all select c.oid::bigint, c.changed or c.oid in (select id from changed) from classes c where c.relkind = 'c'
  union all select x.oid::bigint, age(x.xmin) <= recent.age from pg_extension x, recent)
select '' as oid, '' as name, coalesce(sum(id), 0)::text as digest, coalesce(bool_or(isNew), false) as changed,
  (select now::text from recent) as now
from types
union all
select '', '', (select coalesce(json_object_agg(id, sum::text)::text, '{}') from sums), false, ''
union all
select c.oid::text, c.relname, '', true, '' from classes c
where c.relkind <> 'c' and (c.changed or c.oid in (select id from changed))`
