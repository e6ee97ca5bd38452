/** Resumable uploads and their stored segments. */
import { allRows, change, firstRow, hasRows, type Runner } from './answers.ts'
import type { ObjectAddress } from './stored-objects.ts'

/** The metadata that the client sent. */
type Metadata = { readonly [name: string]: string | null }

/** Time of the last write, and the expiry. */
export type UploadTimes = { readonly touched: Date; readonly expires: Date }

/** A new upload. `owner`: a user; null = callers without a token. `length`: null = not known yet. */
export type NewUpload = UploadTimes & {
  readonly id: string
  readonly owner: string | null
  readonly file: string
  readonly replaces: boolean
  readonly length: number | null
  readonly metadata: Metadata
}

/** Creates an upload, unless the owner has so many; false if it does. */
export function insertUpload(db: Runner, upload: NewUpload, most: number): Promise<boolean> {
  const { id, owner, file, replaces, length, metadata, touched, expires } = upload
  const text = `insert into platform_uploads (id, owner, file, replaces, length, metadata, touched, expires)
    select $1::uuid, $2::uuid, $3::uuid, $4, $5, $6, $7, $8
    where (select count(*) from platform_uploads where owner is not distinct from $2::uuid) < $9`
  const times = [touched, expires]
  const values = [id, owner, file, replaces, length, JSON.stringify(metadata), ...times, most]
  return hasRows(db, { text, values })
}

/** An unfinished upload. `offset`: number of received bytes. */
export type UploadRow = {
  readonly id: string
  readonly file: string
  readonly replaces: boolean
  readonly metadata: Metadata
  readonly length: number | null
  readonly offset: number
  readonly touched: Date
}

type Stored = Omit<UploadRow, 'length' | 'offset' | 'touched'> & {
  readonly length: unknown
  readonly received: unknown
  readonly touched: string
}

/** The upload, if it belongs to the owner and has not expired. */
export async function findUpload(
  db: Runner,
  { id, owner, now }: { readonly id: string; readonly owner: string | null; readonly now: Date },
): Promise<UploadRow | undefined> {
  const text = `select id, file, replaces, length, received, metadata, touched from platform_uploads
    where id = $1 and owner is not distinct from $2 and expires > $3`
  const row = await firstRow<Stored>(db, { text, values: [id, owner, now] })
  if (row === undefined) return undefined
  const { length, received, touched, ...rest } = row
  const existing = length === null ? null : Number(length)
  return { ...rest, length: existing, offset: Number(received), touched: new Date(touched) }
}

/** Sets the length; false if it is already set, or smaller than the offset. */
export function setUploadLength(db: Runner, id: string, length: number): Promise<boolean> {
  const text = 'update platform_uploads set length = $2 where id = $1 and length is null and received <= $2'
  return hasRows(db, { text, values: [id, length] })
}

/** Advances the upload from `from` to `to`; false if it has another offset or length. */
export function advanceUpload(
  db: Runner,
  step: { readonly id: string; readonly from: number; readonly to: number; readonly length: number | null },
  { touched, expires }: UploadTimes,
): Promise<boolean> {
  const { id, from, to, length } = step
  const text = `update platform_uploads set received = $3, length = $4, touched = $5, expires = $6
    where id = $1 and received = $2 and (length is null or length = $4)`
  return hasRows(db, { text, values: [id, from, to, length, touched, expires] })
}

/** Deletes an upload. A trigger dooms its segments. */
export async function deleteUpload(db: Runner, id: string): Promise<void> {
  await change(db, { text: 'delete from platform_uploads where id = $1', values: [id] })
}

export async function deleteExpiredUploads(db: Runner, now: Date): Promise<void> {
  await change(db, { text: 'delete from platform_uploads where expires < $1', values: [now] })
}

/** Records the object that contains the bytes from `start` on. */
export async function insertSegment(db: Runner, upload: string, start: number, address: ObjectAddress): Promise<void> {
  const text = 'insert into platform_upload_segments (upload, start, storage, key) values ($1, $2, $3, $4)'
  await change(db, { text, values: [upload, start, address.storage, address.key] })
}

/** The objects of the upload, in byte order. */
export function findSegments(db: Runner, upload: string): Promise<readonly ObjectAddress[]> {
  const text = 'select storage, key from platform_upload_segments where upload = $1 order by start'
  return allRows(db, { text, values: [upload] })
}

/** Deletes the segments, whose bytes are in the file now. A trigger dooms their objects. */
export async function deleteSegments(db: Runner, upload: string): Promise<void> {
  await change(db, { text: 'delete from platform_upload_segments where upload = $1', values: [upload] })
}
