/** What the server says about the contents of an image. */
import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { Context } from '../domain/context.ts'
import { removeFolder } from '../images/images.ts'
import { type ImageFacts, imageTypes, readImage } from '../metadata/image-metadata.ts'
import { locationOf, type ObjectPlace } from './stored-objects.ts'

/** A small image is looked at whole, of a large one the beginning, where nearly all of them describe themselves. */
const most = { small: 8 * 1024 ** 2, beginning: 2 * 1024 ** 2, scattered: 256 * 1024 ** 2 } as const

/** Types whose sizes may stand at the end. */
const scattered: ReadonlySet<string> = new Set(['image/tiff', 'image/avif'])

type Contents = { readonly place: ObjectPlace; readonly type: string; readonly size: number }

/**
 * Null for what is no image. Sizes are the image library's, in a program of its own; where it cannot tell, or has
 * too much to do, they are what the metadata says. Nothing here makes an upload fail.
 */
export async function readImageContents(ctx: Context, contents: Contents): Promise<ImageFacts | null> {
  const { place, type, size } = contents
  if (!imageTypes.has(type)) return null
  if (size === 0) return { width: null, height: null, metadata: {} }
  const end = (size <= most.small ? size : most.beginning) - 1
  const bytes = await buffer(await locationOf(ctx.storage, place.storage).read(place.key, { start: 0, end }))
  const said = readImage(bytes, ctx.files.metadata)
  const measured = await measure(ctx, contents, bytes)
  return measured === null ? said : { ...said, ...measured }
}

async function measure(
  ctx: Context,
  { place, type, size }: Contents,
  bytes: Buffer,
): Promise<Pick<ImageFacts, 'width' | 'height'> | null> {
  const folder = await ctx.images.createFolder()
  try {
    const path = join(folder, 'source')
    if (bytes.length < size && scattered.has(type) && size <= most.scattered) {
      await pipeline(await locationOf(ctx.storage, place.storage).read(place.key), createWriteStream(path))
    } else await writeFile(path, bytes)
    const found = await ctx.images.describe(path)
    return found === null ? null : { width: found.width, height: found.height }
  } catch (error) {
    ctx.log.debug({ err: error }, 'The size of an image could not be read')
    return null
  } finally {
    await removeFolder(folder)
  }
}
