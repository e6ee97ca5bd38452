/**
 * Resumable uploads. Their bytes are stored in segments, one object each, and are joined to a file after the last one.
 * The row contains the offset. A segment is recorded only if the offset is unchanged, so that concurrent writers of one
 * upload conflict, also on different replicas.
 */
import { Readable } from 'node:stream'
import { isUuid } from '../../domain/conditions/literals.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { UploadMetadata, UploadPart, UploadState, UploadStore } from '../../domain/ports/uploads.ts'
import type { Changes } from '../../domain/query/mutation.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import { summed } from '../../metadata/checksum.ts'
import type { ObjectAddress } from '../../sql/statements/stored-objects.ts'
import {
  advanceUpload,
  deleteExpiredUploads,
  deleteSegments,
  deleteUpload,
  findSegments,
  findUpload,
  insertSegment,
  insertUpload,
  setUploadLength,
  type UploadRow,
  type UploadTimes,
} from '../../sql/statements/uploads.ts'
import { markOf } from '../objects/disk-names.ts'
import {
  abandon,
  claimObject,
  deleteReleased,
  keeperOf,
  locationOf,
  throwStorageFailure,
  withObjectKey,
} from '../objects/stored-objects.ts'
import { notFound } from '../rows/keys.ts'
import { afterCommit, withTransaction } from '../rows/transaction.ts'
import { assertStorable, assertUpdatable, type FileTarget } from './file-rights.ts'
import { readValue, storeAs } from './files.ts'
import { createSource, type Source } from './segment-source.ts'

type Settings = NonNullable<Context['files']['resumable']>

/** Parses the metadata of an upload into changes of a new or an existing file. */
export type UploadReading = (message: { readonly [name: string]: unknown }, replaces: boolean) => Changes

/** The uploads of the caller. `named` is called with the id of the file. */
export function openUploads(
  ctx: Context,
  settings: Settings,
  { read, named }: { readonly read: UploadReading; readonly named: (file: string) => void },
): UploadStore {
  const at: UploadScope = { ctx, settings, read }
  return {
    async create(id, { length, metadata }) {
      const destined = await prepareTarget(at, metadata)
      await assertStorable(ctx, destined)
      await begin(at, { id, length, metadata, destined })
      named(destined.id)
      if (length === 0) await finish(at, await readUpload(ctx, id), null)
    },
    async read(id) {
      const upload = await readOwn(at, id)
      named(upload.file)
      return upload
    },
    declare: (id, length) => declare(at, id, length),
    append: (id, piece) => append(at, id, piece),
    async remove(id) {
      await readOwn(at, id)
      await deleteUpload(ctx.db, id)
      await afterCommit(ctx, deleteReleased)
    },
  }
}

const uploads = 'platform_uploads'

type UploadScope = { readonly ctx: Context; readonly settings: Settings; readonly read: UploadReading }

type Upload = UploadRow

/** Owner of uploads: null for public callers, undefined for actors without uploads. */
const owner = ({ actor }: Pick<Context, 'actor'>): string | null | undefined =>
  actor.kind === 'user' ? actor.user : actor.kind === 'public' ? null : undefined

/** Metadata keys with a meaning in the protocol. */
const reservedKeys: ReadonlySet<string> = new Set(['id', 'filename_download', 'filename', 'type', 'filetype'])

async function prepareTarget({ ctx, read }: UploadScope, metadata: UploadMetadata): Promise<FileTarget> {
  const { id = null } = metadata
  nameOf(metadata)
  const changes = read(valuesOf(metadata), id !== null)
  if (id === null) return { id: ctx.ids.uuid(), replaces: false, changes }
  return { id: await assertUpdatable(ctx, id), replaces: true, changes }
}

const valuesOf = (metadata: UploadMetadata): { readonly [name: string]: unknown } =>
  Object.fromEntries(
    Object.entries(metadata).flatMap(([name, text]) =>
      reservedKeys.has(name) ? [] : [[name, text === null ? null : readValue(name, text)]],
    ),
  )

