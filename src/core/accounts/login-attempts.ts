/**
 * Counts wrong passwords and codes per account in the database, so that concurrent guesses on all replicas count. A
 * correct guess counts only while the limit is not reached. Concurrent correct guesses do not affect each other.
 */
import type { AccountContext, Context, Database } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { repeatedTransaction } from '../../sql/errors/conflicts.ts'
import {
  clearFailures,
  countFailure,
  endFailures,
  mayAttemptLogin,
} from '../../sql/statements/accounts/account-states.ts'
import { suspendUser } from '../../sql/statements/accounts/users.ts'
import { noteSuspension } from '../../sql/statements/activity.ts'
import { lockAccess } from '../../sql/statements/locks.ts'
import { hasAdministrator } from '../guards/administrators.ts'

/** Resets the failures after a correct guess. False if the limit was reached before. */
export function passAttempt({ db, clock }: Pick<Context, 'clock' | 'db'>, user: string): Promise<boolean> {
  return endFailures(db, user, clock())
}

/** Whether a correct guess would count now. */
export function mayAttempt({ db, clock }: Pick<Context, 'clock' | 'db'>, user: string): Promise<boolean> {
  return mayAttemptLogin(db, user, clock())
}

/** Counts a wrong guess. The last allowed one suspends the user, unless it is the last administrator. */
export async function failAttempt(ctx: AccountContext, user: string): Promise<void> {
  if (!(await countFailure(ctx.db, user, ctx.clock()))) return
  try {
    await repeatedTransaction(ctx.db, (db) => suspend({ ...ctx, db }, user))
  } catch (error) {
    if (error instanceof LastAdministrator) return
    throw error
  }
  ctx.log.warn({ user }, 'Suspended a user after too many failed logins')
  await ctx.forgetActors()
}

/** Rolls back the suspension. */
class LastAdministrator extends TandemError {}

/** Sessions are kept, so that their requests get the error for suspended users. */
async function suspend({ db, clock, request }: Pick<Context, 'clock' | 'db' | 'request'>, user: string): Promise<void> {
  await lockAccess(db)
  const had = await hasAdministrator(db, null)
  if (!(await suspendUser(db, user))) return
  if (had && !(await hasAdministrator(db, null))) {
    throw new LastAdministrator({ kind: 'unprocessable', reason: 'The last administrator is not suspended' })
  }
  await forgetFailures(db, user)
  await noteSuspension(db, { user, now: clock(), ip: request.ip?.slice(0, 50) ?? null })
}

/** Resets the failures of an account that was activated again or taken over. */
export async function forgetFailures(db: Database, user: string): Promise<void> {
  await clearFailures(db, user)
}
