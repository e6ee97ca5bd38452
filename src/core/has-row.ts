/** Whether there is a row, asked on the actor's behalf. */
import { authorizeQuery } from '../authz/authorize.ts'
import { findReadGrant } from '../authz/grants.ts'
import type { Context } from '../domain/context.ts'
import { coreView } from '../domain/core-view.ts'
import { and, type Filter } from '../domain/filter.ts'
import type { Key } from '../domain/mutation.ts'
import { ownFields, rowsOf } from '../domain/rows-of.ts'
import type { Collection } from '../domain/schema.ts'
import { runQuery } from '../sql/read.ts'
import { keyFilter } from './keys.ts'

/** What looking at a row needs of a context. */
export type LookContext = Pick<Context, 'db' | 'schema' | 'actor' | 'clock' | 'limits'>

/** Our own bookkeeping looks, with the caller's values in the rule: whether the caller may read the row does not matter. */
export async function hasRow(ctx: LookContext, collection: Collection, rows: Filter): Promise<boolean> {
  const view = coreView(ctx.schema)
  const query = rowsOf(collection.name, ownFields(collection.primaryKey), { limit: 1 })
  const authorized = authorizeQuery({ ...ctx, view, actor: { kind: 'system' } }, query, rows)
  return (await runQuery({ ...ctx, view }, authorized)).rowCount > 0
}

/** Whether the item exists for the actor. */
export async function isVisible(ctx: LookContext, collection: Collection, key: Key): Promise<boolean> {
  const grant = findReadGrant(ctx.actor, ctx.schema, collection.name)
  return grant !== null && (await hasRow(ctx, collection, and(keyFilter(collection, key), grant.rows)))
}
