/** Reads facts about the contents of images, audio and video. */
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Context } from '../../domain/ports/context.ts'
import type { Storage } from '../../domain/ports/storage.ts'
import { removeFolder } from '../../images/images.ts'
import type { Metadata } from '../../metadata/image-metadata.ts'
import type { MediaFacts } from '../../metadata/media-metadata.ts'
import { imageTypes, isMedia } from '../../metadata/media-type.ts'
import { nothing, readInSideProcess } from '../../metadata/side-process.ts'
import type { ObjectAddress } from '../../sql/statements/stored-objects.ts'
import { locationOf } from '../objects/stored-objects.ts'

/** Limits in bytes. Small files are read completely; of large ones the beginning, which usually contains the metadata. */
const most = { small: 8 * 1024 ** 2, beginning: 2 * 1024 ** 2, scattered: 256 * 1024 ** 2 } as const

/** Image types whose size may be stored at the end of the file. */
const scattered: ReadonlySet<string> = new Set(['image/tiff', 'image/avif'])

type Contents = { readonly address: ObjectAddress; readonly type: string; readonly size: number }

type Described = MediaFacts & { readonly metadata: Metadata | null }

/** Describes contents in separate processes. Failures are logged, and never fail an upload. */
export async function describeContents(
  ctx: Pick<Context, 'log' | 'storage' | 'images' | 'files'>,
  contents: Contents,
): Promise<Described> {
  const { type, size } = contents
  const isImage = imageTypes.has(type)
  const silent = { ...nothing, metadata: isImage ? nothing.metadata : null }
  if (size === 0 || !(isImage || isMedia(type))) return silent
  try {
    return isImage ? await describeImage(ctx, contents) : { ...(await describeMedia(ctx, contents)), metadata: null }
  } catch (error) {
    ctx.log.warn({ err: error }, 'The contents of a file could not be described')
    return silent
  }
}

/** The size comes from the image library; if it fails or is busy, from the metadata. */
async function describeImage(
  ctx: Pick<Context, 'log' | 'storage' | 'images' | 'files'>,
  { address, type, size }: Contents,
): Promise<Described> {
  const storage = locationOf(ctx.storage, address.storage)
  const file = size <= most.small ? await storage.pathOf?.(address.key) : undefined
  if (file !== undefined) return readImage(ctx, type, { beginning: file, whole: file })
  return inFolder(ctx, async (folder) => {
    const beginning = join(folder, 'beginning')
    const end = (size <= most.small ? size : most.beginning) - 1
    await pipeline(await storage.read(address.key, { start: 0, end }), createWriteStream(beginning))
    const whole = join(folder, 'whole')
    const isScattered = end + 1 < size && scattered.has(type) && size <= most.scattered
    if (isScattered) await pipeline(await storage.read(address.key), createWriteStream(whole))
    return readImage(ctx, type, { beginning, whole: isScattered ? whole : beginning })
  })
}

/** If the storage has no files, a large object is copied as its beginning and its end, with a hole in between. */
async function describeMedia(
  ctx: Pick<Context, 'storage' | 'images'>,
  { address, type, size }: Contents,
): Promise<MediaFacts> {
  const storage = locationOf(ctx.storage, address.storage)
  const file = await storage.pathOf?.(address.key)
  if (file !== undefined) return readInSideProcess({ path: file, type, allow: [] })
  return inFolder(ctx, async (folder) => {
    const path = join(folder, 'ends')
    const hasHole = size > most.small
    if (!hasHole) await copy(storage, address.key, { path, start: 0, end: size - 1 })
    else {
      await copy(storage, address.key, { path, start: 0, end: most.beginning - 1 })
      await copy(storage, address.key, { path, start: size - most.beginning, end: size - 1 })
    }
    return readInSideProcess({ path, type, hasHole, allow: [] })
  })
}

type ContentRange = { readonly path: string; readonly start: number; readonly end: number }

/** Copies a range of the object to the same position in the file. */
async function copy(storage: Storage, key: string, { path, start, end }: ContentRange): Promise<void> {
  const sink = createWriteStream(path, { flags: start === 0 ? 'w' : 'r+', start })
  await pipeline(await storage.read(key, { start, end }), sink)
}

async function inFolder<T>(ctx: Pick<Context, 'images'>, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await ctx.images.createFolder()
  try {
    return await work(folder)
  } finally {
    await removeFolder(folder)
  }
}

/** Paths of temporary files: the beginning for the metadata, and the file for the size. */
type Paths = { readonly beginning: string; readonly whole: string }

async function readImage(
  ctx: Pick<Context, 'log' | 'images' | 'files'>,
  type: string,
  { beginning, whole }: Paths,
): Promise<Described> {
  const message = await readInSideProcess({ path: beginning, type, allow: ctx.files.metadata })
  const measured = await measure(ctx, whole)
  return measured === null ? message : { ...message, ...measured }
}

async function measure(
  ctx: Pick<Context, 'log' | 'images'>,
  path: string,
): Promise<Pick<MediaFacts, 'width' | 'height'> | null> {
  try {
    const image = await ctx.images.describe(path)
    return image === null ? null : { width: image.width, height: image.height }
  } catch (error) {
    ctx.log.debug({ err: error }, 'The size of an image could not be read')
    return null
  }
}
