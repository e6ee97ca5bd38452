/** Resolves the collection of a request and checks that the caller may see it. */

import { isUnlimited, visibleView, writableView } from '../../authz/grants.ts'
import { mayEver } from '../../core/rows/seen-rows.ts'
import { refuseQuery } from '../../domain/conditions/literals.ts'
import type { Context, QueryContext } from '../../domain/ports/context.ts'
import type { Action } from '../../domain/rights/actor.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import type { View } from '../../domain/schema/view.ts'
import type { QueryInput } from './level.ts'
import { readNames } from './lists.ts'
import type { WriteScope } from './mutation.ts'
import { fieldNamed, type ParseScope } from './parse-scope.ts'

/** The action that a collection is opened for; `upsert` creates some items and updates others. */
export type OpenAction = Action | 'upsert'

/** A collection with the fields that the caller may query; null if it may only write. */
export type OpenedCollection = WriteScope & { readonly collection: Collection; readonly readable: ParseScope | null }

/**
 * Opens a collection that is not a system collection. Missing collections, system collections and collections without
 * permission are refused alike.
 */
export function openCollection(ctx: QueryContext, name: string, action: OpenAction): OpenedCollection {
  const view = ctx.view.collections.get(name)
  const collection = view === undefined ? undefined : ctx.schema.collections.get(view.collection)
  if (collection === undefined || collection.system) throw missing(name)
  return open(ctx, collection, action)
}

/** Opens a system collection by its core name; refuses callers without the permission. */
export function openSystemCollection(ctx: QueryContext, name: string, action: OpenAction): OpenedCollection {
  const collection = ctx.schema.collections.get(name)
  if (collection === undefined) throw missing(name)
  return open(ctx, collection, action)
}

/** Opens a system collection without a check: the write checks its own permissions. */
export function openForWork(ctx: QueryContext, name: string): OpenedCollection {
  const collection = ctx.schema.collections.get(name)
  if (collection === undefined) throw missing(name)
  return toOpened(ctx, collection, ctx.view)
}

function open(ctx: QueryContext, collection: Collection, action: OpenAction): OpenedCollection {
  if (!isAllowed(ctx, collection.name, action)) throw missing(collection.name)
  return toOpened(ctx, collection, writableView(ctx))
}

function toOpened(ctx: QueryContext, collection: Collection, view: View): OpenedCollection {
  const visible = visibleScope(ctx)
  const readable = visible.view.byCore.has(collection.name) ? visible : null
  return { collection, visible, readable, scope: { schema: ctx.schema, view, limits: ctx.limits } }
}

/**
 * Lets an administrator write fields that do not exist, as clients of other servers do: the names are collected instead
 * of refused. For other callers a missing field is refused like one without permission.
 */
export function ignoringUnknown(ctx: Pick<Context, 'actor' | 'limits'>, opened: OpenedCollection): OpenedCollection {
  if (!isUnlimited(ctx.actor) || ctx.limits.strict === true) return opened
  return { ...opened, scope: { ...opened.scope, ignored: new Set() } }
}

const missing = (collection: string): TandemError => new TandemError({ kind: 'collection-not-found', collection })

/** The names that the caller may query. */
export function visibleScope(ctx: QueryContext): ParseScope {
  return { schema: ctx.schema, view: visibleView(ctx), limits: ctx.limits }
}

function isAllowed(ctx: Pick<Context, 'schema' | 'view' | 'actor'>, collection: string, action: OpenAction): boolean {
  // The write checks the right that each of its rows needs.
  if (action === 'upsert') return isAllowed(ctx, collection, 'create') || isAllowed(ctx, collection, 'update')
  if (action === 'read') return visibleView(ctx).byCore.has(collection)
  return mayEver(ctx, action, { name: collection })
}

/** The names in `on_conflict`, by which an existing item is identified; null without the parameter. */
export function conflictNames({ on_conflict: input }: QueryInput): readonly string[] | null {
  if (input === undefined) return null
  const names = readNames(input, 'on_conflict')
  return names.length === 0 ? refuseQuery('on_conflict', 'names of fields', input) : names
}

export const conflictFields = (names: readonly string[], { collection, scope }: OpenedCollection): readonly string[] =>
  names.map((each) => fieldNamed(scope, collection.name, each).name)
