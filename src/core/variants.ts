/**
 * Variants: transformed files, made once. A variant stands beside its source in the same storage, under a
 * name that is derived from that of the source; the rest of its name says from which contents and by which
 * transform it was made. Replaced contents have other variants, and old ones go with their source (`deleteObject`).
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Transform as StreamTransform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { Context } from '../domain/context.ts'
import { TandemError } from '../domain/errors.ts'
import { type ImageFormat, imageFormats, resultOf, type Target, type Transform } from '../domain/images.ts'
import { isObjectKey, type ObjectFacts, type Storage, variantPrefix } from '../domain/storage.ts'
import { removeFolder } from '../images/images.ts'
import { formatOfStep } from '../images/operations.ts'
import { fingerprint } from '../tokens/digest.ts'
import { sourceFormat } from './asset-wish.ts'
import type { FileRow } from './file-row.ts'
import { isKeepable, keep, recall } from './kept-variants.ts'
import { notFound } from './keys.ts'

/** A name in a storage. */
export type Source = { readonly storage: Storage; readonly key: string }

/** Where a variant is, and what it is; small ones are here already. */
export type Variant = Source & {
  readonly format: ImageFormat
  readonly facts: ObjectFacts
  readonly bytes: Uint8Array | null
}

/** To be raised when equal transforms give other pictures than before. */
const version = 1

/** Bytes of a source that is copied at most; every image within the limits on pixels has less. */
const maxSource = 512 * 1024 ** 2

/** What is being made at the moment, by storage and key: who asks for the same waits for it. */
const making = new WeakMap<Storage, Map<string, Promise<Made>>>()

/** The variant, made now if it is not there. */
export async function findVariant(ctx: Context, source: Source, transform: Transform, file: FileRow): Promise<Variant> {
  const { storage } = source
  const format = formatOfResult(transform, file)
  const name = fingerprint(JSON.stringify([version, file.uploaded_on, transform, format]))
  const key = `${variantPrefix(source.key)}${name}.${format}`
  if (!isObjectKey(key)) throw tooLong()
  const known = recall(storage, key)
  if (known !== undefined) return { storage, key, format, ...known }
  const before = await storage.stat(key)
  const task: Task = { key, file, transform: { ...transform, format } }
  const { facts, content } =
    before === null ? await once(storage, key, () => make(ctx, source, task)) : { facts: before, content: null }
  if (!isKeepable(facts)) return { storage, key, format, facts, bytes: null }
  const bytes = content ?? (await buffer(await storage.read(key, { start: 0, end: facts.size - 1 })))
  keep(storage, key, { facts, bytes })
  return { storage, key, format, facts, bytes }
}

/** Files that were stored by others may have names that leave no room for those of their variants. */
const tooLong = (): TandemError =>
  new TandemError({
    kind: 'illegal-transformation',
    reason: 'The name of the file in its storage is too long for it to be transformed',
  })

/** A format is stated, or it is the source's. */
function formatOfResult({ format, steps }: Transform, { type }: FileRow): ImageFormat {
  const stated = steps.map(formatOfStep).findLast((each) => each !== null)
  return format ?? stated ?? sourceFormat(type) ?? imageFormats[0]
}

/** Its content is here where it is small. */
type Made = { readonly facts: ObjectFacts; readonly content: Buffer | null }

type Task = { readonly key: string; readonly file: FileRow; readonly transform: Transform }

function once(storage: Storage, key: string, work: () => Promise<Made>): Promise<Made> {
  const running = making.get(storage) ?? new Map<string, Promise<Made>>()
  making.set(storage, running)
  const known = running.get(key)
  if (known !== undefined) return known
  const promise = work().finally(() => running.delete(key))
  running.set(key, promise)
  return promise
}

/** Through files, so that neither a source nor a large result passes through memory. */
async function make(ctx: Context, { storage, key }: Source, task: Task): Promise<Made> {
  const isThere = async (): Promise<boolean> => (await storage.stat(key)) !== null
  const draft = storage.draft?.()
  const target: Target = { folder: ctx.images.nameFolder(), file: draft?.path ?? null }
  const { transform } = task
  let isClean = false
  try {
    const source = storage.pathOf === undefined ? await copy({ storage, key }, target) : await storage.pathOf(key)
    const { content, size } = await ctx.images.transform(source, target, transform)
    const made = content === null ? null : Buffer.from(content, 'base64')
    const hasFolder = (made === null && draft === undefined) || storage.pathOf === undefined
    isClean = !hasFolder && !transform.steps.some(({ name }) => name === 'trim')
    await makeRoom(ctx, storage, task)
    if (draft === undefined)
      await storage.write(task.key, made === null ? createReadStream(resultOf(target)) : Readable.from([made]))
    else await draft.keep(task.key)
    if (await isThere()) return { facts: { size, modified: ctx.clock() }, content: made }
    // Deleted meanwhile, with all that was there of it: this is the rest.
    await storage.delete(task.key)
    throw notFound('platform_files')
  } catch (error) {
    await draft?.discard()
    throw (await isThere()) ? error : notFound('platform_files')
  } finally {
    if (!isClean) await removeFolder(target.folder)
  }
}

/** An object that is no file becomes one. */
async function copy({ storage, key }: Source, { folder }: Target): Promise<string> {
  const facts = await storage.stat(key)
  if (facts === null) throw notFound('platform_files')
  if (facts.size > maxSource) {
    const reason = `Expected a file of at most ${maxSource} bytes but received ${facts.size}`
    throw new TandemError({ kind: 'illegal-transformation', reason })
  }
  const path = join(folder, 'source')
  await mkdir(folder, { mode: 0o700 })
  await pipeline(await storage.read(key), noMoreThan(maxSource), createWriteStream(path))
  return path
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

/** Notes a variant before it is stored. Of more than a file may have, those go that were made first. */
async function makeRoom({ db, assets }: Context, storage: Storage, { key, file }: Task): Promise<void> {
  const text = `with added as (insert into platform_variants (file, key)
      select id, $2 from platform_files where id = $1 on conflict do nothing)
    delete from platform_variants where file = $1 and key in
      (select key from platform_variants where file = $1 and key <> $2 order by made desc, key offset $3) returning key`
  const values = [file.id, key, assets.maxVariants - 1]
  const { rows } = await db.run({ text, values, name: 'make-room', rows: 'array' })
  for (const [old] of rows as readonly [string][]) await storage.delete(old)
}
