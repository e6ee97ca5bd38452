/** Finds the tables and views that can be collections, and gives the reason for each that cannot. */

import { memoizeBy } from '../../domain/memoize.ts'
import { internalTables, isSystemCollection, isSystemName } from '../../domain/model/system-collections.ts'
import type { ForeignKey, Table } from '../../domain/model/table.ts'
import type { Database, Log } from '../../domain/ports/context.ts'
import type { Unserved } from '../../domain/schema/schema.ts'
import type { CatalogColumn, CatalogForeignKey, CatalogKey } from '../dialects/catalog.ts'
import { type KnownCatalog, readKnownCatalog } from './known-catalog.ts'

export type IntrospectOptions = {
  /** Names of tables to skip. */
  readonly exclude: readonly string[]
  readonly log: Log
}

/** The result of an introspection: the tables that can be served, and the others with the reason. */
export type Introspected = { readonly tables: readonly Table[]; readonly unserved: readonly Unserved[] }

/** Reads the catalogs and keeps the tables that can be served. */
export async function introspect(db: Database, options: IntrospectOptions): Promise<Introspected> {
  return toTables(await readKnownCatalog(db, null), options)
}

/** The pure part of `introspect`. A table of which nothing has changed is the same object as before. */
export function toTables(catalog: KnownCatalog, { exclude: excluded, log }: IntrospectOptions): Introspected {
  const exclude = new Set([...excluded, ...internalTables])
  const unserved: Unserved[] = [
    ...[...catalog.hidden].map((table) => ({ table, reason: hiddenReason })),
    ...[...catalog.empty].filter((table) => !exclude.has(table)).map((table) => ({ table, reason: emptyReason })),
  ]
  const served = new Map<string, KeyColumns>()
  for (const name of catalog.columns.keys()) {
    if (exclude.has(name)) continue
    const reason = obstacleOf(name)
    if (reason === null) served.set(name, servedKeyOf(catalog.keys.get(name) ?? noKeys))
    else unserved.push({ table: name, reason })
  }
  const tables: Table[] = []
  for (const name of served.keys()) {
    const columns = catalog.columns.get(name) ?? []
    for (const column of columns) {
      if (reserved.has(column.name)) unserved.push({ table: name, column: column.name, reason: reservedReason })
    }
    const keys = catalog.keys.get(name) ?? noKeys
    const table = toTable({ name, columns, keys, foreignKeys: catalog.foreignKeys.get(name) ?? noKeys, served, log })
    if (table.columns.length > 0) tables.push(table)
  }
  return { tables, unserved }
}

const noKeys: readonly never[] = []

type TableParts = {
  readonly name: string
  readonly columns: readonly CatalogColumn[]
  readonly keys: readonly CatalogKey[]
  readonly foreignKeys: readonly CatalogForeignKey[]
  readonly served: ReadonlyMap<string, KeyColumns>
  readonly log: Log
}

type MadeTable = Pick<TableParts, 'keys' | 'foreignKeys'> & {
  /** The keys of the tables that the foreign keys refer to; undefined for tables that are not served. */
  readonly targets: readonly (KeyColumns | undefined)[]
  readonly table: Table
}

/** By the columns that the table was made of. */
const madeTables = new WeakMap<readonly CatalogColumn[], MadeTable>()

function toTable(parts: TableParts): Table {
  const { columns, keys, foreignKeys, served } = parts
  const made = madeTables.get(columns)
  const targets = foreignKeys.length === 0 ? noKeys : foreignKeys.map((key) => served.get(key.foreignTable))
  const isSame = made?.keys === keys && made.foreignKeys === foreignKeys
  if (isSame && targets.every((target, at) => target === made.targets[at])) return made.table
  const table = makeTable(parts)
  madeTables.set(columns, { keys, foreignKeys, targets, table })
  return table
}

