/** Webhooks as the server uses them, with their secrets. */
import type { Database } from '../../../domain/ports/context.ts'
import type { Webhook } from '../../../domain/ports/webhooks.ts'
import { allRows, allValues, change, firstRow, type Runner } from '../answers.ts'

type WebhookRow = {
  readonly id: number
  readonly name: string
  readonly status: string
  readonly url: string
  readonly method: string
  readonly collections: string
  readonly actions: string
  readonly headers: string | null
  readonly data: boolean | number
  readonly format: string
  readonly user: string | null
  readonly role: string | null
  readonly secret: string | null
  readonly previous_secret: string | null
  readonly previous_secret_until: string | null
  readonly failing: boolean | number
}

const columns = `w.id, w.name, w.status, w.url, w.method, w.collections, w.actions, w.headers::text as headers, w.data, w.format,
  w."user", w.role, w.secret, w.previous_secret, w.previous_secret_until, w.failing_since is not null as failing`

const toWebhook = (row: WebhookRow): Webhook => ({
  id: row.id,
  name: row.name,
  isActive: row.status === 'active',
  url: row.url,
  method: row.method === 'GET' ? 'GET' : 'POST',
  collections: toList(row.collections),
  actions: toList(row.actions),
  headers: toHeaders(row.headers),
  hasData: Boolean(row.data),
  format: row.format === 'item' ? 'item' : 'standard',
  user: row.user,
  role: row.role,
  secret: row.secret,
  previous:
    row.previous_secret === null || row.previous_secret_until === null
      ? null
      : { secret: row.previous_secret, until: new Date(row.previous_secret_until) },
  isFailing: Boolean(row.failing),
})

const toList = (text: string): readonly string[] => text.split(',').filter((word) => word !== '')

function toHeaders(text: string | null): Webhook['headers'] {
  const headers: unknown = text === null ? [] : JSON.parse(text)
  return Array.isArray(headers) ? (headers as Webhook['headers']) : []
}

/** All webhooks that are sent changes. */
export async function readActiveWebhooks(db: Runner): Promise<readonly Webhook[]> {
  const text = `select ${columns} from platform_webhooks w where w.status = 'active' order by w.id`
  return (await allRows<WebhookRow>(db, { text, values: [], name: 'webhooks-active' })).map(toWebhook)
}

/** Active webhooks with a delivery whose time has come. */
export async function readDueWebhooks(db: Runner, now: Date): Promise<readonly Webhook[]> {
  const text = `select ${columns} from platform_webhooks w where w.status = 'active' and exists (
  select 1 from platform_webhook_deliveries d where d.webhook = w.id and d.state = 'pending' and d.next_attempt <= $1
    and (d.leased_until is null or d.leased_until < $1)) order by w.id`
  return (await allRows<WebhookRow>(db, { text, values: [now], name: 'webhooks-due' })).map(toWebhook)
}

export async function findWebhooks(db: Runner, keys: readonly (string | number)[]): Promise<readonly Webhook[]> {
  const text = `select ${columns} from platform_webhooks w where w.id = any($1)`
  return (await allRows<WebhookRow>(db, { task: 'findWebhooks', text, values: [keys.map(Number)] })).map(toWebhook)
}

/** The collections whose changes active webhooks are sent. */
export async function readHookedCollections(db: Runner): Promise<readonly string[]> {
  const text = `select w.collections from platform_webhooks w where w.status = 'active'`
  const lists = await allValues<string>(db, { text, values: [] })
  return [...new Set(lists.flatMap(toList))]
}

/** Values of a new webhook that the server sets: the secret, and the user whose rights count. */
export function completeWebhook(
  db: Runner,
  key: number,
  { secret, user }: { readonly secret: string; readonly user: string | null },
): Promise<void> {
  const text = `update platform_webhooks set secret = coalesce(secret, $2),
  "user" = case when "user" is null and role is null then $3::uuid else "user" end where id = $1`
  return change(db, { task: 'completeWebhook', text, values: [key, secret, user] })
}

/** Stores the secret that signs beside the present one until that moment; null = none does. */
export function keepSecret(
  db: Runner,
  key: number,
  previous: { readonly secret: string; readonly until: Date } | null,
): Promise<void> {
  const text =
    'update platform_webhooks set previous_secret = $2, previous_secret_until = $3::timestamptz where id = $1'
  return change(db, { text, values: [key, previous?.secret ?? null, previous?.until ?? null] })
}

/** Notes the outcome of the last attempt: null = it succeeded. */
export function noteFailure(
  db: Runner,
  key: number,
  failure: { readonly reason: string; readonly at: Date; readonly isLast: boolean } | null,
): Promise<void> {
  if (failure === null)
    return change(db, {
      text: 'update platform_webhooks set failing_since = null, failure = null where id = $1 and failing_since is not null',
      values: [key],
    })
  const text = `update platform_webhooks set failing_since = coalesce(failing_since, $3::timestamptz), failure = $2,
  status = case when $4 = 1 then 'inactive' else status end where id = $1`
  return change(db, { text, values: [key, failure.reason.slice(0, 255), failure.at, failure.isLast ? 1 : 0] })
}

/** Where the first webhook becomes active, earlier changes are not for it. Call it in the transaction of the write. */
export async function skipToEnd(inner: Database, active: readonly number[]): Promise<void> {
  const text = `update platform_webhook_reader set position = (select f.last from platform_feed f where f.id = 1)
  where id = 1 and position < (select f.last from platform_feed f where f.id = 1)
    and not exists (select 1 from platform_webhooks w where w.status = 'active' and w.id <> all($1))`
  await change(inner, { text, values: [active] })
}

export type FailingWebhook = {
  readonly id: number
  readonly name: string
  readonly url: string
  readonly status: string
  readonly failure: string
  readonly dead: number
}

export async function findFailingWebhooks(db: Runner): Promise<readonly FailingWebhook[]> {
  const text = `select w.id, w.name, w.url, w.status, coalesce(w.failure, '') as failure,
  (select count(*) from platform_webhook_deliveries d where d.webhook = w.id and d.state = 'dead')::int as dead
  from platform_webhooks w where w.failing_since is not null order by w.id`
  return allRows<FailingWebhook>(db, { text, values: [] })
}

/** How far behind the feed and the deliveries are. */
export type WebhookLag = {
  /** Changes that have no place in the feed yet. */
  readonly unplaced: number
  /** Changes that deliveries have not been made from yet. */
  readonly unread: number
  readonly pending: number
  readonly dead: number
  /** Seconds since the oldest pending delivery was made. */
  readonly oldest: number
}

export async function readWebhookLag(db: Runner, now: Date): Promise<WebhookLag> {
  const text = `select (select count(*) from platform_events where position is null)::int as unplaced,
  (select count(*) from platform_events e, platform_webhook_reader r where r.id = 1 and e.position > r.position)::int as unread,
  (select count(*) from platform_webhook_deliveries where state = 'pending')::int as pending,
  (select count(*) from platform_webhook_deliveries where state = 'dead')::int as dead,
  (select min(created) from platform_webhook_deliveries where state = 'pending') as since`
  type LagRow = Omit<WebhookLag, 'oldest'> & { readonly since: string | Date | null }
  const row = await firstRow<LagRow>(db, { text, values: [] })
  const { since = null, unplaced = 0, unread = 0, pending = 0, dead = 0 } = row ?? {}
  const oldest = since === null ? 0 : Math.max(0, (now.getTime() - new Date(since).getTime()) / 1000)
  return { unplaced, unread, pending, dead, oldest }
}
