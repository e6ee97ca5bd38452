/** What the flags of a field do to a written row: keys, times, authors, hashes. */

import { networkOf } from '../../counters/network.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Field, Special } from '../../domain/schema/schema.ts'
import { type Turns, turnsOf } from '../../tokens/hash-turns.ts'
import { hashToken } from '../../tokens/opaque.ts'
import { hashPassword } from '../../tokens/password.ts'

/** What reads show instead of a concealed value; sent back, it changes nothing. */
export const mask = '**********'

/** What specials need of a context. */
export type SpecialContext = Pick<Context, 'actor' | 'clock' | 'ids' | 'request' | 'security'>

/** True for a concealed field that is sent back as it was shown. */
export function isUnchangedMask(field: Field, value: unknown): boolean {
  return value === mask && (field.concealed || field.type === 'hash')
}

/** The value that a flag puts in the place of `submitted`; undefined = the flag says nothing. */
export function specialValue(
  ctx: SpecialContext,
  field: Field,
  action: 'create' | 'update',
  submitted: unknown,
): unknown {
  for (const special of field.special) {
    const rule = specialRules[special]
    if (rule === undefined || (rule.on !== 'both' && rule.on !== action)) continue
    const value = rule.value(ctx, field, submitted)
    if (value !== undefined) return value
  }
  return undefined
}

/** Whether values of the field are stored as hashes. */
export function isHashed(field: Field): boolean {
  return field.special.includes('hash') || field.special.includes('keyed-hash')
}

/** The hash to store: a keyed one of tokens, by which they are found; an empty value is none. */
export async function toHash(ctx: SpecialContext, field: Field, value: unknown): Promise<unknown> {
  if (typeof value !== 'string' || value === '') return field.special.includes('keyed-hash') ? null : value
  const { secret, hash } = ctx.security
  return field.special.includes('keyed-hash') ? hashToken(value, secret) : hashPassword(value, hash, hashTurnsOf(ctx))
}

/** The turns of what is hashed for a write: those of its user, or of the address that anybody else comes from. */
export const hashTurnsOf = ({ actor, request }: Pick<Context, 'actor' | 'request'>): Turns =>
  turnsOf(actor.kind === 'user' ? actor.user : `${actor.kind} ${networkOf(request.ip)}`)

type Rule = {
  readonly on: 'create' | 'update' | 'both'
  readonly value: (ctx: SpecialContext, field: Field, submitted: unknown) => unknown
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ''

/** The server's word counts, whatever was submitted; our own bookkeeping may say otherwise. */
const fixed =
  (of: (ctx: SpecialContext, field: Field) => unknown): Rule['value'] =>
  (ctx, field, submitted) =>
    ctx.actor.kind === 'system' && submitted !== undefined ? undefined : of(ctx, field)

const now = fixed((ctx, field) => {
  const instant = ctx.clock().toISOString()
  if (field.type === 'date') return instant.slice(0, 10)
  return field.type === 'time' ? instant.slice(11, 19) : instant
})
const user = fixed(({ actor }) => (actor.kind === 'user' ? actor.user : null))
const role = fixed(({ actor }) => (actor.kind === 'user' ? actor.role : null))

const specialRules: { readonly [Name in Special]?: Rule } = {
  uuid: { on: 'create', value: (ctx, _field, submitted) => (isEmpty(submitted) ? ctx.ids.uuid() : undefined) },
  'date-created': { on: 'create', value: now },
  'date-updated': { on: 'update', value: now },
  'user-created': { on: 'create', value: user },
  'user-updated': { on: 'update', value: user },
  'role-created': { on: 'create', value: role },
  'role-updated': { on: 'update', value: role },
}
