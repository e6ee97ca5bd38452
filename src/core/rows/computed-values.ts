/**
 * Columns that the database computes take no value. Clients send whole items back, so the value that the row has is
 * accepted, and left out.
 */

import { authorizeQuery } from '../../authz/authorize.ts'
import type { ReadContext } from '../../domain/ports/context.ts'
import type { Row } from '../../domain/ports/row-store.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Changes } from '../../domain/query/mutation.ts'
import { ownFields, rowsOf } from '../../domain/query/rows-of.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { isComputedOn } from '../../domain/schema/computed.ts'
import { keyName } from '../../domain/schema/row-keys.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { comparableKey, hasKey } from './keys.ts'

type Item = { readonly key: Key; readonly changes: Changes }

/** The items without computed values that are those of their rows. Reads nothing where no item has such a value. */
export async function withoutComputed<Each extends Item>(
  ctx: ReadContext,
  collection: Collection,
  items: readonly Each[],
): Promise<readonly Each[]> {
  const computed = [...collection.fields.values()].filter(
    (field) => isComputedOn('update', field) && items.some(({ changes }) => changes.get(field.name)?.kind === 'value'),
  )
  if (computed.length === 0) return items
  const names = computed.map(({ name }) => name)
  const rows = await rowsBefore(ctx, collection, { keys: items.map(({ key }) => key), names })
  return items.map((item) => {
    const row = rows.get(comparableKey(collection, item.key))
    if (row === undefined) return item
    const isSame = (name: string): boolean => {
      const change = item.changes.get(name)
      return change?.kind === 'value' && JSON.stringify(change.value) === JSON.stringify(row[name])
    }
    return { ...item, changes: new Map([...item.changes].filter(([name]) => !names.includes(name) || !isSame(name))) }
  })
}

/** The rows in the form in which the actor sees them; none if it may not read the fields. */
async function rowsBefore(
  ctx: ReadContext,
  collection: Collection,
  { keys, names }: { readonly keys: readonly Key[]; readonly names: readonly string[] },
): Promise<ReadonlyMap<string, Row>> {
  const selection = [{ kind: 'row-key', key: keyName } as const, ...ownFields(...names)]
  const query = rowsOf(collection.name, selection, { limit: keys.length })
  try {
    const rows = await ctx.rows.readRows(ctx, authorizeQuery(ctx, query, hasKey(collection, keys)))
    return new Map(rows.map((row) => [comparableKey(collection, String(row[keyName])), row]))
  } catch (error) {
    if (error instanceof TandemError && error.failures.every(({ kind }) => kind === 'forbidden')) return new Map()
    throw error
  }
}
