/**
 * Uploads that can be continued. Their bytes are kept in segments, each an object of its own, and become a file
 * when the last one is there. The row says how far an upload is; whoever writes a segment has to find it so again,
 * so that of two who continue one upload at once the slower one fails, on whatever replica it is.
 */
import { Readable } from 'node:stream'
import type { Context } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import { isUuid } from '../domain/literals.ts'
import type { Changes } from '../domain/mutation.ts'
import type { Piece, UploadMetadata, UploadState, UploadStore } from '../domain/resumable.ts'
import { summed } from '../metadata/checksum.ts'
import { markOf } from './disk-names.ts'
import { assertStorable, assertUpdatable, type Destined } from './file-rights.ts'
import { readValue, storeAs } from './files.ts'
import { notFound } from './keys.ts'
import { createSource, type Source } from './segment-source.ts'
import {
  abandon,
  claimObject,
  deleteDoomed,
  keeperOf,
  locationOf,
  type ObjectPlace,
  underEntry,
  unstored,
} from './stored-objects.ts'
import { withTransaction } from './transaction.ts'

type Settings = NonNullable<Context['files']['resumable']>

/** What a client says of a file → changes, for a new file or for one that is there. */
export type UploadReading = (said: { readonly [name: string]: unknown }, replaces: boolean) => Changes

/** Uploads of the caller. `named` hears which file one will be. */
export function openUploads(
  ctx: Context,
  settings: Settings,
  { read, named }: { readonly read: UploadReading; readonly named: (file: string) => void },
): UploadStore {
  const at: Place = { ctx, settings, read }
  return {
    async create(id, { length, metadata }) {
      const destined = await destine(at, metadata)
      await assertStorable(ctx, destined)
      if (owner(ctx) === undefined) throw notFound(uploads)
      await insertUpload(at, { id, length, metadata, destined })
      named(destined.id)
      if (length === 0) await finish(at, await readUpload(ctx, id), null)
    },
    async read(id) {
      const upload = await readUpload(ctx, id)
      named(upload.file)
      return upload
    },
    declare: (id, length) => declare(at, id, length),
    append: (id, piece) => append(at, id, piece),
    async remove(id) {
      await readUpload(ctx, id)
      await ctx.db.run({ text: 'delete from platform_uploads where id = $1', values: [id] })
      await deleteDoomed(keeperOf(ctx))
    },
  }
}

const uploads = 'platform_uploads'

type Place = { readonly ctx: Context; readonly settings: Settings; readonly read: UploadReading }

type Upload = UploadState & { readonly id: string; readonly file: string; readonly replaces: boolean }

/** Null is everybody without a token; undefined has no uploads. */
const owner = ({ actor }: Context): string | null | undefined =>
  actor.kind === 'user' ? actor.user : actor.kind === 'public' ? null : undefined

/** What the client says about the protocol and not about the file. */
const spoken: ReadonlySet<string> = new Set(['id', 'filename_download', 'filename', 'type', 'filetype'])

/** The file that an upload is to be, by what its client says of it. */
async function destine({ ctx, read }: Place, metadata: UploadMetadata): Promise<Destined> {
  const { id = null } = metadata
  nameOf(metadata)
  const changes = read(saidOf(metadata), id !== null)
  if (id === null) return { id: ctx.ids.uuid(), replaces: false, changes }
  return { id: await assertUpdatable(ctx, id), replaces: true, changes }
}

const saidOf = (metadata: UploadMetadata): { readonly [name: string]: unknown } =>
  Object.fromEntries(
    Object.entries(metadata).flatMap(([name, text]) =>
      spoken.has(name) ? [] : [[name, text === null ? null : readValue(name, text)]],
    ),
  )

function nameOf({ filename_download: own = null, filename = null }: UploadMetadata): string {
  const name = own ?? filename
  if (name !== null && name !== '') return name
  const reason = 'Expected a file name for "filename_download" in the header "Upload-Metadata" but received none'
  throw new TandemError({ kind: 'invalid-payload', name: 'filename_download', reason })
}

type Created = Pick<UploadState, 'length' | 'metadata'> & { readonly id: string; readonly destined: Destined }

async function insertUpload({ ctx, settings }: Place, { id, length, metadata, destined }: Created): Promise<void> {
  const text = `insert into platform_uploads (id, owner, file, replaces, length, metadata, touched, expires)
    values ($1, $2, $3, $4, $5, $6, $7, $8)`
  const { touched, expires } = timesOf({ ctx, settings })
  const { id: file, replaces } = destined
  const values = [id, owner(ctx), file, replaces, length, JSON.stringify(metadata), touched, expires]
  await ctx.db.run({ text, values })
}

function timesOf({ ctx, settings }: Pick<Place, 'ctx' | 'settings'>) {
  const now = ctx.clock()
  return { touched: now.toISOString(), expires: new Date(now.getTime() + settings.expiration).toISOString() }
}

type UploadRow = Omit<Upload, 'length' | 'offset'> & { readonly length: unknown; readonly received: unknown }

/** Of somebody else and expired are as good as none. */
async function readUpload(ctx: Context, id: string): Promise<Upload> {
  if (!isUuid(id)) throw notFound(uploads)
  const text = `select id, file, replaces, length, received, metadata, touched from platform_uploads
    where id = $1 and owner is not distinct from $2 and expires > $3`
  const holder = owner(ctx)
  if (holder === undefined) throw notFound(uploads)
  const { rows } = await ctx.db.run({ text, values: [id, holder, ctx.clock().toISOString()] })
  const [row] = rows as readonly UploadRow[]
  if (row === undefined) throw notFound(uploads)
  const { length, received, touched, ...rest } = row
  const known = length === null ? null : Number(length)
  return { ...rest, length: known, offset: Number(received), touched: new Date(touched) }
}

