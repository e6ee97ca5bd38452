import type { ReadContext } from '../../domain/ports/context.ts'
import { matchAll } from '../../domain/query/filter.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { lockSingleton } from '../../sql/statements/locks.ts'
import { hasRow } from './has-row.ts'

/** Throws `unprocessable` unless the new rows are the only one. Creations of other transactions wait for this one. */
export async function assertSingle(ctx: ReadContext, collection: Collection, count: number): Promise<void> {
  await lockSingleton(ctx.db, collection.name)
  if (count <= 1 && !(await hasRow(ctx, collection, matchAll))) return
  const reason = `Collection "${collection.name}" is a singleton: it holds one item, which can only be updated`
  throw new TandemError({ kind: 'unprocessable', reason })
}
