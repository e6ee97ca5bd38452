/** Checks on behalf of the actor whether rows exist. */

import { authorizeQuery } from '../../authz/authorize.ts'
import { findReadGrant } from '../../authz/grants.ts'
import type { ReadContext } from '../../domain/ports/context.ts'
import type { ReadResult, Row } from '../../domain/ports/row-store.ts'
import { and, type Filter, matchAll } from '../../domain/query/filter.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Query } from '../../domain/query/query.ts'
import { ownFields, rowsOf } from '../../domain/query/rows-of.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { coreView } from '../../domain/schema/core-view.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { lockSingleton } from '../../sql/statements/locks.ts'
import { hasKey, toKeys } from './keys.ts'

/** The part of a context that the check needs. */
export type LookContext = Omit<ReadContext, 'view'>

/** Rows in core names, with the rights of the server. Values in conditions are still those of the caller. */
export function readAsServer(ctx: LookContext, query: Query, within?: Filter): Promise<readonly Row[]> {
  const own = { ...ctx, view: coreView(ctx.schema) }
  return ctx.rows.readRows(own, authorizeQuery({ ...own, actor: { kind: 'system' } }, query, within))
}

/** Runs as the system, with the caller's values in the filter: the caller's read permission does not matter. */
export async function hasRow(ctx: LookContext, collection: Collection, rows: Filter): Promise<boolean> {
  return (await look(ctx, collection, rows, 1)).rowCount > 0
}

async function look(ctx: LookContext, collection: Collection, rows: Filter, limit: number): Promise<ReadResult> {
  const view = coreView(ctx.schema)
  const query = rowsOf(collection.name, ownFields(collection.primaryKey), { limit })
  return ctx.rows.read({ ...ctx, view }, authorizeQuery({ ...ctx, view, actor: { kind: 'system' } }, query, rows))
}

/** Whether the item exists and is visible to the actor. Throws `item-not-found` for an invalid key. */
export const isVisible = (ctx: LookContext, collection: Collection, key: Key): Promise<boolean> =>
  areVisible(ctx, collection, [key])

/** Whether all items exist and are visible. */
export async function areVisible(ctx: LookContext, collection: Collection, keys: readonly Key[]): Promise<boolean> {
  const grant = findReadGrant(ctx.actor, ctx.schema, collection.name)
  if (grant === null) return false
  const own = toKeys(collection, keys)
  return (await look(ctx, collection, and(hasKey(collection, own), grant.rows), own.length)).rowCount === own.length
}

/** Throws `unprocessable` unless the new rows are the only one. Creations of other transactions wait for this one. */
export async function assertSingle(ctx: ReadContext, collection: Collection, count: number): Promise<void> {
  await lockSingleton(ctx.db, collection.name)
  if (count <= 1 && !(await hasRow(ctx, collection, matchAll))) return
  const reason = `Collection "${collection.name}" is a singleton: it holds one item, which can only be updated`
  throw new TandemError({ kind: 'unprocessable', reason })
}
