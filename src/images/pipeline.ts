/** Transform → calls of the image library. Runs in the worker alone. */
import { closeSync, fsyncSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp, { type Metadata, type OutputInfo, type Sharp, type SharpOptions } from 'sharp'
import {
  type ImageFacts,
  type ImageFormat,
  imageFormats,
  resultOf,
  type Step,
  smallImage,
  type Target,
  type TransformedImage,
} from '../domain/images.ts'
import type { ToWorker } from './messages.ts'
import { formatOfStep } from './operations.ts'
import { focalCrop, keepsPlaces, resultSize } from './size.ts'

type Task = Extract<ToWorker, { readonly kind: 'transform' }>

/** The request cannot be fulfilled, for a reason that the client may read. */
export class Refusal extends Error {}

/** Only these readers are there for bytes from outside; SVG, PDF and whatever else the library brings are not. */
const readers = ['Jpeg', 'Png', 'Webp', 'Tiff', 'Heif', 'Nsgif'].map((each) => `VipsForeignLoad${each}`)

/** To be called once, before anything is read. */
export function limitLibrary(): void {
  sharp.concurrency(1)
  sharp.cache(false)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: readers })
}

/** What the file says of itself; no pixel is decoded. */
export async function describe(source: string): Promise<ImageFacts> {
  return toFacts(await sharp(source, { limitInputPixels: false, failOn: 'none' }).metadata())
}

function toFacts(metadata: Metadata): ImageFacts {
  const { autoOrient, format, orientation = 1, pages = 1, pageHeight, hasAlpha } = metadata
  return {
    format: format === 'heif' ? 'avif' : format,
    width: autoOrient.width,
    height: pages > 1 && pageHeight !== undefined && orientation < 5 ? pageHeight : autoOrient.height,
    orientation,
    pages,
    hasAlpha,
  }
}

/** Makes the result. */
export async function transformFile(task: Task): Promise<TransformedImage> {
  const { limits, target } = task
  const side = limits.maxDimension
  const reading: SharpOptions = { failOn: limits.sensitivity, limitInputPixels: side * side, sequentialRead: true }
  const facts = toFacts(await sharp(task.source, { ...reading, limitInputPixels: false }).metadata())
  const from = ([...imageFormats, 'gif'] as const).find((each) => each === facts.format)
  if (from === undefined) throw new Refusal('Expected a jpeg, png, webp, tiff, avif or gif image but received another')
  if (Math.max(facts.width, facts.height) > side) {
    throw new Refusal(`Expected an image of at most ${side} pixels a side but received ${sizeText(facts)}`)
  }
  const trimmed = await trimFirst(task, facts, reading)
  const { source, transform } = trimmed.task
  const size = resultSize(trimmed.facts, transform)
  if (Math.max(size.width, size.height) > limits.maxOutputDimension) {
    const most = limits.maxOutputDimension
    throw new Refusal(`Expected a result of at most ${most} pixels a side but received ${sizeText(size)}`)
  }
  const image = draw(sharp(source, reading), trimmed.task, { facts: trimmed.facts, from })
  const { content, info } = await write(image, target, size.width * size.height)
  const { width, height, size: bytes, format } = info
  return { format: format === 'heif' ? 'avif' : (format as ImageFormat), width, height, size: bytes, content }
}

/** Pixels of a picture that may turn out small. */
const fewPixels = 1024 ** 2

async function write(
  image: Sharp,
  target: Target,
  pixels: number,
): Promise<{ readonly info: OutputInfo; readonly content: string | null }> {
  if (pixels > fewPixels) return { info: await fill(target, (file) => image.toFile(file)), content: null }
  const { data, info } = await image.toBuffer({ resolveWithObject: true })
  const isSmall = data.length <= smallImage
  if (!isSmall || target.file !== null) await fill(target, async (file) => writeFileSync(file, data))
  return { info, content: isSmall ? data.toString('base64') : null }
}

/** A file that stays is on the disk before anybody is told of it. */
async function fill<T>(target: Target, work: (file: string) => Promise<T>): Promise<T> {
  const file = resultOf(target)
  if (target.file === null) makeFolder(target)
  const made = openSync(file, 'wx', 0o600)
  try {
    const done = await work(file)
    if (target.file !== null) fsyncSync(made)
    return done
  } finally {
    closeSync(made)
  }
}

/** Nobody else looks into it. */
function makeFolder({ folder }: Target): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
}

const sizeText = ({ width, height }: { width: number; height: number }): string => `${width} × ${height}`

/**
 * Trimming changes the proportions that all later sizes hang on, so it is done by itself, with the
 * turns that come before it; what it leaves is then the source.
 */
async function trimFirst(
  task: Task,
  facts: ImageFacts,
  reading: SharpOptions,
): Promise<{ task: Task; facts: ImageFacts }> {
  const { steps } = task.transform
  const at = steps.findLastIndex(({ name }) => name === 'trim')
  if (at < 0) return { task, facts }
  const early = steps.filter((step, index) => index === at || (index < at && step.name === 'rotate'))
  const source = join(task.target.folder, 'trimmed')
  makeFolder(task.target)
  await applySteps(upright(sharp(task.source, reading), early), early)
    .tiff({ compression: 'none' })
    .toFile(source)
  const rest = steps.filter((step) => step.name !== 'trim' && !early.includes(step))
  return {
    task: { ...task, source, transform: { ...task.transform, steps: rest } },
    facts: { ...(await describe(source)), orientation: 1 },
  }
}

type Origin = { readonly facts: ImageFacts; readonly from: ImageFormat }

function draw(image: Sharp, { transform }: Task, { facts, from }: Origin): Sharp {
  const { steps, width, height, fit, withoutEnlargement, focalPoint } = transform
  let drawn = applySteps(upright(image, steps), steps)
  if (width !== null && height !== null && fit === 'cover' && focalPoint !== null && keepsPlaces(transform)) {
    const crop = focalCrop(facts, { width, height }, { point: focalPoint, withoutEnlargement })
    drawn = drawn.resize({ ...crop.resize, fit: 'fill' }).extract(crop.extract)
  } else if (width !== null || height !== null) {
    drawn = drawn.resize(width, height, { fit, withoutEnlargement })
  }
  return encode(drawn, transform, from)
}

/** EXIF says which side is up, unless somebody says it. */
const upright = (image: Sharp, steps: readonly Step[]): Sharp =>
  steps.some(({ name, args }) => name === 'rotate' && args.length > 0) ? image : image.autoOrient()

/** Names come from the table of `operations.ts` and nowhere else. */
function applySteps(image: Sharp, steps: readonly Step[]): Sharp {
  return steps.reduce((drawn, { name, args }) => {
    const call = (drawn as unknown as { readonly [name: string]: (...args: unknown[]) => Sharp })[name]
    if (call === undefined) throw new Error(`The image library has no operation ${name}`)
    return call.apply(drawn, [...args])
  }, image)
}

/** A format is always asked for by name, with the options that a step has set. AVIF at effort 4 or less. */
function encode(image: Sharp, { format, quality, steps }: Task['transform'], from: ImageFormat): Sharp {
  const stated = steps.findLast((step) => formatOfStep(step) !== null)
  const wanted = format ?? (stated === undefined ? null : formatOfStep(stated)) ?? from
  const given = quality === null ? {} : { quality }
  return image.toFormat(wanted, wanted === 'avif' ? { effort: statedEffort(stated), ...given } : given)
}

function statedEffort(step: Step | undefined): number {
  const options = step?.name === 'toFormat' ? step.args[1] : step?.args[0]
  return (options as { readonly effort?: number } | undefined)?.effort ?? 4
}
