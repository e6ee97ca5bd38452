/**
 * Guesses of passwords and codes, counted per account in the database, so that many at once and on
 * several replicas count as what they are. Each is counted before it is looked at.
 */
import type { Context } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import { hasAdministrator } from './administrators.ts'
import { takeAccessTurn } from './guards.ts'

/** One guess. `most`: after so many in a row the account is closed; null = never. */
export type Attempt = { readonly user: string; readonly count: number; readonly most: number | null }

/**
 * Counts a guess, or gives null when there may be none now: an account that ran out of guesses and could
 * not be closed, because it is the last administrator's, has one a minute.
 */
export async function beginAttempt({ db, clock }: Context, user: string): Promise<Attempt | null> {
  const { rows } = await db.run({ text: countAttempt, values: [user, clock().toISOString()], name: 'login-attempt' })
  const row = rows[0] as { readonly count: number; readonly most: number | null } | undefined
  return row === undefined ? null : { user, ...row }
}

const mostAttempts = `(select case when auth_login_attempts > 0 then auth_login_attempts end
  from platform_settings order by id limit 1)`

const countAttempt = `insert into platform_account_states as s ("user", failed_logins, last_attempt) values ($1, 1, $2)
  on conflict ("user") do update set failed_logins = least(s.failed_logins + 1, 1000000), last_attempt = excluded.last_attempt
  where coalesce(s.failed_logins < ${mostAttempts}, true)
    or s.last_attempt is null or s.last_attempt <= excluded.last_attempt - interval '1 minute'
  returning failed_logins as count, ${mostAttempts} as most`

/** The guess was right: the row of failures ends. */
export async function passAttempt({ db }: Context, { user }: Attempt): Promise<void> {
  await setFailures(db, user, '0')
}

/** The guess was neither right nor wrong, and does not count. */
export async function dropAttempt({ db }: Context, { user }: Attempt): Promise<void> {
  await setFailures(db, user, 'greatest(failed_logins - 1, 0)')
}

const setFailures = async (db: Context['db'], user: string, value: string): Promise<void> => {
  const text = `update platform_account_states set failed_logins = ${value} where "user" = $1`
  await db.run({ text, values: [user] })
}

/** The guess was wrong; the last of too many suspends the user, unless nobody were left to let it in again. */
export async function failAttempt(ctx: Context, { user, count, most }: Attempt): Promise<void> {
  if (most === null || count < most) return
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
  await takeAccessTurn(db)
  const had = await hasAdministrator(db, null)
  const { count } = await db.run({
    text: `update platform_users set status = 'suspended' where id = $1 and status = 'active'`,
    values: [user],
  })
  if (count === 0) return
  if (had && !(await hasAdministrator(db, null))) {
    throw new LastAdministrator({ kind: 'unprocessable', reason: 'The last administrator is not suspended' })
  }
  await setFailures(db, user, '0')
  await db.run({ text: insertActivity, values: [user, clock().toISOString(), request.ip?.slice(0, 50) ?? null] })
}

const insertActivity = `insert into platform_activity (action, "timestamp", ip, collection, item, comment)
  values ('update', $2, $3, 'platform_users', $1::uuid::text, 'Suspended after too many failed logins')`