function nameOf({ filename_download: own = null, filename = null }: UploadMetadata): string {
  const name = own ?? filename
  if (name !== null && name !== '') return name
  const reason = 'Expected a file name for "filename_download" in the header "Upload-Metadata" but received none'
  throw invalidPayload('filename_download', reason)
}

type Created = Pick<UploadState, 'length' | 'metadata'> & { readonly id: string; readonly destined: FileTarget }

async function begin(at: UploadScope, { id, length, metadata, destined }: Created): Promise<void> {
  const { id: file, replaces } = destined
  const holder = owner(at.ctx)
  if (holder === undefined) throw notFound(uploads)
  const { ctx, settings } = at
  const upload = { id, owner: holder, file, replaces, length, metadata, ...timesOf(at) }
  if (await insertUpload(ctx.db, upload, settings.most)) return
  await deleteExpiredUploads(ctx.db, ctx.clock())
  await afterCommit(ctx, deleteReleased)
  if (await insertUpload(ctx.db, upload, settings.most)) return
  const reason = `Expected at most ${settings.most} unfinished uploads (TUS_MAX_UPLOADS) of one user: finish or delete some`
  throw invalidPayload(null, reason)
}

function timesOf({ ctx, settings }: Pick<UploadScope, 'ctx' | 'settings'>): UploadTimes {
  const now = ctx.clock()
  return { touched: now, expires: new Date(now.getTime() + settings.expiration) }
}

/** Of somebody else and expired are as good as none. */
async function readUpload(ctx: Pick<Context, 'actor' | 'clock' | 'db'>, id: string): Promise<Upload> {
  if (!isUuid(id)) throw notFound(uploads)
  const holder = owner(ctx)
  if (holder === undefined) throw notFound(uploads)
  const upload = await findUpload(ctx.db, { id, owner: holder, now: ctx.clock() })
  if (upload === undefined) throw notFound(uploads)
  return upload
}

/** A key of some policies shows and removes only what it could store itself. */
async function readOwn(at: UploadScope, id: string): Promise<Upload> {
  const { actor } = at.ctx
  const upload = await readUpload(at.ctx, id)
  if (actor.kind === 'user' && actor.key?.isPartial === true) await assertStorable(at.ctx, destinedOf(at, upload))
  return upload
}

const destinedOf = ({ read }: UploadScope, { file, replaces, metadata }: Upload): FileTarget => ({
  id: file,
  replaces,
  changes: read(valuesOf(metadata), replaces),
})

/** Sets the length. If all bytes are present, the file is created first, so that a failure can be retried. */
async function declare(at: UploadScope, id: string, length: number): Promise<void> {
  const upload = await readUpload(at.ctx, id)
  if (upload.offset === length) return finish(at, { ...upload, length }, null)
  if (!(await setUploadLength(at.ctx.db, id, length))) throw outrun()
}

async function append(at: UploadScope, id: string, { offset, stream, checksum }: UploadPart): Promise<number> {
  const upload = await readUpload(at.ctx, id)
  if (upload.offset !== offset) throw outrun()
  // The permission may have been revoked since the upload began.
  const storage = await assertStorable(at.ctx, destinedOf(at, upload))
  const source = createSource(stream)
  let reached = offset
  while (reached < (upload.length ?? Number.POSITIVE_INFINITY) && (await source.hasMore())) {
    reached = await storeSegment(at, { ...upload, offset: reached }, { storage, source, checksum })
  }
  return reached
}

type ObjectTarget = { readonly storage: string; readonly source: Source; readonly checksum: UploadPart['checksum'] }

