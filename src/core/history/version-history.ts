/** Records a save to a content version: an activity entry and a revision of the version. */
import type { Context } from '../../domain/ports/context.ts'
import { type Delta, noteVersionSave } from '../../sql/statements/versions.ts'
import type { Version } from './version-rows.ts'

/** `data`: the whole content of the version after the save. */
type Saved = { readonly delta: Delta; readonly data: Delta }

/** Records the save if it was made by a user, and if collection and client want history. */
export async function noteSave(
  ctx: Pick<Context, 'db' | 'actor' | 'clock' | 'request'>,
  { id, collection, key }: Version,
  { delta, data }: Saved,
): Promise<void> {
  const { actor, request, clock } = ctx
  if (actor.kind !== 'user' || request.history?.skip === true || collection.accountability === null) return
  await noteVersionSave(ctx.db, {
    user: actor.user,
    now: clock(),
    ip: request.ip?.slice(0, 50) ?? null,
    userAgent: request.userAgent,
    origin: request.origin?.slice(0, 255) ?? null,
    collection: collection.name,
    item: String(key),
    revision: collection.accountability === 'all' ? { version: id, data, delta } : null,
  })
}
