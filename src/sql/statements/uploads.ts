/** Uploads that can be continued, and the segments of them that are in storage. */
import { allRows, change, firstRow, hasRows, type Runner } from './answers.ts'
import type { ObjectPlace } from './stored-objects.ts'

/** What a client says of the file. */
type Metadata = { readonly [name: string]: string | null }

/** When somebody last wrote to an upload, and when it is given up. */
export type UploadTimes = { readonly touched: Date; readonly expires: Date }

/** An upload as it begins. `owner`: a user; null = everybody without a token. `length`: null = not known yet. */
export type NewUpload = UploadTimes & {
  readonly id: string
  readonly owner: string | null
  readonly file: string
  readonly replaces: boolean
  readonly length: number | null
  readonly metadata: Metadata
}

/** Begins an upload. */
export async function insertUpload(db: Runner, upload: NewUpload): Promise<void> {
  const { id, owner, file, replaces, length, metadata, touched, expires } = upload
  const text = `insert into platform_uploads (id, owner, file, replaces, length, metadata, touched, expires)
    values ($1, $2, $3, $4, $5, $6, $7, $8)`
  const times = [touched.toISOString(), expires.toISOString()]
  await change(db, { text, values: [id, owner, file, replaces, length, JSON.stringify(metadata), ...times] })
}

/** An upload under way; `offset` = bytes that are there. */
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
  const row = await firstRow<Stored>(db, { text, values: [id, owner, now.toISOString()] })
  if (row === undefined) return undefined
  const { length, received, touched, ...rest } = row
  const known = length === null ? null : Number(length)
  return { ...rest, length: known, offset: Number(received), touched: new Date(touched) }
}

/** Notes how long the upload will be; false when that is known already, or more is there. */
export function setUploadLength(db: Runner, id: string, length: number): Promise<boolean> {
  const text = 'update platform_uploads set length = $2 where id = $1 and length is null and received <= $2'
  return hasRows(db, { text, values: [id, length] })
}

/** The upload goes on from `from` to `to`; false when it is not at `from` any more, or has another length by now. */
export function advanceUpload(
  db: Runner,
  {
    id,
    from,
    to,
    length,
  }: { readonly id: string; readonly from: number; readonly to: number; readonly length: number | null },
  { touched, expires }: UploadTimes,
): Promise<boolean> {
  const text = `update platform_uploads set received = $3, length = $4, touched = $5, expires = $6
    where id = $1 and received = $2 and (length is null or length = $4)`
  return hasRows(db, { text, values: [id, from, to, length, touched.toISOString(), expires.toISOString()] })
}

/** Ends an upload; a trigger dooms its segments. */
export async function deleteUpload(db: Runner, id: string): Promise<void> {
  await change(db, { text: 'delete from platform_uploads where id = $1', values: [id] })
}

/** Ends the uploads that nobody has continued in time. */
export async function deleteExpiredUploads(db: Runner, now: Date): Promise<void> {
  await change(db, { text: 'delete from platform_uploads where expires < $1', values: [now.toISOString()] })
}

/** Notes that the bytes from `start` on are in that object. */
export async function insertSegment(db: Runner, upload: string, start: number, place: ObjectPlace): Promise<void> {
  const text = 'insert into platform_upload_segments (upload, start, storage, key) values ($1, $2, $3, $4)'
  await change(db, { text, values: [upload, start, place.storage, place.key] })
}

/** The objects of the upload, in the order of their bytes. */
export function findSegments(db: Runner, upload: string): Promise<readonly ObjectPlace[]> {
  const text = 'select storage, key from platform_upload_segments where upload = $1 order by start'
  return allRows(db, { text, values: [upload] })
}

/** Forgets the segments: their bytes are in the file; a trigger dooms the objects. */
export async function deleteSegments(db: Runner, upload: string): Promise<void> {
  await change(db, { text: 'delete from platform_upload_segments where upload = $1', values: [upload] })
}
