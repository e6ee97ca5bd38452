/**
 * A journal that keeps rows and stored objects consistent. An object is entered before its first byte is written, and the
 * entry is removed by the transaction that creates its row. When a row releases an object, a trigger enters it as doomed in
 * the same transaction, and the entry remains until the object is deleted. After any crash the next sweep can recover.
 */
import { memoizeBy } from '../../domain/memoize.ts'
import type { Context, Database, Effect, Log } from '../../domain/ports/context.ts'
import { type Storage, type StorageLocations, variantPrefix } from '../../domain/ports/storage.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import {
  type DoomedOptions,
  doomObjects,
  doomStaleObjects,
  enterObject,
  findDoomedObjects,
  findWrittenKeys,
  forgetDoomedObject,
  giveDoomedObjectBack,
  type ObjectAddress,
  releaseObject,
  releaseOwnedObject,
  renewObject,
  spareOwnedObjects,
  takeDoomedObject,
} from '../../sql/statements/stored-objects.ts'
import { deleteExpiredUploads } from '../../sql/statements/uploads.ts'

/** The resources for the cleanup of objects. */
export type ObjectKeeper = {
  readonly db: Database
  readonly storage: StorageLocations
  readonly log: Log
}

/**
 * Milliseconds without renewal after which a write counts as abandoned. A running write renews its entry more often, and a
 * request body without data for a minute is aborted.
 */
export const writeGrace = 300_000

/** Journal rows per statement of a cleanup, objects whose deletion a request waits for, and simultaneous deletions. */
const atOnce = { cleanup: 500, request: 100, deletions: 4 } as const

/** The storage location with that name. Throws `unavailable` if it is not configured. */
export function locationOf({ locations }: StorageLocations, name: string): Storage {
  const location = locations.get(name)
  if (location !== undefined) return location
  throw new TandemError({
    kind: 'unavailable',
    service: 'files',
    reason: 'The storage of the file is not configured',
    retryAfter: 60,
  })
}

/** Reports a failure of the storage as `unavailable`. */
export function throwStorageFailure(cause: unknown): never {
  const { code } = cause as NodeJS.ErrnoException
  const reason = code === 'ENOSPC' || code === 'EDQUOT' ? 'The storage is full' : 'The file could not be stored'
  throw new TandemError({ kind: 'unavailable', service: 'files', reason, retryAfter: 30 }, { cause })
}

/** Possible keys in order of preference. */
export type ObjectCandidates = {
  readonly storage: string
  readonly keys: Iterable<string> | AsyncIterable<string>
  /** Whether concurrent writers may choose the same keys, because they are not ids. */
  readonly shared?: boolean
}

/**
 * Runs the work with the first free key, which is entered in the journal and renewed while the work runs. Failed work
 * leaves nothing behind. Throws `not-unique` if all keys are taken.
 */
export async function withObjectKey<T>(
  keeper: ObjectKeeper,
  candidates: ObjectCandidates,
  work: (address: ObjectAddress) => Promise<T>,
): Promise<T> {
  const { db, log } = keeper
  const address = await enterFirst(db, candidates)
  const renew = (): void => {
    renewObject(db, address).catch((error: unknown) =>
      log.warn({ err: error }, 'The journal entry of an upload could not be renewed'),
    )
  }
  const timer = setInterval(renew, writeGrace / 6).unref()
  try {
    return await work(address)
  } catch (error) {
    await abandon(keeper, [address])
    throw error
  } finally {
    clearInterval(timer)
  }
}

async function enterFirst(db: Database, { storage, keys, shared = false }: ObjectCandidates): Promise<ObjectAddress> {
  for await (const key of keys) {
    const address = { storage, key }
    if (!(await enterObject(db, address))) continue
    // The previous owner of the entry may have created a row with the key while this call waited for the entry. The
    // waiting statement does not see that row, so a second check is needed.
    if (!(shared && (await releaseOwnedObject(db, address)))) return address
  }
  throw new TandemError({ kind: 'not-unique', collection: 'platform_files', field: 'filename_disk' })
}

/** Claims the object in the transaction that creates its row. */
export async function claimObject(db: Database, address: ObjectAddress): Promise<void> {
  if (await releaseObject(db, address)) return
  const reason = 'The upload timed out'
  throw new TandemError({ kind: 'unavailable', service: 'files', reason, retryAfter: 1 })
}

/** Deletes objects that were not claimed. Failed deletions are repeated later. */
export async function abandon(keeper: ObjectKeeper, addresses: readonly ObjectAddress[]): Promise<void> {
  if (addresses.length === 0) return
  try {
    await doomObjects(keeper.db, addresses)
    await deleteDoomed(keeper)
  } catch (error) {
    keeper.log.warn({ err: error }, 'An abandoned upload could not be deleted; the next cleanup tries again')
  }
}

