/** The operation `affine`: its arguments, and the size of its result. */
import type { Step } from '../domain/ports/images.ts'
import { both, colour, list, members, number, type Rule, word, wrong } from './rules.ts'

type Size = { readonly width: number; readonly height: number }

/** Smallest determinant of a matrix: a smaller one leaves no pixels, or cannot be inverted. */
const leastArea = 1e-6

const numbers: Rule = (value, path) => {
  const isNested = Array.isArray(value) && value.length === 2
  if (isNested) list(list(number(), 2, 2), 2, 2)(value, path)
  else list(number(), 4, 4)(value, path)
}

const invertible: Rule = (value, path) => {
  const [a, b, c, d] = flat(value)
  if (Math.abs(a * d - b * c) < leastArea) throw wrong(path, 'a matrix that can be inverted', value)
}

/** A 2 × 2 matrix as four numbers or two pairs, and its options. */
export const affineArguments: readonly Rule[] = [
  both(numbers, invertible),
  members({
    background: colour,
    idx: number(),
    idy: number(),
    odx: number(),
    ody: number(),
    interpolator: word('nearest', 'bilinear', 'bicubic', 'lbb', 'nohalo', 'vsqbs'),
  }),
]

/** Size of the bounding box of the transformed corners. Offsets move the image within it. */
export function affineSize({ width, height }: Size, { args }: Step): Size {
  const [a, b, c, d] = flat(args[0])
  return {
    width: roundUp(Math.abs(a) * width + Math.abs(b) * height),
    height: roundUp(Math.abs(c) * width + Math.abs(d) * height),
  }
}

const flat = (matrix: unknown): readonly [number, number, number, number] =>
  (matrix as readonly unknown[]).flat() as unknown as readonly [number, number, number, number]

/** Rounds up, but tolerates the rounding error of a sum just above an integer. */
const roundUp = (value: number): number => Math.ceil(value - 1e-6)
