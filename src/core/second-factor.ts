/** Second factors: one-time codes that an app makes of a shared secret. */
import { loadAccess } from '../authz/access.ts'
import { forbidden, isUnlimited } from '../authz/grants.ts'
import type { Context } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import type { Key } from '../domain/mutation.ts'
import { createCodeSecret, matchCode } from '../tokens/one-time-codes.ts'
import { hashToken } from '../tokens/opaque.ts'
import { verifyPassword } from '../tokens/password.ts'
import { asOwner, readProjectFacts } from './accounts.ts'
import { takeAccessTurn } from './guards.ts'
import { writeItems } from './items.ts'
import { failAttempt, passAttempt } from './login-attempts.ts'
import { withTransaction } from './transaction.ts'
import { ownUser, usersCollection } from './users.ts'

/** How long a secret waits for its first code, in milliseconds. */
const patience = 3_600_000

type OwnRow = {
  readonly id: string
  readonly email: string | null
  readonly password: string | null
  readonly provider: string
  readonly tfa_secret: string | null
}

async function readOwn(ctx: Context): Promise<OwnRow> {
  const text = 'select id, email, password, provider, tfa_secret from platform_users where id = $1'
  const [row] = (await ctx.db.run({ text, values: [ownUser(ctx)] })).rows as readonly OwnRow[]
  if (row === undefined) throw new TandemError({ kind: 'unauthenticated' })
  return row
}

const invalid = (name: string, reason: string): TandemError =>
  new TandemError({ kind: 'invalid-payload', name, reason })

const alreadySet = (): TandemError =>
  new TandemError({ kind: 'invalid-payload', reason: 'Expected a user without a second factor' })

/**
 * A secret for the caller's app, which counts once a code has confirmed it. Throws `invalid-credentials`
 * for a wrong password, which counts as a failed login.
 */
export async function generateSecondFactor(ctx: Context, password: string): Promise<{ secret: string; url: string }> {
  const own = await readOwn(ctx)
  if (own.tfa_secret !== null) throw alreadySet()
  if (own.email === null) throw new TandemError({ kind: 'invalid-payload', reason: 'Expected a user with an address' })
  await assertOwnPassword(ctx, own, password)
  const project = await readProjectFacts(ctx.db)
  const made = createCodeSecret(own.email, project.name)
  const until = new Date(ctx.clock().getTime() + patience).toISOString()
  await ctx.db.run({ text: rememberSecret, values: [own.id, hashToken(made.secret, ctx.security.secret), until] })
  return made
}

const rememberSecret = `insert into platform_account_states ("user", pending_secret_hash, pending_until) values ($1, $2, $3)
  on conflict ("user") do update set pending_secret_hash = excluded.pending_secret_hash, pending_until = excluded.pending_until`

async function assertOwnPassword(ctx: Context, own: OwnRow, password: string): Promise<void> {
  const hash = own.provider === 'default' ? own.password : null
  const { matches } = await verifyPassword(password, hash, ctx.security.hash)
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
    await takeAccessTurn(inner.db)
    if ((await readOwn(inner)).tfa_secret !== null) throw alreadySet()
    const values = [own.id, hashToken(secret, ctx.security.secret), ctx.clock().toISOString()]
    const confirmed = await inner.db.run({ text: confirmSecret, values })
    if (confirmed.count === 0) throw invalid('secret', 'Expected a "secret" that was generated for this user lately')
    await writeSecret(inner, own.id, secret)
  })
  await ctx.forgetActors()
}

/** Needs no right to update users, but is guarded and remembered like every change of one. */
async function writeSecret(ctx: Context, user: string, secret: string | null): Promise<void> {
  const changes = new Map([['tfa_secret', { kind: 'value', value: secret } as const]])
  const target = { kind: 'keys', keys: [user] } as const
  const owner: Context = { ...asOwner(ctx, user), mayKeep: ['tfa_secret'] }
  await writeItems(owner, { kind: 'update', collection: usersCollection, target, changes })
}

const wrongCode = (): TandemError =>
  invalid('otp', 'Expected a one-time password that is valid now and was not used before for "otp"')

const confirmSecret = `update platform_account_states set pending_secret_hash = null, pending_until = null, code_step = null
  where "user" = $1 and pending_secret_hash = $2 and pending_until > $3`

/**
 * Takes the caller's second factor away; a wrong code counts as a failed login. Throws `unprocessable` for the last
 * administrator, when its policy demands one and it could not set up another.
 */
export async function disableSecondFactor(ctx: Context, code: string): Promise<void> {
  const own = await readOwn(ctx)
  if (own.tfa_secret === null) {
    throw new TandemError({ kind: 'invalid-payload', reason: 'Expected a user with a second factor' })
  }
  const isRight = await spendCode(ctx, own.id, own.tfa_secret, code)
  if (!isRight) await failAttempt(ctx, own.id)
  if (!isRight || !(await passAttempt(ctx, own.id))) throw wrongCode()
  await withTransaction(ctx, (inner) => writeSecret(inner, own.id, null))
  await ctx.forgetActors()
}

/** Takes anybody's second factor away; for administrators, where the app is lost. */
export async function resetSecondFactor(ctx: Context, user: Key): Promise<void> {
  if (!isUnlimited(ctx.actor)) throw forbidden('update', usersCollection)
  const changes = new Map([['tfa_secret', { kind: 'value', value: null } as const]])
  const target = { kind: 'keys', keys: [user] } as const
  await writeItems(ctx, { kind: 'update', collection: usersCollection, target, changes })
  await ctx.forgetActors()
}

/** Whether policies demand a second factor that the user has yet to set up. Throws `invalid-ip`. */
export async function awaitsSecondFactor(ctx: Context, user: string, role: string | null): Promise<boolean> {
  const { enforcesTfa } = await loadAccess(ctx.db, ctx.schema, { kind: 'user', user, role }, ctx.request.ip)
  if (!enforcesTfa) return false
  const text = 'select 1 from platform_users where id = $1 and tfa_secret is null'
  return (await ctx.db.run({ text, values: [user] })).count > 0
}

/** Whether the code is right; it is then used, and refused the next time (RFC 6238, section 5.2). */
export async function spendCode(ctx: Context, user: string, secret: string, code: string): Promise<boolean> {
  const step = matchCode(secret, code, ctx.clock())
  if (step === null) return false
  return (await ctx.db.run({ text: useStep, values: [user, step] })).count > 0
}

const useStep = `insert into platform_account_states as s ("user", code_step) values ($1, $2)
  on conflict ("user") do update set code_step = excluded.code_step
  where s.code_step is null or s.code_step < excluded.code_step`