/** Deletions that this process is performing, per set of locations. */
const deletionsIn = memoizeBy((_storage: StorageLocations) => new Set<Promise<unknown>>())

/** Deletes all doomed objects; failed deletions are left to the next cleanup. Concurrent calls are safe. */
export async function deleteDoomed(keeper: ObjectKeeper): Promise<number> {
  let count = 0
  for (;;) {
    const { read, deleted } = await deleteSomeDoomed(keeper, { limit: atOnce.cleanup, first: 'oldest' })
    count += deleted
    if (read < atOnce.cleanup || deleted === 0) return count
  }
}

/**
 * Deletes some doomed objects. An unavailable location is not tried again in one call. An object that another call in this
 * process is deleting is gone too when this call ends.
 */
async function deleteSomeDoomed(
  { db, storage, log }: ObjectKeeper,
  { limit, first }: DoomedOptions,
): Promise<{ readonly read: number; readonly deleted: number }> {
  const deletions = deletionsIn(storage)
  const away = new Set<string>()
  let deleted = 0
  const doomed = await findDoomedObjects(db, { limit, first })
  const remove = async (address: ObjectAddress): Promise<void> => {
    if (away.has(address.storage)) return
    const deletion = deleteOne({ db, storage }, address)
    deletions.add(deletion)
    try {
      if (await deletion) deleted += 1
    } catch (error) {
      if (error instanceof TandemError) away.add(address.storage)
      const { storage: location, key } = address
      log.warn({ err: error, storage: location, key }, 'An object could not be deleted; the next cleanup tries again')
    } finally {
      deletions.delete(deletion)
    }
  }
  for (let start = 0; start < doomed.length; start += atOnce.deletions)
    await Promise.all(doomed.slice(start, start + atOnce.deletions).map(remove))
  await Promise.allSettled(deletions)
  return { read: doomed.length, deleted }
}

/**
 * Deletes one object while its entry is postponed: names can be reused, and a slow cleanup must not delete a new object.
 * No transaction is open during the deletion, because the embedded database has only one session.
 */
async function deleteOne(
  { db, storage }: Pick<ObjectKeeper, 'db' | 'storage'>,
  address: ObjectAddress,
): Promise<boolean> {
  if (!(await takeDoomedObject(db, address, writeGrace))) return false
  try {
    await deleteObject(storage, address)
  } catch (error) {
    await giveDoomedObjectBack(db, address)
    throw error
  }
  await forgetDoomedObject(db, address)
  return true
}

/** Deletes an object and its variants. Variants go last: a process that makes one checks afterwards whether the source exists. */
export async function deleteObject(storage: StorageLocations, { storage: name, key }: ObjectAddress): Promise<void> {
  const location = locationOf(storage, name)
  await location.delete(key)
  for await (const variant of location.list(variantPrefix(key))) await location.delete(variant.key)
}

/** Cleans up after crashed processes: unfinished writes, objects without a row, and doomed objects. */
export async function repairObjects(
  keeper: ObjectKeeper,
  now: Date,
): Promise<{ readonly deleted: number; readonly unfinished: number }> {
  const before = new Date(now.getTime() - writeGrace)
  await deleteExpiredUploads(keeper.db, now)
  await doomStaleObjects(keeper.db, Date.now() - before.getTime())
  // Entries whose object was registered again as a file: the object is kept.
  await spareOwnedObjects(keeper.db)
  const deleted = await deleteDoomed(keeper)
  let unfinished = 0
  for (const [name, location] of keeper.storage.locations) {
    try {
      const written = new Set(await findWrittenKeys(keeper.db, name))
      unfinished += await location.discardUnfinished(before, (key) => written.has(key))
    } catch (error) {
      keeper.log.warn({ err: error, storage: name }, 'Unfinished writes could not be listed')
    }
  }
  return { deleted, unfinished }
}

/** The parts of a request's context that the cleanup needs. */
export const keeperOf = ({ db, storage, log }: Pick<Context, 'db' | 'log' | 'storage'>): ObjectKeeper => ({
  db,
  storage,
  log,
})

/**
 * Deletes the objects that rows have released. Many are left to the cleanup that their trigger announces (`keepObjects`).
 * A failure is logged, since the rows are committed.
 */
export const deleteReleased: Effect = async (ctx) => {
  try {
    await deleteSomeDoomed(keeperOf(ctx), { limit: atOnce.request, first: 'newest' })
  } catch (error) {
    ctx.log.warn({ err: error }, 'Released objects could not be deleted; the next cleanup tries again')
  }
}
