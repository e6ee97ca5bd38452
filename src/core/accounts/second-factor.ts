/** Second factors: one-time codes of an authenticator app (TOTP). */

import { forbidden, isUnlimited } from '../../authz/grants.ts'
import type { AccountContext, Context, ReadContext } from '../../domain/ports/context.ts'
import type { Key } from '../../domain/query/key.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import { confirmSecret, rememberSecret, spendStep } from '../../sql/statements/accounts/account-states.ts'
import { type FactorUser, findFactorUser, lacksSecondFactor } from '../../sql/statements/accounts/users.ts'
import { lockAccess } from '../../sql/statements/locks.ts'
import { turnsOf } from '../../tokens/hash-turns.ts'
import { createCodeSecret, matchCode } from '../../tokens/one-time-codes.ts'
import { hashToken } from '../../tokens/opaque.ts'
import { verifyPassword } from '../../tokens/password.ts'
import { loadAccess } from '../access/load-access.ts'
import { updateItem } from '../items/items.ts'
import { withTransaction } from '../rows/transaction.ts'
import { asOwner, readProjectFacts } from './accounts.ts'
import { failAttempt, passAttempt } from './login-attempts.ts'
import { ownUser, usersCollection } from './users.ts'

/** Lifetime of an unconfirmed secret, in milliseconds. */
const lifetime = 3_600_000

async function readOwn(ctx: Pick<Context, 'actor' | 'db'>): Promise<FactorUser> {
  if (ctx.actor.kind === 'user' && ctx.actor.key !== undefined) throw new TandemError({ kind: 'forbidden' })
  const row = await findFactorUser(ctx.db, ownUser(ctx))
  if (row === undefined) throw new TandemError({ kind: 'unauthenticated' })
  return row
}

const alreadySet = (): TandemError => invalidPayload(null, 'Expected a user without a second factor')

/**
 * Creates a secret for the caller's app. It is active after a code confirms it. Throws `invalid-credentials` for a
 * wrong password, which counts as a failed login.
 */
export async function generateSecondFactor(ctx: Context, password: string): Promise<{ secret: string; url: string }> {
  const own = await readOwn(ctx)
  if (own.tfa_secret !== null) throw alreadySet()
  if (own.email === null) throw invalidPayload(null, 'Expected a user with an address')
  await assertOwnPassword(ctx, own, password)
  return newSecret(ctx, own.id, own.email)
}

async function newSecret(ctx: Pick<Context, 'clock' | 'db' | 'security'>, user: string, label: string) {
  const project = await readProjectFacts(ctx.db)
  const made = createCodeSecret(label, project.name)
  const until = new Date(ctx.clock().getTime() + lifetime)
  await rememberSecret(ctx.db, { user, hash: hashToken(made.secret, ctx.security.secret), until })
  return made
}

async function assertOwnPassword(ctx: AccountContext, own: FactorUser, password: string): Promise<void> {
  const hash = own.provider === 'default' ? own.password : null
  const { matches } = await verifyPassword(password, hash, { cost: ctx.security.hash, turns: turnsOf(own.id) })
  if (matches && (await passAttempt(ctx, own.id))) return
  if (!matches) await failAttempt(ctx, own.id)
  throw new TandemError({ kind: 'invalid-credentials' })
}

/** Requires codes for the caller's logins from now on. The secret must have been generated for the caller. */
export async function enableSecondFactor(ctx: Context, secret: string, code: string): Promise<void> {
  const own = await readOwn(ctx)
  if (own.tfa_secret !== null) throw alreadySet()
  // The code can be used again for the first login: anyone who saw it could also see the secret.
  if (matchCode(secret, code, ctx.clock()) === null) throw wrongCode()
  await withTransaction(ctx, async (inner) => {
    await lockAccess(inner.db)
    await writeSecret(inner, await confirmOffered(inner, secret), secret)
  })
}

/**
 * For clients that write the secret as a field of the caller, without a code; `work` writes the other fields in the same
 * transaction. The secret must have been generated for the caller.
 */
