/** Statements for writes: they lock rows of related and conflicting keys, and read sort numbers. */
import type { Foreign, KeyLookup, LockedRow, LockRequest } from '../../domain/ports/row-store.ts'
import type { Key } from '../../domain/query/key.ts'
import { numberedBy } from '../../domain/schema/identity.ts'
import { referenceColumns } from '../../domain/schema/references.ts'
import { splitKey } from '../../domain/schema/row-keys.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { amongText, columnType, fieldOf, tableName, typedColumn } from '../conditions/build.ts'
import { keyCondition } from '../conditions/key-condition.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { dialectOf } from '../dialects/dialects.ts'
import { placeholder, quoteName } from '../dialects/quoting.ts'
import { writeName } from '../shapes/names.ts'
import { rowsWithNumbers } from './stored-numbers.ts'
import type { WriteContext } from './writes.ts'

/** Locks rows until the end of the transaction. Missing rows are left out. No permission is checked. */
export async function lockRows(
  ctx: WriteContext,
  collection: Collection,
  { keys, foreign, fields }: LockRequest,
): Promise<readonly LockedRow[]> {
  const dialect = dialectOf(ctx.db)
  const { values, bound } = parameters()
  const conditions: string[] = []
  if (keys.length > 0) {
    const part = (of: (key: Key) => Key) => bound(keys.map(of))
    conditions.push(keyCondition({ dialect }, collection, { prefix: '', many: keys.length > 1, bound: part }))
  }
  for (const each of foreign) {
    if (each.parents.length > 0) conditions.push(pointsAt(dialect, collection, each, bound))
  }
  if (conditions.length === 0) return []
  const text = dialect.writes.lock({
    table: tableName(collection),
    keys: collection.keyColumns.map((name) => typedColumn(collection, name)),
    columns: fields.map((field) => columnName(dialect, collection, field)),
    conditions,
  })
  const { rows } = await ctx.db.run({ text, values, ...writeName(dialect, text), rows: 'array' })
  return rows.map((row) => {
    const [key, ...texts] = row as readonly [string, ...(readonly (string | null)[])]
    return { key, fields: new Map(fields.map((field, index) => [field, texts[index] ?? null])) }
  })
}

/**
 * Finds and locks the rows that have the values of new ones in the columns of a unique index. Returns their keys, as text,
 * by the position of the new row, from 0. The database compares the values as its index does. No permission is checked.
 */
export async function lockConflicting(
  ctx: WriteContext,
  collection: Collection,
  { columns, rows }: KeyLookup,
): Promise<ReadonlyMap<number, string>> {
  if (rows.length === 0) return new Map()
  const dialect = dialectOf(ctx.db)
  const { values, bound } = parameters()
  const given = bound([JSON.stringify(await rowsWithNumbers(ctx, collection, rows))])
  const typed = (names: readonly string[]) => names.map((name) => typedColumn(collection, name))
  const table = { table: tableName(collection), keys: typed(collection.keyColumns), columns: typed(columns) }
  const text = dialect.writes.conflicts(table, given)
  const answer = await ctx.db.run({ text, values, ...writeName(dialect, text), rows: 'array' })
  return new Map((answer.rows as readonly (readonly [string, string])[]).map(([at, key]) => [Number(at) - 1, key]))
}

/** The highest number in `field` among the rows of each parent, by the parent's key as text. */
export async function highestNumbers(
  ctx: WriteContext,
  collection: Collection,
  { field, foreign }: { readonly field: string; readonly foreign: Foreign },
): Promise<ReadonlyMap<string, number>> {
  const dialect = dialectOf(ctx.db)
  const { values, bound } = parameters()
  const text = dialect.writes.highest({
    table: tableName(collection),
    column: columnName(dialect, collection, field),
    parent: columnName(dialect, collection, foreign.field),
    condition: pointsAt(dialect, collection, foreign, bound),
  })
  const { rows } = await ctx.db.run({ text, values, ...writeName(dialect, text), rows: 'array' })
  return new Map((rows as readonly (readonly [string, string | null])[]).map(([key, value]) => [key, Number(value)]))
}

type Bound = (list: readonly Key[]) => string

/** The parameters of a statement. Lists are in the form of `amongText`. */
function parameters(): { readonly values: readonly unknown[]; readonly bound: Bound } {
  const values: unknown[] = []
  return { values, bound: (list) => placeholder(values.push(list.length > 1 ? list : list[0])) }
}

function pointsAt(dialect: Dialect, collection: Collection, { field, parents }: Foreign, bound: Bound): string {
  const columns = referenceColumns(fieldOf(collection, field))
  if (columns !== null) return pointsAtKey(dialect, collection, { columns, parents }, bound)
  const among = { values: bound(parents), many: parents.length > 1, column: columnType(fieldOf(collection, field)) }
  const numbered = numberColumn(collection, field)
  if (numbered === null) return amongText(dialect, columnName(dialect, collection, field), among)
  const { column, identity } = numbered
  return `${column} in (select n.number from ${identity} n where ${amongText(dialect, 'n.id', among)})`
}

/** The columns are compared one by one, so that an index finds the rows. */
function pointsAtKey(
  dialect: Dialect,
  collection: Collection,
  { columns, parents }: { readonly columns: readonly string[]; readonly parents: Foreign['parents'] },
  bound: Bound,
): string {
  const many = parents.length > 1
  const parts = columns.map((name, index) => {
    const column = columnType(fieldOf(collection, name))
    const values = bound(parents.map((key) => splitKey(String(key), columns.length)?.[index] as string))
    return { expression: dialect.comparable(columnName(dialect, collection, name), column), values, column }
  })
  if (many) {
    const lists = parts.map(({ values, column }) => dialect.castList(values, column))
    return dialect.isOneOfRows(
      parts.map(({ expression }) => expression),
      lists,
    )
  }
  return parts.map((part) => amongText(dialect, part.expression, { ...part, many })).join(' and ')
}

/** The quoted column, or the key that several columns refer to as one text. */
function columnName(dialect: Dialect, collection: Collection, name: string): string {
  const field = fieldOf(collection, name)
  const columns = referenceColumns(field)
  if (columns !== null) return dialect.writes.keyText(columns.map((each) => columnName(dialect, collection, each)))
  const numbered = numberColumn(collection, name)
  // A bare subquery would have the name of its column, by which the rows are ordered.
  if (numbered !== null)
    return `coalesce((select n.id from ${numbered.identity} n where n.number = ${numbered.column}), null)`
  const { column } = field
  if (column === null) throw new Error(`Field ${collection.name}.${name} has no column`)
  return quoteName(column.name)
}

/** A column that holds numbers, with its table before it, and the table of the rows that have them. */
function numberColumn(
  collection: Collection,
  name: string,
): { readonly column: string; readonly identity: string } | null {
  const field = fieldOf(collection, name)
  const identity = numberedBy(field)
  if (identity === null || field.column === null) return null
  return {
    column: `${tableName(collection)}.${quoteName(field.column.name)}`,
    identity: quoteName(identity),
  }
}
