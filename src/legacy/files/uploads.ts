/** Uploads in the forms of this generation: form, base64, web address, video. */
import { Readable } from 'node:stream'
import type { Received } from '../../core/batch/received.ts'
import { receiveForm } from '../../core/files/file-form.ts'
import { assertCovered, assertCreatable } from '../../core/files/file-rights.ts'
import { receiveIncoming, receiveReplacement } from '../../core/files/files.ts'
import { fetchIncoming, withImportLimit } from '../../core/files/import-file.ts'
import { readStoredName, receiveName } from '../../core/files/rename-file.ts'
import { filesCollection } from '../../core/guards/guard-files.ts'
import { type Expected, whileUnchanged } from '../../core/items/content-tags.ts'
import { writeItems } from '../../core/items/items.ts'
import { leftOut } from '../../core/rows/write-items.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { Incoming, Part } from '../../domain/ports/uploads.ts'
import type { Key } from '../../domain/query/key.ts'
import { type Changes, toChanges } from '../../domain/query/mutation.ts'
import { type Failure, invalidPayload, TandemError, type UploadProblem } from '../../domain/rights/errors.ts'
import { findVideo, type Video, videoSize } from './embeds.ts'
import { parseFileChanges, several } from './file-fields.ts'
import { fetchPicture } from './video-pictures.ts'

type Body = { readonly [name: string]: unknown }

/** Receives a file of a form, which can limit its own size. */
export function receiveOfForm(ctx: Context, parts: AsyncIterable<Part>): Promise<Received> {
  return receiving(ctx, (within) =>
    receiveForm(within, parts, ({ MAX_FILE_SIZE: most, ...fields }) => {
      const { changes, download, disk } = parseFileChanges(ctx, fields, null)
      return { changes, filename: download ?? disk, maxSize: toSize(most) }
    }),
  )
}

/** The value of the hidden field `MAX_FILE_SIZE` before the file. */
function toSize(text: string | undefined): number | null {
  if (text === undefined) return null
  if (/^\d{1,15}$/.test(text)) return Number(text)
  const reason = 'Expected a number of bytes for "MAX_FILE_SIZE"'
  throw invalidPayload('MAX_FILE_SIZE', reason)
}

/** Receives a file from `data` of a body: contents or an address. */
export function receiveOfBody(outer: Context, body: Body): Promise<Received> {
  return receiving(outer, async (ctx) => {
    const { data, ...fields } = body
    const { changes, download, disk } = parseFileChanges(ctx, fields, null)
    assertCreatable(ctx, changes)
    const text = toText(data)
    const video = findVideo(text)
    if (video !== null) return receiveVideo(ctx, video, { changes, name: download ?? disk })
    const { incoming, within } = await contentsOf(ctx, text, download ?? disk)
    return receiveIncoming(within, incoming, { changes })
  })
}

type NamedChanges = { readonly changes: Changes; readonly name: string | null }

/** Receives the preview image of a video, and the id of the video. */
async function receiveVideo(ctx: Context, video: Video, { changes, name }: NamedChanges): Promise<Received> {
  const incoming = await fetchPicture(ctx, video)
  const existing = toChanges({ type: `embed/${video.site}`, embed: video.id, ...videoSize })
  const filename = name ?? `${video.id}.jpg`
  return receiveIncoming(withImportLimit(ctx), { ...incoming, filename }, { changes, existing })
}

/** `shown`: the keys as the path has them. */
type SentChanges = { readonly shown: readonly Key[]; readonly body: Body; readonly expected: Expected | null }

/** Receives changes of files; for a single one also its contents or its name on disk. */
export function receiveChanges(
  outer: Context,
  keys: readonly Key[],
  { shown, body, expected }: SentChanges,
): Promise<Received> {
  return receiving(outer, async (ctx) => {
    const { data, ...fields } = body
    const { changes, download, disk } = parseFileChanges(ctx, fields, shown)
    const [key, ...others] = keys
    const update = (values: Changes): Received => ({
      write: (writer) => updateFiles(writer, keys, { changes: values, expected }),
      end: async () => undefined,
    })
    if (key === undefined) return nothing
    if (data === undefined && disk === null) return update(withName(changes, download))
    if (others.length > 0) throw several()
    const stored = await readStoredName(ctx, key)
    assertCovered(ctx, 'update', changes)
    if (data !== undefined) {
      const name = download ?? disk ?? stored.filename_download
      const { incoming, within } = await contentsOf(ctx, toText(data), name)
      return receiveReplacement(within, key, { parts: only(incoming), read: () => changes, expected })
    }
    const all = withName(changes, download)
    if (disk === null || disk === stored.filename_disk) return update(all)
    return receiveName(ctx, key, { name: disk, changes: all, expected })
  })
}

