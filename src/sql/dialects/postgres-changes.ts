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

/**
 * The state of the catalog, and the tables that are new, gone or others than in the state before. Null for the tables if
 * everything may be another: without a state before, or if types have changed.
 */
export async function readChanges(db: Database, before: CatalogState | null): Promise<CatalogChanges> {
  const { rows } = await db.run({ text: changesText, values: [before?.since ?? '0'], name: 'catalog-changes' })
  const [types, ...tables] = rows as readonly Row[]
  if (types === undefined) throw new Error('The catalog has no state')
  const state: CatalogState = {
    since: types.now,
    types: types.digest,
    tables: new Map(tables.map(({ oid, name, digest }) => [oid, { name, digest }])),
  }
  if (before === null || types.changed || types.digest !== before.types) return { state, tables: null }
  const found = new Set<string>()
  for (const { oid, name, digest, changed } of tables) {
    const known = before.tables.get(oid)
    if (!changed && known?.digest === digest && known.name === name) continue
    found.add(name)
    if (known !== undefined) found.add(known.name)
  }
  for (const [oid, { name }] of before.tables) if (!state.tables.has(oid)) found.add(name)
  return { state, tables: [...found] }
}

/**
 * A row that a transaction has written that had not ended when the state was read counts as changed. What is deleted
 * leaves no such row: it is missing in the digest, a sum of object ids. The first row is about types, of which any change
 * may concern any table. Before the first state every row has changed.
 */
const changesText = `
with given as (select (($1::bigint % 4294967296)::text)::xid as xid, txid_snapshot_xmin(txid_current_snapshot()) as now),
recent as materialized (select now,
  case when $1::bigint > 0 and now - $1::bigint < 1000000000 then age(xid) else 2147483647 end as age from given),
changed (id) as materialized (
  select attrelid from pg_attribute, recent where age(xmin) <= recent.age
  union all select adrelid from pg_attrdef, recent where age(xmin) <= recent.age
  union all select conrelid from pg_constraint, recent where age(xmin) <= recent.age
  union all select indrelid from pg_index, recent where age(xmin) <= recent.age
  union all select tgrelid from pg_trigger, recent where age(xmin) <= recent.age
  union all select ev_class from pg_rewrite, recent where age(xmin) <= recent.age
  union all select objoid from pg_description, recent where age(xmin) <= recent.age),
parts (id, part) as (
  select conrelid, sum(oid::bigint) from pg_constraint where conrelid <> 0 group by 1
  union all select indrelid, sum(indexrelid::bigint) from pg_index group by 1
  union all select tgrelid, sum(oid::bigint) from pg_trigger where not tgisinternal group by 1
  union all select ev_class, sum(oid::bigint) from pg_rewrite group by 1
  union all select objoid, sum(objsubid + 1) from pg_description where classoid = 'pg_class'::regclass group by 1),
digests as (select id, sum(part) as digest from parts group by id),
types (id, isNew) as (
  select t.oid::bigint, age(t.xmin) <= recent.age from pg_type t, recent where t.typtype in ('d', 'e', 'r', 'm')
  union all select e.oid::bigint, age(e.xmin) <= recent.age from pg_enum e, recent
  union all select k.oid::bigint, age(k.xmin) <= recent.age from pg_constraint k, recent where k.contypid <> 0
  union all select c.oid::bigint, age(c.xmin) <= recent.age or c.oid in (select id from changed)
    from pg_class c, recent where c.relkind = 'c'
  union all select x.oid::bigint, age(x.xmin) <= recent.age from pg_extension x, recent)
select '' as oid, '' as name, coalesce(sum(id), 0)::text as digest, coalesce(bool_or(isNew), false) as changed,
  (select now::text from recent) as now
from types
union all
select c.oid::text, c.relname, coalesce(d.digest, 0)::text || c.relkind::text,
  age(c.xmin) <= recent.age or c.oid in (select id from changed), ''
from recent, pg_class c join pg_namespace n on n.oid = c.relnamespace left join digests d on d.id = c.oid
where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname = any (current_schemas(false))`
