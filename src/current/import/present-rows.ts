/** Rows that are here already. */

import { readItems } from '../../core/rows/read-items.ts'
import type { ReadContext } from '../../domain/ports/context.ts'
import type { SourceRow } from '../../domain/ports/import-source.ts'
import { toRows } from '../../domain/ports/row-store.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { openForWork } from '../wire/collections.ts'
import { parseQuery } from '../wire/query.ts'
import { wordOf } from './session.ts'

/** Rows with one of the values in a field, by that value in lower case. */
export async function presentBy(
  ctx: ReadContext,
  { name }: Collection,
  { field, values }: { readonly field: string; readonly values: readonly unknown[] },
): Promise<ReadonlyMap<string, SourceRow>> {
  if (values.length === 0) return new Map()
  const rows = await read(ctx, name, { filter: { [field]: { _in: values } }, limit: -1 })
  return new Map(rows.map((row) => [keyText(row[field]), row]))
}

/** All rows, in the order of their keys. */
export const presentRows = (ctx: ReadContext, { name, primaryKey }: Collection): Promise<readonly SourceRow[]> =>
  read(ctx, name, { sort: primaryKey, limit: -1 })

/** The notation of keys for comparison: a uuid may come in capitals. */
export const keyText = (key: unknown): string => wordOf(key).toLowerCase()

async function read(ctx: ReadContext, collection: string, input: object): Promise<readonly SourceRow[]> {
  const { visible } = openForWork(ctx, collection)
  const items = await readItems(ctx, parseQuery({ fields: ['*'], ...input }, collection, visible))
  return toRows(items)
}
