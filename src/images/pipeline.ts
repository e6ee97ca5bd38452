/** Executes a transform with the image library. Runs only in the worker. */
import { closeSync, fsyncSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Metadata, OutputInfo, Sharp, SharpOptions } from 'sharp'
import sharp from 'sharp'
import {
  type ImageFacts,
  type ImageFormat,
  resultOf,
  type Step,
  smallImage,
  type Target,
  type TransformedImage,
} from '../domain/ports/images.ts'
import { describeWith, toFacts } from './facts.ts'
import type { ToWorker } from './messages.ts'
import { eightBit } from './operations.ts'
import { formatOfStep } from './parse-steps.ts'
import { booleanSize, type ReadInputs, readInputs, sourceFormatOf, toLibrary } from './read-inputs.ts'
import { Refusal } from './refusal.ts'
import { focalCrop, keepsOrientation, resultSize } from './size.ts'

type Task = Extract<ToWorker, { readonly kind: 'transform' }>

/** The decoders that are enabled. SVG, PDF and other decoders of the library stay disabled for untrusted input. */
const readers = ['Jpeg', 'Png', 'Webp', 'Tiff', 'Heif', 'Nsgif'].map((each) => `VipsForeignLoad${each}`)

/** Configures the library. Must be called once, before any image is read. */
export function limitLibrary(): void {
  sharp.concurrency(1)
  sharp.cache(false)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: readers })
}

/** Reads the facts of an image without decoding pixels. */
export const describe = (source: string): Promise<ImageFacts> => describeWith(source, { failOn: 'none' })

export async function transformFile(task: Task): Promise<TransformedImage> {
  const { limits, target } = task
  const side = limits.maxDimension
  const reading: SharpOptions = { failOn: limits.sensitivity, limitInputPixels: side * side, sequentialRead: true }
  const metadata = await sharp(task.sources.picture, { ...reading, limitInputPixels: false }).metadata()
  const facts = toFacts(metadata)
  const from = sourceFormatOf(facts)
  if (from === undefined) throw new Refusal('Expected a jpeg, png, webp, tiff, avif or gif image but received another')
  if (Math.max(facts.width, facts.height) > side) {
    throw new Refusal(`Expected an image of at most ${side} pixels a side but received ${sizeText(facts)}`)
  }
  const inputs = await readInputs({ inputs: task.sources.inputs, folder: target.folder, side }, reading)
  const frames = isAnimated(task.transform, facts, from) ? facts.pages : 1
  if (facts.width * facts.height * frames > side * side) {
    const most = `${side * side} pixels in all frames, or "animated" to be false,`
    throw new Refusal(`Expected an animation of at most ${most} but received ${facts.width * facts.height * frames}`)
  }
  const prepared = await prepare(task, metadata, reading)
  const { transform } = prepared.task
  const shown = isUpright(transform.steps) ? prepared.facts : asStored(prepared.facts)
  const size = resultSize(shown, transform, booleanSize(transform.steps, inputs))
  if (Math.max(size.width, size.height) > limits.maxOutputDimension) {
    const most = limits.maxOutputDimension
    throw new Refusal(`Expected a result of at most ${most} pixels a side but received ${sizeText(size)}`)
  }
  const most = limits.maxOutputDimension ** 2
  if (size.width * size.height * frames > most) {
    throw new Refusal(`Expected a result of at most ${most} pixels in all ${frames} frames but received more`)
  }
  const image = draw(prepared.task, {
    facts: prepared.facts,
    from,
    inputs,
    reading: frames > 1 ? { ...reading, animated: true } : reading,
  })
  const { content, info } = await write(image, target, size.width * size.height * frames)
  const { width, pageHeight, size: bytes, format } = info
  const height = pageHeight ?? info.height
  return { format: format === 'heif' ? 'avif' : (format as ImageFormat), width, height, size: bytes, content }
}

/** Operations that change each pixel by itself, so that frames under one another stay apart. */
const pixelwise: ReadonlySet<string> = new Set(
  `flop gamma negate linear recomb modulate tint greyscale grayscale threshold flatten toFormat webp toColourspace
   toColorspace removeAlpha ensureAlpha withMetadata`.split(/\s+/),
)

/** Whether all frames are transformed. The library turns no animations, and a focal point is one of a single picture. */
function isAnimated(transform: Task['transform'], facts: ImageFacts, from: ImageFormat): boolean {
  const { animated, steps, focalPoint, fit, width, height } = transform
  const isFocal = focalPoint !== null && fit === 'cover' && width !== null && height !== null
  if (animated === false || facts.pages < 2 || facts.orientation !== 1 || isFocal) return false
  const to = outputOf(transform, from)
  return moving.has(from) && moving.has(to) && steps.every(({ name }) => pixelwise.has(name))
}

const moving: ReadonlySet<string> = new Set(['webp', 'gif'])

/** Number of pixels below which a result may be small. */
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

/** Syncs a permanent result to disk before success is reported. */
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

/** Creates the folder for temporary files. Only this user can access it. */
function makeFolder({ folder }: Target): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
}

const sizeText = ({ width, height }: { width: number; height: number }): string => `${width} × ${height}`

/** Width and height before EXIF rotation. */
const asStored = ({ width, height, orientation }: ImageFacts) =>
  orientation < 5 ? { width, height } : { width: height, height: width }

type Prepared = { readonly task: Task; readonly facts: ImageFacts }

/**
 * Operations that run in a separate pass, whose result is the source of the others. `trim` changes the proportions that
 * later sizes depend on; rotations before it run in the same pass. An ICC profile refers to the stored colours, so it is
 * applied before a colour space conversion.
 */