function makeTable({ name, columns: all, keys, foreignKeys, served, log }: TableParts): Table {
  const single = keys.filter((key) => key.columns.length === 1)
  const unique = new Set(single.flatMap((key) => (key.unique ? key.columns : [])))
  const indexed = new Set(single.flatMap((key) => (key.unique ? [] : key.columns)))
  const leading = new Set(keys.map(({ columns }) => columns[0]))
  const keyColumns = served.get(name) ?? []
  return {
    name,
    schema: all[0]?.tableSchema ?? null,
    ...(all[0]?.tableKind === undefined ? {} : { kind: all[0].tableKind }),
    comment: all[0]?.tableComment ?? null,
    columns: all
      .filter((column) => !reserved.has(column.name))
      .map((column) => ({
        ...withoutTable(column),
        unique: unique.has(column.name),
        indexed: indexed.has(column.name),
        ...(leading.has(column.name) ? { leads: true } : {}),
        primaryKey: keyColumns.includes(column.name),
      })),
    keyColumns,
    uniqueKeys: keys.filter((key) => key.unique).map((key) => key.columns),
    changes: all[0]?.changes ?? { create: false, update: false, delete: false },
    foreignKeys: toForeignKeys(foreignKeys, { columns: all.map((column) => column.name), served, log }),
  }
}

const hiddenReason = 'another table of its name comes before it in the search path'
const emptyReason = 'it has no columns'
const reservedReason = 'its name is reserved'

type KeyColumns = Table['keyColumns']

function withoutTable(column: CatalogColumn) {
  const {
    table: _table,
    tableSchema: _schema,
    tableKind: _kind,
    tableComment: _comment,
    changes: _changes,
    ...own
  } = column
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

/** The same object for the same keys, so that tables are compared by it. */
const servedKeyOf = memoizeBy(keyOf)

/** The columns of the primary key; else of the unique index without nulls that has the fewest; else none. */
function keyOf(keys: readonly CatalogKey[]): KeyColumns {
  const usable = keys.filter((key) => key.columns.every((column) => !reserved.has(column)))
  const primary = usable.find((key) => key.primary)
  if (primary !== undefined) return primary.columns
  const complete = usable.filter((key) => key.unique && key.complete)
  return complete.toSorted((left, right) => left.columns.length - right.columns.length)[0]?.columns ?? []
}

/** Only what leads to the key of a served table is a relation. */
function toForeignKeys(keys: readonly CatalogForeignKey[], facts: ForeignKeyFacts): readonly ForeignKey[] {
  const foreignKeys: ForeignKey[] = []
  for (const key of keys) {
    const columns = columnsToKey(key, facts.served.get(key.foreignTable) ?? [])
    const name =
      columns === null ? null : fieldFor(key, columns, [...facts.columns, ...foreignKeys.map((each) => each.column)])
    if (columns === null || name === null) {
      const reason =
        columns === null ? 'does not lead to the key of a served table' : 'has several columns, and its name is taken'
      facts.log.info({ table: key.table, foreignKey: key.name }, `A foreign key ${reason}`)
      continue
    }
    const { onDelete, onUpdate, foreignTable: table } = key
    const shared = { name: key.name, column: name, table, onDelete, onUpdate }
    foreignKeys.push(columns.length === 1 ? shared : { ...shared, columns })
  }
  return foreignKeys
}

type ForeignKeyFacts = {
  /** The columns of the table. */
  readonly columns: readonly string[]
  readonly served: ReadonlyMap<string, KeyColumns>
  readonly log: Log
}

/** The columns of the foreign key in the order of the key that they refer to; null if they refer to anything else. */
function columnsToKey(key: CatalogForeignKey, target: KeyColumns): readonly string[] | null {
  if (!key.visible || target.length !== key.columns.length || target.length === 0) return null
  const columns = target.map((name) => key.columns[key.foreignColumns.indexOf(name)])
  return columns.every((name) => name !== undefined && !reserved.has(name)) ? (columns as readonly string[]) : null
}

/** The field of a foreign key: its column; of several columns their names together, or the name of the constraint. */
function fieldFor(key: CatalogForeignKey, columns: readonly string[], usedNames: readonly string[]): string | null {
  if (columns.length === 1) return columns[0] ?? null
  const names = [columns.join('_'), key.name]
  return names.find((name) => !usedNames.includes(name) && !reserved.has(name)) ?? null
}
