/**
 * Variants: transformed files, made once. A variant stands beside its source in the same storage, under a
 * name that is derived from that of the source; the rest of its name says from which contents and by which
 * transform it was made. Replaced contents have other variants, and old ones go with their source (`deleteObject`).
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Transform as StreamTransform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Context } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import { type ImageFormat, imageFormats, type Transform } from '../domain/images.ts'
import { type ObjectFacts, type Storage, variantPrefix } from '../domain/storage.ts'
import { removeFolder } from '../images/images.ts'
import { formatOfStep } from '../images/operations.ts'
import { sourceFormat } from './asset-wish.ts'
import type { FileRow } from './file-row.ts'
import { notFound } from './keys.ts'

/** A file in a storage. */
export type Source = { readonly storage: Storage; readonly key: string; readonly facts: ObjectFacts }

/** Where a variant is, and what it is. */
export type Variant = Source & { readonly format: ImageFormat }

/** To be raised when equal transforms give other pictures than before. */
const version = 1

/** Bytes of a source at most; every image within the limits on pixels has less. */
const maxSource = 512 * 1024 ** 2

/** What is being made at the moment, by storage and key: who asks for the same waits for it. */
const making = new WeakMap<Storage, Map<string, Promise<void>>>()

/** The variant, made now if it is not there. */
export async function findVariant(ctx: Context, source: Source, transform: Transform, file: FileRow): Promise<Variant> {
  const { storage } = source
  const format = formatOfResult(transform, file)
  const key = `${variantPrefix(source.key)}${await digest([version, source.facts, file.uploaded_on, transform, format])}.${format}`
  const before = await storage.stat(key)
  if (before !== null) return { storage, key, facts: before, format }
  await once(storage, key, () => make(ctx, source, { key, transform: { ...transform, format } }))
  const facts = await storage.stat(key)
  if (facts === null) throw notFound('platform_files')
  return { storage, key, facts, format }
}

/** A format is stated, or it is the source's. */
function formatOfResult({ format, steps }: Transform, { type }: FileRow): ImageFormat {
  const stated = steps.map(formatOfStep).findLast((each) => each !== null)
  return format ?? stated ?? sourceFormat(type) ?? imageFormats[0]
}

/** Hex of SHA-256, its first 160 bits. */
async function digest(parts: readonly unknown[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(parts))
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes))
    .toString('hex')
    .slice(0, 40)
}

function once(storage: Storage, key: string, work: () => Promise<void>): Promise<void> {
  const running = making.get(storage) ?? new Map<string, Promise<void>>()
  making.set(storage, running)
  const known = running.get(key)
  if (known !== undefined) return known
  const promise = work().finally(() => running.delete(key))
  running.set(key, promise)
  return promise
}

type Task = { readonly key: string; readonly transform: Transform }

/** Through files of a folder of its own, so that neither source nor result passes through memory. */
async function make(ctx: Context, { storage, key, facts }: Source, task: Task): Promise<void> {
  if (facts.size > maxSource) {
    const reason = `Expected a file of at most ${maxSource} bytes but received ${facts.size}`
    throw new TandemError({ kind: 'illegal-transformation', reason })
  }
  const folder = await ctx.images.createFolder()
  try {
    const source = join(folder, 'source')
    const target = join(folder, 'target')
    await pipeline(await storage.read(key), noMoreThan(maxSource), createWriteStream(source))
    await ctx.images.transform(source, target, task.transform)
    await storage.write(task.key, createReadStream(target))
    // Deleted meanwhile, with all that was there of it: this is the rest.
    if ((await storage.stat(key)) === null) await storage.delete(task.key)
  } finally {
    await removeFolder(folder)
  }
}

/** A source that grows while it is read. */
function noMoreThan(bytes: number): StreamTransform {
  let size = 0
  return new StreamTransform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      done(size > bytes ? new Error('The file is larger than it was') : null, chunk)
    },
  })
}
