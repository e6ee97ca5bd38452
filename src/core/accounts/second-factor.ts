/** Second factors: one-time codes that an app makes of a shared secret. */
import { forbidden, isUnlimited } from '../../authz/grants.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/mutation.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import { confirmSecret, rememberSecret, spendStep } from '../../sql/statements/account-states.ts'
import { lockAccess } from '../../sql/statements/locks.ts'
import { type FactorUser, findFactorUser, lacksSecondFactor } from '../../sql/statements/users.ts'
import { turnsOf } from '../../tokens/hash-turns.ts'
import { createCodeSecret, matchCode } from '../../tokens/one-time-codes.ts'
import { hashToken } from '../../tokens/opaque.ts'
import { verifyPassword } from '../../tokens/password.ts'
import { loadAccess } from '../access/load-access.ts'
import { writeItems } from '../items/items.ts'
import { withTransaction } from '../rows/transaction.ts'
import { asOwner, readProjectFacts } from './accounts.ts'
import { failAttempt, passAttempt } from './login-attempts.ts'
import { ownUser, usersCollection } from './users.ts'

/** How long a secret waits for its first code, in milliseconds. */
const patience = 3_600_000

async function readOwn(ctx: Context): Promise<FactorUser> {
  const row = await findFactorUser(ctx.db, ownUser(ctx))
  if (row === undefined) throw new TandemError({ kind: 'unauthenticated' })
  return row
}

const alreadySet = (): TandemError => invalidPayload(null, 'Expected a user without a second factor')

/**
 * A secret for the caller's app, which counts once a code has confirmed it. Throws `invalid-credentials`
 * for a wrong password, which counts as a failed login.
 */
export async function generateSecondFactor(ctx: Context, password: string): Promise<{ secret: string; url: string }> {
  const own = await readOwn(ctx)
  if (own.tfa_secret !== null) throw alreadySet()
  if (own.email === null) throw invalidPayload(null, 'Expected a user with an address')
  await assertOwnPassword(ctx, own, password)
  const project = await readProjectFacts(ctx.db)
  const made = createCodeSecret(own.email, project.name)
  const until = new Date(ctx.clock().getTime() + patience)
  await rememberSecret(ctx.db, { user: own.id, hash: hashToken(made.secret, ctx.security.secret), until })
  return made
}

async function assertOwnPassword(ctx: Context, own: FactorUser, password: string): Promise<void> {
  const hash = own.provider === 'default' ? own.password : null
  const { matches } = await verifyPassword(password, hash, { cost: ctx.security.hash, turns: turnsOf(own.id) })
  if (matches && (await passAttempt(ctx, own.id))) return
  if (!matches) await failAttempt(ctx, own.id)
  throw new TandemError({ kind: 'invalid-credentials' })
}

/** From now on the caller's logins need a code. The secret has to be one that was made for the caller. */
export async function enableSecondFactor(ctx: Context, secret: string, code: string): Promise<void> {
  const own = await readOwn(ctx)
  if (own.tfa_secret !== null) throw alreadySet()
  // This code may be used again for a first login: whoever saw it here saw the secret beside it.
  if (matchCode(secret, code, ctx.clock()) === null) throw wrongCode()
  await withTransaction(ctx, async (inner) => {
    await lockAccess(inner.db)
    if ((await readOwn(inner)).tfa_secret !== null) throw alreadySet()
    const hash = hashToken(secret, ctx.security.secret)
    const isConfirmed = await confirmSecret(inner.db, { user: own.id, hash, now: ctx.clock() })
    if (!isConfirmed) throw invalidPayload('secret', 'Expected a "secret" that was generated for this user lately')
    await writeSecret(inner, own.id, secret)
  })
}

/**
 * The same for clients that got the secret without their password: it has to be one that was made for the caller. Throws
 * `invalid-otp` for a wrong code.
 */
export async function activateSecondFactor(ctx: Context, secret: string, code: string): Promise<void> {
  if (matchCode(secret, code, ctx.clock()) === null) throw new TandemError({ kind: 'invalid-otp' })
  await enableSecondFactor(ctx, secret, code)
}

/** A secret for the caller's app, which counts once a code has confirmed it; without asking for a password. */
export async function offerSecondFactor(ctx: Context): Promise<string> {
  const own = await readOwn(ctx)
  if (own.tfa_secret !== null) throw alreadySet()
  const project = await readProjectFacts(ctx.db)
  const { secret } = createCodeSecret(own.email ?? own.id, project.name)
  const until = new Date(ctx.clock().getTime() + patience)
  await rememberSecret(ctx.db, { user: own.id, hash: hashToken(secret, ctx.security.secret), until })
  return secret
}

/** Needs no right to update users, but is guarded and remembered like every change of one. */
async function writeSecret(ctx: Context, user: string, secret: string | null): Promise<void> {
  const changes = new Map([['tfa_secret', { kind: 'value', value: secret } as const]])
  const target = { kind: 'keys', keys: [user] } as const
  const owner: Context = { ...asOwner(ctx, user), mayKeep: ['tfa_secret'] }
  await writeItems(owner, { kind: 'update', collection: usersCollection, target, changes })
}

const wrongCode = (): TandemError =>
  invalidPayload('otp', 'Expected a one-time password that is valid now and was not used before for "otp"')

/**
 * Takes the caller's second factor away; a wrong code counts as a failed login. Throws `unprocessable` for the last
 * administrator, when its policy demands one and it could not set up another.
 */
export async function disableSecondFactor(ctx: Context, code: string): Promise<void> {
  const own = await readOwn(ctx)
  if (own.tfa_secret === null) {
    throw invalidPayload(null, 'Expected a user with a second factor')
  }
  const isRight = await spendCode(ctx, own.id, own.tfa_secret, code)
  if (!isRight) await failAttempt(ctx, own.id)
  if (!isRight || !(await passAttempt(ctx, own.id))) throw wrongCode()
  await writeSecret(ctx, own.id, null)
}

/** Takes anybody's second factor away; for administrators, where the app is lost. */
export async function resetSecondFactor(ctx: Context, user: Key): Promise<void> {
  if (!isUnlimited(ctx.actor)) throw forbidden('update', usersCollection)
  const changes = new Map([['tfa_secret', { kind: 'value', value: null } as const]])
  const target = { kind: 'keys', keys: [user] } as const
  await writeItems(ctx, { kind: 'update', collection: usersCollection, target, changes })
}

/** Whether policies demand a second factor that the user has yet to set up. Throws `invalid-ip`. */
export async function awaitsSecondFactor(ctx: Context, user: string, role: string | null): Promise<boolean> {
  const { enforcesTfa } = await loadAccess(ctx.db, ctx.schema, { kind: 'user', user, role }, ctx.request.ip)
  return enforcesTfa && (await lacksSecondFactor(ctx.db, user))
}

/** Whether the code is right; it is then used, and refused the next time (RFC 6238, section 5.2). */
export async function spendCode(ctx: Context, user: string, secret: string, code: string): Promise<boolean> {
  const step = matchCode(secret, code, ctx.clock())
  return step !== null && (await spendStep(ctx.db, user, step))
}
