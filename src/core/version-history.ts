/** What a save into a version leaves behind: an activity, and a revision that belongs to the version. */
import type { Context } from '../domain/context.ts'
import type { Delta, Version } from './version-rows.ts'

/** `data`: all that is in the version after the save. */
type Saved = { readonly delta: Delta; readonly data: Delta }

/** History is kept of what users do, as far as the collection and the client want it. */
export async function noteSave(ctx: Context, { id, collection, key }: Version, { delta, data }: Saved): Promise<void> {
  const { actor, request, clock } = ctx
  if (actor.kind !== 'user' || request.history?.skip === true || collection.accountability === null) return
  const { ip, userAgent, origin } = request
  const values = [actor.user, clock().toISOString(), ip?.slice(0, 50) ?? null, userAgent, origin?.slice(0, 255) ?? null]
  const text = collection.accountability === 'all' ? withRevision : activity
  const contents = collection.accountability === 'all' ? [JSON.stringify(data), JSON.stringify(delta), id] : []
  await ctx.db.run({ text, values: [...values, collection.name, String(key), ...contents] })
}

const activity = `insert into platform_activity
  (action, "user", "timestamp", ip, user_agent, origin, collection, item)
  values ('version_save', $1::uuid, $2, $3, $4, $5, $6, $7)`

const withRevision = `with a as (${activity} returning id)
  insert into platform_revisions (activity, collection, item, data, delta, version)
  select a.id, $6::text, $7::text, $8::json, $9::json, $10::uuid from a`
