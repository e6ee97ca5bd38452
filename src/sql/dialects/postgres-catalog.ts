/** Reads the PostgreSQL catalog of all tables on the search path, in three statements. */
import type { Database } from '../../domain/ports/context.ts'
import type { Catalog, CatalogForeignKey, CatalogKey } from './catalog.ts'
import { type ColumnRow, toColumn } from './postgres-columns.ts'

/**
 * Reads the catalog: of all tables, or of all views and of the tables with some names. The statements are prepared, because
 * planning them takes as long as running them.
 */
export async function readCatalog(db: Database, only?: readonly string[]): Promise<Catalog> {
  const read = (name: string, text: (tables: string) => string) =>
    only === undefined
      ? db.run({ text: text(tablesOfPath), values: [], name: `catalog-${name}` })
      : db.run({ text: text(someOfPath), values: [JSON.stringify(only)], name: `catalog-some-${name}` })
  const columns = await read('columns', columnsText)
  const keys = await read('keys', keysText)
  const foreignKeys = await read('foreign-keys', foreignKeysText)
  const rows = columns.rows as readonly (ColumnRow & { readonly visible: boolean })[]
  const visible = rows.filter((row) => row.visible)
  return {
    columns: visible.filter(hasColumn).map(({ visible: _visible, ...row }) => toColumn(row)),
    hidden: [...new Set(rows.filter((row) => !row.visible).map(({ table }) => table))],
    empty: visible.filter((row) => !hasColumn(row)).map(({ table }) => table),
    keys: keys.rows as readonly CatalogKey[],
    foreignKeys: (foreignKeys.rows as readonly CatalogForeignKey[]).map((key) => ({
      ...key,
      onDelete: ruleNames[key.onDelete] ?? 'NO ACTION',
      onUpdate: ruleNames[key.onUpdate] ?? 'NO ACTION',
    })),
  }
}

/** A table without columns is a row without the name of one. */
const hasColumn = (row: { readonly name: string | null }): boolean => row.name !== null

/** Tables, partitioned ones and partitions among them, views, materialized views and foreign tables; no extension's. */
const tablesOfPath = `c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname = any (current_schemas(false))
    and not exists (select from pg_depend x where x.classid = 'pg_class'::regclass and x.objid = c.oid and x.deptype = 'e')`

/** The named tables, and the tables of views, on which a view's writes depend. The array lets the planner look each one up. */
const someOfPath = `c.oid = any (array(
    select r.ev_class from pg_rewrite r join pg_class v on v.oid = r.ev_class where r.rulename = '_RETURN' and v.relkind = 'v'
    union select s.oid from json_array_elements_text($1::json) j join pg_class s on s.relname = j::name))
    and ${tablesOfPath}`

/** Whether a trigger may fill columns for which a new row has no value. */
const isFilled = `exists (select from pg_trigger g where g.tgrelid = c.oid and not g.tgisinternal and g.tgenabled <> 'D'
    and left(g.tgname, 9) <> 'platform_' and g.tgtype::integer & 7 = 7)`

/** The commands that the table accepts, as bits: 8 insert, 4 update, 16 delete. A trigger may implement each. */
const takes = (bit: number) => `pg_relation_is_updatable(c.oid, true) & ${bit} <> 0`

/** Whether triggers or rules stand for a command on a view: bit of the trigger, number of the rule. */
const isReplaced = (bit: number, event: number) => `(
    exists (select from pg_trigger g where g.tgrelid = c.oid and g.tgtype::integer & ${bit + 64} = ${bit + 64})
    or exists (select from pg_rewrite r where r.ev_class = c.oid and r.is_instead and r.ev_type = '${event}'))`

/**
 * Whether a view takes no value of the column. A view that takes the command, updates no column by itself and has
 * nothing that stands for the command, is written through another view; which columns that takes is not known here.
 */
const isComputed = (command: 'create' | 'update') => `c.relkind = 'v' and not c.${command}d_instead
    and not pg_column_is_updatable(c.oid, a.attnum, true) and (c.plain or not (c.changes ->> '${command}')::boolean)`

