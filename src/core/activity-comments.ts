/** Comments that are entries of the activity log, as clients older than `/comments` write them. */
import { authorizeMutation } from '../authz/authorize.ts'
import { forbidden, isUnlimited, rulesFor } from '../authz/grants.ts'
import { writableCollection } from '../authz/restrict-mutation.ts'
import type { Action } from '../domain/actor.ts'
import type { Context } from '../domain/context.ts'
import type { Changes, Key } from '../domain/mutation.ts'
import { assertCommentable } from './guard-comments.ts'
import { writeItems } from './items.ts'
import { notFound } from './keys.ts'
import { lookUp } from './look-ups.ts'
import { type Comment, notifyMentioned } from './mentions.ts'
import { withTransaction } from './transaction.ts'

const log = 'platform_activity'
const comments = 'platform_comments'

const toChanges = (values: { readonly [field: string]: string | null }): Changes =>
  new Map(Object.entries(values).map(([name, value]) => [name, { kind: 'value', value }]))

/**
 * Whoever may create such a comment may write it here, on an item that it may read. The server sets who wrote it, when
 * and from where.
 */
export async function createActivityComment(ctx: Context, comment: Comment): Promise<readonly Key[]> {
  const { actor, request } = ctx
  const items = [toChanges(comment)]
  const lookedUp = await lookUp(ctx, writableCollection(ctx.schema, 'create', comments), 'create', items)
  authorizeMutation({ ...ctx, lookedUp }, { kind: 'create', collection: comments, items })
  const entry = toChanges({
    ...comment,
    action: 'comment',
    user: actor.kind === 'user' ? actor.user : null,
    ip: request.ip?.slice(0, 50) ?? null,
    user_agent: request.userAgent?.slice(0, 1000) ?? null,
    origin: request.origin?.slice(0, 255) ?? null,
  })
  return withTransaction(ctx, async (inner) => {
    await assertCommentable(inner, comment.collection, [comment.item])
    const keys = await writeItems(asServer(inner), { kind: 'create', collection: log, items: [entry] })
    await notifyMentioned(inner, [comment])
    return keys
  })
}

const asServer = (ctx: Context): Context => ({ ...ctx, actor: { kind: 'system' } })

/** Changes the text of a comment: of one's own, or by the right to update its entry. No other entry can be changed. */
export const updateActivityComment = (ctx: Context, key: Key, comment: string): Promise<readonly Key[]> =>
  withTransaction(ctx, async (inner) => {
    const writer = await writerOf(inner, key, 'update')
    const target = { kind: 'keys', keys: [key] } as const
    const keys = await writeItems(writer, { kind: 'update', collection: log, target, changes: toChanges({ comment }) })
    const text = 'update platform_activity set edited_on = $2 where id = any($1)'
    await inner.db.run({ text, values: [keys, ctx.clock().toISOString()] })
    return keys
  })

/** Deletes a comment: one's own, or by the right to delete its entry. No other entry can be deleted. */
export const deleteActivityComment = (ctx: Context, key: Key): Promise<void> =>
  withTransaction(ctx, async (inner) => {
    const writer = await writerOf(inner, key, 'delete')
    await writeItems(writer, { kind: 'delete', collection: log, target: { kind: 'keys', keys: [key] } })
  })

/** Who changes a comment: its author needs no right to the log. Rights come first, whatever the entry is. */
async function writerOf(ctx: Context, key: Key, action: Action): Promise<Context> {
  const { actor } = ctx
  const text = `select "user" from platform_activity where id::text = $1 and action = 'comment' for update`
  const { rows } = await ctx.db.run({ text, values: [String(key)] })
  const found = rows[0] as { readonly user: string | null } | undefined
  const isKnown = actor.kind === 'user' && actor.access.awaitsSecondFactor === undefined
  if (isKnown && found?.user === actor.user) return asServer(ctx)
  if (!isUnlimited(actor) && rulesFor(actor, log, action).length === 0) throw forbidden(action, log)
  if (found === undefined) throw notFound(log)
  return ctx
}
