/** The caller's own user. */
import type { Context } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import type { Query } from '../domain/query.ts'
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
