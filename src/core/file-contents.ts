/** Incoming contents → an object in storage, and what the server itself says about it. */
import { Readable } from 'node:stream'
import type { Context } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import type { Changes } from '../domain/mutation.ts'
import type { Storage } from '../domain/storage.ts'
import type { Incoming } from '../domain/upload.ts'
import { summed } from '../metadata/checksum.ts'
import type { Metadata } from '../metadata/image-metadata.ts'
import { charsetOf, detectType, headSize, isAllowedType, isMediaType } from '../metadata/media-type.ts'
import { describeContents } from './described-contents.ts'
import { diskNames, extensionOf, markOf } from './disk-names.ts'
import { type FileRules, readFileRules } from './file-settings.ts'
import { keeperOf, locationOf, type ObjectPlace, underEntry, unstored } from './stored-objects.ts'

/** An object that waits for its row. `facts` are not the caller's to say; `defaults` hold where it says nothing. */
export type StoredContents = {
  readonly place: ObjectPlace
  readonly facts: Changes
  readonly defaults: Changes
}

/** Where new contents go and under which id their name begins. */
export type Destination = { readonly storage: string; readonly id: string; readonly version?: string }

/** Stores contents while they come in. Until `claimObject` they belong to nobody. */
export async function storeContents(ctx: Context, incoming: Incoming, to: Destination): Promise<StoredContents> {
  try {
    const filename = nameOf(incoming)
    const location = locationOf(ctx.storage, to.storage)
    const { head, rest } = await readHead(incoming.stream).catch((error: unknown) => toFailure(error, incoming))
    const type = await detectType(head, incoming.type)
    const rules = await readFileRules(ctx)
    const { folder } = rules
    assertAllowed(ctx, rules, type)
    if (ctx.files.refusesEmpty === true && head.length === 0) throw invalid('file', 'An empty file is not allowed.')
    // The first may be left of a process that died before this upload was continued.
    const marks = [to.version === undefined ? '' : `-${to.version}`, `-${markOf(ctx)}`]
    const own = marks.map((mark) => `${to.id}${mark}${extensionOf(filename, type)}`)
    const shared = rules.naming !== 'uuid'
    const keys = shared ? diskNames(location, { filename, type, last: own }) : own
    return await underEntry(keeperOf(ctx), { storage: to.storage, keys, shared }, async (place) => {
      const { object } = incoming
      const sum = summed(bounded({ head, rest }, ctx.files.maxSize), ctx.files.checksums ? 'md5' : null)
      const source = Readable.from(sum.chunks, { objectMode: false, highWaterMark: 262_144 })
      const charset = charsetOf(head)
      const stored = object ? take(location, place.key, incoming) : location.write(place.key, source, { owned: true })
      const { size } = await stored.catch((error: unknown) => toFailure(error, incoming))
      const checksum = object ? object.checksum : sum.end()
      return { place, ...(await describe(ctx, place, { filename, folder, type, size, checksum, charset })) }
    })
  } catch (error) {
    incoming.stream.destroy()
    throw error
  }
}

type Basics = {
  readonly filename: string
  readonly folder: string | null
  readonly type: string
  readonly size: number
  readonly checksum: string | null
  readonly charset: string | null
}

/** What rows say of an object that is in storage. */
export async function describe(
  ctx: Context,
  place: ObjectPlace,
  { filename, folder, type, size, checksum, charset }: Basics,
): Promise<Omit<StoredContents, 'place'>> {
  const described = await describeContents(ctx, { place, type, size })
  return {
    facts: values({
      storage: place.storage,
      filename_disk: place.key,
      filename_download: filename,
      type,
      filesize: size,
      checksum,
      charset,
      ...described,
      uploaded_on: ctx.clock().toISOString(),
    }),
    defaults: values({ title: titleOf(filename), folder, ...promoted(described.metadata ?? {}) }),
  }
}

/** Fields and their values, as changes. */
export const values = (of: { readonly [field: string]: unknown }): Changes =>
  new Map(Object.entries(of).map(([field, value]) => [field, { kind: 'value', value: value as string }]))

/** What a photographer wrote into the picture is how it is called, unless the caller says otherwise. */
function promoted({ iptc = {} }: Metadata): { readonly [field: string]: unknown } {
  const { headline, caption, keywords, city, state, country } = iptc
  const places = [city, state, country].filter((each) => typeof each === 'string')
  return {
    ...(typeof headline === 'string' ? { title: headline.slice(0, 255) } : {}),
    ...(typeof caption === 'string' ? { description: caption } : {}),
    ...(places.length === 0 ? {} : { location: places.join(', ') }),
    ...(keywords === undefined ? {} : { tags: Array.isArray(keywords) ? keywords : [keywords] }),
  }
}

function nameOf({ filename }: Incoming): string {
  if (filename === null) throw invalid('file', 'Expected a file name for "file" but received none')
  if (filename.length > 255 || /\p{Cc}/u.test(filename) || !filename.isWellFormed()) {
    throw invalid('file', `Expected at most 255 characters, none of them control characters, for the name of "file"`)
  }
  return filename
}

/**
 * The name without its extension, in words.
 * @example titleOf('my_first-photo.jpg') // 'My First Photo'
 */
export const titleOf = (filename: string): string =>
  filename
    .replace(/(?<=.)\.[^.]*$/, '')
    .split(/[\s_-]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')

/** Refuses what the server or the project leaves out, and what is no media type at all. */
export function assertAllowed({ files }: Context, rules: FileRules, type: string): void {
  if (!isMediaType(type)) throw invalid('type', 'Expected a media type such as image/png for "type"')
  for (const types of [files.types, ...(rules.types.length === 0 ? [] : [rules.types])]) {
    if (isAllowedType(type, types)) continue
    throw invalid('type', `Expected a file of type ${types.join(', ')} but received ${type}`)
  }
}

type Begun = { readonly head: Buffer; readonly rest: AsyncIterator<Buffer> }

async function readHead(stream: Readable): Promise<Begun> {
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

/** What is in the location already gets its name there, and is not copied. */
async function take(location: Storage, key: string, { object, stream }: Incoming): Promise<{ readonly size: number }> {
  const { key: from, size } = object as NonNullable<Incoming['object']>
  stream.destroy()
  await location.move(from, key)
  return { size }
}

async function* bounded({ head, rest }: Begun, limit: number | null): AsyncGenerator<Buffer> {
  let size = 0
  const counted = (chunk: Buffer): Buffer => {
    size += chunk.length
    if (limit !== null && size > limit) throw new TandemError({ kind: 'content-too-large', limit })
    return chunk
  }
  if (head.length > 0) yield counted(head)
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield counted(next.value)
}

/** What the client sent wrongly is its fault, the rest is the storage's. */
function toFailure(cause: unknown, { stream }: Incoming): never {
  const isCut = cause === stream.errored && cause instanceof TandemError && cause.failures[0].kind === 'invalid-payload'
  if (cause instanceof TandemError && !isCut) throw cause
  if (stream.errored !== null) throw incomplete()
  unstored(cause)
}

const incomplete = (): TandemError =>
  new TandemError({
    kind: 'upload-failed',
    problem: 'incomplete',
    reason: 'Expected the whole "file" but the body ended early',
  })

const invalid = (name: string, reason: string): TandemError =>
  new TandemError({ kind: 'invalid-payload', name, reason })
