/** Deliveries of changes to webhooks: made from the feed, claimed by one process, settled, replayed, deleted. */
import { allRows, change, countRows, firstRow, firstValue, hasRows, type Runner } from '../answers.ts'

/** The place in the feed up to which deliveries were made. */
export async function readReaderPosition(db: Runner): Promise<number> {
  const text = 'select position::text as position from platform_webhook_reader where id = 1'
  return Number((await firstValue(db, { text, values: [], name: 'webhooks-position' })) ?? 0)
}

/** Whether there are changes that deliveries have not been made from. */
export function hasUnread(db: Runner): Promise<boolean> {
  const text = `select 1 from platform_events e where e.position is null
  or e.position > (select r.position from platform_webhook_reader r where r.id = 1) limit 1`
  return hasRows(db, { text, values: [], name: 'webhooks-unread' })
}

/** Leases the reader of the feed, so that only this process creates deliveries until then. False if another has it. */
export function leaseReader(
  db: Runner,
  { owner, now, until }: { readonly owner: string; readonly now: Date; readonly until: Date },
): Promise<boolean> {
  const text = `update platform_webhook_reader set leased_by = $1, leased_until = $3::timestamptz
  where id = 1 and (leased_by = $1 or leased_until is null or leased_until < $2::timestamptz)`
  return hasRows(db, { text, values: [owner, now, until], name: 'webhooks-lead' })
}

/** Advances the reader, unless another process did. */
export function moveReader(inner: Runner, from: number, to: number): Promise<boolean> {
  const text = 'update platform_webhook_reader set position = $2 where id = 1 and position = $1'
  return hasRows(inner, { text, values: [from, to], name: 'webhooks-move' })
}

export type NewDelivery = {
  readonly webhook: number
  readonly event: string
  readonly position: number
  readonly type: string
  readonly collection: string
  readonly item: string
  readonly rowHash: string
  readonly body: string | null
  readonly state: 'pending' | 'dead'
  readonly error: string | null
}

/** Rows of one statement, whose number of values is limited. */
const most = 200

const valuesOf = (row: NewDelivery, now: Date): readonly unknown[] => [
  row.webhook,
  row.event,
  row.position,
  row.type,
  row.collection,
  row.item,
  row.rowHash,
  row.body,
  row.state,
  row.error,
  now,
  row.state === 'pending' ? now : null,
]

export async function insertDeliveries(inner: Runner, rows: readonly NewDelivery[], now: Date): Promise<void> {
  for (let at = 0; at < rows.length; at += most) {
    const values = rows.slice(at, at + most).map((row) => valuesOf(row, now))
    const lists = values.map((list, index) => `(${list.map((_, n) => `$${index * list.length + n + 1}`).join(', ')})`)
    const text = `insert into platform_webhook_deliveries
  (webhook, event, position, type, collection, item, row_hash, body, state, last_error, created, next_attempt)
  values ${lists.join(', ')}`
    await change(inner, { text, values: values.flat() })
  }
}

export async function countPending(db: Runner, webhooks: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const text = `select webhook, count(*)::int as n from platform_webhook_deliveries
  where state = 'pending' and webhook = any($1) group by webhook`
  type PendingRow = { readonly webhook: number; readonly n: number | string }
  const rows = await allRows<PendingRow>(db, { text, values: [webhooks] })
  return new Map(rows.map(({ webhook, n }) => [webhook, Number(n)]))
}

/** A delivery that this process makes. */
export type ClaimedDelivery = {
  readonly id: number
  readonly event: string
  readonly type: string
  readonly body: string | null
  /** With this one. */
  readonly attempts: number
}

type ClaimedRow = Omit<ClaimedDelivery, 'id'> & { readonly id: string }

export type Claim = {
  readonly webhook: number
  readonly owner: string
  readonly now: Date
  readonly until: Date
  readonly limit: number
}

/**
 * Claims deliveries whose time has come, until a moment after which others may claim them. Of several deliveries of one
 * row only the first can be claimed, and none of a webhook whose user is not active. Call it in a transaction.
 */
export async function claimDeliveries(inner: Runner, claim: Claim): Promise<readonly ClaimedDelivery[]> {
  const { webhook, owner, now, until, limit } = claim
  // The first one of each row is looked up once, whatever the statistics of the table say: many may wait for one row.
  const first = `select min(e.id) as id from platform_webhook_deliveries e
      where e.webhook = $1 and e.state = 'pending' group by e.row_hash`
  const claimable = `d.webhook = $1 and d.state = 'pending' and d.next_attempt <= $2
    and (d.leased_until is null or d.leased_until < $2)
    and exists (select 1 from platform_webhooks w left join platform_users u on u.id = w.user
      where w.id = d.webhook and w.status = 'active' and (w.user is null or u.status = 'active'))
  order by d.id limit $3 for update skip locked`
  const text = `select d.id::text as id, d.event, d.type, d.body, d.attempts from platform_webhook_deliveries d
  where d.id = any(array(${first})) and ${claimable}`
  const mysql = `select cast(d.id as char) as id, d.event, d.type, d.body, d.attempts
  from (${first}) f straight_join platform_webhook_deliveries d on d.id = f.id where ${claimable}`
  const rows = await allRows<ClaimedRow>(inner, { text, texts: { mysql }, values: [webhook, now, limit] })
  if (rows.length === 0) return []
  await change(inner, {
    text: `update platform_webhook_deliveries set attempts = attempts + 1, leased_by = $2, leased_until = $3, last_attempt = $4
  where id = any($1)`,
    values: [rows.map(({ id }) => Number(id)), owner, until, now],
  })
  return rows.map((row) => ({ ...row, id: Number(row.id), attempts: row.attempts + 1 }))
}

