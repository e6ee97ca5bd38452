/** Sessions of users. Those of a share's visitors are in `share-sessions.ts`. */
import { allRows, change, firstRow, type Runner } from './answers.ts'

/** A session as it is opened. Times are instants; `hash` is that of its refresh token. */
export type NewSession = {
  readonly id: string
  readonly hash: string
  readonly user: string
  readonly created: Date
  readonly expires: Date
  readonly ip: string | null
  readonly userAgent: string | null
  readonly origin: string | null
}

/** The owner of a session. */
export type SessionOwner = {
  readonly id: string
  readonly number: number
  readonly role: string | null
  readonly status: string
}

/** Whoever sends a token, as far as authentication looks; `expires` is that of the session. */
export type TokenOwner = {
  readonly id: string
  readonly role: string | null
  readonly status: string
  readonly has_tfa: boolean
  readonly expires: string | null
}

/** Deletes the sessions that have ended by themselves, of users and of visitors. */
export async function deleteExpiredSessions(db: Runner, now: Date): Promise<void> {
  await change(db, { text: 'delete from platform_sessions where expires < $1', values: [now.toISOString()] })
}

/** Opens a session. */
export async function insertSession(db: Runner, session: NewSession): Promise<void> {
  const { id, hash, user, created, expires, ip, userAgent, origin } = session
  const text = `insert into platform_sessions
    (id, token_hash, "user", created, expires, ip, user_agent, origin) values ($1, $2, $3, $4, $5, $6, $7, $8)`
  const values = [id, hash, user, created.toISOString(), expires.toISOString(), ip, userAgent, origin]
  await change(db, { text, values })
}

/** When a session was renewed, and when it ends from now on. */
export type SessionTimes = { readonly now: Date; readonly expires: Date }

/** Replaces the hash of the refresh token, if it is still `from`; undefined when it is not, or the session has ended. */
export function rotateSession(
  db: Runner,
  { id, from, to }: { readonly id: string; readonly from: string; readonly to: string },
  { now, expires }: SessionTimes,
): Promise<SessionOwner | undefined> {
  const text = `update platform_sessions s set token_hash = $3, refreshed = $4, expires = $5
    from platform_users u where s.id = $1 and s.token_hash = $2 and s.expires > $4 and u.id = s."user"
    returning u.id, u.number, u.role, u.status`
  const values = [id, from, to, now.toISOString(), expires.toISOString()]
  return firstRow(db, { text, values, name: 'session-rotate' })
}

/** Keeps the session for longer; undefined when it has ended. */
export function prolongSession(
  db: Runner,
  id: string,
  { now, expires }: SessionTimes,
): Promise<SessionOwner | undefined> {
  const text = `update platform_sessions s set refreshed = $2, expires = $3
    from platform_users u where s.id = $1 and s.expires > $2 and u.id = s."user"
    returning u.id, u.number, u.role, u.status`
  return firstRow(db, { text, values: [id, now.toISOString(), expires.toISOString()] })
}

/** Ends one session. */
export async function deleteSession(db: Runner, id: string): Promise<void> {
  await change(db, { text: 'delete from platform_sessions where id = $1', values: [id] })
}

/** Ends the sessions of the users in `always`, and of those in `unlessActive` who are not active. */
export async function deleteSessionsOfUsers(
  db: Runner,
  { always, unlessActive }: { readonly always: readonly string[]; readonly unlessActive: readonly string[] },
): Promise<void> {
  const text = `delete from platform_sessions where "user"::text = any($1)
    or "user" in (select id from platform_users where id::text = any($2) and status <> 'active')`
  await change(db, { text, values: [always, unlessActive] })
}

/** The user whose session it is; undefined when it has ended. */
export function findSessionOwner(db: Runner, session: string, now: Date): Promise<TokenOwner | undefined> {
  const text = `select u.id, u.role, u.status, u.tfa_secret is not null as has_tfa, s.expires from platform_sessions s
  join platform_users u on u.id = s."user" where s.id = $1 and s.expires > $2`
  return firstRow(db, { text, values: [session, now.toISOString()], name: 'owner-by-session' })
}

const ofToken = 'select id, role, status, tfa_secret is not null as has_tfa, null as expires'

/** Both in one statement: between two another request may have put the hash into the place of the token. */
const byToken = `${ofToken}, null as plain from platform_users where token = $1
  union all ${ofToken}, token from platform_users
    where hashtextextended(token, 0) = hashtextextended($2::text, 0) and token !~ '^[A-Za-z0-9_-]{43}$'`

/**
 * The users that a static token may belong to. `plain` is the token of one that is stored as it is, to be compared;
 * null = it is stored as this hash.
 */
export function findTokenOwners(
  db: Runner,
  { hash, token }: { readonly hash: string; readonly token: string | null },
): Promise<readonly (TokenOwner & { readonly plain: string | null })[]> {
  return allRows(db, { text: byToken, values: [hash, token], name: 'owner-by-token' })
}

/** Puts the hash into the place of a static token that was stored as it is. */
export async function replacePlainToken(db: Runner, user: string, plain: string, hash: string): Promise<void> {
  const text = 'update platform_users set token = $3 where id = $1 and token = $2'
  await change(db, { text, values: [user, plain, hash] })
}
