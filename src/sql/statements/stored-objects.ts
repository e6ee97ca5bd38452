/** The journal between rows of files and their objects in storage: what is being written, and what is to be deleted. */
import { allRows, change, hasRows, type Runner } from './answers.ts'

/** Where an object is. */
export type ObjectPlace = { readonly storage: string; readonly key: string }

/** A row of a file has the object of the entry (`o`). */
const hasFile = `exists
    (select 1 from platform_files f where f.storage = o.storage and f.filename_disk = o.key)`

/** Makes an entry for an object that is about to be written; false when a row or another entry has the key. */
export function enterObject(db: Runner, { storage, key }: ObjectPlace): Promise<boolean> {
  const text = `insert into platform_stored_objects (storage, key) select $1::text, $2::text where not exists
    (select 1 from platform_files where storage = $1 and filename_disk = $2) on conflict do nothing`
  return hasRows(db, { text, values: [storage, key], name: 'enter-object', rows: 'array' })
}

/** Says that the object is still being written. */
export async function renewObject(db: Runner, { storage, key }: ObjectPlace): Promise<void> {
  const text = 'update platform_stored_objects set since = now() where storage = $1 and key = $2 and not doomed'
  await change(db, { text, values: [storage, key] })
}

/** Takes the entry back if a row has its key by now; true when it did. */
export function releaseOwnedObject(db: Runner, { storage, key }: ObjectPlace): Promise<boolean> {
  const text = `delete from platform_stored_objects o where storage = $1 and key = $2 and not doomed and ${hasFile}`
  return hasRows(db, { text, values: [storage, key] })
}

/** Ends the entry because a row has the object from now on; false when the entry was given up. */
export function releaseObject(db: Runner, { storage, key }: ObjectPlace): Promise<boolean> {
  const text = 'delete from platform_stored_objects where storage = $1 and key = $2 and not doomed'
  return hasRows(db, { text, values: [storage, key], name: 'claim-object', rows: 'array' })
}

/** Marks objects as to be deleted. */
export async function doomObjects(db: Runner, places: readonly ObjectPlace[]): Promise<void> {
  const text = `update platform_stored_objects set doomed = true
    where (storage, key) in (select * from unnest($1::text[], $2::text[]))`
  const values = [places.map(({ storage }) => storage), places.map(({ key }) => key)]
  await change(db, { text, values })
}

/** Marks as to be deleted what nobody has renewed for so many milliseconds, by the clock of the database. */
export async function doomStaleObjects(db: Runner, age: number): Promise<void> {
  const text = `update platform_stored_objects set doomed = true
    where not doomed and since < now() - $1 * interval '1 millisecond'`
  await change(db, { text, values: [age] })
}

/** Drops the mark from objects that a row has again. */
export async function spareOwnedObjects(db: Runner): Promise<void> {
  await change(db, { text: `delete from platform_stored_objects o where doomed and ${hasFile}`, values: [] })
}

/** Whether a row, an upload under way or the journal has the object. */
export function isObjectKnown(db: Runner, { storage, key }: ObjectPlace): Promise<boolean> {
  const text = `select 1 from platform_files where storage = $1 and filename_disk = $2
    union all select 1 from platform_stored_objects where storage = $1 and key = $2
    union all select 1 from platform_upload_segments where storage = $1 and key = $2`
  return hasRows(db, { text, values: [storage, key] })
}

/** The next objects to be deleted, which no row has; the oldest first. */
export function findDoomedObjects(db: Runner, limit: number): Promise<readonly ObjectPlace[]> {
  const text = `select storage, key from platform_stored_objects o where doomed and since <= now() and not ${hasFile}
    order by since limit ${limit}`
  return allRows(db, { text, values: [] })
}

/** Puts the entry of an object off for so many milliseconds, so that nobody else deletes it; false when somebody does. */
export function takeDoomedObject(db: Runner, { storage, key }: ObjectPlace, milliseconds: number): Promise<boolean> {
  const text = `update platform_stored_objects o set since = now() + $3 * interval '1 millisecond'
    where storage = $1 and key = $2 and doomed and since <= now() and not ${hasFile}`
  return hasRows(db, { text, values: [storage, key, milliseconds] })
}

const taken = 'where storage = $1 and key = $2 and doomed and since > now()'

/** Gives an entry that was put off back at once: the object could not be deleted. */
export async function giveDoomedObjectBack(db: Runner, { storage, key }: ObjectPlace): Promise<void> {
  await change(db, { text: `update platform_stored_objects set since = now() ${taken}`, values: [storage, key] })
}

/** Ends an entry that was put off: the object is deleted. */
export async function forgetDoomedObject(db: Runner, { storage, key }: ObjectPlace): Promise<void> {
  await change(db, { text: `delete from platform_stored_objects ${taken}`, values: [storage, key] })
}

/** Names in that location under which something is being written. */
export async function findWrittenKeys(db: Runner, storage: string): Promise<readonly string[]> {
  const text = 'select key from platform_stored_objects where storage = $1 and not doomed'
  return (await allRows<{ readonly key: string }>(db, { text, values: [storage] })).map(({ key }) => key)
}
