/** Items in an order of their collection's own, changed by hand. */
import { authorizeMutation } from '../authz/authorize.ts'
import type { Authorized } from '../domain/authorized.ts'
import type { Context } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import { matchAll } from '../domain/filter.ts'
import type { Change, Key, Mutation } from '../domain/mutation.ts'
import type { Collection } from '../domain/schema.ts'
import { moveRow } from '../sql/move-row.ts'
import { notFound, toKey } from './keys.ts'
import { lookUp } from './look-ups.ts'
import { withTransaction } from './transaction.ts'

/**
 * Puts `item` where `to` is. It takes the right to update the sort field; rows that the caller may not
 * update keep their numbers. Nothing is written into the history: an order is not a state of one item.
 */
export async function sortItems(ctx: Context, collection: Collection, item: Key, to: Key): Promise<void> {
  const field = sortFieldOf(collection)
  const changes = new Map<string, Change>([[field, { kind: 'value', value: 1 }]])
  const lookedUp = await lookUp(ctx, collection, 'update', [changes])
  const target = { kind: 'keys', keys: [item, to] } as const
  const mutation = { kind: 'update', collection: collection.name, target, changes } as const
  const { rows = matchAll } = authorizeMutation({ ...ctx, lookedUp }, mutation) as Authorized<
    Extract<Mutation, { kind: 'update' }>
  >
  const move = { collection, field, item: toKey(collection, item), to: toKey(collection, to), rows }
  await withTransaction(ctx, async (inner) => {
    // Two that sort the same rows take turns: each sees what the other has done.
    const lock = 'select pg_advisory_xact_lock($1, hashtext($2))'
    await inner.db.run({ text: lock, values: [turn, collection.name], name: 'sort-turn' })
    if (!(await moveRow(inner, move))) throw notFound(collection.name)
  })
}

/** Names the turns of sorting, beside the collection. */
const turn = 7_265_002

const numbers: ReadonlySet<string> = new Set(['integer', 'bigInteger', 'float', 'decimal'])

function sortFieldOf({ name, sortField, fields }: Collection): string {
  const field = sortField === null ? undefined : fields.get(sortField)
  if (field?.column != null && numbers.has(field.type)) return field.name
  const reason = `Expected a collection with a sort field that holds numbers but received "${name}"`
  throw new TandemError({ kind: 'invalid-payload', name: 'collection', reason })
}
