/**
 * The journal between rows and bytes. What is being written stands in it from before its first byte until
 * the transaction that makes its row; what rows leave behind stands in it (a trigger sees to that) from the
 * transaction that let go of it until it is deleted. So whatever dies when, the next look knows what to do.
 */
import type { Context, Database, Log } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import { type Storage, type StorageLocations, variantPrefix } from '../domain/storage.ts'

/** Where an object is. */
export type ObjectPlace = { readonly storage: string; readonly key: string }

/** What looking after objects takes. */
export type ObjectKeeper = {
  readonly db: Database
  readonly storage: StorageLocations
  readonly log: Log
}

/**
 * Milliseconds after which a write that nobody has renewed was given up. Its process renews it more often, and a body
 * that brings nothing for a minute is cut.
 */
export const writeGrace = 300_000

/** Rows of the journal that one look takes at most. */
const atOnce = 500

/** The location of that name, or throws `unavailable`. */
export function locationOf({ locations }: StorageLocations, name: string): Storage {
  const found = locations.get(name)
  if (found !== undefined) return found
  throw new TandemError({
    kind: 'unavailable',
    service: 'files',
    reason: 'Its storage is not configured',
    retryAfter: 60,
  })
}

/** What the storage cannot do now is not the client's fault. */
export function unstored(cause: unknown): never {
  const { code } = cause as NodeJS.ErrnoException
  const reason = code === 'ENOSPC' || code === 'EDQUOT' ? 'The storage is full' : 'The file could not be stored'
  throw new TandemError({ kind: 'unavailable', service: 'files', reason, retryAfter: 30 }, { cause })
}

/** Keys that would do, the best first. */
export type Wanted = {
  readonly storage: string
  readonly keys: Iterable<string> | AsyncIterable<string>
  /** Others may want the same ones at this moment: they are no ids. */
  readonly shared?: boolean
}

/**
 * Does the work under an entry in the journal, which is renewed as long as it takes, with the first key that
 * nothing has. Failed work leaves nothing behind. Throws `not-unique` when all keys are taken.
 */
export async function underEntry<T>(
  keeper: ObjectKeeper,
  wanted: Wanted,
  work: (place: ObjectPlace) => Promise<T>,
): Promise<T> {
  const { db, log } = keeper
  const place = await enterFirst(db, wanted)
  const values = [place.storage, place.key]
  const renew = (): void => {
    const text = 'update platform_stored_objects set since = now() where storage = $1 and key = $2 and not doomed'
    db.run({ text, values }).catch((error: unknown) => log.warn({ err: error }, 'An upload could not be noted'))
  }
  const timer = setInterval(renew, writeGrace / 6).unref()
  try {
    return await work(place)
  } catch (error) {
    await abandon(keeper, [place])
    throw error
  } finally {
    clearInterval(timer)
  }
}

async function enterFirst(db: Database, { storage, keys, shared = false }: Wanted): Promise<ObjectPlace> {
  const text = `insert into platform_stored_objects (storage, key) select $1::text, $2::text where not exists
    (select 1 from platform_files where storage = $1 and filename_disk = $2) on conflict do nothing`
  for await (const key of keys) {
    const entered = (await db.run({ text, values: [storage, key], name: 'enter-object', rows: 'array' })).count === 1
    if (entered && !(shared && (await gaveUp(db, { storage, key })))) return { storage, key }
  }
  throw new TandemError({ kind: 'not-unique', collection: 'platform_files', field: 'filename_disk' })
}

/**
 * Takes back an entry whose key a row has. Who had the entry before may have made that row while this one waited for it,
 * and what waits does not see it: a look afterwards does.
 */
async function gaveUp(db: Database, { storage, key }: ObjectPlace): Promise<boolean> {
  const text = `delete from platform_stored_objects o where storage = $1 and key = $2 and not doomed and exists
    (select 1 from platform_files f where f.storage = o.storage and f.filename_disk = o.key)`
  return (await db.run({ text, values: [storage, key] })).count > 0
}

/** Says, in the transaction that makes the row, that the object is part of it now. */
export async function claimObject(db: Database, { storage, key }: ObjectPlace): Promise<void> {
  const text = 'delete from platform_stored_objects where storage = $1 and key = $2 and not doomed'
  const { count } = await db.run({ text, values: [storage, key], name: 'claim-object', rows: 'array' })
  if (count === 1) return
  const reason = 'The upload took too long and was given up'
  throw new TandemError({ kind: 'unavailable', service: 'files', reason, retryAfter: 1 })
}

/** Gives up objects that became part of no row. What cannot be deleted now is deleted later. */
export async function abandon(keeper: ObjectKeeper, places: readonly ObjectPlace[]): Promise<void> {
  if (places.length === 0) return
  const text = `update platform_stored_objects set doomed = true
    where (storage, key) in (select * from unnest($1::text[], $2::text[]))`
  const values = [places.map(({ storage }) => storage), places.map(({ key }) => key)]
  try {
    await keeper.db.run({ text, values })
    await deleteDoomed(keeper)
  } catch (error) {
    keeper.log.warn({ err: error }, 'An abandoned upload is left for the next look')
  }
}