/** The outcome of an attempt. `next`: time of the next one; null = no further attempt. */
export type Settled = {
  readonly id: number
  readonly owner: string
  readonly state: 'pending' | 'delivered' | 'dead'
  readonly status: number | null
  readonly error: string | null
  readonly next: Date | null
}

/** Has no effect if another process has claimed the delivery in between. */
export function settleDelivery(db: Runner, { id, owner, state, status, error, next }: Settled): Promise<void> {
  const text = `update platform_webhook_deliveries set state = $3, last_status = $4, last_error = $5, next_attempt = $6,
  leased_by = null, leased_until = null where id = $1 and leased_by = $2 and state = 'pending'`
  const values = [id, owner, state, status, error?.slice(0, 255) ?? null, next]
  return change(db, { text, values, name: 'webhooks-settle' })
}

/** Ends what this process has claimed and not settled, so that others need not wait. */
export function releaseDeliveries(db: Runner, owner: string): Promise<void> {
  const text = `update platform_webhook_deliveries set leased_by = null, leased_until = null
  where leased_by = $1 and state = 'pending'`
  return change(db, { text, values: [owner] })
}

/** A delivery as it is shown. */
export type DeliveryRow = Pick<NewDelivery, 'webhook' | 'event' | 'type' | 'collection' | 'item'> & {
  readonly id: number
  readonly state: 'pending' | 'delivered' | 'dead'
  readonly attempts: number
  readonly last_status: number | null
  readonly last_error: string | null
  readonly created: string
  readonly last_attempt: string | null
  readonly next_attempt: string | null
}

type StoredDelivery = Omit<DeliveryRow, 'id'> & { readonly id: string }

const shown = `d.id::text as id, d.webhook, d.event, d.type, d.collection, d.item, d.state, d.attempts, d.last_status,
  d.last_error, d.created, d.last_attempt, d.next_attempt`

const iso = (instant: string | null): string | null => (instant === null ? null : new Date(instant).toISOString())

const toDelivery = (row: StoredDelivery): DeliveryRow => ({
  ...row,
  id: Number(row.id),
  created: new Date(row.created).toISOString(),
  last_attempt: iso(row.last_attempt),
  next_attempt: iso(row.next_attempt),
})

export type DeliveryPage = {
  readonly state: DeliveryRow['state'] | null
  readonly limit: number
  readonly offset: number
}

/** The deliveries of a webhook, the latest first. */
export async function listDeliveries(
  db: Runner,
  webhook: number,
  { state, limit, offset }: DeliveryPage,
): Promise<readonly DeliveryRow[]> {
  const text = `select ${shown} from platform_webhook_deliveries d
  where d.webhook = $1 and ($2::text is null or d.state = $2) order by d.id desc limit $3 offset $4`
  return (await allRows<StoredDelivery>(db, { text, values: [webhook, state, limit, offset] })).map(toDelivery)
}

export async function findDelivery(db: Runner, id: number): Promise<DeliveryRow | undefined> {
  const text = `select ${shown} from platform_webhook_deliveries d where d.id = $1`
  const row = await firstRow<StoredDelivery>(db, { text, values: [id] })
  return row === undefined ? undefined : toDelivery(row)
}

const again = `set state = 'pending', attempts = 0, next_attempt = $2, leased_by = null, leased_until = null`

/** Makes a settled delivery once more. */
export function replayDelivery(db: Runner, id: number, now: Date): Promise<void> {
  const text = `update platform_webhook_deliveries ${again} where id = $1 and state <> 'pending'`
  return change(db, { text, values: [id, now] })
}

/** Makes all given-up deliveries of a webhook once more. Returns their number. */
export function replayDead(db: Runner, webhook: number, now: Date): Promise<number> {
  const text = `update platform_webhook_deliveries ${again} where webhook = $1 and state = 'dead'`
  return countRows(db, { text, values: [webhook, now] })
}

/** Deletes settled deliveries that are older than that, and waiting ones of inactive webhooks. */
export async function pruneDeliveries(db: Runner, before: Date): Promise<void> {
  const values = [before]
  const text = `delete from platform_webhook_deliveries where state in ('delivered', 'dead') and created < $1`
  await change(db, { text, values })
  await change(db, {
    text: `delete from platform_webhook_deliveries where state = 'pending' and created < $1
  and webhook in (select w.id from platform_webhooks w where w.status <> 'active')`,
    values,
  })
}
