/** Hashes by the name of a hasher. Only for users, because hashing is expensive. */
import type { Context } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { digestBy, hashByBcrypt } from '../../tokens/older-hashes.ts'
import { hashTurnsOf } from '../rows/hashed-values.ts'
import { hashText, matchHash, ownUser } from './users.ts'

/** Hashes with the named hasher. Throws `unknown-hasher`. */
export async function hashBy(
  ctx: Pick<Context, 'actor' | 'request' | 'security'>,
  hasher: string,
  text: string,
): Promise<string> {
  ownUser(ctx)
  if (hasher === 'core') return hashText(ctx, text)
  if (hasher === 'bcrypt') return hashByBcrypt(text, hashTurnsOf(ctx))
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
