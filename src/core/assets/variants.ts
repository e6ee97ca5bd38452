/**
 * Variants: stored results of transforms. The variants of a source are stored in a folder next to it. The name of
 * each is a hash of the source's content and the transform. New contents therefore get new variants. Variants are
 * deleted with their source (`deleteObject`).
 */

import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Transform as StreamTransform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { memoizeBy } from '../../domain/memoize.ts'
import type { Context, ReadContext } from '../../domain/ports/context.ts'
import {
  type ImageFormat,
  type Inputs,
  imageFormats,
  resultOf,
  type Target,
  type Transform,
} from '../../domain/ports/images.ts'
import { isObjectKey, type ObjectFacts, type Storage, variantPrefix } from '../../domain/ports/storage.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { removeFolder } from '../../images/images.ts'
import { formatOfStep } from '../../images/parse-steps.ts'
import { noteVariant } from '../../sql/statements/files.ts'
import { fingerprint } from '../../tokens/digest.ts'
import { notFound } from '../rows/keys.ts'
import { sourceFormat } from './asset-options.ts'
import { isKeepable, keep, recall } from './cached-variants.ts'
import type { FileRow } from './file-row.ts'

export type Source = { readonly storage: Storage; readonly key: string }

/** Location and facts of a variant; small ones include their content. */
export type Variant = Source & {
  readonly format: ImageFormat
  readonly facts: ObjectFacts
  readonly bytes: Uint8Array | null
}

/** A requested variant. `inputs`: location and version of the further input images. */
export type VariantRequest = {
  readonly file: FileRow
  readonly transform: Transform
  readonly inputs: readonly (Source & { readonly row: FileRow })[]
}

/** Increase it when equal transforms give different results than before. */
const version = 2

/** Limit in bytes of a source that is copied. It exceeds every image within the pixel limits. */
const maxSource = 512 * 1024 ** 2

/** Variants that are being made, by storage and key, so that concurrent requests share one transform. */
const makingIn = memoizeBy((_storage: Storage) => new Map<string, Promise<MadeVariant>>())

/** The variant, made if it does not exist. The caller has checked that the file and all inputs may be read. */
export async function findVariant(
  ctx: ReadContext & Pick<Context, 'assets' | 'images'>,
  source: Source,
  request: VariantRequest,
): Promise<Variant> {
  const { storage } = source
  const { file, transform, inputs } = request
  const format = formatOfResult(transform, file)
  const laid = inputs.map(({ row }) => [row.id, row.storage, row.filename_disk, row.uploaded_on])
  const name = fingerprint(JSON.stringify([version, file.uploaded_on, transform, format, ...laid]))
  const key = `${variantPrefix(source.key)}${name}.${format}`
  if (!isObjectKey(key)) throw tooLong()
  const cachedVariant = recall(storage, key)
  if (cachedVariant !== undefined) return { storage, key, format, ...cachedVariant }
  const before = await storage.stat(key)
  const task: Task = { ...request, key, transform: { ...transform, format } }
  const { facts, content } =
    before === null ? await once(storage, key, () => make(ctx, source, task)) : { facts: before, content: null }
  if (!isKeepable(facts)) return { storage, key, format, facts, bytes: null }
  const bytes = content ?? (await buffer(await storage.read(key, { start: 0, end: facts.size - 1 })))
  keep(storage, key, { facts, bytes })
  return { storage, key, format, facts, bytes }
}

/** The storage key of the file leaves no room for the suffix of a variant. */
const tooLong = (): TandemError =>
  new TandemError({
    kind: 'illegal-transformation',
    reason: 'The name of the file in its storage is too long for it to be transformed',
  })

/** The requested format, or that of the source. */
function formatOfResult({ format, steps }: Transform, { type }: FileRow): ImageFormat {
  const stated = steps.map(formatOfStep).findLast((each) => each !== null)
  return format ?? stated ?? sourceFormat(type) ?? imageFormats[0]
}

/** `content` is set for small variants. */
type MadeVariant = { readonly facts: ObjectFacts; readonly content: Buffer | null }

type Task = VariantRequest & { readonly key: string }

function once(storage: Storage, key: string, work: () => Promise<MadeVariant>): Promise<MadeVariant> {
  const running = makingIn(storage)
  const cached = running.get(key)
  if (cached !== undefined) return cached
  const promise = work().finally(() => running.delete(key))
  running.set(key, promise)
  return promise
}

/** Makes a variant from files to a file, so that sources and large results do not pass through memory. */
async function make(
  ctx: ReadContext & Pick<Context, 'assets' | 'images'>,
  source: Source,
  task: Task,
): Promise<MadeVariant> {
  const { storage } = source
  const isThere = (): Promise<boolean> => areThere([source, ...task.inputs])
  const draft = storage.draft?.()
  const target: Target = { folder: ctx.images.nameFolder(), file: draft?.path ?? null }
  const { transform } = task
  let isClean = false
  try {
    const sources = { picture: await fileOf(source, target, 'source'), inputs: await filesOf(task.inputs, target) }
    const { content, size } = await ctx.images.transform(sources, target, transform)
    const made = content === null ? null : Buffer.from(content, 'base64')
    const hasFolder = (made === null && draft === undefined) || storage.pathOf === undefined
    isClean = !hasFolder && transform.steps.length === 0
    await makeRoom(ctx, storage, task)
    if (draft === undefined)
      await storage.write(task.key, made === null ? createReadStream(resultOf(target)) : Readable.from([made]))
    else await draft.keep(task.key)
    if (await isThere()) return { facts: { size, modified: ctx.clock() }, content: made }
    // The source was deleted during the transform, so its variant is deleted too.
    await storage.delete(task.key)
    throw notFound('platform_files')
  } catch (error) {
    await draft?.discard()
    throw (await isThere()) ? error : notFound('platform_files')
  } finally {
    if (!isClean) await removeFolder(target.folder)
  }
}

async function areThere(sources: readonly Source[]): Promise<boolean> {
  const stats = await Promise.all(sources.map(({ storage, key }) => storage.stat(key)))
  return !stats.includes(null)
}

async function filesOf(inputs: VariantRequest['inputs'], target: Target): Promise<Inputs> {
  const files: [string, string][] = []
  for (const [at, input] of inputs.entries()) files.push([input.row.id, await fileOf(input, target, `input-${at}`)])
  return Object.fromEntries(files)
}

/** The path of an object; objects that are not files are copied. */
async function fileOf({ storage, key }: Source, { folder }: Target, name: string): Promise<string> {
  if (storage.pathOf !== undefined) return storage.pathOf(key)
  const facts = await storage.stat(key)
  if (facts === null) throw notFound('platform_files')
  if (facts.size > maxSource) {
    const reason = `Expected a file of at most ${maxSource} bytes but received ${facts.size}`
    throw new TandemError({ kind: 'illegal-transformation', reason })
  }
  const path = join(folder, name)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await pipeline(await storage.read(key), noMoreThan(maxSource), createWriteStream(path))
  return path
}

/** A pass-through stream that fails if the source grows beyond its size. */
function noMoreThan(bytes: number): StreamTransform {
  let size = 0
  return new StreamTransform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      done(size > bytes ? new Error('The file has become larger') : null, chunk)
    },
  })
}

/** Registers a variant before it is stored, and deletes the oldest ones beyond the limit. */
async function makeRoom(
  { db, assets }: Pick<Context, 'assets' | 'db'>,
  storage: Storage,
  { key, file }: Task,
): Promise<void> {
  const old = await noteVariant(db, { file: file.id, key, most: assets.maxVariants })
  for (const each of old) await storage.delete(each)
}