/** Whether a row, an upload under way or the journal has the object. */
export async function isTaken(db: Database, { storage, key }: ObjectPlace): Promise<boolean> {
  const text = `select 1 from platform_files where storage = $1 and filename_disk = $2
    union all select 1 from platform_stored_objects where storage = $1 and key = $2
    union all select 1 from platform_upload_segments where storage = $1 and key = $2`
  return (await db.run({ text, values: [storage, key] })).count > 0
}

/**
 * After a commit: deletes what no row refers to any more. Whoever comes second finds it done. A location that cannot be
 * reached is asked once.
 */
export async function deleteDoomed({ db, storage, log }: ObjectKeeper): Promise<number> {
  const text = `select storage, key from platform_stored_objects o where doomed and since <= now() and not exists
    (select 1 from platform_files f where f.storage = o.storage and f.filename_disk = o.key) order by since limit ${atOnce}`
  const { rows } = await db.run({ text, values: [] })
  const away = new Set<string>()
  let count = 0
  for (const place of rows as readonly ObjectPlace[]) {
    if (away.has(place.storage)) continue
    try {
      if (await deleteOne({ db, storage }, place)) count += 1
    } catch (error) {
      if (error instanceof TandemError) away.add(place.storage)
      const { storage: location, key } = place
      log.warn({ err: error, storage: location, key }, 'An object could not be deleted; it is tried again later')
    }
  }
  return count
}

/**
 * Under its entry, which is put off meanwhile: names are given again, and a look that fell behind must not delete what has
 * come under the name since. No transaction waits for the storage: an embedded database has but one.
 */
async function deleteOne({ db, storage }: Pick<ObjectKeeper, 'db' | 'storage'>, place: ObjectPlace): Promise<boolean> {
  const values = [place.storage, place.key]
  const own = `update platform_stored_objects o set since = now() + $3 * interval '1 millisecond'
    where storage = $1 and key = $2 and doomed and since <= now() and not exists
      (select 1 from platform_files f where f.storage = o.storage and f.filename_disk = o.key)`
  if ((await db.run({ text: own, values: [...values, writeGrace] })).count === 0) return false
  const where = 'where storage = $1 and key = $2 and doomed and since > now()'
  try {
    await deleteObject(storage, place)
  } catch (error) {
    await db.run({ text: `update platform_stored_objects set since = now() ${where}`, values })
    throw error
  }
  await db.run({ text: `delete from platform_stored_objects ${where}`, values })
  return true
}

/** Deletes an object and everything derived from it: that last, as who derives something looks afterwards whether the object is there. */
export async function deleteObject(storage: StorageLocations, { storage: name, key }: ObjectPlace): Promise<void> {
  const location = locationOf(storage, name)
  await location.delete(key)
  for await (const variant of location.list(variantPrefix(key))) await location.delete(variant.key)
}

/** What is left behind by processes that died: unfinished writes, objects without a row, and what is doomed. */
export async function repairObjects(
  keeper: ObjectKeeper,
  now: Date,
): Promise<{ readonly deleted: number; readonly unfinished: number }> {
  // By the clock that has written `since`.
  const text = `update platform_stored_objects set doomed = true
    where not doomed and since < now() - $1 * interval '1 millisecond'`
  const before = new Date(now.getTime() - writeGrace)
  await keeper.db.run({ text: 'delete from platform_uploads where expires < $1', values: [now.toISOString()] })
  await keeper.db.run({ text, values: [Date.now() - before.getTime()] })
  // Rows that stand in the way of their own object's deletion: they were registered anew, so it stays.
  await keeper.db.run({
    text: `delete from platform_stored_objects o where doomed and exists
      (select 1 from platform_files f where f.storage = o.storage and f.filename_disk = o.key)`,
    values: [],
  })
  const deleted = await deleteDoomed(keeper)
  let unfinished = 0
  for (const [name, location] of keeper.storage.locations) {
    try {
      const written = new Set(await keysWritten(keeper.db, name))
      unfinished += await location.discardUnfinished(before, (key) => written.has(key))
    } catch (error) {
      keeper.log.warn({ err: error, storage: name }, 'Unfinished writes could not be looked for')
    }
  }
  return { deleted, unfinished }
}

/** Names in that location under which something is being written, by whatever process. */
export async function keysWritten(db: Database, storage: string): Promise<readonly string[]> {
  const text = 'select key from platform_stored_objects where storage = $1 and not doomed'
  const { rows } = await db.run({ text, values: [storage] })
  return (rows as readonly { readonly key: string }[]).map(({ key }) => key)
}

/** What is needed of a request's context. */
export const keeperOf = ({ db, storage, log }: Context): ObjectKeeper => ({ db, storage, log })