export async function withOfferedSecret<T>(
  ctx: Context,
  secret: string,
  work: (inner: Context) => Promise<T>,
): Promise<T> {
  return withTransaction(ctx, async (inner) => {
    await lockAccess(inner.db)
    await writeSecret(inner, await confirmOffered(inner, secret), secret)
    return work(inner)
  })
}

/** The id of the caller, to whom the secret was offered lately. */
async function confirmOffered(ctx: Context, secret: string): Promise<string> {
  const own = await readOwn(ctx)
  if (own.tfa_secret !== null) throw alreadySet()
  const hash = hashToken(secret, ctx.security.secret)
  const isConfirmed = await confirmSecret(ctx.db, { user: own.id, hash, now: ctx.clock() })
  if (!isConfirmed) throw invalidPayload('secret', 'Expected a "secret" that was generated for this user lately')
  return own.id
}

/** Enables a secret that was created without a password. Throws `invalid-otp` for a wrong code. */
export async function activateSecondFactor(ctx: Context, secret: string, code: string): Promise<void> {
  if (matchCode(secret, code, ctx.clock()) === null) throw new TandemError({ kind: 'invalid-otp' })
  await enableSecondFactor(ctx, secret, code)
}

/** Creates a secret without asking for the password. It is active after a code confirms it. */
export async function offerSecondFactor(ctx: ReadContext & Pick<Context, 'security'>): Promise<string> {
  const own = await readOwn(ctx)
  if (own.tfa_secret !== null) throw alreadySet()
  return (await newSecret(ctx, own.id, own.email ?? own.id)).secret
}

/** Needs no permission to update users. Checks and history apply as for every update of a user. */
async function writeSecret(ctx: Context, user: string, secret: string | null): Promise<void> {
  await updateItem({ ...asOwner(ctx, user), mayKeep: ['tfa_secret'] }, usersCollection, user, { tfa_secret: secret })
}

const wrongCode = (): TandemError =>
  invalidPayload('otp', 'Expected a one-time password that is valid now and was not used before for "otp"')

/**
 * Removes the caller's second factor. A wrong code counts as a failed login. Throws `unprocessable` for the last
 * administrator if a policy requires a second factor.
 */
export async function disableSecondFactor(ctx: Context, code: string): Promise<void> {
  const own = await readOwn(ctx)
  if (own.tfa_secret === null) {
    throw invalidPayload(null, 'Expected a user with a second factor')
  }
  if (!(await proveCode(ctx, { id: own.id, secret: own.tfa_secret, code }))) throw wrongCode()
  await writeSecret(ctx, own.id, null)
}

/** Removes the second factor of any user. For administrators, if the app is lost. */
export async function resetSecondFactor(ctx: Context, user: Key): Promise<void> {
  if (!isUnlimited(ctx.actor)) throw forbidden('update', usersCollection)
  await updateItem(ctx, usersCollection, user, { tfa_secret: null })
}

/** Whether policies require a second factor that the user has not set up. Throws `invalid-ip`. */
export async function awaitsSecondFactor(
  ctx: Pick<Context, 'db' | 'schema' | 'request'>,
  user: string,
  role: string | null,
): Promise<boolean> {
  const { enforcesTfa } = await loadAccess(ctx.db, ctx.schema, { kind: 'user', user, role }, ctx.request.ip)
  return enforcesTfa && (await lacksSecondFactor(ctx.db, user))
}

/** The same as one counted guess: a wrong code counts as a failed login. */
export async function proveCode(
  ctx: AccountContext,
  { id, secret, code }: { readonly id: string; readonly secret: string; readonly code: string },
): Promise<boolean> {
  if (await spendCode(ctx, id, secret, code)) return passAttempt(ctx, id)
  await failAttempt(ctx, id)
  return false
}

/** Whether the code is correct. It is marked as used and rejected the next time (RFC 6238, section 5.2). */
export async function spendCode(
  ctx: Pick<Context, 'db' | 'clock'>,
  user: string,
  secret: string,
  code: string,
): Promise<boolean> {
  const step = matchCode(secret, code, ctx.clock())
  return step !== null && (await spendStep(ctx.db, user, step))
}
