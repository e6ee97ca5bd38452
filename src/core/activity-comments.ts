/** Comments that are entries of the activity log, as clients older than `/comments` write them. */
import { authorizeMutation } from '../authz/authorize.ts'
import { writableCollection } from '../authz/restrict-mutation.ts'
import type { Context } from '../domain/context.ts'
import type { Changes, Key } from '../domain/mutation.ts'
import { writeItems } from './items.ts'
import { notFound } from './keys.ts'
import { lookUp } from './look-ups.ts'
import { type Comment, notifyMentioned } from './mentions.ts'
import { withTransaction } from './transaction.ts'

const log = 'platform_activity'
const comments = 'platform_comments'

const toChanges = (values: { readonly [field: string]: string | null }): Changes =>
  new Map(Object.entries(values).map(([name, value]) => [name, { kind: 'value', value }]))

/** Whoever may create such a comment may write it here. The server sets who wrote it, when and from where. */
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
    const system: Context = { ...inner, actor: { kind: 'system' } }
    const keys = await writeItems(system, { kind: 'create', collection: log, items: [entry] })
    await notifyMentioned(inner, [comment])
    return keys
  })
}

/** Changes the text of a comment, by the right to update its entry; no other entry can be changed. */
export const updateActivityComment = (ctx: Context, key: Key, comment: string): Promise<readonly Key[]> =>
  withTransaction(ctx, async (inner) => {
    const target = { kind: 'keys', keys: [key] } as const
    const keys = await writeItems(inner, { kind: 'update', collection: log, target, changes: toChanges({ comment }) })
    const text = `update platform_activity set edited_on = $2 where id = any($1) and action = 'comment'`
    const { count } = await inner.db.run({ text, values: [keys, ctx.clock().toISOString()] })
    if (count === 0) throw notFound(log)
    return keys
  })

/** Deletes a comment, by the right to delete its entry; no other entry can be deleted. */
export const deleteActivityComment = (ctx: Context, key: Key): Promise<void> =>
  withTransaction(ctx, async (inner) => {
    const text = `select 1 from platform_activity where id::text = $1 and action = 'comment' for update`
    const { count } = await inner.db.run({ text, values: [String(key)] })
    if (count === 0) throw notFound(log)
    await writeItems(inner, { kind: 'delete', collection: log, target: { kind: 'keys', keys: [key] } })
  })
