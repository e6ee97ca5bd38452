/**
 * Guesses of passwords and codes, counted per account in the database, so that many at once and on several
 * replicas count as what they are. A right one counts only if, at that moment, there were not too many
 * wrong ones; those who ask at once with the right one do not stand in each other's way.
 */
import type { Context, Database } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import { hasAdministrator } from './administrators.ts'
import { takeAccessTurn } from './guards.ts'

/** After so many failures in a row the account is closed; null = never. */
const most = `(select case when auth_login_attempts > 0 then auth_login_attempts end
  from platform_settings order by id limit 1)`

/** An account that could not be closed, because it is the last administrator's, has one guess a minute. */
const isBlocked = `coalesce(s.failed_logins >= ${most} and s.last_attempt > $2::timestamptz - interval '1 minute', false)`

/** The guess was right, and ends the row of failures; false when it comes too late to count. */
export async function passAttempt({ db, clock }: Context, user: string): Promise<boolean> {
  const { count } = await db.run({ text: endFailures, values: [user, clock().toISOString()], name: 'attempt-passed' })
  return count > 0
}

const endFailures = `insert into platform_account_states as s ("user", last_attempt)
  select id, $2::timestamptz from platform_users where id = $1 and status = 'active'
  on conflict ("user") do update set failed_logins = 0 where not ${isBlocked}`

/** Whether a right guess would count now. */
export async function mayAttempt({ db, clock }: Context, user: string): Promise<boolean> {
  const text = `select 1 from platform_users u left join platform_account_states s on s."user" = u.id
    where u.id = $1 and u.status = 'active' and not ${isBlocked}`
  return (await db.run({ text, values: [user, clock().toISOString()] })).count > 0
}

/** The guess was wrong; the last of too many suspends the user, unless nobody were left to let it in again. */
export async function failAttempt(ctx: Context, user: string): Promise<void> {
  const values = [user, ctx.clock().toISOString()]
  const { rows } = await ctx.db.run({ text: countFailure, values, name: 'attempt-failed' })
  const [row] = rows as readonly { readonly isTooMany: boolean | null }[]
  if (row?.isTooMany !== true) return
  try {
    await ctx.db.transaction((db) => suspend({ ...ctx, db }, user))
  } catch (error) {
    if (error instanceof LastAdministrator) return
    throw error
  }
  ctx.log.warn({ user }, 'Suspended a user after too many failed logins')
  await ctx.forgetActors()
}

/** While the account is blocked nothing is counted, or whoever guesses on would keep it so. */
const countFailure = `insert into platform_account_states as s ("user", failed_logins, last_attempt) values ($1, 1, $2)
  on conflict ("user") do update set
    failed_logins = case when ${isBlocked} then s.failed_logins else least(s.failed_logins + 1, 1000000) end,
    last_attempt = case when ${isBlocked} then s.last_attempt else excluded.last_attempt end
  returning s.failed_logins >= ${most} and s.last_attempt = $2::timestamptz as "isTooMany"`

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
  await forgetFailures(db, user)
  await db.run({ text: insertActivity, values: [user, clock().toISOString(), request.ip?.slice(0, 50) ?? null] })
}

/** Whoever let the account in again, or took it over, begins anew. */
export async function forgetFailures(db: Database, user: string): Promise<void> {
  await db.run({ text: 'update platform_account_states set failed_logins = 0 where "user" = $1', values: [user] })
}

const insertActivity = `insert into platform_activity (action, "timestamp", ip, collection, item, comment)
  values ('update', $2, $3, 'platform_users', $1::uuid::text, 'Suspended after too many failed logins')`