/** Types that have an order. The question does not depend on the column, so the database asks it once. */
const orderedTypes = `select o.opcintype from pg_opclass o join pg_am m on m.oid = o.opcmethod and m.amname = 'btree'
    where o.opcdefault`

/** Enumerated types and ranges have an order, and so have types that are compared as another one. */
const isOrdered = (type: string) =>
  `(${type}.oid in (${orderedTypes}) or ${type}.typtype in ('e', 'r', 'm')
    or ${type}.oid in ('cidr'::regtype, 'varchar'::regtype))`

/**
 * A domain has the field type of its base type, also through other domains: `chain` has a row for each domain and each
 * `member` on the way, and `up` is the type below the member. `held` has a row for each type within a column's type, such as the elements of lists and the parts of
 * records, whose conditions the column has too. Arrays have an order if their elements (`e`) have one. The
 * type of a geometry includes its shape and its SRID. Lists and what is true of a table are gathered once and joined,
 * because a subquery for each column takes longer than all of the rest.
 */
const columnsText = (some: string) => `
with recursive chain (id, member, up, typmod, required, filled) as (
  select d.oid, d.oid, d.typbasetype, d.typtypmod, d.typnotnull, d.typdefault is not null
  from pg_type d where d.typtype = 'd'
  union all
  select x.id, d.oid, d.typbasetype, d.typtypmod, x.required or d.typnotnull, x.filled
  from chain x join pg_type d on d.oid = x.up and d.typtype = 'd'),
bases as (select x.*, u.oid as base from chain x join pg_type u on u.oid = x.up and u.typtype <> 'd'),
checks as (select x.conrelid, k.attnum, array_agg(x.conname) as names
  from pg_constraint x cross join unnest(x.conkey) as k (attnum) where x.contype = 'c' group by x.conrelid, k.attnum),
labels as (select e.enumtypid, json_agg(e.enumlabel order by e.enumsortorder) as names from pg_enum e group by e.enumtypid),
tables as materialized (
  select c.oid, c.relname, case when c.relkind = 'r' and c.relispartition then 'partition' else c.relkind::text end as relkind,
    c.relkind = 'v' and ${isReplaced(4, 3)} as created_instead, c.relkind = 'v' and ${isReplaced(16, 2)} as updated_instead,
    c.relkind = 'v' and exists (select from pg_attribute x where x.attrelid = c.oid and x.attnum > 0
      and pg_column_is_updatable(c.oid, x.attnum, true)) as plain, pg_table_is_visible(c.oid) as visible, ${isFilled} as filled,
    case when not pg_type_is_visible(c.reltype) then n.nspname end as schema,
    json_build_object('create', ${takes(8)}, 'update', ${takes(4)}, 'delete', ${takes(16)}) as changes
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where ${some}),
held (id, part) as (
  select distinct t.oid, t.oid from tables c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
    join pg_type t on t.oid = a.atttypid where c.visible and (t.typtype in ('d', 'c') or t.typcategory = 'A')
  union
  select h.id, p.part from held h join pg_type t on t.oid = h.part cross join lateral (
    select t.typbasetype as part where t.typtype = 'd' union all
    select t.typelem where t.typcategory = 'A' and t.typelem <> 0 union all
    select a.atttypid from pg_attribute a where t.typtype = 'c' and a.attrelid = t.typrelid and a.attnum > 0) p),
domain_checks as (select h.id, array_agg(distinct x.conname) as names
  from pg_constraint x join held h on h.part = x.contypid where x.contype = 'c' group by h.id)
select c.relname as "table", c.schema as "tableSchema", c.relkind, c.visible, o.description as "tableComment", c.changes,
  a.attname as name, p.description as comment,
  format_type(coalesce(b.oid, t.oid), case when coalesce(b.typname, t.typname) in ('geometry', 'geography')
    then case when b.oid is null then a.atttypmod else z.typmod end end) as "dataType",
  coalesce(b.typtype, t.typtype) as kind,
  case when b.oid is null then a.atttypmod else z.typmod end as typmod,
  not (a.attnotnull or coalesce(z.required, false)) as nullable,
  a.attgenerated <> '' or a.attidentity = 'a' as generated, ${isComputed('create')} as "computedOnCreate",
  ${isComputed('update')} as "computedOnUpdate",
  a.attidentity <> '' or coalesce(pg_get_expr(d.adbin, d.adrelid) like 'nextval(%', false) as "autoIncrement",
  d.adbin is not null or a.attidentity <> '' or coalesce(z.filled, false) or c.relkind = 'v'
    or (a.attnotnull or coalesce(z.required, false)) and c.filled as "hasDefault",
  case when a.attgenerated = '' then pg_get_expr(d.adbin, d.adrelid) end as "default",
  to_json(k.names || i.names) as checks, l.names as "values",
  coalesce(${isOrdered('b')}, ${isOrdered('t')}, false) or coalesce(${isOrdered('f')}, ${isOrdered('e')}, false)
    as ordered
from tables c
  left join pg_description o on o.classoid = 'pg_class'::regclass and o.objoid = c.oid and o.objsubid = 0
  left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_type t on t.oid = a.atttypid
  left join bases z on z.id = t.oid
  left join pg_type b on b.oid = z.base
  left join pg_type e on e.oid = coalesce(b.typelem, t.typelem) and coalesce(b.typcategory, t.typcategory) = 'A'
  left join checks k on k.conrelid = c.oid and k.attnum = a.attnum
  left join domain_checks i on i.id = t.oid
  left join labels l on l.enumtypid = coalesce(b.oid, t.oid)
  left join bases y on y.id = e.oid
  left join pg_type f on f.oid = y.base
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  left join pg_description p on p.classoid = 'pg_class'::regclass and p.objoid = c.oid and p.objsubid = a.attnum
order by c.relname, a.attnum`

