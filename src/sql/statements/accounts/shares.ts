/** Shares and their sessions. */
import { allRows, change, firstRow, hasRows, type Runner } from '../answers.ts'
import type { NewSession } from './sessions.ts'

/** Item, role and creator of a share. Ids are uuids. */
export type ShareFacts = {
  readonly id: string
  readonly collection: string
  readonly item: string
  readonly role: string | null
  readonly creator: string
  readonly creator_role: string | null
}

/**
 * The columns of `ShareFacts`, for shares (`h`) that are valid at the instant of parameter 2 and whose creator is
 * active.
 */
const valid = {
  columns: 'h.id, h.collection, h.item, h.role, u.id as creator, u.role as creator_role',
  tables: 'platform_shares h join platform_users u on u.id = h.user_created',
  condition: `u.status = 'active' and (h.date_start is null or h.date_start <= $2::timestamptz)
    and (h.date_end is null or h.date_end > $2::timestamptz)`,
} as const

/** The share of a session, and the expiry of the session; undefined if either is not valid now. */
export function findShareOfSession(
  db: Runner,
  session: string,
  now: Date,
): Promise<(ShareFacts & { readonly expires: string }) | undefined> {
  const text = `select ${valid.columns}, least(s.expires, h.date_end) as expires
  from platform_sessions s join (${valid.tables}) on h.id = s.share
  where s.id = $1 and s.expires > $2::timestamptz and ${valid.condition}`
  return firstRow(db, { task: 'findShareOfSession', text, values: [session, now], name: 'share-by-session' })
}

export type LoginShare = ShareFacts & { readonly password: string | null; readonly date_end: string | null }

/** The share with that id, if it is valid now and not used up. */
export function findLoginShare(db: Runner, id: string | null, now: Date): Promise<LoginShare | undefined> {
  const text = `select ${valid.columns}, h.password, h.date_end from ${valid.tables}
  where h.id = $1::uuid and (h.max_uses is null or h.times_used < h.max_uses) and ${valid.condition}`
  return firstRow(db, { task: 'findLoginShare', text, values: [id, now], name: 'login-share' })
}

/** Counts a login. False if the share is used up, or if its password has changed. */
export function countShareUse(db: Runner, id: string, password: string | null): Promise<boolean> {
  const text = `update platform_shares set times_used = times_used + 1
  where id = $1 and password is not distinct from $2::text and (max_uses is null or times_used < max_uses)`
  return hasRows(db, { task: 'countShareUse', text, values: [id, password] })
}

/** A new session of a share. It ends with the share at the latest. */
export type NewShareSession = Omit<NewSession, 'user'> & { readonly share: string; readonly shareEnds: string | null }

export async function insertShareSession(db: Runner, session: NewShareSession): Promise<void> {
  const { id, hash, share, created, expires, shareEnds, ip, userAgent, origin } = session
  const text = `insert into platform_sessions
  (id, token_hash, share, created, expires, ip, user_agent, origin)
  values ($1, $2, $3, $4, least($5::timestamptz, $6::timestamptz), $7, $8, $9)`
  const times = [created, expires, shareEnds]
  await change(db, { task: 'insertShareSession', text, values: [id, hash, share, ...times, ip, userAgent, origin] })
}

export function isShareSession(db: Runner, id: string): Promise<boolean> {
  const text = 'select 1 from platform_sessions where id = $1 and share is not null'
  return hasRows(db, { task: 'isShareSession', text, values: [id] })
}

/** The renewal of a session. `tokens`: the hashes of its refresh token and of the new one; null = the token is kept. */
export type ShareRenewal = {
  readonly id: string
  readonly now: Date
  readonly expires: Date
  readonly tokens: { readonly from: string; readonly to: string } | null
}

