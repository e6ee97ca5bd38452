/** The caller's own user. */
import type { Context } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import { assertText } from '../domain/literals.ts'
import type { Query } from '../domain/query.ts'
import { hashPassword, verifyPassword } from '../tokens/password.ts'
import { readItem } from './items.ts'

/** Collection of the users. */
export const usersCollection = 'platform_users'

/** The uuid of the caller; throws `unauthenticated` for one who is nobody. */
export function ownUser({ actor }: Context): string {
  if (actor.kind === 'user') return actor.user
  throw new TandemError({ kind: 'unauthenticated' })
}

/** JSON text of the caller's user, or null when the caller may not read it. */
export async function readOwnUser(ctx: Context, query: Query): Promise<string | null> {
  try {
    return await readItem(ctx, query, ownUser(ctx))
  } catch (error) {
    if (error instanceof TandemError && error.failures.every(({ kind }) => kind === 'item-not-found')) return null
    throw error
  }
}

/** The role of the caller and its ancestors, nearest first. */
export function ownRoles({ actor }: Context): readonly string[] {
  if (actor.kind === 'user') return actor.roles
  throw new TandemError({ kind: 'unauthenticated' })
}

/** Remembers where in the application the caller is; needs no right. */
export async function trackPage(ctx: Context, page: string): Promise<void> {
  assertText(page, 'last_page')
  const values = [ownUser(ctx), page]
  await ctx.db.run({ text: 'update platform_users set last_page = $2 where id = $1', values })
}

/** Hashes a text as passwords are; work that only users may ask for. */
export async function hashText(ctx: Context, text: string): Promise<string> {
  ownUser(ctx)
  return hashPassword(text, ctx.security.hash)
}

/** Whether the hash was made of the text; work that only users may ask for. */
export async function matchHash(ctx: Context, text: string, hash: string): Promise<boolean> {
  ownUser(ctx)
  return (await verifyPassword(text, hash, ctx.security.hash)).matches
}
