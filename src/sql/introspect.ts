/** Finds the tables that can be collections, and says in the log why others cannot. */
import type { Database, Log } from '../domain/context.ts'
import type { ForeignKey, Table } from '../domain/table.ts'
import type { Catalog, CatalogColumn, CatalogForeignKey, CatalogKey } from './catalog.ts'
import { dialectOf } from './dialects.ts'

export type IntrospectOptions = {
  /** Names of tables to leave alone. */
  readonly exclude: readonly string[]
  readonly log: Log
}

/** Reads the catalogs and keeps the tables that can be served. */
export async function introspect(db: Database, options: IntrospectOptions): Promise<readonly Table[]> {
  return toTables(await dialectOf(db).readCatalog(db), options)
}

/** The pure part of `introspect`. */
export function toTables(catalog: Catalog, options: IntrospectOptions): readonly Table[] {
  const columns = Map.groupBy(catalog.columns, (column) => column.table)
  const keys = Map.groupBy(catalog.keys, (key) => key.table)
  const foreignKeys = Map.groupBy(catalog.foreignKeys, (key) => key.table)
  const exclude = new Set([...options.exclude, ledger])
  const primaryKeys = new Map<string, string>()
  for (const name of columns.keys()) {
    const reason = exclude.has(name) ? null : refusal(name, keys.get(name) ?? [])
    if (reason !== null) options.log.warn({ table: name }, `A table is not served: ${reason}`)
    else if (!exclude.has(name)) primaryKeys.set(name, primaryOf(keys.get(name) ?? [])?.column as string)
  }
  return [...primaryKeys].map(([name, primaryKey]) => {
    const unique = new Set((keys.get(name) ?? []).filter((key) => key.width === 1).map((key) => key.column))
    const usable = (columns.get(name) ?? []).filter((column) => !isHostileColumn(column, options.log))
    return {
      name,
      comment: usable[0]?.tableComment ?? null,
      columns: usable.map(({ table, tableComment, ...column }) => ({
        ...column,
        unique: unique.has(column.name),
        primaryKey: column.name === primaryKey,
      })),
      primaryKey,
      foreignKeys: (foreignKeys.get(name) ?? []).flatMap((key) => toForeignKey(key, primaryKeys, options.log)),
    }
  })
}

/** Our own record of migrations is nobody's collection. */
const ledger = 'platform_migrations'

const primaryOf = (keys: readonly CatalogKey[]): CatalogKey | undefined => keys.find((key) => key.primary)

/** Names that mean something else on a JavaScript object. */
const reserved: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

function refusal(name: string, keys: readonly CatalogKey[]): string | null {
  const primary = primaryOf(keys)
  if (primary === undefined) return 'it has no primary key'
  if (primary.width !== 1) return 'its primary key has several columns'
  if (reserved.has(name) || reserved.has(primary.column)) return 'its name is reserved'
  return /[\s/\p{Cc}]/u.test(name) ? 'its name holds a space, a slash or a control character' : null
}

function isHostileColumn(column: CatalogColumn, log: Log): boolean {
  if (!reserved.has(column.name)) return false
  log.warn({ table: column.table, column: column.name }, 'A column is not served: its name is reserved')
  return true
}

/** Only what leads from one column to the primary key of a served table is a relation. */
function toForeignKey(
  key: CatalogForeignKey,
  primaryKeys: ReadonlyMap<string, string>,
  log: Log,
): readonly ForeignKey[] {
  const target = primaryKeys.get(key.foreignTable)
  if (key.width !== 1 || !key.visible || target !== key.foreignColumn || reserved.has(key.column)) {
    log.info({ table: key.table, foreignKey: key.name }, 'A foreign key does not lead to the key of a served table')
    return []
  }
  const { name, column, foreignTable, onDelete, onUpdate } = key
  return [{ name, column, table: foreignTable, onDelete, onUpdate }]
}