async function prepare(task: Task, metadata: Metadata, reading: SharpOptions): Promise<Prepared> {
  const { steps } = task.transform
  const at = steps.findLastIndex(({ name }) => name === 'trim')
  if (at < 0 && !hasOddColours(steps, metadata)) return { task, facts: toFacts(metadata) }
  const early = at < 0 ? [] : steps.filter((step, index) => index === at || isEarly(step, index < at))
  const picture = join(task.target.folder, 'prepared')
  makeFolder(task.target)
  const image = upright(sharp(task.sources.picture, reading), at < 0 ? steps : early)
  const keepsMetadata = steps.some(({ name }) => name === 'withMetadata')
  await applySteps(keepsMetadata ? image.withMetadata({ orientation: 1 }) : image, early)
    .withIccProfile('srgb', { attach: false })
    .toColourspace(metadata.depth === 'ushort' && spaceOf(steps) !== undefined ? 'rgb16' : 'srgb')
    .png({ compressionLevel: 0 })
    .toFile(picture)
  const rest = steps.filter((step) => step.name !== 'trim' && !early.includes(step))
  return {
    task: { ...task, sources: { ...task.sources, picture }, transform: { ...task.transform, steps: rest } },
    facts: { ...(await describe(picture)), orientation: 1 },
  }
}

/** EXIF rotation runs before all other operations, wherever the step is. */
const isEarly = ({ name }: Step, isBefore: boolean): boolean => name === 'autoOrient' || (isBefore && name === 'rotate')

const spaceOf = (steps: readonly Step[]): unknown => steps.find(({ name }) => name === 'pipelineColourspace')?.args[0]

function hasOddColours(steps: readonly Step[], { space: stored, hasProfile }: Metadata): boolean {
  const space = spaceOf(steps)
  if (stored === 'cmyk') return space !== undefined || steps.some(({ name }) => eightBit.has(name))
  return hasProfile && space !== undefined && space !== 'srgb'
}

type Origin = {
  readonly facts: ImageFacts
  readonly from: ImageFormat
  readonly inputs: ReadInputs
  readonly reading: SharpOptions
}

function draw({ sources, transform }: Task, { facts, from, inputs, reading }: Origin): Sharp {
  const { steps, width, height, fit, withoutEnlargement, focalPoint } = transform
  const called = steps.map((step) => ({ ...step, args: toLibrary(step, inputs, reading) }))
  const opened = sharp(sources.picture, reading)
  let drawn = applySteps(reading.animated === true ? opened : upright(opened, steps), called)
  if (width !== null && height !== null && fit === 'cover' && focalPoint !== null && keepsOrientation(transform)) {
    const crop = focalCrop(facts, { width, height }, { point: focalPoint, withoutEnlargement })
    drawn = drawn.resize({ ...crop.resize, fit: 'fill' }).extract(crop.extract)
  } else if (width !== null || height !== null) {
    drawn = drawn.resize(width, height, { fit, withoutEnlargement })
  }
  const hasGround = steps.some(({ name }) => name === 'flatten' || name === 'removeAlpha')
  return encode(
    facts.hasAlpha && !hasGround && isOpaque(transform, from) ? drawn.flatten({ background: '#fff' }) : drawn,
    transform,
    from,
  )
}

/** Whether EXIF rotation applies: by default, unless steps set the rotation, or if they request it in addition. */
const isUpright = (steps: readonly Step[]): boolean =>
  !steps.some(({ name, args }) => name === 'rotate' && args.length > 0) ||
  steps.some(({ name, args }) => name === 'autoOrient' || (name === 'rotate' && args.length === 0))

const upright = (image: Sharp, steps: readonly Step[]): Sharp => (isUpright(steps) ? image.autoOrient() : image)

/** Applies a step. Its name comes from the table in `operations.ts`. */
function applySteps(image: Sharp, steps: readonly Step[]): Sharp {
  const names = steps.map(({ name }) => name)
  const isNarrow = names.some((name) => eightBit.has(name)) && !names.includes('pipelineColourspace')
  return steps.reduce(
    (drawn, { name, args }) => {
      const call = (drawn as unknown as { readonly [name: string]: (...args: unknown[]) => Sharp })[name]
      if (call === undefined) throw new Error(`The image library has no operation ${name}`)
      return call.apply(drawn, [...args])
    },
    isNarrow ? image.pipelineColourspace('srgb') : image,
  )
}

/** Sets the output format explicitly, with the options of a step. AVIF uses an effort of at most 4. */
function encode(image: Sharp, transform: Task['transform'], from: ImageFormat): Sharp {
  const { quality, steps } = transform
  const stated = steps.findLast((step) => formatOfStep(step) !== null)
  const wanted = outputOf(transform, from)
  const input = quality === null ? {} : { quality }
  return image.toFormat(
    wanted,
    wanted === 'avif' ? { effort: Number(optionsOf(stated)['effort'] ?? 4), ...input } : input,
  )
}

function outputOf({ format, steps }: Task['transform'], from: ImageFormat): ImageFormat {
  const stated = steps.findLast((step) => formatOfStep(step) !== null)
  return format ?? (stated === undefined ? null : formatOfStep(stated)) ?? from
}

/** Whether the result has no transparency: JPEG, also as the compression of a TIFF, which is the library's default. */
function isOpaque(transform: Task['transform'], from: ImageFormat): boolean {
  const format = outputOf(transform, from)
  const stated = transform.steps.findLast((step) => formatOfStep(step) === 'tiff')
  return format === 'jpeg' || (format === 'tiff' && (optionsOf(stated)['compression'] ?? 'jpeg') === 'jpeg')
}

/** The options of a step that states the format. */
const optionsOf = (step: Step | undefined): { readonly [name: string]: unknown } =>
  ((step?.name === 'toFormat' ? step.args[1] : step?.args[0]) ?? {}) as { readonly [name: string]: unknown }
