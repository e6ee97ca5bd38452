/** Whether there is a row, asked on the actor's behalf. */
import { authorizeQuery } from '../../authz/authorize.ts'
import { findReadGrant } from '../../authz/grants.ts'
import type { Context } from '../../domain/ports/context.ts'
import { and, type Filter } from '../../domain/query/filter.ts'
import type { Key } from '../../domain/query/mutation.ts'
import { ownFields, rowsOf } from '../../domain/query/rows-of.ts'
import { coreView } from '../../domain/schema/core-view.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { type ReadResult, runQuery } from '../../sql/run/read.ts'
import { hasKey, toKeys } from './keys.ts'

/** What looking at a row needs of a context. */
export type LookContext = Pick<Context, 'db' | 'schema' | 'actor' | 'clock' | 'limits'>

/** Our own bookkeeping looks, with the caller's values in the rule: whether the caller may read the row does not matter. */
export async function hasRow(ctx: LookContext, collection: Collection, rows: Filter): Promise<boolean> {
  return (await look(ctx, collection, rows, 1)).rowCount > 0
}

async function look(ctx: LookContext, collection: Collection, rows: Filter, limit: number): Promise<ReadResult> {
  const view = coreView(ctx.schema)
  const query = rowsOf(collection.name, ownFields(collection.primaryKey), { limit })
  return runQuery({ ...ctx, view }, authorizeQuery({ ...ctx, view, actor: { kind: 'system' } }, query, rows))
}

/** Whether the item exists for the actor; throws `item-not-found` for what can be no key. */
export const isVisible = (ctx: LookContext, collection: Collection, key: Key): Promise<boolean> =>
  areVisible(ctx, collection, [key])

/** Whether all of the items do. */
export async function areVisible(ctx: LookContext, collection: Collection, keys: readonly Key[]): Promise<boolean> {
  const grant = findReadGrant(ctx.actor, ctx.schema, collection.name)
  if (grant === null) return false
  const own = toKeys(collection, keys)
  return (await look(ctx, collection, and(hasKey(collection, own), grant.rows), own.length)).rowCount === own.length
}