/** Stores a segment. The last one is recorded together with the file. */
async function storeSegment(
  at: UploadScope,
  upload: Upload,
  { storage, source, checksum }: ObjectTarget,
): Promise<number> {
  const { ctx, settings } = at
  const keys = [`${upload.id}-${markOf(ctx)}`]
  return withObjectKey(keeperOf(ctx), { storage, keys }, async (address) => {
    const segment = checksum === null ? settings.segment : Number.POSITIVE_INFINITY
    const most = Math.min(segment, (upload.length ?? Number.POSITIVE_INFINITY) - upload.offset)
    // For several segments the checksum is computed when they are joined.
    const sum = summed(source.take(most), ctx.files.checksums && most === upload.length ? 'md5' : null)
    const proof = summed(sum.chunks, checksum?.algorithm ?? null)
    const body = Readable.from(proof.chunks, { objectMode: false, highWaterMark: 262_144 })
    const { size } = await locationOf(ctx.storage, storage)
      .write(address.key, body, { owned: true })
      .catch(throwStorageFailure)
    if (proof.end() !== (checksum?.hex ?? null)) throw mismatch()
    const end = upload.offset + size
    if (end === upload.length) await finish(at, upload, { ...address, checksum: sum.end() })
    else await withTransaction(ctx, (inner) => recordSegment({ ctx: inner, settings }, upload, { address, end }))
    return end
  })
}

const mismatch = (): TandemError => new TandemError({ kind: 'checksum-mismatch', name: 'Upload-Checksum' })

type StoredSegment = { readonly address: ObjectAddress; readonly end: number }

async function recordSegment(
  at: Pick<UploadScope, 'ctx' | 'settings'>,
  upload: Upload,
  { address, end }: StoredSegment,
): Promise<void> {
  const { db } = at.ctx
  await claimObject(db, address)
  await advance(at, upload, end)
  await insertSegment(db, upload.id, upload.offset, address)
}

async function advance(
  at: Pick<UploadScope, 'ctx' | 'settings'>,
  { id, offset, length }: Upload,
  end: number,
): Promise<void> {
  if (!(await advanceUpload(at.ctx.db, { id, from: offset, to: end, length }, timesOf(at)))) throw outrun()
}

const outrun = (): TandemError =>
  new TandemError({ kind: 'conflict', reason: 'The upload was continued by another request' })

/** The last segment. If it is the only one, its checksum is that of the file. */
type Last = ObjectAddress & { readonly checksum: string | null }

/** Joins the segments to the file. The row is kept, for clients that did not receive the response. */
async function finish(at: UploadScope, upload: Upload, last: Last | null): Promise<void> {
  const { ctx, settings } = at
  const segments = [...(await findSegments(ctx.db, upload.id)), ...(last === null ? [] : [last])]
  const { metadata, file, replaces, length } = upload
  const type = (metadata['type'] ?? metadata['filetype'] ?? 'application/octet-stream').toLowerCase()
  const stream = Readable.from(readAll(ctx, segments), { objectMode: false, highWaterMark: 262_144 })
  const destined = { id: file, replaces, changes: at.read(valuesOf(metadata), replaces) }
  // A single segment that is not recorded yet can become the file itself: after a failure the client sends it again.
  const object =
    last !== null && segments.length === 1 && length !== null
      ? { object: { key: last.key, size: length, checksum: last.checksum } }
      : {}
  await storeAs(ctx, { filename: nameOf(metadata), type, stream, ...object }, destined, async (inner) => {
    if (length !== null && length > 0) await advance({ ctx: inner, settings }, upload, length)
    await deleteSegments(inner.db, upload.id)
  })
  if (last !== null) await abandon(keeperOf(ctx), [last])
  else await afterCommit(ctx, deleteReleased)
}

async function* readAll(
  { storage }: Pick<Context, 'storage'>,
  segments: readonly ObjectAddress[],
): AsyncGenerator<Buffer> {
  for (const { storage: name, key } of segments) {
    yield* (await locationOf(storage, name).read(key)) as AsyncIterable<Buffer>
  }
}
