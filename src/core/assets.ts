/** Assets: files as they are delivered, as they are or transformed. */
import type { Readable } from 'node:stream'
import type { Context } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import { hashText } from '../domain/hash-text.ts'
import type { ImageFormat } from '../domain/images.ts'
import { type ByteRange, ObjectMissing, type Outgoing } from '../domain/storage.ts'
import { type AssetWish, isTransformed, sourceFormat, toTransform } from './asset-wish.ts'
import { type FileRow, readFileRow } from './file-row.ts'
import { fromMemory } from './kept-variants.ts'
import { notFound } from './keys.ts'
import { findVariant, type Source, type Variant } from './variants.ts'

/** What is known of the bytes before any of them is read. */
export type Asset = {
  /** Media type. */
  readonly type: string
  readonly filename: string
  readonly size: number
  readonly modified: Date
  /** Changes with the bytes. */
  readonly version: string
  /** Another client might get another format. */
  readonly negotiated: boolean
  readonly open: (range?: ByteRange) => Promise<Readable | Outgoing>
}

/** Looks at a file whose contents are replaced again and again. */
const mostLooks = 5

/**
 * The file, transformed as it is wished. Throws `item-not-found` for missing, invisible and lost bytes
 * alike. What is no image that can be transformed is delivered as it is.
 */
export async function readAsset(ctx: Context, id: string, wish: AssetWish): Promise<Asset> {
  // Old addresses carry an extension behind the id.
  const read = (): Promise<FileRow> => readFileRow(ctx, id.slice(0, 36))
  let file = await read()
  for (let looks = 1; ; looks += 1) {
    try {
      return await toWished(ctx, file, wish)
    } catch (error) {
      const isGone = error instanceof ObjectMissing
      if (!isGone && !(error instanceof TandemError && error.failures[0].kind === 'item-not-found')) throw error
      // Other contents may have come since the row was read, or a variant have gone to make room.
      const before = file
      file = await read()
      const isSame = before.storage === file.storage && before.filename_disk === file.filename_disk
      if (isSame && (!isGone || looks === mostLooks)) throw notFound('platform_files')
      if (looks === mostLooks) throw changed(error)
    }
  }
}

async function toWished(ctx: Context, file: FileRow, wish: AssetWish): Promise<Asset> {
  const asked = toTransform(ctx, wish, file)
  const source = findSource(ctx, file)
  const negotiated = asked?.negotiated ?? false
  if (asked === null || !isTransformed(file, wish)) {
    const facts = await source.storage.stat(source.key)
    if (facts === null) throw notFound('platform_files')
    const own = { type: safeType(file.type), filename: file.filename_download, negotiated }
    return { ...toAsset({ ...source, facts, bytes: null }, [source.key, facts]), ...own }
  }
  const variant = await findVariant(ctx, source, asked.transform, file)
  const type = `image/${variant.format}`
  return { ...toAsset(variant, [variant.key]), type, filename: renamed(file, variant.format), negotiated }
}

function findSource({ storage }: Context, file: FileRow): Source {
  const location = storage.locations.get(file.storage)
  if (location === undefined || file.filename_disk === null) throw notFound('platform_files')
  return { storage: location, key: file.filename_disk }
}

type Found = Source & Pick<Variant, 'facts' | 'bytes'>

function toAsset({ storage, key, facts, bytes }: Found, version: readonly unknown[]) {
  const { size, modified } = facts
  const open = async (range?: ByteRange): Promise<Readable | Outgoing> => {
    if (bytes !== null) return fromMemory(range === undefined ? bytes : bytes.subarray(range.start, range.end + 1))
    const opened = storage.open === undefined ? storage.read(key, range) : storage.open(key, range)
    return opened.catch((error: unknown) => {
      throw error instanceof ObjectMissing ? changed(error) : error
    })
  }
  return { size, modified, version: hashText(JSON.stringify(version)), open }
}

/** What was there a moment ago was replaced or deleted: who asks again learns which. */
function changed(cause: unknown): TandemError {
  const reason = 'Its contents have just changed'
  return new TandemError({ kind: 'unavailable', service: 'files', reason, retryAfter: 1 }, { cause })
}

/** Types come from clients: what is none must not reach a header. */
function safeType(type: string | null): string {
  const known = /^[a-z0-9][\w.+-]{0,60}\/[a-z0-9][\w.+-]{0,100}$/i.test(type ?? '')
  return known ? (type as string).toLowerCase() : 'application/octet-stream'
}

/** Saved under its old extension, a picture of another format would not be opened. */
function renamed({ filename_download: name, type }: FileRow, format: ImageFormat): string {
  if (sourceFormat(type) === format) return name
  return `${name.replace(/\.\w{1,5}$/, '')}.${format === 'jpeg' ? 'jpg' : format}`
}
