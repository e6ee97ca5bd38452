/** The feed of changes: who listens, the order of events, and their end. */
import type { Database } from '../../../domain/ports/context.ts'
import type { FeedEvent } from '../../../domain/ports/feed.ts'
import { dialectOf } from '../../dialects/dialects.ts'
import { refusalOf } from '../../errors/refusals.ts'
import { allRows, allValues, countRows, firstRow, firstValue, hasRows, type Runner } from '../answers.ts'

/** Milliseconds after which replicas read announcements; null = the database notifies them. */
export const announcementInterval = (db: Pick<Database, 'dialect'>): number | null =>
  dialectOf(db).announcementInterval ?? null

/** `remaining`: milliseconds for which changes are recorded. */
export type FeedState = { readonly last: number; readonly floor: number; readonly remaining: number }

type StateRow = { readonly last: string; readonly floor: string; readonly remaining: number }

const columns = `last::text, floor::text, (extract(epoch from until - clock_timestamp()) * 1000)::float8 as remaining`

const mysqlColumns = `cast(last as char) as last, cast(floor as char) as floor,
  cast(timestampdiff(microsecond, now(6), until) / 1000 as double) as remaining`

const mysqlState = `select ${mysqlColumns} from platform_feed where id = 1`

/** The first result of a plan as a list of ids with their order. */
const keyList = `json_table($$1, '$[*]' columns (n for ordinality, v bigint path '$'))`

const toState = (row: StateRow | undefined): FeedState => ({
  last: Number(row?.last ?? 0),
  floor: Number(row?.floor ?? 0),
  remaining: row?.remaining ?? 0,
})

export async function readFeed(db: Runner): Promise<FeedState> {
  const text = `select ${columns} from platform_feed where id = 1`
  return toState(await firstRow<StateRow>(db, { text, texts: { mysql: mysqlState }, values: [] }))
}

/**
 * Records changes for so many more milliseconds. Where none were recorded before, earlier places no longer count, because
 * changes after them are missing.
 */
export async function extendFeed(db: Runner, milliseconds: number): Promise<FeedState> {
  const isNew = 'until < clock_timestamp()'
  // In this order, because MariaDB and MySQL compute each column from those that stand before it.
  const update = `update platform_feed set
  floor = case when ${isNew} then last + 1 else floor end,
  floor_at = case when ${isNew} then clock_timestamp() else floor_at end,
  last = case when ${isNew} then last + 1 else last end,
  until = greatest(until, clock_timestamp() + $1 * interval '1 millisecond')
  where id = 1`
  const [text, mysql] = [`${update} returning ${columns}`, [update, mysqlState]]
  return toState(await firstRow<StateRow>(db, { text, texts: { mysql }, values: [milliseconds] }))
}

/** The transaction, for `hasOlder`; null if the database does not show it. */
export async function readTransaction(db: Runner): Promise<string | null> {
  const text = 'select txid_current()::text as xid'
  const mysql = `select cast(trx_id as char) as xid from information_schema.innodb_trx
  where trx_mysql_thread_id = connection_id()`
  const xid = await firstValue<string>(db, { text, texts: { mysql }, values: [] }).catch((error: unknown) => {
    if (refusalOf(error)?.sqlState !== noPrivilege) throw error
  })
  return xid ?? null
}

/** Transactions are shown only to users with the right PROCESS. */
const noPrivilege = '42501'

/** Whether a transaction still runs that has begun to write before that one. On MariaDB, one that only reads has number 0. */
export async function hasOlder(db: Runner, transaction: string): Promise<boolean> {
  const text = 'select 1 where txid_snapshot_xmin(txid_current_snapshot()) < $1::bigint'
  const mysql = `select 1 from information_schema.innodb_trx
  where trx_id > 0 and trx_id < $1 and trx_mysql_thread_id <> connection_id() limit 1`
  return hasRows(db, { text, texts: { mysql }, values: [Number(transaction)] })
}

/** Whether there are committed events without a place, and the last place. */
export async function lookAtFeed(db: Runner): Promise<{ readonly hasNew: boolean; readonly last: number }> {
  const isNew = 'exists (select 1 from platform_events where position is null)'
  const text = `select case when ${isNew} then 1 else 0 end as "new", last::text from platform_feed where id = 1`
  const row = await firstRow<LookRow>(db, { text, values: [], name: 'events-look' })
  return { hasNew: row?.new === 1, last: Number(row?.last ?? 0) }
}

type LookRow = { readonly new: number; readonly last: string }

/** Whether there are committed events without a place. */
export function hasUnplaced(db: Runner): Promise<boolean> {
  const text = 'select 1 from platform_events where position is null limit 1'
  return hasRows(db, { text, values: [], name: 'events-unplaced' })
}

/** Locks the feed until the end of the transaction, so that places are given by one replica at a time. */
export async function lockFeed(inner: Runner): Promise<FeedState> {
  const text = `select ${columns} from platform_feed where id = 1 for update`
  const texts = { mysql: `${mysqlState} for update` }
  return toState(await firstRow<StateRow>(inner, { text, texts, values: [], name: 'feed-lock' }))
}

