/** State of imports so far. */
import { replacedMark } from '../schema/replaced-tables.ts'
import { allRows, allValues, firstValue, hasRows, type Runner } from './answers.ts'

export type ImportedObject = {
  readonly name: string
  readonly source: string
  readonly definition: string | null
  readonly highest: number | null
}

/** The entries of earlier imports, by name of the table. */
export async function readBrought(db: Runner): Promise<ReadonlyMap<string, ImportedObject>> {
  const text = 'select name, source, definition, highest::float8 as highest from platform_imports'
  const rows = await allRows<ImportedObject>(db, { text, values: [] })
  return new Map(rows.map((row) => [row.name, row]))
}

type Note = Pick<ImportedObject, 'name' | 'source'> & Partial<ImportedObject>

export async function noteBrought(db: Runner, note: Note): Promise<void> {
  const { name, source, definition = null, highest = null } = note
  await db.run({
    text: `insert into platform_imports (name, source, definition, highest) values ($1, $2, $3, $4)
      on conflict (name) do update set source = excluded.source, definition = excluded.definition,
        highest = greatest(platform_imports.highest, excluded.highest), at = now()`,
    values: [name, source, definition, highest],
  })
}

/** Notes that system tables have taken the place of the table. */
export const noteReplaced = (db: Runner, table: { readonly name: string; readonly source: string }): Promise<void> =>
  noteBrought(db, { ...table, definition: replacedMark })

/** Names of the tables and views that are here. */
export async function findTables(db: Runner): Promise<ReadonlySet<string>> {
  const text =
    'select c.relname as name from pg_class c where pg_table_is_visible(c.oid) and c.relkind in ($1, $2, $3, $4)'
  const texts = { mysql: 'select table_name as name from information_schema.tables where table_schema = database()' }
  return new Set(await allValues<string>(db, { text, texts, values: ['r', 'v', 'm', 'p'] }))
}

/** The uuids of rows by their numbers. */
export async function readNumbers(db: Runner, table: string): Promise<ReadonlyMap<string, string>> {
  const text = `select number, id::text as id from "${table}"`
  const rows = await allRows<{ readonly number: number; readonly id: string }>(db, { text, values: [] })
  return new Map(rows.map(({ number, id }) => [String(number), id]))
}

/** Gives a row that is here already another number, so that a row of the source can have its own. */
export async function renumber(
  db: Runner,
  table: string,
  { number, to }: { number: number; to: number },
): Promise<void> {
  await db.run({ text: `update "${table}" set number = $1 where number = $2`, values: [to, number] })
}

/** Settings of other tables leave their numbers to those of the source. */
export async function shiftSettings(
  db: Runner,
  shift: { readonly table: string; readonly column: string; readonly upTo: number; readonly own: readonly string[] },
): Promise<void> {
  const { table, column, upTo, own } = shift
  // MySQL changes no table that the statement reads otherwise than as a whole.
  const most = `(select m.most from (select max(id) as most from "${table}") m)`
  const text = `update "${table}" set id = id + ${most} + $1 where id <= $1 and "${column}" <> all ($2)`
  await db.run({ text, values: [upTo, own] })
}

/** Numbers of the rows that no import has brought. */
export function findOwnRows(db: Runner, table: string, before: number): Promise<readonly number[]> {
  const text = `select number from "${table}" where number > $1 order by number`
  return allValues(db, { text, values: [before] })
}

/** The key of the only row of settings. */
export async function findSettingsRow(db: Runner): Promise<number> {
  const text = 'select id from platform_settings order by id limit 1'
  const id = await firstValue<number>(db, { text, values: [] })
  if (id === undefined) throw new Error('The project has no row of settings')
  return id
}

/** Accounts that are here, with their addresses. */
export const readAddresses = (
  db: Runner,
): Promise<readonly { readonly number: number; readonly email: string | null }[]> =>
  allRows(db, { text: 'select number, lower(email) as email from platform_users order by number', values: [] })

/**
 * A revision that belongs to the write of another item names the revision of that item: the first one after it, or the
 * last one before it.
 */
export async function linkRevisions(
  db: Runner,
  parents: readonly { readonly id: string; readonly collection: string; readonly item: string }[],
): Promise<void> {
  await db.run({
    text: `update platform_revisions r set parent = p.found from (
        select (x ->> 'id')::integer as id, coalesce(
          (select min(a.id) from platform_revisions a where a.collection = x ->> 'collection' and a.item = x ->> 'item'
            and a.id > (x ->> 'id')::integer),
          (select max(b.id) from platform_revisions b where b.collection = x ->> 'collection' and b.item = x ->> 'item'
            and b.id < (x ->> 'id')::integer)) as found
        from json_array_elements($1::json) x) p
      where r.id = p.id and r.parent is distinct from p.found`,
    texts: {
      mysql: `update platform_revisions r join (
          select x.id, coalesce(
            (select min(a.id) from platform_revisions a where a.collection = x.collection and a.item = x.item and a.id > x.id),
            (select max(b.id) from platform_revisions b where b.collection = x.collection and b.item = x.item and b.id < x.id)
          ) as found
          from json_table($1, '$[*]' columns (id int path '$.id',
            collection varchar(255) character set utf8mb4 collate utf8mb4_bin path '$.collection',
            item varchar(255) character set utf8mb4 collate utf8mb4_bin path '$.item')) x
        ) p on p.id = r.id set r.parent = p.found where not (r.parent <=> p.found)`,
    },
    values: [JSON.stringify(parents)],
  })
}

/** Writes of history that no import has brought: what was changed here since. */
export async function countOwnWrites(db: Runner, highest: number): Promise<number> {
  const text = `select count(*)::int as count from platform_activity
    where id > $1 and action in ('create', 'update', 'delete', 'revert')`
  return (await firstValue<number>(db, { text, values: [highest] })) ?? 0
}

/** Whether the database has a type for shapes: Postgres has it with PostGIS. */
export function hasGeometry(db: Runner): Promise<boolean> {
  const text = "select 1 from pg_type where typname = 'geometry'"
  return hasRows(db, { text, texts: { mysql: ['select 1'] }, values: [] })
}
