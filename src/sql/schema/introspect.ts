/** Finds the tables and views that can be collections, and says why others cannot. */

import { internalTables, isSystemCollection, isSystemName } from '../../domain/model/system-collections.ts'
import type { ForeignKey, Table } from '../../domain/model/table.ts'
import type { Database, Log } from '../../domain/ports/context.ts'
import type { Unserved } from '../../domain/schema/schema.ts'
import type { Catalog, CatalogColumn, CatalogForeignKey, CatalogKey } from '../dialects/catalog.ts'
import { dialectOf } from '../dialects/dialects.ts'

export type IntrospectOptions = {
  /** Names of tables to skip. */
  readonly exclude: readonly string[]
  readonly log: Log
}

/** What the catalogs say: the tables that can be served, and the others with the reason. */
export type Introspected = { readonly tables: readonly Table[]; readonly unserved: readonly Unserved[] }

/** Reads the catalogs and keeps the tables that can be served. */
export async function introspect(db: Database, options: IntrospectOptions): Promise<Introspected> {
  return toTables(await dialectOf(db).readCatalog(db), options)
}

/** The pure part of `introspect`. */
function toTables(catalog: Catalog, options: IntrospectOptions): Introspected {
  const columns = Map.groupBy(catalog.columns, (column) => column.table)
  const keys = Map.groupBy(catalog.keys, (key) => key.table)
  const foreignKeys = Map.groupBy(catalog.foreignKeys, (key) => key.table)
  const exclude = new Set([...options.exclude, ...internalTables])
  const unserved: Unserved[] = catalog.hidden.map((table) => ({ table, reason: hiddenReason }))
  const served = new Map<string, KeyColumns>()
  for (const name of columns.keys()) {
    if (exclude.has(name)) continue
    const reason = obstacleOf(name)
    if (reason === null) served.set(name, keyOf(keys.get(name) ?? []))
    else unserved.push({ table: name, reason })
  }
  const tables = [...served].map(([name, keyColumns]) => {
    const single = (keys.get(name) ?? []).filter((key) => key.columns.length === 1)
    const unique = new Set(single.flatMap((key) => (key.unique ? key.columns : [])))
    const indexed = new Set(single.flatMap((key) => (key.unique ? [] : key.columns)))
    const all = columns.get(name) ?? []
    const usable = all.filter((column) => !reserved.has(column.name))
    for (const column of all) {
      if (reserved.has(column.name)) unserved.push({ table: name, column: column.name, reason: reservedReason })
    }
    return {
      name,
      schema: all[0]?.tableSchema ?? null,
      comment: all[0]?.tableComment ?? null,
      columns: usable.map((column) => ({
        ...withoutTable(column),
        unique: unique.has(column.name),
        indexed: indexed.has(column.name),
        primaryKey: keyColumns.includes(column.name),
      })),
      keyColumns,
      changes: all[0]?.changes ?? { create: false, update: false, delete: false },
      foreignKeys: (foreignKeys.get(name) ?? []).flatMap((key) => toForeignKey(key, served, options.log)),
    }
  })
  return { tables: tables.filter((table) => table.columns.length > 0), unserved }
}

const hiddenReason = 'another table of its name comes before it in the search path'
const reservedReason = 'its name is reserved'

type KeyColumns = Table['keyColumns']

function withoutTable(column: CatalogColumn) {
  const { table: _table, tableSchema: _schema, tableComment: _comment, changes: _changes, ...own } = column
  return own
}

/** Names with a special meaning on JavaScript objects. */
const reserved: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Why a table of that name cannot be served; null where it can. */
function obstacleOf(name: string): string | null {
  if (reserved.has(name)) return reservedReason
  if (isSystemName(name) && !isSystemCollection(name)) return 'its name begins like that of a system collection'
  if (name === '.' || name === '..') return 'its name cannot stand in an address'
  return /\p{Cc}/u.test(name) ? 'its name holds a control character' : null
}

/** The columns of the primary key; else of the unique index without nulls that has the fewest; else none. */
function keyOf(keys: readonly CatalogKey[]): KeyColumns {
  const usable = keys.filter((key) => key.columns.every((column) => !reserved.has(column)))
  const primary = usable.find((key) => key.primary)
  if (primary !== undefined) return primary.columns
  const complete = usable.filter((key) => key.unique && key.complete)
  return complete.toSorted((left, right) => left.columns.length - right.columns.length)[0]?.columns ?? []
}

/** Only what leads from one column to the key, of one column, of a served table is a relation. */
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