/** Unique and primary key indexes over plain columns. */
const keysText = (some: string) => `
select c.relname as "table", i.indisunique as "unique", i.indisprimary as "primary",
  bool_and(a.attnotnull) as complete, json_agg(a.attname order by k.position) as columns
from pg_index i
  join pg_class c on c.oid = i.indrelid
  join pg_namespace n on n.oid = c.relnamespace
  cross join unnest(i.indkey::int2[]) with ordinality as k (attnum, position)
  join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
where i.indisvalid and i.indpred is null and i.indexprs is null and k.position <= i.indnkeyatts and ${some} and pg_table_is_visible(c.oid)
group by c.relname, i.indisunique, i.indisprimary, i.indexrelid
order by c.relname, i.indisprimary desc, i.indexrelid`

const foreignKeysText = (some: string) => `
select con.conname as name, c.relname as "table", f.relname as "foreignTable", pg_table_is_visible(f.oid) as visible,
  json_agg(a.attname order by k.position) as columns, json_agg(b.attname order by k.position) as "foreignColumns",
  con.confdeltype as "onDelete", con.confupdtype as "onUpdate"
from pg_constraint con
  join pg_class c on c.oid = con.conrelid
  join pg_namespace n on n.oid = c.relnamespace
  join pg_class f on f.oid = con.confrelid
  cross join unnest(con.conkey, con.confkey) with ordinality as k (own, other, position)
  join pg_attribute a on a.attrelid = con.conrelid and a.attnum = k.own
  join pg_attribute b on b.attrelid = con.confrelid and b.attnum = k.other
where con.contype = 'f' and ${some} and pg_table_is_visible(c.oid)
  and not exists (select from pg_constraint p where p.oid = con.conparentid and p.conrelid = con.conrelid)
group by con.oid, con.conname, c.relname, f.oid, f.relname, con.confdeltype, con.confupdtype
order by c.relname, con.conname`

const ruleNames: { readonly [code: string]: string } = {
  a: 'NO ACTION',
  r: 'RESTRICT',
  c: 'CASCADE',
  n: 'SET NULL',
  d: 'SET DEFAULT',
}
