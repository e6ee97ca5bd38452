/** Reads the further input images of a task with the same checks as the source. Runs only in the worker. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp, { type SharpOptions } from 'sharp'
import { type ImageFacts, type ImageFormat, type Inputs, imageFormats, type Step } from '../domain/ports/images.ts'
import { describeWith } from './facts.ts'
import type { Layer } from './inputs.ts'
import { Refusal } from './refusal.ts'
import type { Size } from './size.ts'

/** An input image after EXIF rotation. */
export type Input = Size & { readonly picture: string }

export type ReadInputs = ReadonlyMap<string, Input>

/** The input files, and the folder for temporary files. */
type Task = { readonly inputs: Inputs; readonly folder: string; readonly side: number }

/** Sizes are checked before pixels are decoded. Only images with EXIF rotation are decoded here, into temporary files. */
export async function readInputs({ inputs, folder, side }: Task, reading: SharpOptions): Promise<ReadInputs> {
  const read = new Map<string, Input>()
  for (const [id, path] of Object.entries(inputs)) {
    const { width, height, orientation } = await look(id, path, reading)
    if (Math.max(width, height) > side) {
      const most = `at most ${side} pixels a side for the input ${id}`
      throw new Refusal(`Expected an image of ${most} but received ${width} × ${height}`)
    }
    const picture = orientation === 1 ? path : join(folder, `upright-${read.size}`)
    if (picture !== path) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      await sharp(path, reading).autoOrient().png({ compressionLevel: 0 }).toFile(picture)
    }
    read.set(id, { width, height, picture })
  }
  return read
}

async function look(id: string, path: string, reading: SharpOptions): Promise<ImageFacts> {
  const facts = await describeWith(path, reading).catch(() => null)
  if (facts !== null && sourceFormatOf(facts) !== undefined) return facts
  throw new Refusal(`Expected a jpeg, png, webp, tiff, avif or gif image for the input ${id} but received another`)
}

/** Rejects formats that are not supported. */
export const sourceFormatOf = ({ format }: ImageFacts): ImageFormat | undefined =>
  ([...imageFormats, 'gif'] as const).find((each) => each === format)

/** The arguments of a step with file ids replaced by files. */
export function toLibrary({ name, args }: Step, inputs: ReadInputs, reading: SharpOptions): readonly unknown[] {
  if (name === 'composite') {
    const layers = args[0] as readonly Layer[]
    return [
      layers.map((layer) =>
        typeof layer.input === 'string' ? { ...layer, ...reading, input: inputOf(inputs, layer.input).picture } : layer,
      ),
    ]
  }
  const [input, ...rest] = args
  return name === 'boolean' && typeof input === 'string' ? [inputOf(inputs, input).picture, ...rest, reading] : args
}

/** Size of the other image of `boolean`; the result covers both. */
export function booleanSize(steps: readonly Step[], inputs: ReadInputs): Size | null {
  const input = steps.find(({ name }) => name === 'boolean')?.args[0]
  if (input === undefined) return null
  return typeof input === 'string' ? inputOf(inputs, input) : (input as { readonly create: Size }).create
}

function inputOf(inputs: ReadInputs, id: string): Input {
  const input = inputs.get(id.toLowerCase())
  if (input === undefined) throw new Error(`The input ${id} is missing`)
  return input
}
