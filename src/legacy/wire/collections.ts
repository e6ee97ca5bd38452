/** Resolves the collection of a request, and what its caller may query and write. */

import { forbidden, isUnlimited, rulesFor, visibleView, writableView } from '../../authz/grants.ts'
import { refuseQuery } from '../../domain/conditions/literals.ts'
import type { Context, QueryContext } from '../../domain/ports/context.ts'
import type { Action } from '../../domain/rights/actor.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { Collection } from '../../domain/schema/schema.ts'
import { meansSystem, shownCollection } from '../model/collection-names.ts'
import { toNames } from './lists.ts'
import { collectionNamed, fieldNamed, type ParseScope } from './parse-scope.ts'

/** The action that a collection is opened for; `upsert` creates some items and updates others. */
export type OpenAction = Action | 'upsert'

/**
 * What a body may write. `unknownField` is the error for a name that is not in the view. `isForm`: all values are texts,
 * so that an empty one stands for no value of a field that holds no text.
 */
export type WritableScope = ParseScope & {
  readonly unknownField: (collection: string, field: string) => TandemError
  readonly isForm: boolean
}

/** A collection with the fields that the caller may query and write. */
export type OpenedCollection = {
  readonly collection: Collection
  readonly visible: ParseScope
  readonly writable: WritableScope
}

/**
 * Opens a collection that is not a system collection. Without permission, missing and existing collections are refused
 * alike. System collections have their own error, because their names are public.
 */
export function openCollection(ctx: QueryContext, name: string, action: OpenAction): OpenedCollection {
  if (meansSystem(ctx.schema, name)) {
    throw new TandemError({ kind: 'system-collection', collection: name })
  }
  return open(ctx, name, action)
}

/** Opens a system collection by its core name; refuses callers without the permission. */
export const openSystemCollection = (ctx: QueryContext, name: string, action: OpenAction): OpenedCollection =>
  open(ctx, name, action)

function open(ctx: QueryContext, name: string, opened: OpenAction): OpenedCollection {
  const action = opened === 'upsert' ? 'create' : opened
  if (!isAllowed(ctx, name, opened)) throw forbidden(action, name)
  const { schema, limits } = ctx
  const view = writableView(ctx)
  const collection = collectionNamed(ctx, name)
  const unknownField = isUnlimited(ctx.actor)
    ? missingField
    : (owner: string, field: string) => forbidden(action, owner, field)
  return { collection, visible: visibleScope(ctx), writable: { schema, limits, view, unknownField, isForm: false } }
}

function missingField(collection: string, field: string): TandemError {
  const reason = `Payload fields: "${field}" does not exist in "${shownCollection(collection)}" collection.`
  return new TandemError({ kind: 'unprocessable', reason })
}

/** The names that the caller may query. */
export function visibleScope(ctx: QueryContext): ParseScope {
  return { schema: ctx.schema, view: visibleView(ctx), limits: ctx.limits }
}

/** The core names of the fields in `on_conflict`; null without the parameter. */
export function conflictFields(input: unknown, { collection, writable }: OpenedCollection): readonly string[] | null {
  if (input === undefined) return null
  const names = toNames(input, 'on_conflict')
  if (names.length === 0) refuseQuery('on_conflict', 'names of fields', input)
  return names.map((name) => fieldNamed(writable, collection.name, name).field.name)
}

function isAllowed(ctx: Pick<Context, 'schema' | 'view' | 'actor'>, name: string, action: OpenAction): boolean {
  if (isUnlimited(ctx.actor)) return true
  // The write checks the right that each of its rows needs.
  if (action === 'upsert') return isAllowed(ctx, name, 'create') || isAllowed(ctx, name, 'update')
  if (action === 'read') return visibleView(ctx).byCore.has(name)
  return ctx.view.byCore.has(name) && rulesFor(ctx.actor, name, action).length > 0
}