/** Extends a session; undefined if the session, its token or its share is not valid. */
export function renewSessionOfShare(db: Runner, renewal: ShareRenewal): Promise<ShareFacts | undefined> {
  const { id, now, expires, tokens } = renewal
  const text = `update platform_sessions s set refreshed = $2::timestamptz, token_hash = coalesce($5::text, s.token_hash),
    expires = least($3::timestamptz, h.date_end) from ${valid.tables}
  where s.id = $1 and s.share = h.id and s.expires > $2::timestamptz and ($4::text is null or s.token_hash = $4::text)
    and ${valid.condition}
  returning ${valid.columns}`
  const hashes = [tokens?.from ?? null, tokens?.to ?? null]
  return firstRow(db, {
    task: 'renewSessionOfShare',
    text,
    texts: {
      mysql: [
        `select s.id from platform_sessions s join (${valid.tables}) on s.share = h.id
          where s.id = $1 and s.expires > $2::timestamptz and ($4::text is null or s.token_hash = $4::text)
            and ${valid.condition} for update`,
        `update platform_sessions s join platform_shares h on h.id = s.share set s.refreshed = $2::timestamptz,
          s.token_hash = coalesce($5::text, s.token_hash), s.expires = least($3::timestamptz, h.date_end)
          where s.id = any($$1::uuid[])`,
        `select ${valid.columns} from platform_sessions s join (${valid.tables}) on s.share = h.id where s.id = any($$1::uuid[])`,
      ],
    },
    values: [id, now, expires, ...hashes],
  })
}

export async function deleteSessionsOfShares(db: Runner, shares: readonly string[]): Promise<void> {
  const text = 'delete from platform_sessions where share = any($1::uuid[])'
  await change(db, { task: 'deleteSessionsOfShares', text, values: [shares] })
}

/** The public facts of a valid share. */
export type ShareInfoRow = Pick<ShareFacts, 'id' | 'collection' | 'item'> & {
  readonly hasPassword: boolean
  readonly max_uses: number | null
  readonly times_used: number
  readonly date_start: string | null
  readonly date_end: string | null
}

/** Reads the public facts of the share, if it is valid now. */
export function findShareInfo(db: Runner, id: string | null, now: Date): Promise<ShareInfoRow | undefined> {
  const text = `select h.id, h.collection, h.item, h.password is not null as "hasPassword", h.max_uses, h.times_used,
    h.date_start, h.date_end from ${valid.tables} where h.id = $1::uuid and ${valid.condition}`
  return firstRow(db, { task: 'findShareInfo', text, values: [id, now], name: 'share-info' })
}

/** The item of the share, and whether the share is expired or used up. */
export function findSharedItem(
  db: Runner,
  id: string,
  now: Date,
): Promise<(Pick<ShareFacts, 'collection' | 'item'> & { readonly isOver: boolean }) | undefined> {
  const text = `select collection, item,
    coalesce(date_end <= $2::timestamptz, false) or coalesce(times_used >= max_uses, false) as "isOver"
  from platform_shares where id = $1::uuid`
  return firstRow(db, { task: 'findSharedItem', text, values: [id, now] })
}

/** A written share. `isEmpty`: it ends before it begins. */
export type WrittenShare = Pick<ShareFacts, 'id' | 'collection' | 'item'> & {
  readonly isEmpty: boolean
  /** Whether its role or a parent of it has levels of version 8. */
  readonly hasLevels: boolean
}

export function findWrittenShares(db: Runner, keys: readonly string[]): Promise<readonly WrittenShare[]> {
  const text = `with recursive lineage as (
  select id as share, role from platform_shares where id = any($1::uuid[])
  union
  select l.share, r.parent from lineage l join platform_roles r on r.id = l.role
)
select id, collection, item, coalesce(date_end <= date_start, false) as "isEmpty",
  exists (select 1 from lineage l join platform_role_levels v on v.role = l.role where l.share = s.id) as "hasLevels"
from platform_shares s where id = any($1::uuid[])`
  return allRows(db, { task: 'findWrittenShares', text, values: [keys] })
}

/** Stores the key of a share's item in its canonical spelling. */
export async function setSharedItem(db: Runner, id: string, item: string): Promise<void> {
  const text = 'update platform_shares set item = $2 where id = $1'
  await change(db, { task: 'setSharedItem', text, values: [id, item] })
}

export async function setSharePassword(db: Runner, id: string, hash: string): Promise<void> {
  await change(db, { text: 'update platform_shares set password = $2 where id = $1', values: [id, hash] })
}
