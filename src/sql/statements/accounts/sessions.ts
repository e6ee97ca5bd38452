/** Sessions of users. Those of shares are in `shares.ts`. */
import type { Traces } from '../activity.ts'
import { allRows, change, firstRow, firstValue, type Runner } from '../answers.ts'
import type { UserRow } from './users.ts'

/** A new session. Times are instants; `hash` is the hash of its refresh token. */
export type NewSession = Traces & {
  readonly id: string
  readonly hash: string
  readonly user: string
  readonly created: Date
  readonly expires: Date
}

export type SessionOwner = Pick<UserRow, 'id' | 'number' | 'role' | 'status'>

/** The user of a token, with the facts for authentication. `expires`: end of the session. */
export type TokenOwner = Pick<UserRow, 'id' | 'role' | 'status'> & {
  readonly has_tfa: boolean
  readonly expires: string | null
}

export async function deleteExpiredSessions(db: Runner, now: Date): Promise<void> {
  const text = `delete from platform_sessions where id in
  (select id from platform_sessions where expires < $1 order by expires limit $2 for update skip locked)`
  const texts = { mysql: 'delete from platform_sessions where expires < $1 order by expires limit $2' }
  await change(db, { task: 'deleteExpiredSessions', text, texts, values: [now, mostExpired] })
}

/** Every login deletes more sessions than it opens, and none of them waits for many. */
const mostExpired = 1000

/** The number of sessions that have not ended. */
export async function countSessions(db: Runner, now: Date): Promise<number> {
  const text = 'select count(*)::integer as count from platform_sessions where expires > $1'
  return (await firstValue<number>(db, { text, values: [now] })) ?? 0
}

export async function insertSession(db: Runner, session: NewSession): Promise<void> {
  const { id, hash, user, created, expires, ip, userAgent, origin } = session
  const text = `insert into platform_sessions
    (id, token_hash, "user", created, expires, ip, user_agent, origin) values ($1, $2, $3, $4, $5, $6, $7, $8)`
  const values = [id, hash, user, created, expires, ip, userAgent, origin]
  await change(db, { task: 'insertSession', text, values })
}

/** Time of the renewal, and the new expiry. */
export type SessionTimes = { readonly now: Date; readonly expires: Date }

/** The session, if the condition holds; its change; and its user. */
const renewal = (condition: string, change: string) => ({
  mysql: [
    `select s.id from platform_sessions s join platform_users u on u.id = s."user" where s.id = $1 and ${condition} for update`,
    `update platform_sessions set ${change} where id = any($$1::uuid[])`,
    `select u.id, u.number, u.role, u.status from platform_sessions s join platform_users u on u.id = s."user"
      where s.id = any($$1::uuid[])`,
  ],
})

/** Replaces the hash of the refresh token if it is still `from`; undefined otherwise, and for an ended session. */
export function rotateSession(
  db: Runner,
  { id, from, to }: { readonly id: string; readonly from: string; readonly to: string },
  { now, expires }: SessionTimes,
): Promise<SessionOwner | undefined> {
  const text = `update platform_sessions s set token_hash = $3, refreshed = $4, expires = $5
    from platform_users u where s.id = $1 and s.token_hash = $2 and s.expires > $4 and u.id = s."user"
    returning u.id, u.number, u.role, u.status`
  const values = [id, from, to, now, expires]
  const texts = renewal('s.token_hash = $2 and s.expires > $4', 'token_hash = $3, refreshed = $4, expires = $5')
  return firstRow(db, { task: 'rotateSession', text, texts, values, name: 'session-rotate' })
}

/** Extends the session; undefined if it has ended. */
export function prolongSession(
  db: Runner,
  id: string,
  { now, expires }: SessionTimes,
): Promise<SessionOwner | undefined> {
  const text = `update platform_sessions s set refreshed = $2, expires = $3
    from platform_users u where s.id = $1 and s.expires > $2 and u.id = s."user"
    returning u.id, u.number, u.role, u.status`
  const texts = renewal('s.expires > $2', 'refreshed = $2, expires = $3')
  return firstRow(db, { task: 'prolongSession', text, texts, values: [id, now, expires] })
}

export async function deleteSession(db: Runner, id: string): Promise<void> {
  await change(db, { task: 'deleteSession', text: 'delete from platform_sessions where id = $1', values: [id] })
}

/** Ends the sessions of the users in `always`, and of inactive users in `unlessActive`. */
export async function deleteSessionsOfUsers(
  db: Runner,
  { always, unlessActive }: { readonly always: readonly string[]; readonly unlessActive: readonly string[] },
): Promise<void> {
  const inactive = `select id from platform_users where id = any($2::uuid[]) and status <> 'active'`
  const text = `delete from platform_sessions where "user" in (select unnest($1::uuid[]) union all ${inactive})`
  const texts = {
    mysql: [
      'delete from platform_sessions where "user" = any($1::uuid[])',
      `delete from platform_sessions where "user" = any(${inactive})`,
    ],
  }
  await change(db, { task: 'deleteSessionsOfUsers', text, texts, values: [always, unlessActive] })
}

/** The user of the session; undefined if it has ended. */
export function findSessionOwner(db: Runner, session: string, now: Date): Promise<TokenOwner | undefined> {
  const text = `select u.id, u.role, u.status, u.tfa_secret is not null as has_tfa, s.expires from platform_sessions s
  join platform_users u on u.id = s."user" where s.id = $1 and s.expires > $2`
  return firstRow(db, { task: 'findSessionOwner', text, values: [session, now], name: 'owner-by-session' })
}

const ofToken = 'select id, role, status, tfa_secret is not null as has_tfa, null as expires'

/** Both checks are one statement: between two statements another request could replace the token by its hash. */
const byToken = `${ofToken}, null as plain from platform_users where token = $1
  union all ${ofToken}, token from platform_users
    where hashtextextended(token, 0) = hashtextextended($2::text, 0) and token !~ '^[A-Za-z0-9_-]{43}$'`

/**
 * The users with that static token. `plain`: the token of a user who has it in plain text, to be compared; null = it is
 * stored as the hash.
 */
export function findTokenOwners(
  db: Runner,
  { hash, token }: { readonly hash: string; readonly token: string | null },
): Promise<readonly (TokenOwner & { readonly plain: string | null })[]> {
  const texts = { mysql: byToken.replace(/hashtextextended\((\S+), 0\)/g, 'sha2($1, 256)') }
  return allRows(db, { task: 'findTokenOwners', text: byToken, texts, values: [hash, token], name: 'owner-by-token' })
}

export async function replacePlainToken(db: Runner, user: string, plain: string, hash: string): Promise<void> {
  const text = 'update platform_users set token = $3 where id = $1 and token = $2'
  await change(db, { task: 'replacePlainToken', text, values: [user, plain, hash] })
}
