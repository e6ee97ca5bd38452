import { operationNames } from '../../src/images/operations.ts'
import { code, head, table } from './table.ts'

const meanings: { readonly [name: string]: string } = {
  toFormat: 'Encodes in a format, such as `webp`.',
  jpeg: 'Encodes as JPEG, with options.',
  png: 'Encodes as PNG, with options.',
  webp: 'Encodes as WebP, with options.',
  tiff: 'Encodes as TIFF, with options.',
  avif: 'Encodes as AVIF, with options.',
  resize: 'Changes the size: width, height, or an object with `fit`, `position` and `background`.',
  extend: 'Adds an edge.',
  extract: 'Cuts a rectangle out: `left`, `top`, `width`, `height`.',
  trim: 'Cuts an edge of one colour off.',
  rotate: 'Turns by degrees; the second argument is the background.',
  autoOrient: 'Turns as the camera was held.',
  flip: 'Mirrors top and bottom.',
  flop: 'Mirrors left and right.',
  affine: 'Applies a matrix of four numbers.',
  sharpen: 'Sharpens.',
  median: 'Removes noise by the median of the surrounding pixels.',
  blur: 'Blurs; the number is sigma.',
  dilate: 'Widens what is bright.',
  erode: 'Narrows what is bright.',
  flatten: 'Puts a background behind what is transparent.',
  unflatten: 'Makes white transparent.',
  gamma: 'Corrects gamma.',
  negate: 'Inverts colours.',
  normalise: 'Stretches the luminance to the full range.',
  normalize: 'The same as `normalise`.',
  clahe: 'Equalizes contrast in parts of the picture.',
  convolve: 'Applies a kernel.',
  threshold: 'Makes each pixel black or white.',
  linear: 'Multiplies and adds: a × input + b.',
  recomb: 'Combines the channels by a matrix.',
  modulate: 'Changes brightness, saturation, hue and lightness.',
  tint: 'Tints with a colour.',
  greyscale: 'Removes colours.',
  grayscale: 'The same as `greyscale`.',
  toColourspace: 'Changes the colour space of the output.',
  toColorspace: 'The same as `toColourspace`.',
  pipelineColourspace: 'Sets the colour space that the operations work in.',
  composite: 'Puts other files of the project above it.',
  boolean: 'Combines it with another file, bit by bit.',
  removeAlpha: 'Removes transparency.',
  ensureAlpha: 'Adds a channel for transparency.',
  extractChannel: 'Keeps one channel.',
  joinChannel: 'Adds channels of other files.',
  bandbool: 'Combines the channels, bit by bit.',
  withMetadata: 'Keeps metadata, and sets density and orientation.',
}

const about = `Operations of \`transforms\` on \`/assets/<id>\`: a list of lists, each with a name and its arguments, in their order: \`transforms=[["rotate",90],["blur",4],["greyscale"]]\`. Nothing else can be called. Arguments out of their range are refused by name. \`ASSETS_TRANSFORM_MAX_OPERATIONS\` bounds their number.`

/** Fails where an operation has no text. */
export const transformsPage = (): string => {
  const missing = operationNames.filter((name) => !Object.hasOwn(meanings, name))
  if (missing.length > 0) throw new Error(`codegen/reference/transforms.ts lacks texts of: ${missing.join(', ')}`)
  const rows = operationNames.map((name) => [code(name), meanings[name] ?? ''])
  return [head('Transforms of pictures', about), table(['operation', 'what'], rows), ''].join('\n')
}
