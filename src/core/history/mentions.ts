/** Notifies users who are mentioned in a comment, if they may read the item. */

import type { Context, ReadContext } from '../../domain/ports/context.ts'
import type { Row } from '../../domain/ports/row-store.ts'
import type { Key } from '../../domain/query/key.ts'
import type { Mutation } from '../../domain/query/mutation.ts'
import { ownFields, rowsOf } from '../../domain/query/rows-of.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { coreView } from '../../domain/schema/core-view.ts'
import { findActiveUsers } from '../../sql/statements/accounts/users.ts'
import { type CommentRow, findComments } from '../../sql/statements/comments.ts'
import { loadAccess } from '../access/load-access.ts'
import { createItems, writeItems } from '../items/items.ts'
import { hasKey, systemCollection } from '../rows/keys.ts'
import { readItem, readItemRows } from '../rows/read-items.ts'
import { withTransaction } from '../rows/transaction.ts'

export type Comment = CommentRow

const mention = /@([0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})/gi

/** Limit of notified users per comment, because the rights of each user must be loaded. */
const mostMentions = 50

/** Ids of the users in a text, without duplicates. */
export function mentionsIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(mention)].map(([, id = '']) => id.toLowerCase()))].slice(0, mostMentions)
}

/** Writes comments and notifies mentioned users in the same transaction. */
export const writeComments = (ctx: Context, mutation: Mutation): Promise<readonly Key[]> =>
  withTransaction(ctx, async (inner) => {
    const keys = await writeItems(inner, mutation)
    if (mutation.kind === 'create' && keys.length > 0)
      await notifyMentioned(inner, await findComments(inner.db, keys.map(String)))
    return keys
  })

/** Writes a notification for each mentioned user. It needs no rights of the author. */
export async function notifyMentioned(ctx: Context, comments: readonly Comment[]): Promise<void> {
  const { actor } = ctx
  if (actor.kind !== 'user') return
  const items: ReturnType<typeof toNotification>[] = []
  for (const comment of comments) {
    const named = mentionsIn(comment.comment).filter((user) => user !== actor.user)
    const readers = await readersOf(ctx, comment, named)
    const shown = readers.length === 0 ? comment : { ...comment, comment: await withNames(ctx, comment.comment) }
    for (const reader of readers) items.push(toNotification(shown, actor.user, reader))
  }
  if (items.length === 0) return
  const system: Context = { ...ctx, actor: { kind: 'system' }, limits: { ...ctx.limits, batch: null } }
  await createItems(system, 'platform_notifications', items)
}

const toNotification = ({ collection, item, comment }: Comment, sender: string, recipient: string) => ({
  recipient,
  sender,
  collection,
  item,
  subject: `You were mentioned in ${collection}`,
  message: comment,
})

/** The text with names for the mentions of users whose names the author may read. */
async function withNames(ctx: ReadContext, text: string): Promise<string> {
  const users = systemCollection(ctx, 'platform_users')
  const fields = ownFields('id', 'first_name', 'last_name', 'email')
  const query = rowsOf(users.name, fields, { filter: hasKey(users, mentionsIn(text)) })
  const rows = await readItemRows({ ...ctx, view: coreView(ctx.schema) }, query).catch(toNone)
  const names = new Map(rows.map((row) => [row['id'], nameOf(row)]))
  return text.replaceAll(mention, (whole, id: string) => names.get(id.toLowerCase()) ?? whole)
}

function toNone(error: unknown): readonly Row[] {
  if (error instanceof TandemError) return []
  throw error
}

function nameOf(row: Row): string | undefined {
  const name = [row['first_name'], row['last_name']].filter((each) => typeof each === 'string' && each !== '').join(' ')
  return name === '' ? ((row['email'] as string | null) ?? undefined) : name
}

/** The active users who may read the item. */
async function readersOf(ctx: ReadContext, comment: Comment, users: readonly string[]): Promise<readonly string[]> {
  if (users.length === 0) return []
  const readers: string[] = []
  for (const { id, role } of await findActiveUsers(ctx.db, users)) {
    if (await mayRead(ctx, comment, { kind: 'user', user: id, role })) readers.push(id)
  }
  return readers
}

type UserRole = { readonly kind: 'user'; readonly user: string; readonly role: string | null }

async function mayRead(ctx: ReadContext, { collection, item }: Comment, who: UserRole): Promise<boolean> {
  const target = ctx.schema.collections.get(collection)
  if (target === undefined) return false
  try {
    const { access, roles } = await loadAccess(ctx.db, ctx.schema, who, null)
    const { primaryKey } = target
    const query = rowsOf(collection, ownFields(primaryKey), { limit: 1 })
    await readItem({ ...ctx, actor: { ...who, access, roles, session: null } }, query, item)
    return true
  } catch (error) {
    if (error instanceof TandemError) return false
    throw error
  }
}
