/** The catalog table by table, so that only what has changed is read again. */
import type { Database } from '../../domain/ports/context.ts'
import type { Catalog, CatalogColumn, CatalogForeignKey, CatalogKey, CatalogState } from '../dialects/catalog.ts'
import { dialectOf } from '../dialects/dialects.ts'

export type KnownCatalog = {
  /** Null where the database does not say what has changed since. */
  readonly state: CatalogState | null
  readonly hidden: ReadonlySet<string>
  readonly empty: ReadonlySet<string>
  /** By table, in order. What was not read again is the same list as before. */
  readonly columns: ReadonlyMap<string, readonly CatalogColumn[]>
  readonly keys: ReadonlyMap<string, readonly CatalogKey[]>
  readonly foreignKeys: ReadonlyMap<string, readonly CatalogForeignKey[]>
}

/** Reading more tables by name takes as long as reading all. */
const mostTables = 200

/** Reads the catalog: what has changed since `before`, or all of it. */
export async function readKnownCatalog(db: Database, before: KnownCatalog | null): Promise<KnownCatalog> {
  const { readCatalog, readChanges } = dialectOf(db)
  if (readChanges === undefined) return grouped(await readCatalog(db), null)
  // The state comes first: what changes between the two counts as changed the next time.
  const { state, tables } = await readChanges(db, before?.state ?? null)
  if (before === null || tables === null) return grouped(await readCatalog(db), state)
  if (tables.length === 0) return { ...before, state }
  const again = new Set([...tables, ...referringTo(before, new Set(tables))])
  if (again.size > mostTables) return grouped(await readCatalog(db), state)
  return merged(before, grouped(await readCatalog(db, [...again]), state), again)
}

const grouped = ({ columns, hidden, empty, keys, foreignKeys }: Catalog, state: CatalogState | null): KnownCatalog => ({
  state,
  hidden: new Set(hidden),
  empty: new Set(empty),
  columns: Map.groupBy(columns, ({ table }) => table),
  keys: Map.groupBy(keys, ({ table }) => table),
  foreignKeys: Map.groupBy(foreignKeys, ({ table }) => table),
})

/** The tables whose foreign keys lead to the targets: these keys change with their target. */
const referringTo = ({ foreignKeys }: KnownCatalog, targets: ReadonlySet<string>): readonly string[] =>
  [...foreignKeys].flatMap(([table, keys]) => (keys.some((key) => targets.has(key.foreignTable)) ? [table] : []))

/** The part holds the tables of these names, and views. */
function merged(before: KnownCatalog, part: KnownCatalog, again: ReadonlySet<string>): KnownCatalog {
  const isKept = (table: string): boolean => !again.has(table) && !part.columns.has(table)
  const names = (all: ReadonlySet<string>, some: ReadonlySet<string>) => new Set([...[...all].filter(isKept), ...some])
  const rows = <T>(all: ReadonlyMap<string, T>, some: ReadonlyMap<string, T>): ReadonlyMap<string, T> => {
    if (some.size === 0 && ![...again].some((table) => all.has(table))) return all
    const merged = new Map(all)
    for (const table of [...again, ...part.columns.keys()]) if (!some.has(table)) merged.delete(table)
    for (const [table, value] of some) merged.set(table, value)
    if ([...some.keys()].every((table) => all.has(table))) return merged
    return new Map([...merged].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }
  return {
    state: part.state,
    hidden: names(before.hidden, part.hidden),
    empty: names(before.empty, part.empty),
    columns: rows(before.columns, part.columns),
    keys: rows(before.keys, part.keys),
    foreignKeys: rows(before.foreignKeys, part.foreignKeys),
  }
}
