/** What the server says about the contents of an image. */
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Context } from '../domain/context.ts'
import { removeFolder } from '../images/images.ts'
import { type ImageFacts, imageTypes } from '../metadata/image-metadata.ts'
import { readImageAside } from '../metadata/image-reader.ts'
import { locationOf, type ObjectPlace } from './stored-objects.ts'

/** A small image is looked at whole, of a large one the beginning, where nearly all of them describe themselves. */
const most = { small: 8 * 1024 ** 2, beginning: 2 * 1024 ** 2, scattered: 256 * 1024 ** 2 } as const

/** Types whose sizes may stand at the end. */
const scattered: ReadonlySet<string> = new Set(['image/tiff', 'image/avif'])

type Contents = { readonly place: ObjectPlace; readonly type: string; readonly size: number }

/**
 * Null for what is no image. Sizes are the image library's; where it cannot tell, or has too much to do, they are
 * what the metadata says. Both are read in programs of their own, and nothing here makes an upload fail.
 */
export async function readImageContents(ctx: Context, contents: Contents): Promise<ImageFacts | null> {
  const { place, type, size } = contents
  if (!imageTypes.has(type)) return null
  if (size === 0) return { width: null, height: null, metadata: {} }
  const storage = locationOf(ctx.storage, place.storage)
  const file = size <= most.small ? await storage.pathOf?.(place.key) : undefined
  if (file !== undefined) return readBoth(ctx, { beginning: file, whole: file })
  const folder = await ctx.images.createFolder()
  try {
    const beginning = join(folder, 'beginning')
    const end = (size <= most.small ? size : most.beginning) - 1
    await pipeline(await storage.read(place.key, { start: 0, end }), createWriteStream(beginning))
    const whole = join(folder, 'whole')
    const isScattered = end + 1 < size && scattered.has(type) && size <= most.scattered
    if (isScattered) await pipeline(await storage.read(place.key), createWriteStream(whole))
    return await readBoth(ctx, { beginning, whole: isScattered ? whole : beginning })
  } finally {
    await removeFolder(folder)
  }
}

/** Paths: what describes itself in the beginning, and what its size is read of. */
type Paths = { readonly beginning: string; readonly whole: string }

async function readBoth(ctx: Context, { beginning, whole }: Paths): Promise<ImageFacts> {
  const said = await readImageAside({ path: beginning, allow: ctx.files.metadata })
  const measured = await measure(ctx, whole)
  return measured === null ? said : { ...said, ...measured }
}

async function measure(ctx: Context, path: string): Promise<Pick<ImageFacts, 'width' | 'height'> | null> {
  try {
    const found = await ctx.images.describe(path)
    return found === null ? null : { width: found.width, height: found.height }
  } catch (error) {
    ctx.log.debug({ err: error }, 'The size of an image could not be read')
    return null
  }
}
