/** Delivers files unchanged or transformed. */
import type { Readable } from 'node:stream'
import type { Context } from '../../domain/ports/context.ts'
import type { ImageFormat } from '../../domain/ports/images.ts'
import { type ByteRange, ObjectMissing, type Outgoing } from '../../domain/ports/storage.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { hashText } from '../../domain/schema/hash-text.ts'
import { inputFiles } from '../../images/inputs.ts'
import { notFound } from '../rows/keys.ts'
import {
  type AssetOptions,
  isTransformed,
  type RequestedTransform,
  sourceFormat,
  toTransform,
} from './asset-options.ts'
import { fromMemory } from './cached-variants.ts'
import { type FileRow, readFileRow } from './file-row.ts'
import { findVariant, type Source, type Variant } from './variants.ts'

/** Facts about the content, known before it is read. */
export type Asset = {
  /** Media type. */
  readonly type: string
  readonly filename: string
  readonly size: number
  readonly modified: Date
  /** Changes with the content. */
  readonly version: string
  /** Whether the format depends on the Accept header. */
  readonly negotiated: boolean
  readonly open: (range?: ByteRange) => Promise<Readable | Outgoing>
}

/** Number of attempts for a file whose contents keep changing. */
const mostLooks = 5

/**
 * Opens the file, transformed as requested. Throws `item-not-found` for files that do not exist, are not visible or have
 * lost their contents, including input files. Files that are not images are delivered unchanged.
 */
export async function readAsset(ctx: Context, id: string, options: AssetOptions): Promise<Asset> {
  // URLs may have an extension after the id.
  const look = (): Promise<Lookup> => lookAt(ctx, id.slice(0, 36), options)
  let looked = await look()
  for (let looks = 1; ; looks += 1) {
    try {
      return await transformedAsset(ctx, looked)
    } catch (error) {
      const isGone = error instanceof ObjectMissing
      if (!isGone && !(error instanceof TandemError && error.failures[0].kind === 'item-not-found')) throw error
      // The contents may have been replaced since the row was read, or the variant may have been evicted.
      const before = storedObjectsKey(looked)
      looked = await look()
      const isSame = before === storedObjectsKey(looked)
      if (isSame && (!isGone || looks === mostLooks)) throw notFound('platform_files')
      if (looks === mostLooks) throw changed(error)
    }
  }
}

/** The rows of the file and its inputs, and the transform; null if the file is delivered unchanged. */
type Lookup = {
  readonly file: FileRow
  readonly requested: RequestedTransform | null
  readonly negotiated: boolean
  readonly inputs: readonly FileRow[]
}

/** Checks permissions for each request, because variants are shared by all callers. */
async function lookAt(ctx: Context, id: string, options: AssetOptions): Promise<Lookup> {
  const file = await readFileRow(ctx, id)
  const wanted = toTransform(ctx, options, file)
  const askedTransform = isTransformed(file, options) ? wanted : null
  const reader = options.inputsFor === undefined ? ctx : { ...ctx, actor: options.inputsFor }
  const ids = inputFiles(askedTransform?.transform.steps ?? [])
  const inputs = await Promise.all(ids.map((each) => readFileRow(reader, each)))
  return { file, requested: askedTransform, negotiated: wanted?.negotiated ?? false, inputs }
}

const storedObjectsKey = ({ file, inputs }: Lookup): string =>
  JSON.stringify([file, ...inputs].map((each) => [each.storage, each.filename_disk]))

async function transformedAsset(ctx: Context, { file, requested, negotiated, inputs }: Lookup): Promise<Asset> {
  const source = findSource(ctx, file)
  if (requested === null) {
    const facts = await source.storage.stat(source.key)
    if (facts === null) throw notFound('platform_files')
    const own = { type: safeType(file.type), filename: file.filename_download, negotiated }
    return { ...toAsset({ ...source, facts, bytes: null }, [source.key, facts]), ...own }
  }
  const laid = inputs.map((row) => ({ ...findSource(ctx, row), row }))
  const variant = await findVariant(ctx, source, { file, transform: requested.transform, inputs: laid })
  const type = `image/${variant.format}`
  return { ...toAsset(variant, [variant.key]), type, filename: renamed(file, variant.format), negotiated }
}

function findSource({ storage }: Pick<Context, 'storage'>, file: FileRow): Source {
  const location = storage.locations.get(file.storage)
  if (location === undefined || file.filename_disk === null) throw notFound('platform_files')
  return { storage: location, key: file.filename_disk }
}

type OpenableAsset = Source & Pick<Variant, 'facts' | 'bytes'>

function toAsset({ storage, key, facts, bytes }: OpenableAsset, version: readonly unknown[]) {
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

/** The contents have changed several times during the request; a retry will find the result. */
function changed(cause: unknown): TandemError {
  const reason = 'The contents of the file are being changed'
  return new TandemError({ kind: 'unavailable', service: 'files', reason, retryAfter: 1 }, { cause })
}

/** Invalid media types, which come from clients, must not be sent in a header. */
function safeType(type: string | null): string {
  const existing = /^[a-z0-9][\w.+-]{0,60}\/[a-z0-9][\w.+-]{0,100}$/i.test(type ?? '')
  return existing ? (type as string).toLowerCase() : 'application/octet-stream'
}

/** Adapts the extension of the download name to the format. */
function renamed({ filename_download: name, type }: FileRow, format: ImageFormat): string {
  if (sourceFormat(type) === format) return name
  return `${name.replace(/\.\w{1,5}$/, '')}.${format === 'jpeg' ? 'jpg' : format}`
}
