/** Activity entries that do not come from writes of rows, and the deletion of old history. */
import type { Key } from '../../domain/query/key.ts'
import { allRows, change, countRows, firstRow, type Runner } from './answers.ts'

/** The origin of a request, cut to the size of the columns. */
export type Traces = { readonly ip: string | null; readonly userAgent: string | null; readonly origin: string | null }

export async function noteLogin(
  db: Runner,
  { user, now, ip, userAgent, origin }: Traces & { readonly user: string; readonly now: Date },
): Promise<void> {
  const text = `insert into platform_activity
  (action, "user", "timestamp", ip, user_agent, origin, collection, item)
  values ('login', $1::uuid, $2, $3, $4, $5, 'platform_users', $1::uuid::text)`
  await change(db, { task: 'noteLogin', text, values: [user, now, ip, userAgent, origin] })
}

export async function noteShareLogin(
  db: Runner,
  { share, now, ip, userAgent, origin }: Traces & { readonly share: string; readonly now: Date },
): Promise<void> {
  const text = `insert into platform_activity (action, "timestamp", ip, user_agent, origin, collection, item)
  values ('login', $1, $2, $3, $4, 'platform_shares', $5)`
  await change(db, { task: 'noteShareLogin', text, values: [now, ip, userAgent, origin, share] })
}

/** Records that a user was suspended after failed logins. */
export async function noteSuspension(
  db: Runner,
  { user, now, ip }: { readonly user: string; readonly now: Date; readonly ip: string | null },
): Promise<void> {
  const text = `insert into platform_activity (action, "timestamp", ip, collection, item, comment)
  values ('update', $2, $3, 'platform_users', $1::uuid::text, 'Suspended after too many failed logins')`
  await change(db, { task: 'noteSuspension', text, values: [user, now, ip] })
}

export type CommentEntry = { readonly user: string | null; readonly collection: string }

/** A comment in the activity log, locked until the transaction ends; undefined if the entry is not a comment. */
export function lockActivityComment(db: Runner, id: Key): Promise<CommentEntry | undefined> {
  const text = `select "user", collection from platform_activity where id = $1 and action = 'comment' for update`
  return firstRow(db, { text, values: [id] })
}

/** Records when the entries were edited. */
export async function noteEdited(db: Runner, ids: readonly unknown[], now: Date): Promise<void> {
  const text = 'update platform_activity set edited_on = $2 where id = any($1::integer[])'
  await change(db, { text, values: [ids, now] })
}

/** Marks the comment as deleted; the entry is kept. */
export async function noteRetracted(db: Runner, id: Key, now: Date): Promise<void> {
  const text = `update platform_activity set comment_deleted_on = $2 where id = $1 and action = 'comment'`
  await change(db, { text, values: [id, now] })
}

/** The changes of the entries to one item, and the revision to return to. */
export type RecordedItem = {
  readonly collection: string
  readonly item: string
  /** The actions of the oldest and of the newest entry. */
  readonly first: 'create' | 'update' | 'delete'
  readonly last: 'create' | 'update' | 'delete'
  /** Whether an entry that is not listed changed the item after the oldest one. */
  readonly changed: boolean
  /** The last revision before the oldest entry; null = there is none. */
  readonly revision: number | null
}

/** The items that the entries changed, the one changed last first. Other entries, such as logins, are left out. */
export function findRecordedItems(db: Runner, ids: readonly number[]): Promise<readonly RecordedItem[]> {
  const text = `select g.collection, g.item,
  (select a.action from platform_activity a where a.id = g.oldest) as first,
  (select a.action from platform_activity a where a.id = g.newest) as last,
  exists (select 1 from platform_activity a where a.collection = g.collection and a.item = g.item and a.id > g.oldest
    and a.action in ('create', 'update', 'delete') and not (a.id = any($1::integer[]))) as changed,
  (select max(r.id) from platform_revisions r where r.collection = g.collection and r.item = g.item
    and r.version is null and r.activity < g.oldest) as revision
from (
  select collection, item, min(id) as oldest, max(id) as newest from platform_activity
  where id = any($1::integer[]) and action in ('create', 'update', 'delete') group by collection, item
) g order by g.newest desc`
  return allRows(db, { task: 'findRecordedItems', text, values: [ids] })
}

/** A place in the order of activity: the time and the id of an entry. */
export type ActivityPlace = { readonly timestamp: string; readonly id: number }

/** So many entries from before the age limit, oldest first, behind a place. */
export type OldActivity = { readonly before: Date; readonly behind: ActivityPlace | null; readonly batch: number }

export function findOldActivity(db: Runner, { before, behind, batch }: OldActivity): Promise<readonly ActivityPlace[]> {
  const first = `select id, "timestamp" from platform_activity where "timestamp" < $1`
  const next = `${first} and "timestamp" >= $3::timestamptz and ("timestamp" > $3::timestamptz or id > $4)`
  const order = 'order by "timestamp", id limit $2'
  return behind === null
    ? allRows(db, { text: `${first} ${order}`, values: [before, batch] })
    : allRows(db, { text: `${next} ${order}`, values: [before, batch, behind.timestamp, behind.id] })
}

/** Deletes the revisions of the entries. Returns their number. */
export function deleteRevisionsOf(db: Runner, activity: readonly number[]): Promise<number> {
  const text = 'delete from platform_revisions where activity = any($1::integer[])'
  return countRows(db, { text, values: [activity] })
}

/** Deletes the entries, except comments and entries with revisions. Returns the number of rows. */
export function deleteActivity(db: Runner, activity: readonly number[]): Promise<number> {
  const text = `delete from platform_activity where id = any($1::integer[]) and action <> 'comment'
  and not exists (select 1 from platform_revisions r where r.activity = platform_activity.id)`
  return countRows(db, { text, values: [activity] })
}