const nothing: Received = { write: async () => [], end: async () => undefined }

const updateFiles = (
  ctx: Context,
  keys: readonly Key[],
  { changes, expected }: { readonly changes: Changes; readonly expected: Expected | null },
): Promise<readonly Key[]> =>
  whileUnchanged(ctx, expected, (inner) =>
    writeItems(inner, { kind: 'update', collection: filesCollection, target: { kind: 'keys', keys }, changes }),
  )

const withName = (changes: Changes, download: string | null): Changes =>
  download === null ? changes : new Map([...changes, ...toChanges({ filename_download: download })])

async function* only(incoming: Incoming): AsyncGenerator<Part, void> {
  yield { kind: 'file', name: 'data', ...incoming }
}

type Contents = { readonly incoming: Incoming; readonly within: Context }

/** Reads the contents that `data` gives or names, within limits. The permission to write is checked before. */
async function contentsOf(ctx: Context, data: string, filename: string | null): Promise<Contents> {
  if (/^https?:\/\//i.test(data)) {
    const fetched = await fetchIncoming(ctx, data)
    return { incoming: { ...fetched, filename: filename ?? fetched.filename }, within: withImportLimit(ctx) }
  }
  if (filename === null) throw blank('filename_download')
  return { incoming: { filename, ...decode(data) }, within: ctx }
}

/** A data URI or bare base64. */
function decode(data: string): Pick<Incoming, 'type' | 'stream'> {
  const [head = '', type = ''] = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w=.+-]+)*;base64,/i.exec(data) ?? []
  const text = data.slice(head.length)
  if (text.length % 4 === 1 || !/^[A-Za-z0-9+/_-]*={0,2}\s*$/.test(text)) {
    const reason = 'Expected base64, a data URI of base64, or an http or https address for "data"'
    throw invalidPayload('data', reason)
  }
  const stream = Readable.from([Buffer.from(text, 'base64')], { objectMode: false })
  return { type: type === '' ? 'application/octet-stream' : type.toLowerCase(), stream }
}

function toText(data: unknown): string {
  if (typeof data === 'string' && data !== '') return data
  throw blank('data')
}

const blank = (name: string): TandemError => invalidPayload(name, `${name}: This value should not be blank.`)

/** Runs an upload with this generation's rules (checksum, no empty files) and translates its errors. */
async function uploading<T>(ctx: Context, work: (within: Context) => Promise<T>): Promise<T> {
  try {
    return await work({ ...ctx, files: { ...ctx.files, checksums: true, refusesEmpty: true } })
  } catch (error) {
    throw error instanceof TandemError
      ? new TandemError(translate(error.failures[0], error.cause), { cause: error })
      : error
  }
}

/** The same for what is received first and written afterwards. */
async function receiving(ctx: Context, work: (within: Context) => Promise<Received>): Promise<Received> {
  const received = await uploading(ctx, work)
  return { ...received, write: (writer) => uploading(writer, received.write) }
}

function translate(failure: Failure, cause: unknown): Failure {
  switch (failure.kind) {
    case 'content-too-large':
      return failed('too-large', `The file is too large. Allowed maximum size is ${failure.limit} bytes.`)
    case 'unprocessable':
      return isStopped(failure, cause) ? failed('stopped', failure.reason) : failure
    case 'unavailable':
      if (failure.service === 'files') return failed(problemOf(cause), failure.reason)
      return { kind: 'invalid-payload', name: 'data', reason: `${unfetched}. ${failure.reason}` }
    default:
      return failure
  }
}

const unfetched = 'Expected an address that can be fetched for "data"'

/** Whether a trigger or rule of the database refused the row of the file, or dropped it. */
const isStopped = ({ reason }: { readonly reason: string }, cause: unknown): boolean =>
  reason === leftOut || typeof (cause as { readonly code?: unknown } | undefined)?.code === 'string'

/** Classifies the error of a file system or bucket that refuses a write. */
function problemOf(cause: unknown): UploadProblem {
  const { code, name } = (cause ?? {}) as { readonly code?: unknown; readonly name?: unknown }
  if (name === 'NoSuchBucket' || noFolder.has(code)) return 'no-folder'
  return cause === undefined || typeof code === 'string' ? 'not-written' : 'unknown'
}

/** Error codes for a folder that is missing, cannot be created, or is a file. */
const noFolder: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'EEXIST'])

const failed = (problem: UploadProblem, reason: string): Failure => ({ kind: 'upload-failed', problem, reason })
