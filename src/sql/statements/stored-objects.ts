/** The journal of stored objects: objects that are being written, and objects to delete (doomed). */
import { allRows, allValues, change, hasRows, type Runner } from './answers.ts'

export type ObjectAddress = { readonly storage: string; readonly key: string }

/** The condition that a file row has the object of the entry (`o`). */
const hasFile = `exists
    (select 1 from platform_files f where f.storage = o.storage and f.filename_disk = o.key)`

/** Enters an object that will be written. False if a row or another entry has the key. */
export function enterObject(db: Runner, { storage, key }: ObjectAddress): Promise<boolean> {
  const text = `insert into platform_stored_objects (storage, key) select $1::text, $2::text where not exists
    (select 1 from platform_files where storage = $1 and filename_disk = $2) on conflict do nothing`
  return hasRows(db, { task: 'enterObject', text, values: [storage, key], name: 'enter-object', rows: 'array' })
}

/** Renews the entry of an object that is still being written. */
export async function renewObject(db: Runner, { storage, key }: ObjectAddress): Promise<void> {
  const text = 'update platform_stored_objects set since = now() where storage = $1 and key = $2 and not doomed'
  await change(db, { text, values: [storage, key] })
}

/** Removes the entry if a file row has its key; true if it did. */
export function releaseOwnedObject(db: Runner, { storage, key }: ObjectAddress): Promise<boolean> {
  const text = `delete from platform_stored_objects o where storage = $1 and key = $2 and not doomed and ${hasFile}`
  return hasRows(db, { text, values: [storage, key] })
}

/** Removes the entry because a row has the object now; false if the entry was doomed. */
export function releaseObject(db: Runner, { storage, key }: ObjectAddress): Promise<boolean> {
  const text = 'delete from platform_stored_objects where storage = $1 and key = $2 and not doomed'
  return hasRows(db, { task: 'releaseObject', text, values: [storage, key], name: 'claim-object', rows: 'array' })
}

export async function doomObjects(db: Runner, addresses: readonly ObjectAddress[]): Promise<void> {
  const text = `update platform_stored_objects set doomed = true
    where (storage, key) in (select * from unnest($1::text[], $2::text[]))`
  const values = [addresses.map(({ storage }) => storage), addresses.map(({ key }) => key)]
  await change(db, { task: 'doomObjects', text, values })
}

/** Dooms entries that were not renewed for so many milliseconds, by the clock of the database. */
export async function doomStaleObjects(db: Runner, age: number): Promise<void> {
  const text = `update platform_stored_objects set doomed = true
    where not doomed and since < now() - $1 * interval '1 millisecond'`
  await change(db, { text, values: [age] })
}

/** Removes doomed entries whose object belongs to a row again. */
export async function spareOwnedObjects(db: Runner): Promise<void> {
  await change(db, { text: `delete from platform_stored_objects o where doomed and ${hasFile}`, values: [] })
}

/** Whether a row, an upload or the journal has the object. */
export function isObjectKnown(db: Runner, { storage, key }: ObjectAddress): Promise<boolean> {
  const text = `select 1 from platform_files where storage = $1 and filename_disk = $2
    union all select 1 from platform_stored_objects where storage = $1 and key = $2
    union all select 1 from platform_upload_segments where storage = $1 and key = $2`
  return hasRows(db, { task: 'isObjectKnown', text, values: [storage, key] })
}

export type DoomedOptions = { readonly limit: number; readonly first: 'oldest' | 'newest' }

/** Doomed objects without a row. */
export function findDoomedObjects(db: Runner, { limit, first }: DoomedOptions): Promise<readonly ObjectAddress[]> {
  const text = `select storage, key from platform_stored_objects o where doomed and since <= now() and not ${hasFile}
    order by since ${first === 'oldest' ? 'asc' : 'desc'} limit ${limit}`
  return allRows(db, { task: 'findDoomedObjects', text, values: [] })
}

/**
 * Postpones a doomed entry by so many milliseconds, so that no other process deletes the object; false if one does
 * already.
 */
export function takeDoomedObject(db: Runner, { storage, key }: ObjectAddress, milliseconds: number): Promise<boolean> {
  const text = `update platform_stored_objects o set since = now() + $3 * interval '1 millisecond'
    where storage = $1 and key = $2 and doomed and since <= now() and not ${hasFile}`
  return hasRows(db, { text, values: [storage, key, milliseconds] })
}

const reservation = 'where storage = $1 and key = $2 and doomed and since > now()'

/** Makes a postponed entry due again, because the deletion failed. */
export async function giveDoomedObjectBack(db: Runner, { storage, key }: ObjectAddress): Promise<void> {
  await change(db, { text: `update platform_stored_objects set since = now() ${reservation}`, values: [storage, key] })
}

/** Removes a postponed entry, because the object is deleted. */
export async function forgetDoomedObject(db: Runner, { storage, key }: ObjectAddress): Promise<void> {
  await change(db, { text: `delete from platform_stored_objects ${reservation}`, values: [storage, key] })
}

/** Keys in the location that are being written. */
export function findWrittenKeys(db: Runner, storage: string): Promise<readonly string[]> {
  const text = 'select key from platform_stored_objects where storage = $1 and not doomed'
  return allValues(db, { text, values: [storage] })
}