/**
 * Gives committed events their places after the last one, in the order in which they were written. Returns their number.
 * A change of a row that follows another change of it is visible only with that one, so their order is kept.
 */
export function assignEventPositions(inner: Runner, { last }: FeedState, most: number): Promise<number> {
  const text = `with p as (
  select id, row_number() over (order by id) as n
    from (select id from platform_events where position is null order by id limit $2) s
), u as (update platform_events e set position = $1::bigint + p.n from p where e.id = p.id returning 1),
f as (update platform_feed set last = last + (select count(*) from p) where id = 1)
select 1 from u`
  const mysql = [
    'select id from platform_events where position is null order by id limit $2',
    'update platform_feed set last = last + json_length($$1) where id = 1',
    // Events of transactions that still run are locked: each event is looked up by its id.
    `update ${keyList} p straight_join platform_events e force index (primary) on e.id = p.v set e.position = $1 + p.n`,
  ]
  return countRows(inner, { text, texts: { mysql }, values: [last, most], name: 'events-place' })
}

const instant = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const mysqlInstant = (column: string): string =>
  `concat(date_format(${column}, '%Y-%m-%dT%H:%i:%s.'), left(lpad(microsecond(${column}), 6, '0'), 3), 'Z')`

/** The time of the event at a place, or of the floor; null if nothing is stored of it. */
export async function readInstant(db: Runner, position: number): Promise<string | null> {
  const textWith = (of: typeof instant) => `select ${of('e.at')} as "at" from platform_events e where e.position = $1
  union all select ${of('f.floor_at')} from platform_feed f where f.id = 1 and f.floor = $1`
  const texts = { mysql: textWith(mysqlInstant) }
  const text = textWith(instant)
  return (await firstValue<string>(db, { text, texts, values: [position], name: 'events-instant' })) ?? null
}

type EventRow = Omit<FeedEvent, 'position'> & { readonly position: string }

/** Events after a place, in order, up to another place. */
export async function readEvents(
  db: Runner,
  { after, upTo = null, limit }: { readonly after: number; readonly upTo?: number | null; readonly limit: number },
): Promise<readonly FeedEvent[]> {
  const textWith = (of: typeof instant) => `select e.position::text as "position", ${of('e.at')} as "at", e.action,
  e.collection, e.item, e."before"::text as "before", e."after"::text as "after"
  from platform_events e where e.position > $1 and ($2::bigint is null or e.position <= $2) order by e.position limit $3`
  const texts = { mysql: textWith(mysqlInstant) }
  const values = [after, upTo, limit]
  const rows = await allRows<EventRow>(db, { text: textWith(instant), texts, values, name: 'events-read' })
  return rows.map((row) => ({ ...row, position: Number(row.position) }))
}

/** Condition of events that all active webhooks have been sent. */
const unneeded = `and (position <= (select r.position from platform_webhook_reader r where r.id = 1)
        or not exists (select 1 from platform_webhooks w where w.status = 'active'))`

/**
 * Deletes what is older than `age` milliseconds, or more than `most` events back, except what active webhooks have not been
 * sent yet. Returns the number of events.
 */
export async function pruneEvents(
  inner: Runner,
  { age, most, batch }: { readonly age: number; readonly most: number; readonly batch: number },
): Promise<number> {
  const old = `from platform_events where (position <= (select last from platform_feed where id = 1) - $2
    or (position is not null and at < clock_timestamp() - $1 * interval '1 millisecond')) ${unneeded} order by position limit $3`
  const text = `with old as (select position ${old}), gone as (delete from platform_events e using old where e.position = old.position returning e.position, e.at),
latest as (select position, at from gone order by position desc limit 1),
f as (update platform_feed f set floor = l.position, floor_at = l.at from latest l where f.id = 1 and f.floor < l.position)
select 1 from gone`
  const mysql = [
    `select id ${old}`,
    `update platform_feed f, (select e.position, e.at from ${keyList} p straight_join platform_events e on e.id = p.v
  order by e.position desc limit 1) l set f.floor = l.position, f.floor_at = l.at where f.id = 1 and f.floor < l.position`,
    `delete e from ${keyList} p straight_join platform_events e force index (primary) on e.id = p.v`,
  ]
  return countRows(inner, { text, texts: { mysql }, values: [age, most, batch] })
}

/** The collections whose changes a trigger records. */
export function readWatched(db: Runner): Promise<readonly string[]> {
  const text = `select c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
  join pg_proc p on p.oid = t.tgfoid join pg_namespace n on n.oid = p.pronamespace
  where t.tgname = 'tandem_watch' and n.nspname = current_schema() and t.tgenabled <> 'D'`
  const mysql = `select event_object_table as name from information_schema.triggers
  where trigger_schema = database() and trigger_name like 'tandem|_watch|_%' escape '|'
  group by event_object_table having count(*) = 3`
  return allValues(db, { text, texts: { mysql }, values: [] })
}
