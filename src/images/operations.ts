/**
 * The allow list of `transforms`: each operation with its arguments and their ranges. Other functions of the image
 * library cannot be called.
 */

import { imageFormats } from '../domain/ports/images.ts'
import { affineArguments } from './affine.ts'
import { encoderOptions } from './encoders.ts'
import { booleanArguments, compositeArguments } from './inputs.ts'
import { metadataOptions } from './metadata-options.ts'
import { both, colour, either, flag, integer, list, members, number, type Rule, word, wrong } from './rules.ts'

type Operation = {
  readonly args: readonly Rule[]
  /** Number of required arguments. */
  readonly needs: number
}

/** Limit in pixels of each side of an image, regardless of settings. */
const side = 65_535

const operation = (needs: number, ...args: readonly Rule[]): Operation => ({ needs, args })

const background = members({ background: colour })
const edge = integer(0, side)
const gains = either({ number: number(), list: list(number(), 1, 4) })

const positions = (
  'center centre north east south west northeast southeast southwest northwest ' +
  'top right bottom left right_top right_bottom left_bottom left_top entropy attention'
)
  .split(' ')
  .map((each) => each.replace('_', ' '))

const resizing = members({
  width: integer(1, side),
  height: integer(1, side),
  fit: word('cover', 'contain', 'fill', 'inside', 'outside'),
  position: either({
    number: integer(0, 8),
    string: word(...positions),
  }),
  background: colour,
  kernel: word('nearest', 'linear', 'cubic', 'mitchell', 'lanczos2', 'lanczos3', 'mks2013', 'mks2021'),
  withoutEnlargement: flag,
  withoutReduction: flag,
  fastShrinkOnLoad: flag,
})

const dimension: Rule = (value, path) => {
  if (value !== null) integer(1, side)(value, path)
}

const extending = either({
  number: integer(1, side),
  object: members({
    top: edge,
    right: edge,
    bottom: edge,
    left: edge,
    background: colour,
    extendWith: word('background', 'copy', 'repeat', 'mirror'),
  }),
})

const sharpening = members(
  {
    sigma: number(0.000_001, 10),
    m1: number(0, 1e6),
    m2: number(0, 1e6),
    x1: number(0, 1e6),
    y2: number(0, 1e6),
    y3: number(0, 1e6),
  },
  ['sigma'],
)

const blurring = either({
  number: number(0.3, 1000),
  boolean: flag,
  object: members(
    {
      sigma: number(0.3, 1000),
      precision: word('integer', 'float', 'approximate'),
      minAmplitude: number(0.001, 1),
    },
    ['sigma'],
  ),
})

const normalising: Rule = both(members({ lower: number(0, 99), upper: number(1, 100) }), (value, path) => {
  const { lower = 1, upper = 99 } = value as { lower?: number; upper?: number }
  if (lower >= upper) throw wrong(`${path}.lower`, 'less than "upper"', lower)
})

const kernel: Rule = both(
  members(
    {
      width: integer(3, 1001),
      height: integer(3, 1001),
      kernel: list(number(), 9, 10_000),
      scale: integer(1, 1e6),
      offset: integer(-1e6, 1e6),
    },
    ['width', 'height', 'kernel'],
  ),
  (value, path) => {
    const { width, height, kernel: values } = value as { width: number; height: number; kernel: readonly number[] }
    if (values.length !== width * height) throw wrong(`${path}.kernel`, `a list of ${width * height} values`, values)
  },
)

const matrix = either({
  list: (value, path) => {
    const size = (value as readonly unknown[]).length === 4 ? 4 : 3
    list(list(number(), size, size), size, size)(value, path)
  },
})

const space = word('srgb', 'b-w', 'cmyk')
/** Colour spaces in which steps can run. */
const pipelineSpace = word('srgb', 'rgb16', 'scrgb', 'lab', 'b-w', 'grey16', 'cmyk')
/** Largest distance of neighbouring pixels. Time and memory grow with its square. */
const width = integer(1, 1000)
const encoder = (format: keyof typeof encoderOptions): Operation => operation(0, encoderOptions[format])
const normalise = operation(0, normalising)
const greyscale = operation(0, flag)

export const operations: { readonly [name: string]: Operation } = {
  toFormat: operation(1, word('jpg', ...imageFormats), members({})),
  jpeg: encoder('jpeg'),
  png: encoder('png'),
  webp: encoder('webp'),
  tiff: encoder('tiff'),
  avif: encoder('avif'),
  resize: operation(1, either({ number: dimension, object: resizing }), dimension, resizing),
  extend: operation(1, extending),
  extract: operation(
    1,
    members({ left: edge, top: edge, width: integer(1, side), height: integer(1, side) }, [
      'left',
      'top',
      'width',
      'height',
    ]),
  ),
  trim: operation(
    0,
    members({ background: colour, threshold: number(0, 1e6), lineArt: flag, margin: integer(0, side) }),
  ),
  rotate: operation(0, number(-3600, 3600), background),
  autoOrient: operation(0),
  flip: operation(0, flag),
  flop: operation(0, flag),
  affine: operation(1, ...affineArguments),
  sharpen: operation(0, sharpening),
  median: operation(0, integer(1, 1000)),
  blur: operation(0, blurring),
  dilate: operation(0, width),
  erode: operation(0, width),
  flatten: operation(0, either({ boolean: flag, object: background })),
  unflatten: operation(0),
  gamma: operation(0, number(1, 3), number(1, 3)),
  negate: operation(0, either({ boolean: flag, object: members({ alpha: flag }) })),
  normalise,
  normalize: normalise,
  clahe: operation(
    1,
    members({ width: integer(1, side), height: integer(1, side), maxSlope: integer(0, 100) }, ['width', 'height']),
  ),
  convolve: operation(1, kernel),
  threshold: operation(
    0,
    either({ number: integer(0, 255), boolean: flag }),
    members({ greyscale: flag, grayscale: flag }),
  ),
  linear: operation(1, gains, gains),
  recomb: operation(1, matrix),
  modulate: operation(
    1,
    members({
      brightness: number(0, 1e6),
      saturation: number(0, 1e6),
      hue: integer(-3600, 3600),
      lightness: number(-1e6, 1e6),
    }),
  ),
  tint: operation(1, colour),
  greyscale,
  grayscale: greyscale,
  toColourspace: operation(1, space),
  toColorspace: operation(1, space),
  pipelineColourspace: operation(1, pipelineSpace),
  composite: operation(1, ...compositeArguments),
  boolean: operation(2, ...booleanArguments),
  removeAlpha: operation(0),
  ensureAlpha: operation(0, number(0, 1)),
  extractChannel: operation(1, either({ number: integer(0, 3), string: word('red', 'green', 'blue', 'alpha') })),
  bandbool: operation(1, word('and', 'or', 'eor')),
  withMetadata: operation(0, metadataOptions),
}

export const spellings: { readonly [name: string]: string } = {
  expand: 'extend',
  pipelineColorspace: 'pipelineColourspace',
}

/** Operations that support only 8-bit values. */
export const eightBit: ReadonlySet<string> = new Set(['boolean', 'dilate', 'erode', 'unflatten'])

/** The names of all operations, for documentation. */
export const operationNames: readonly string[] = Object.keys(operations)
