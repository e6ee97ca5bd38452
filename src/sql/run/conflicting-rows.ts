/** Rows that have the values of new ones in the columns of a unique index. */
import type { KeyLookup } from '../../domain/ports/row-store.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { tableName, typedColumn } from '../conditions/build.ts'
import { dialectOf } from '../dialects/dialects.ts'
import { placeholder, quoteName } from '../dialects/quoting.ts'
import { writeName } from '../shapes/names.ts'
import { rowsWithNumbers } from './stored-numbers.ts'
import type { WriteContext } from './writes.ts'

/**
 * Finds and locks the rows until the end of the transaction. Returns their keys, as text, by the position of the new row,
 * from 0. The database compares the values as its index does. No permission is checked.
 */
export async function lockConflicting(
  ctx: WriteContext,
  collection: Collection,
  { columns, rows }: KeyLookup,
): Promise<ReadonlyMap<number, string>> {
  if (rows.length === 0) return new Map()
  const dialect = dialectOf(ctx.db)
  const table = {
    table: tableName(collection),
    keyColumns: collection.keyColumns.map(quoteName),
    typedKeys: collection.keyColumns.map((name) => typedColumn(collection, name)),
    columns: columns.map(quoteName),
    typed: columns.map((name) => typedColumn(collection, name)),
  }
  const text = dialect.writes.conflicts(table, placeholder(1))
  const answer = await ctx.db.run({
    text,
    values: [JSON.stringify(await rowsWithNumbers(ctx, collection, rows))],
    ...writeName(dialect, text),
    rows: 'array',
  })
  return new Map((answer.rows as readonly (readonly [string, string])[]).map(([at, key]) => [Number(at) - 1, key]))
}
