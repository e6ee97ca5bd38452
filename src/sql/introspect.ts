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
function toTables(catalog: Catalog, options: IntrospectOptions): readonly Table[] {
  const columns = Map.groupBy(catalog.columns, (column) => column.table)
  const keys = Map.groupBy(catalog.keys, (key) => key.table)
  const foreignKeys = Map.groupBy(catalog.foreignKeys, (key) => key.table)
  const exclude = new Set([...options.exclude, ...internal])
  const served = new Map<string, KeyColumns>()
  for (const name of columns.keys()) {
    if (exclude.has(name)) continue
    const found = servedKey(name, keys.get(name) ?? [], foreignKeys.get(name) ?? [])
    if (typeof found === 'string') options.log.warn({ table: name }, `A table is not served: ${found}`)
    else served.set(name, found)
  }
  return [...served].map(([name, keyColumns]) => {
    const single = (keys.get(name) ?? []).filter((key) => key.columns.length === 1)
    const unique = new Set(single.flatMap((key) => (key.unique ? key.columns : [])))
    const indexed = new Set(single.flatMap((key) => (key.unique ? [] : key.columns)))
    const usable = (columns.get(name) ?? []).filter((column) => !isHostileColumn(column, options.log))
    return {
      name,
      schema: usable[0]?.tableSchema ?? null,
      comment: usable[0]?.tableComment ?? null,
      columns: usable.map(({ table: _table, tableSchema: _schema, tableComment: _comment, ...column }) => ({
        ...column,
        unique: unique.has(column.name),
        indexed: indexed.has(column.name),
        primaryKey: keyColumns.includes(column.name),
      })),
      keyColumns,
      foreignKeys: (foreignKeys.get(name) ?? []).flatMap((key) => toForeignKey(key, served, options.log)),
    }
  })
}

type KeyColumns = Table['keyColumns']

/** Our own records of migrations, of logins and of objects in storage are nobody's collections. */
const internal = [
  'platform_migrations',
  'platform_account_states',
  'platform_stored_objects',
  'platform_uploads',
  'platform_upload_segments',
  'platform_variants',
]

/** Names that mean something else on a JavaScript object. */
const reserved: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** The columns of the primary key, or why the table cannot be served. */
function servedKey(
  name: string,
  keys: readonly CatalogKey[],
  foreignKeys: readonly CatalogForeignKey[],
): KeyColumns | string {
  const [first, ...rest] = keys.find((key) => key.primary)?.columns ?? []
  if (first === undefined) return 'it has no primary key'
  const isForeign = (column: string): boolean => foreignKeys.some((key) => key.column === column && key.width === 1)
  if (rest.length > 0 && ![first, ...rest].every(isForeign)) return 'its primary key has several columns'
  if (reserved.has(name) || [first, ...rest].some((column) => reserved.has(column))) return 'its name is reserved'
  if (/[\s/\p{Cc}]/u.test(name)) return 'its name holds a space, a slash or a control character'
  return [first, ...rest]
}

function isHostileColumn(column: CatalogColumn, log: Log): boolean {
  if (!reserved.has(column.name)) return false
  log.warn({ table: column.table, column: column.name }, 'A column is not served: its name is reserved')
  return true
}

/** Only what leads from one column to the primary key of a served table is a relation. */
function toForeignKey(
  key: CatalogForeignKey,
  served: ReadonlyMap<string, KeyColumns>,
  log: Log,
): readonly ForeignKey[] {
  const target = served.get(key.foreignTable)
  const leadsToKey = target?.length === 1 && target[0] === key.foreignColumn
  if (key.width !== 1 || !key.visible || !leadsToKey || reserved.has(key.column)) {
    log.info({ table: key.table, foreignKey: key.name }, 'A foreign key does not lead to the key of a served table')
    return []
  }
  const { name, column, foreignTable, onDelete, onUpdate } = key
  return [{ name, column, table: foreignTable, onDelete, onUpdate }]
}