/** With the last byte there already the file is made first: if it cannot be, the length can be said again. */
async function declare(at: Place, id: string, length: number): Promise<void> {
  const upload = await readUpload(at.ctx, id)
  if (upload.offset === length) return finish(at, { ...upload, length }, null)
  const text = 'update platform_uploads set length = $2 where id = $1 and length is null and received <= $2'
  if ((await at.ctx.db.run({ text, values: [id, length] })).count !== 1) throw outrun()
}

async function append(at: Place, id: string, { offset, stream, checksum }: Piece): Promise<number> {
  const upload = await readUpload(at.ctx, id)
  if (upload.offset !== offset) throw outrun()
  // The right to it may have gone since it began.
  const destined = {
    id: upload.file,
    replaces: upload.replaces,
    changes: at.read(saidOf(upload.metadata), upload.replaces),
  }
  const storage = await assertStorable(at.ctx, destined)
  const source = createSource(stream)
  let reached = offset
  while (reached < (upload.length ?? Number.POSITIVE_INFINITY) && (await source.hasMore())) {
    reached = await storeSegment(at, { ...upload, offset: reached }, { storage, source, checksum })
  }
  return reached
}

type Into = { readonly storage: string; readonly source: Source; readonly checksum: Piece['checksum'] }

/** The last one is not noted by itself: it is there when the file is. */
async function storeSegment(at: Place, upload: Upload, { storage, source, checksum }: Into): Promise<number> {
  const { ctx, settings } = at
  const keys = [`${upload.id}-${markOf(ctx)}`]
  return underEntry(keeperOf(ctx), { storage, keys }, async (place) => {
    const segment = checksum === null ? settings.segment : Number.POSITIVE_INFINITY
    const most = Math.min(segment, (upload.length ?? Number.POSITIVE_INFINITY) - upload.offset)
    // The sum of several pieces is made when they are put together.
    const sum = summed(source.take(most), ctx.files.checksums && most === upload.length ? 'md5' : null)
    const proof = summed(sum.chunks, checksum?.algorithm ?? null)
    const body = Readable.from(proof.chunks, { objectMode: false, highWaterMark: 262_144 })
    const { size } = await locationOf(ctx.storage, storage).write(place.key, body, { owned: true }).catch(unstored)
    if (proof.end() !== (checksum?.hex ?? null)) throw mismatch()
    const end = upload.offset + size
    if (end === upload.length) await finish(at, upload, { ...place, checksum: sum.end() })
    else await withTransaction(ctx, (inner) => note({ ctx: inner, settings }, upload, { place, end }))
    return end
  })
}

const mismatch = (): TandemError => new TandemError({ kind: 'checksum-mismatch', name: 'Upload-Checksum' })

type Noted = { readonly place: ObjectPlace; readonly end: number }

async function note(at: Pick<Place, 'ctx' | 'settings'>, upload: Upload, { place, end }: Noted): Promise<void> {
  const { db } = at.ctx
  await claimObject(db, place)
  await advance(at, upload, end)
  const text = 'insert into platform_upload_segments (upload, start, storage, key) values ($1, $2, $3, $4)'
  await db.run({ text, values: [upload.id, upload.offset, place.storage, place.key] })
}

async function advance(
  at: Pick<Place, 'ctx' | 'settings'>,
  { id, offset, length }: Upload,
  end: number,
): Promise<void> {
  const text = `update platform_uploads set received = $3, length = $4, touched = $5, expires = $6
    where id = $1 and received = $2 and (length is null or length = $4)`
  const { touched, expires } = timesOf(at)
  const { count } = await at.ctx.db.run({ text, values: [id, offset, end, length, touched, expires] })
  if (count !== 1) throw outrun()
}

const outrun = (): TandemError =>
  new TandemError({ kind: 'conflict', reason: 'The upload was continued elsewhere in the meantime' })

/** The last piece; its sum is that of the file where there is no other. */
type Last = ObjectPlace & { readonly checksum: string | null }

/** The segments one after the other become the contents of the file; the row stays, for who missed the answer. */
async function finish(at: Place, upload: Upload, last: Last | null): Promise<void> {
  const { ctx, settings } = at
  const text = 'select storage, key from platform_upload_segments where upload = $1 order by start'
  const { rows } = await ctx.db.run({ text, values: [upload.id] })
  const places = [...(rows as readonly ObjectPlace[]), ...(last === null ? [] : [last])]
  const { metadata, file, replaces, length } = upload
  const type = (metadata['type'] ?? metadata['filetype'] ?? 'application/octet-stream').toLowerCase()
  const stream = Readable.from(readAll(ctx, places), { objectMode: false, highWaterMark: 262_144 })
  const destined = { id: file, replaces, changes: at.read(saidOf(metadata), replaces) }
  // A single piece that nothing speaks of yet can be sent again, so that it may go into the file itself.
  const object =
    last !== null && places.length === 1 && length !== null
      ? { object: { key: last.key, size: length, checksum: last.checksum } }
      : {}
  await storeAs(ctx, { filename: nameOf(metadata), type, stream, ...object }, destined, async (inner) => {
    if (length !== null && length > 0) await advance({ ctx: inner, settings }, upload, length)
    await inner.db.run({ text: 'delete from platform_upload_segments where upload = $1', values: [upload.id] })
  })
  if (last !== null) await abandon(keeperOf(ctx), [last])
  else await deleteDoomed(keeperOf(ctx))
}

async function* readAll({ storage }: Context, places: readonly ObjectPlace[]): AsyncGenerator<Buffer> {
  for (const { storage: name, key } of places) {
    yield* (await locationOf(storage, name).read(key)) as AsyncIterable<Buffer>
  }
}
