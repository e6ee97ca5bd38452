/** Stores received contents as an object and describes them. */

import { Readable } from 'node:stream'
import type { FileContext } from '../../domain/ports/context.ts'
import type { Storage } from '../../domain/ports/storage.ts'
import type { Incoming } from '../../domain/ports/uploads.ts'
import { type Changes, toChanges } from '../../domain/query/mutation.ts'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import { summed } from '../../metadata/checksum.ts'
import type { Metadata } from '../../metadata/image-metadata.ts'
import { charsetOf, detectType, headSize } from '../../metadata/media-type.ts'
import type { ObjectAddress } from '../../sql/statements/stored-objects.ts'
import { assertAllowed, readFileRules } from '../guards/file-settings.ts'
import { diskNames, extensionOf, markOf } from '../objects/disk-names.ts'
import { keeperOf, locationOf, throwStorageFailure, withObjectKey } from '../objects/stored-objects.ts'
import { describeContents } from './described-contents.ts'

/** A stored object whose row is not written yet. `facts` override the caller's values; `defaults` apply where the caller gives none. */
export type StoredContents = {
  readonly address: ObjectAddress
  readonly facts: Changes
  readonly defaults: Changes
}

/** Location of the new contents, and the id for their name. */
export type Destination = { readonly storage: string; readonly id: string; readonly version?: string }

/** Stores contents as a stream. Until `claimObject` is called, the object is abandoned on failure. */
export async function storeContents(ctx: FileContext, incoming: Incoming, to: Destination): Promise<StoredContents> {
  try {
    const filename = nameOf(incoming)
    const location = locationOf(ctx.storage, to.storage)
    const { head, rest } = await readHead(incoming.stream).catch((error: unknown) => toFailure(error, incoming))
    const type = await detectType(head, incoming.type)
    const rules = await readFileRules(ctx)
    const { folder } = rules
    assertAllowed(ctx, rules, type)
    if (ctx.files.refusesEmpty === true && head.length === 0)
      throw invalidPayload('file', 'An empty file is not allowed.')
    // An object with the first name may remain from a crash during an earlier attempt of this upload.
    const marks = [to.version === undefined ? '' : `-${to.version}`, `-${markOf(ctx)}`]
    const own = marks.map((mark) => `${to.id}${mark}${extensionOf(filename, type)}`)
    const shared = rules.naming !== 'uuid'
    const keys = shared ? diskNames(location, { filename, type, last: own }) : own
    return await withObjectKey(keeperOf(ctx), { storage: to.storage, keys, shared }, async (address) => {
      const { object } = incoming
      const sum = summed(bounded({ head, rest }, ctx.files.maxSize), ctx.files.checksums ? 'md5' : null)
      const source = Readable.from(sum.chunks, { objectMode: false, highWaterMark: 262_144 })
      const charset = charsetOf(head)
      const stored = object
        ? take(location, address.key, incoming)
        : location.write(address.key, source, { owned: true })
      const { size } = await stored.catch((error: unknown) => toFailure(error, incoming))
      const checksum = object ? object.checksum : sum.end()
      return { address, ...(await describe(ctx, address, { filename, folder, type, size, checksum, charset })) }
    })
  } catch (error) {
    incoming.stream.destroy()
    throw error
  }
}

type FileBasics = {
  readonly filename: string
  readonly folder: string | null
  readonly type: string
  readonly size: number
  readonly checksum: string | null
  readonly charset: string | null
}

export async function describe(
  ctx: FileContext,
  address: ObjectAddress,
  { filename, folder, type, size, checksum, charset }: FileBasics,
): Promise<Omit<StoredContents, 'address'>> {
  const described = await describeContents(ctx, { address, type, size })
  const now = ctx.clock().toISOString()
  return {
    facts: toChanges({
      storage: address.storage,
      filename_disk: address.key,
      filename_download: filename,
      type,
      filesize: size,
      checksum,
      charset,
      ...described,
      uploaded_on: now,
    }),
    defaults: toChanges({ title: titleOf(filename), folder, modified_on: now, ...promoted(described.metadata ?? {}) }),
  }
}

/** Title and description from the image metadata are defaults for the file. */
function promoted({ iptc = {} }: Metadata): { readonly [field: string]: unknown } {
  const { headline, caption, keywords, city, state, country } = iptc
  const names = [city, state, country].filter((each) => typeof each === 'string')
  return {
    ...(typeof headline === 'string' ? { title: headline.slice(0, 255) } : {}),
    ...(typeof caption === 'string' ? { description: caption } : {}),
    ...(names.length === 0 ? {} : { location: names.join(', ') }),
    ...(keywords === undefined ? {} : { tags: Array.isArray(keywords) ? keywords : [keywords] }),
  }
}

function nameOf({ filename }: Incoming): string {
  if (filename === null) throw invalidPayload('file', 'Expected a file name for "file" but received none')
  if (filename.length > 255 || /\p{Cc}/u.test(filename) || !filename.isWellFormed()) {
    throw invalidPayload(
      'file',
      `Expected at most 255 characters, none of them control characters, for the name of "file"`,
    )
  }
  return filename
}

/**
 * A title from the file name, without extension.
 * @example titleOf('my_first-photo.jpg') // 'My First Photo'
 */
const titleOf = (filename: string): string =>
  filename
    .replace(/(?<=.)\.[^.]*$/, '')
    .split(/[\s_-]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')

type StartedStream = { readonly head: Buffer; readonly rest: AsyncIterator<Buffer> }

async function readHead(stream: Readable): Promise<StartedStream> {
  const rest = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  const chunks: Buffer[] = []
  let size = 0
  while (size < headSize) {
    const { done = false, value } = await rest.next()
    if (done) break
    chunks.push(value)
    size += value.length
  }
  return { head: Buffer.concat(chunks), rest }
}

/** Contents that are already an object in the location are moved, not copied. */
async function take(location: Storage, key: string, { object, stream }: Incoming): Promise<{ readonly size: number }> {
  const { key: from, size } = object as NonNullable<Incoming['object']>
  stream.destroy()
  await location.move(from, key)
  return { size }
}

async function* bounded({ head, rest }: StartedStream, limit: number | null): AsyncGenerator<Buffer> {
  let size = 0
  const counted = (chunk: Buffer): Buffer => {
    size += chunk.length
    if (limit !== null && size > limit) throw new TandemError({ kind: 'content-too-large', limit })
    return chunk
  }
  if (head.length > 0) yield counted(head)
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield counted(next.value)
}

/** Translates errors: those of the request are the client's, all others the storage's. */
function toFailure(cause: unknown, { stream }: Incoming): never {
  const isCut = cause === stream.errored && cause instanceof TandemError && cause.failures[0].kind === 'invalid-payload'
  if (cause instanceof TandemError && !isCut) throw cause
  if (stream.errored !== null) throw incomplete()
  throwStorageFailure(cause)
}

const incomplete = (): TandemError =>
  new TandemError({
    kind: 'upload-failed',
    problem: 'incomplete',
    reason: 'Expected the whole "file" but the body ended early',
  })
