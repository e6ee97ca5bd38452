/** What the owners of webhooks see of changes. Those with the same rights and form look once. */

import type { Clock, Context, Database, Ids, Log, ReadContext } from '../../domain/ports/context.ts'
import type { FeedEvent } from '../../domain/ports/feed.ts'
import type { Limits } from '../../domain/ports/settings.ts'
import type { Webhook, WebhookViews } from '../../domain/ports/webhooks.ts'
import { rowsOf } from '../../domain/query/rows-of.ts'
import type { Actor } from '../../domain/rights/actor.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { Collection, Schema } from '../../domain/schema/schema.ts'
import { findExplainedUser } from '../../sql/statements/operation/explained.ts'
import { loadAccess, loadUserActor } from '../access/load-access.ts'
import { judge } from '../feed/judge.ts'
import { ownColumns } from '../rows/read-items.ts'
import type { Change } from './messages.ts'

export type SightDependencies = {
  readonly db: Database
  readonly rows: Context['rows']
  readonly schema: () => Schema
  readonly views: WebhookViews
  readonly clock: Clock
  readonly ids: Ids
  readonly limits: Limits
  readonly log: Log
}

/** The changes of a collection that the owner may read, or why it may read none. */
export type VisibleChanges = { readonly changes: readonly Change[] } | { readonly refusal: string }

export type VisibleChangesOf = (webhook: Webhook, collection: string) => Promise<VisibleChanges>

/** Looks at the changes. A database that is away for a moment is an error; what cannot be read is a refusal. */
export function createSight(parts: SightDependencies, events: readonly FeedEvent[]): VisibleChangesOf {
  const looks = new Map<string, Promise<VisibleChanges>>()
  return (webhook, collection) => {
    const key = `${webhook.format} ${ownerKey(webhook)} ${collection}`
    const cached = looks.get(key) ?? look(parts, webhook, { collection, events })
    looks.set(key, cached)
    return cached
  }
}

type FeedSlice = { readonly collection: string; readonly events: readonly FeedEvent[] }

async function look(
  parts: SightDependencies,
  webhook: Webhook,
  { collection: name, events }: FeedSlice,
): Promise<VisibleChanges> {
  const schema = parts.schema()
  const view = parts.views[webhook.format]?.(schema)
  const collection = schema.collections.get(name)
  if (view === undefined || collection === undefined || !view.byCore.has(name))
    return { refusal: `There is no collection "${name}"` }
  try {
    const actor = await loadOwner(parts.db, schema, webhook)
    const { db, rows, clock, limits } = parts
    return { changes: await changesOf({ db, rows, clock, limits, schema, view, actor }, { collection, events }) }
  } catch (error) {
    if (error instanceof TandemError && error.failures[0].kind === 'unavailable') throw error
    parts.log.warn({ err: error, webhook: webhook.id }, 'Changes could not be read for a webhook')
    return { refusal: refusalOf(error, name) }
  }
}

const refusalOf = (error: unknown, name: string): string =>
  error instanceof TandemError
    ? `Its user or role may not read "${name}": ${error.failures[0].kind}`
    : `Changes of "${name}" could not be read`

type ReadEvents = { readonly collection: Collection; readonly events: readonly FeedEvent[] }

async function changesOf(ctx: ReadContext, { collection, events }: ReadEvents): Promise<readonly Change[]> {
  const byPosition = new Map(events.map((event) => [event.position, event]))
  const seen = await judge(ctx, rowsOf(collection.name, ownColumns), events)
  return seen.flatMap((each) => {
    const event = byPosition.get(each.position)
    return event === undefined ? [] : [{ event, seen: each, collection, view: ctx.view }]
  })
}

/** Who a webhook acts for: its user, or else its role. */
type WebhookOwner = Pick<Webhook, 'user' | 'role'>

/** The same for webhooks that act for the same. */
const ownerKey = ({ user, role }: WebhookOwner): string => `${user ?? ''} ${user === null ? (role ?? '') : ''}`

/** Stands for the user of a webhook that has a role alone; no row has it. */
const nobody = '00000000-0000-0000-0000-000000000000'

/** The actor with its current rights. Throws `forbidden` if it no longer exists, and the errors of a login of the user. */
async function loadOwner(db: Database, schema: Schema, { user, role }: WebhookOwner): Promise<Actor> {
  const at = { db, schema, ip: null }
  if (user !== null) {
    const owner = await findExplainedUser(db, user)
    if (owner === undefined) throw missing()
    return (await loadUserActor(at, owner, { session: null })).actor
  }
  if (role === null) throw missing()
  const { access, roles } = await loadAccess(db, schema, { kind: 'role', role }, null)
  return { kind: 'user', user: nobody, role, roles, access, session: null }
}

const missing = (): TandemError =>
  new TandemError({ kind: 'forbidden', reason: 'The webhook has neither a user nor a role' })
