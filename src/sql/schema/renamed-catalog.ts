/** The catalog as it will be after renames, for databases that cannot try them in a transaction. */
import type { CatalogRename } from '../../domain/schema/schema.ts'
import type { CatalogColumn, CatalogForeignKey, CatalogKey } from '../dialects/catalog.ts'
import type { KnownCatalog } from './known-catalog.ts'

/** A pure change of names in tables, keys and foreign keys. Renames of tables come first. */
export const withRenames = (catalog: KnownCatalog, renames: readonly CatalogRename[]): KnownCatalog =>
  renames.length === 0 ? catalog : renames.reduce(renamed, catalog)

function renamed(catalog: KnownCatalog, { table, column, from, to }: CatalogRename): KnownCatalog {
  const tableOf = (name: string): string => (column === null && name === from ? to : name)
  const columnOf = (owner: string, name: string): string =>
    column !== null && owner === table && name === from ? to : name
  const columns = (each: CatalogColumn): CatalogColumn => ({
    ...each,
    table: tableOf(each.table),
    name: columnOf(each.table, each.name),
  })
  const keys = (each: CatalogKey): CatalogKey => ({
    ...each,
    table: tableOf(each.table),
    columns: each.columns.map((name) => columnOf(each.table, name)),
  })
  const foreignKeys = (each: CatalogForeignKey): CatalogForeignKey => ({
    ...each,
    table: tableOf(each.table),
    columns: each.columns.map((name) => columnOf(each.table, name)),
    foreignTable: tableOf(each.foreignTable),
    foreignColumns: each.foreignColumns.map((name) => columnOf(each.foreignTable, name)),
  })
  return {
    ...catalog,
    columns: mapped(catalog.columns, columns),
    keys: mapped(catalog.keys, keys),
    foreignKeys: mapped(catalog.foreignKeys, foreignKeys),
  }
}

const mapped = <T extends { readonly table: string }>(
  lists: ReadonlyMap<string, readonly T[]>,
  rename: (each: T) => T,
): ReadonlyMap<string, readonly T[]> => {
  const entries = [...lists.values()].map((list) => list.map(rename))
  return new Map(
    entries
      .map((list) => [list[0]?.table ?? '', list] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)),
  )
}
