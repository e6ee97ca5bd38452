import { authorizeMutation } from '../../authz/authorize.ts'
import type { Context } from '../../domain/ports/context.ts'
import { matchAll } from '../../domain/query/filter.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Change } from '../../domain/query/mutation.ts'
import { invalidPayload } from '../../domain/rights/errors.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { lockSorting } from '../../sql/statements/locks.ts'
import { notFound, toKey } from '../rows/keys.ts'
import { lookUp } from '../rows/look-ups.ts'
import { withTransaction } from '../rows/transaction.ts'

/**
 * Moves `item` to the position of `to`. Requires the right to update the sort field; rows that the caller may not update
 * keep their numbers. Sorting is not recorded in history.
 */
export async function sortItems(ctx: Context, collection: Collection, item: Key, to: Key): Promise<void> {
  const field = sortFieldOf(collection)
  const changes = new Map<string, Change>([[field, { kind: 'value', value: 1 }]])
  const lookedUp = await lookUp(ctx, collection, 'update', [changes])
  const target = { kind: 'keys', keys: [item, to] } as const
  const mutation = { kind: 'update', collection: collection.name, target, changes } as const
  const { rows = matchAll } = authorizeMutation({ ...ctx, lookedUp }, mutation)
  const move = { collection, field, item: toKey(collection, item), to: toKey(collection, to), rows }
  await withTransaction(ctx, async (inner) => {
    // Two that sort the same rows take turns: each sees what the other has done.
    await lockSorting(inner.db, collection.name)
    if (!(await inner.rows.move(inner, move))) throw notFound(collection.name)
  })
}

const numbers: ReadonlySet<string> = new Set(['integer', 'bigInteger', 'float', 'decimal'])

function sortFieldOf({ name, sortField, fields }: Collection): string {
  const field = sortField === null ? undefined : fields.get(sortField)
  if (field?.column != null && numbers.has(field.type)) return field.name
  const reason = `Expected a collection with a sort field that holds numbers but received "${name}"`
  throw invalidPayload('collection', reason)
}
