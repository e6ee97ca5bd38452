/** The caller's own user, and hashes for users. */
import { assertText } from '../../domain/conditions/literals.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import type { Query } from '../../domain/query/query.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import { setLastPage } from '../../sql/statements/accounts/users.ts'
import { hashBcrypt } from '../../tokens/bcrypt.ts'
import { digestBy } from '../../tokens/digest.ts'
import { turnsOf } from '../../tokens/hash-turns.ts'
import { findCostFault, hashPassword, verifyPassword } from '../../tokens/password.ts'
import { readTaggedItem, type TaggedItem } from '../rows/read-items.ts'

export const usersCollection = 'platform_users'

/** The uuid of the caller. Throws `unauthenticated` for callers that are not users. */
export function ownUser({ actor }: Pick<Context, 'actor'>): string {
  if (actor.kind === 'user') return actor.user
  throw new TandemError({ kind: 'unauthenticated' })
}

/** The caller's user; null if the caller may not read it. */
export async function readOwnUser(ctx: ReadContext, query: Query): Promise<TaggedItem | null> {
  try {
    return await readTaggedItem(ctx, query, ownUser(ctx))
  } catch (error) {
    if (error instanceof TandemError && error.failures.every(({ kind }) => kind === 'item-not-found')) return null
    throw error
  }
}

/** The role of the caller and its ancestors, nearest first; of a share the role that limits it. */
export function ownRoles({ actor }: Pick<Context, 'actor'>): readonly string[] {
  if (actor.kind === 'user') return actor.roles
  if (actor.kind === 'share') return actor.role === null ? [] : [actor.role]
  throw new TandemError({ kind: 'unauthenticated' })
}

/** Stores the caller's last page in the application. Needs no permission. */
export async function trackPage(ctx: Pick<Context, 'actor' | 'db'>, page: string): Promise<void> {
  assertText(page, 'last_page')
  await setLastPage(ctx.db, ownUser(ctx), page)
}

/** Hashes a text like a password. Only for users, because hashing is expensive. */
export async function hashText(ctx: Pick<Context, 'actor' | 'security'>, text: string): Promise<string> {
  return hashPassword(text, ctx.security.hash, turnsOf(ownUser(ctx)))
}

/**
 * Whether the hash matches the text. Only for users. Throws `invalid-payload` for a hash with a higher cost than the
 * server allows.
 */
export async function matchHash(
  ctx: Pick<Context, 'actor' | 'security'>,
  text: string,
  hash: string,
): Promise<boolean> {
  const turns = turnsOf(ownUser(ctx))
  const cost = ctx.security.hash
  const fault = findCostFault(hash, cost)
  if (fault === null) return (await verifyPassword(text, hash, { cost, turns })).matches
  const reason = `Expected a hash of at most ${fault.most} ${fault.parameter} for "hash" but received ${fault.received}`
  throw invalidPayload('hash', reason)
}

/** Hashes with the named hasher. Throws `unknown-hasher`. */
export async function hashBy(ctx: Pick<Context, 'actor' | 'security'>, hasher: string, text: string): Promise<string> {
  const turns = turnsOf(ownUser(ctx))
  if (hasher === 'core') return hashText(ctx, text)
  if (hasher === 'bcrypt') return turns(() => hashBcrypt({ password: text, rounds: 10 }))
  return digestBy(hasher, text) ?? unknown(hasher)
}

export async function matchBy(
  ctx: Pick<Context, 'actor' | 'security'>,
  hasher: string,
  text: string,
  hash: string,
): Promise<boolean> {
  ownUser(ctx)
  if (hasher === 'core' || hasher === 'bcrypt') return matchHash(ctx, text, hash)
  return (digestBy(hasher, text) ?? unknown(hasher)) === hash.toLowerCase()
}

function unknown(hasher: string): never {
  throw new TandemError({ kind: 'unknown-hasher', hasher })
}
