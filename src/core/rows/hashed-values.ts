/** Fields whose values are stored as hashes, and the mask that reads show in their place. */
import { networkOf } from '../../counters/network.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Field } from '../../domain/schema/schema.ts'
import { type HashQueue, turnsOf } from '../../tokens/hash-turns.ts'
import { hashToken } from '../../tokens/opaque.ts'
import { hashPassword } from '../../tokens/password.ts'

/** Reads show it instead of a concealed value. Sent back, it leaves the value unchanged. */
export const mask = '**********'

export type HashContext = Pick<Context, 'actor' | 'request' | 'security'>

/** True for a concealed field that is sent back as it was shown. */
export function isUnchangedMask(field: Field, value: unknown): boolean {
  return value === mask && (field.concealed || field.type === 'hash')
}

export function isHashed(field: Field): boolean {
  return field.special.includes('hash') || field.special.includes('keyed-hash')
}

/** The hash to store. Tokens get a keyed hash, by which they are looked up; an empty token is stored as null. */
export async function toHash(ctx: HashContext, field: Field, value: unknown): Promise<unknown> {
  if (typeof value !== 'string' || value === '') return field.special.includes('keyed-hash') ? null : value
  const { secret, hash } = ctx.security
  return field.special.includes('keyed-hash') ? hashToken(value, secret) : hashPassword(value, hash, hashTurnsOf(ctx))
}

/** The queue for hashing in a write: per user, or per network address for other actors. */
export const hashTurnsOf = ({ actor, request }: Pick<Context, 'actor' | 'request'>): HashQueue =>
  turnsOf(actor.kind === 'user' ? actor.user : `${actor.kind} ${networkOf(request.ip)}`)
