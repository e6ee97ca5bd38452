/** Generated images for tests, and helpers to inspect results. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sharp } from 'sharp'
import sharp from 'sharp'
import type { Log } from '../domain/ports/context.ts'
import { type ImageFacts, type ImageLimits, resultOf, type Transform } from '../domain/ports/images.ts'
import { TandemError } from '../domain/rights/errors.ts'
import { createImages, removeFolder } from './images.ts'
import { parseSteps } from './parse-steps.ts'

const silent = (): void => {}
export const silentLog: Log = { debug: silent, info: silent, warn: silent, error: silent }

/** The default settings with a longer timeout for busy machines. */
export const testLimits: ImageLimits = {
  maxDimension: 6000,
  maxOutputDimension: 6000,
  maxSteps: 5,
  maxConcurrent: 25,
  timeout: 30_000,
  sensitivity: 'warning',
}

/** A transform without changes. */
export const unchanged: Transform = {
  width: null,
  height: null,
  fit: 'cover',
  withoutEnlargement: false,
  format: null,
  quality: null,
  focalPoint: null,
  steps: [],
}

type TransformDraft = Omit<Partial<Transform>, 'steps'> & {
  readonly steps?: readonly unknown[]
  readonly inputs?: { readonly [id: string]: Buffer | string }
}

export async function openTestImages(limits: Partial<ImageLimits> = {}, workers = 1) {
  const images = createImages({ limits: { ...testLimits, ...limits }, log: silentLog, workers })
  const folder = await images.createFolder()
  let count = 0
  const put = async (bytes: Buffer | string): Promise<string> => {
    const path = join(folder, `source-${(count += 1)}`)
    await writeFile(path, bytes)
    return path
  }
  return {
    images,
    put,
    /** Metadata of the result. */
    async transform(
      bytes: Buffer | string,
      { inputs = {}, ...wish }: TransformDraft,
    ): Promise<{ readonly bytes: Buffer; readonly image: Sharp }> {
      const target = { folder: join(folder, `task-${(count += 1)}`), file: null }
      const steps = parseSteps(wish.steps ?? [], images.limits.maxSteps)
      const sources = { picture: await put(bytes), inputs: {} as { [id: string]: string } }
      for (const [id, contents] of Object.entries(inputs)) sources.inputs[id] = await put(contents)
      const { content } = await images.transform(sources, target, { ...unchanged, ...wish, steps })
      const result = content === null ? await readFile(resultOf(target)) : Buffer.from(content, 'base64')
      return { bytes: result, image: sharp(result) }
    },
    describe: async (bytes: Buffer | string): Promise<ImageFacts | null> => images.describe(await put(bytes)),
    async close() {
      await images.close()
      await removeFolder(folder)
    },
  }
}

/** Left half red, right half blue; 400 × 200. */
export const halves = (width = 400, height = 200): Sharp => {
  const half = { width: Math.floor(width / 2), height, channels: 3, background: '#ff0000' } as const
  const base = sharp({ create: { ...half, width, background: '#0000ff' } })
  return base.composite([{ input: { create: half }, left: 0, top: 0 }])
}

/** Noise: for encoders as hard as a photograph. */
export const noise = (width: number, height: number): Sharp =>
  sharp({
    create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
  })

export async function pixel(image: Sharp, left: number, top: number): Promise<readonly number[]> {
  const { data } = await image
    .clone()
    .removeAlpha()
    .toColourspace('srgb')
    .extract({ left, top, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return [...data.subarray(0, 3)]
}

export async function sizeOf(image: Sharp): Promise<readonly [number, number]> {
  const { width, height } = await image.metadata()
  return [width, height]
}

/** The failure with which the work is rejected. */
export async function refusalOf(work: Promise<unknown>): Promise<{ readonly kind: string; readonly reason: string }> {
  try {
    await work
  } catch (error) {
    if (error instanceof TandemError) return error.failures[0] as { kind: string; reason: string }
    throw error
  }
  throw new Error('Expected a refusal')
}
