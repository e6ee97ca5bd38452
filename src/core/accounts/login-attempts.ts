/**
 * Guesses of passwords and codes, counted per account in the database, so that many at once and on several
 * replicas count as what they are. A right one counts only if, at that moment, there were not too many
 * wrong ones; those who ask at once with the right one do not stand in each other's way.
 */
import type { Context, Database } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { clearFailures, countFailure, endFailures, mayAttemptLogin } from '../../sql/statements/account-states.ts'
import { noteSuspension } from '../../sql/statements/activity.ts'
import { lockAccess } from '../../sql/statements/locks.ts'
import { suspendUser } from '../../sql/statements/users.ts'
import { hasAdministrator } from '../guards/administrators.ts'

/** The guess was right, and ends the row of failures; false when it comes too late to count. */
export function passAttempt({ db, clock }: Context, user: string): Promise<boolean> {
  return endFailures(db, user, clock())
}

/** Whether a right guess would count now. */
export function mayAttempt({ db, clock }: Context, user: string): Promise<boolean> {
  return mayAttemptLogin(db, user, clock())
}

/** The guess was wrong; the last of too many suspends the user, unless nobody were left to let it in again. */
export async function failAttempt(ctx: Context, user: string): Promise<void> {
  if (!(await countFailure(ctx.db, user, ctx.clock()))) return
  try {
    await ctx.db.transaction((db) => suspend({ ...ctx, db }, user))
  } catch (error) {
    if (error instanceof LastAdministrator) return
    throw error
  }
  ctx.log.warn({ user }, 'Suspended a user after too many failed logins')
  await ctx.forgetActors()
}

/** Rolls the suspension back. */
class LastAdministrator extends TandemError {}

/** Sessions stay, so that their holder is told that the user is suspended rather than unknown. */
async function suspend({ db, clock, request }: Context, user: string): Promise<void> {
  await lockAccess(db)
  const had = await hasAdministrator(db, null)
  if (!(await suspendUser(db, user))) return
  if (had && !(await hasAdministrator(db, null))) {
    throw new LastAdministrator({ kind: 'unprocessable', reason: 'The last administrator is not suspended' })
  }
  await forgetFailures(db, user)
  await noteSuspension(db, { user, now: clock(), ip: request.ip?.slice(0, 50) ?? null })
}

/** Whoever let the account in again, or took it over, begins anew. */
export async function forgetFailures(db: Database, user: string): Promise<void> {
  await clearFailures(db, user)
}
