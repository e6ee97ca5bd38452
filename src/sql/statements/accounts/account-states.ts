/** State of accounts besides the user row: failed logins, and the second factor. */
import { change, firstValue, hasRows, type Runner } from '../answers.ts'

/** Number of consecutive failures that suspends the account; null = never. */
const most = `(select case when auth_login_attempts > 0 then auth_login_attempts end
  from platform_settings order by id limit 1)`

/** The last administrator is not suspended, but has only one attempt per minute. */
const isBlocked = `coalesce(s.failed_logins >= ${most} and s.last_attempt > $2::timestamptz - interval '1 minute', false)`

/** Resets the failures. False if the limit was reached, or if the user is not active. */
export function endFailures(db: Runner, user: string, now: Date): Promise<boolean> {
  const text = `insert into platform_account_states as s ("user", last_attempt)
  select id, $2::timestamptz from platform_users where id = $1 and status = 'active'
  on conflict ("user") do update set failed_logins = 0 where not ${isBlocked}`
  const texts = {
    mysql: [
      `insert into platform_account_states ("user", last_attempt)
        select id, $2::timestamptz from platform_users where id = $1 and status = 'active' on conflict do nothing`,
      `update platform_account_states s join platform_users u on u.id = s."user" set s.failed_logins = 0
        where s."user" = $1 and u.status = 'active' and not ${isBlocked}`,
    ],
  }
  return hasRows(db, { task: 'endFailures', text, texts, values: [user, now], name: 'attempt-passed' })
}

/**
 * Whether a correct guess would count now. For a user who is not active it counts if none failed in the last minute:
 * otherwise guesses could go on after the limit.
 */
export function mayAttemptLogin(db: Runner, user: string, now: Date): Promise<boolean> {
  const text = `select 1 from platform_users u left join platform_account_states s on s."user" = u.id
    where u.id = $1 and case u.status when 'active' then not ${isBlocked}
      else coalesce(s.last_attempt <= $2::timestamptz - interval '1 minute', true) end`
  return hasRows(db, { task: 'mayAttemptLogin', text, values: [user, now] })
}

/** Failures of a blocked account are not counted, otherwise further guesses would keep it blocked. */
const countText = `insert into platform_account_states as s ("user", failed_logins, last_attempt) values ($1, 1, $2)
  on conflict ("user") do update set
    failed_logins = case when ${isBlocked} then s.failed_logins else least(s.failed_logins + 1, 1000000) end,
    last_attempt = case when ${isBlocked} then s.last_attempt else excluded.last_attempt end
  returning s.failed_logins >= ${most} and s.last_attempt = $2::timestamptz as "isTooMany"`

const countTexts = {
  mysql: [
    `insert into platform_account_states ("user") values ($1) on conflict do nothing`,
    `update platform_account_states s set failed_logins = case when ${isBlocked} then s.failed_logins
        else least(s.failed_logins + 1, 1000000) end,
      last_attempt = case when ${isBlocked} then s.last_attempt else $2::timestamptz end where s."user" = $1`,
    `select s.failed_logins >= ${most} and s.last_attempt = $2::timestamptz as "isTooMany"
      from platform_account_states s where s."user" = $1`,
  ],
}

/** Counts a failure. True if it reached the limit. */
export async function countFailure(db: Runner, user: string, now: Date): Promise<boolean> {
  const texts = { text: countText, texts: countTexts }
  return (
    (await firstValue(db, { task: 'countFailure', ...texts, values: [user, now], name: 'attempt-failed' })) === true
  )
}

export async function clearFailures(db: Runner, user: string): Promise<void> {
  const text = 'update platform_account_states set failed_logins = 0 where "user" = $1'
  await change(db, { task: 'clearFailures', text, values: [user] })
}

/** Stores the hash of an unconfirmed secret, in place of an earlier one. */
export async function rememberSecret(
  db: Runner,
  { user, hash, until }: { readonly user: string; readonly hash: string; readonly until: Date },
): Promise<void> {
  const text = `insert into platform_account_states ("user", pending_secret_hash, pending_until) values ($1, $2, $3)
  on conflict ("user") do update set pending_secret_hash = excluded.pending_secret_hash, pending_until = excluded.pending_until`
  await change(db, { task: 'rememberSecret', text, values: [user, hash, until] })
}

/** Removes the unconfirmed secret, so that it can be used once. False if the hash differs or the secret has expired. */
export function confirmSecret(
  db: Runner,
  { user, hash, now }: { readonly user: string; readonly hash: string; readonly now: Date },
): Promise<boolean> {
  const text = `update platform_account_states set pending_secret_hash = null, pending_until = null, code_step = null
  where "user" = $1 and pending_secret_hash = $2 and pending_until > $3`
  return hasRows(db, { task: 'confirmSecret', text, values: [user, hash, now] })
}

/** Marks the code of this time step as used. False if it or a later one was used before. */
export function spendStep(db: Runner, user: string, step: number): Promise<boolean> {
  const text = `insert into platform_account_states as s ("user", code_step) values ($1, $2)
  on conflict ("user") do update set code_step = excluded.code_step
  where s.code_step is null or s.code_step < excluded.code_step`
  const texts = {
    mysql: [
      'insert into platform_account_states ("user") values ($1) on conflict do nothing',
      'update platform_account_states set code_step = $2 where "user" = $1 and (code_step is null or code_step < $2)',
    ],
  }
  return hasRows(db, { task: 'spendStep', text, texts, values: [user, step] })
}
