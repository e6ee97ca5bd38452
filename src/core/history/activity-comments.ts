/** Comments as entries of the activity log, for clients older than `/comments`. */

import { assertMutation } from '../../authz/authorize.ts'
import { forbidden, permittedRows } from '../../authz/grants.ts'
import { commentLevelOf, mayComment } from '../../authz/level-demands.ts'
import { writableCollection } from '../../authz/restrict-mutation.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/key.ts'
import { toChanges } from '../../domain/query/mutation.ts'
import type { Action } from '../../domain/rights/actor.ts'
import { lockActivityComment, noteEdited, noteRetracted } from '../../sql/statements/activity.ts'
import { assertCommentable } from '../guards/guard-comments.ts'
import { deleteItems, updateItem, writeItems } from '../items/items.ts'
import { findKey, notFound, systemCollection, toKey } from '../rows/keys.ts'
import { lookUp } from '../rows/look-ups.ts'
import { withTransaction } from '../rows/transaction.ts'
import { type Comment, notifyMentioned } from './mentions.ts'

const log = 'platform_activity'
const comments = 'platform_comments'
/**
 * Creates a comment. The caller needs the right to create comments and to read the item. The server sets user, time and
 * address.
 */
export async function createActivityComment(ctx: Context, comment: Comment): Promise<readonly Key[]> {
  const { actor, request } = ctx
  const items = [toChanges(comment)]
  const level = commentLevelOf(actor, comment.collection)
  if (level === null) {
    const lookedUp = await lookUp(ctx, writableCollection(ctx.schema, 'create', comments), 'create', items)
    assertMutation({ ...ctx, lookedUp }, { kind: 'create', collection: comments, items })
  } else if (!mayComment(level)) throw forbidden('create', comment.collection)
  const entry = toChanges({
    ...comment,
    action: 'comment',
    user: actor.kind === 'user' ? actor.user : null,
    ip: request.ip?.slice(0, 50) ?? null,
    user_agent: request.userAgent,
    origin: request.origin,
  })
  return withTransaction(ctx, async (inner) => {
    await assertCommentable(inner, comment.collection, [comment.item])
    const keys = await writeItems(asServer(inner), { kind: 'create', collection: log, items: [entry] })
    await notifyMentioned(inner, [comment])
    return keys
  })
}

const asServer = (ctx: Context): Context => ({ ...ctx, actor: { kind: 'system' } })

/** Updates the text of a comment. Allowed for its author, and for callers who may update the entry. Other entries are rejected. */
export const updateActivityComment = (ctx: Context, key: Key, comment: string): Promise<readonly Key[]> =>
  withTransaction(ctx, async (inner) => {
    const writer = await writerOf(inner, key, 'update')
    const keys = await updateItem(writer, log, key, { comment })
    await noteEdited(inner.db, keys, ctx.clock())
    return keys
  })

/** Deletes a comment. Allowed for its author, and for callers who may delete the entry. Other entries are rejected. */
export const deleteActivityComment = (ctx: Context, key: Key): Promise<void> =>
  withTransaction(ctx, async (inner) => {
    const writer = await writerOf(inner, key, 'delete')
    await deleteItems(writer, log, [key])
  })

/** Deletes a comment under the same rights. Its entry is kept, with the time of the deletion. */
export const retractActivityComment = (ctx: Context, key: Key): Promise<void> =>
  withTransaction(ctx, async (inner) => {
    await writerOf(inner, key, 'delete')
    await noteRetracted(inner.db, toKey(systemCollection(ctx, log), key), ctx.clock())
  })

/** The context of the write: authors need no permission on the log. Permissions are checked before the kind of the entry. */
async function writerOf(ctx: Context, key: Key, action: Action): Promise<Context> {
  const { actor } = ctx
  const id = findKey(systemCollection(ctx, log), key)
  const comment = id === null ? undefined : await lockActivityComment(ctx.db, id)
  const isKnown = actor.kind === 'user' && actor.access.awaitsSecondFactor === undefined
  const level = comment === undefined ? null : commentLevelOf(actor, comment.collection)
  if (comment !== undefined && level !== null) {
    const isOwn = isKnown && comment.user === actor.user
    if (level === 'full' || (isOwn && level === 'update')) return asServer(ctx)
    throw forbidden(action, comment.collection)
  }
  if (isKnown && comment?.user === actor.user) return asServer(ctx)
  if (permittedRows(actor, log, action) === null) throw forbidden(action, log)
  if (comment === undefined) throw notFound(log)
  return ctx
}
