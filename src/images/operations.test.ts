import type { Sharp } from 'sharp'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { TandemError } from '../domain/rights/errors.ts'
import { operationNames } from './operations.ts'
import { parseSteps } from './parse-steps.ts'
import { noise, openTestImages, refusalOf } from './test-images.ts'

/** A plain color as another image. */
const patch = (width: number, height: number, channels = 4) => ({
  create: { width, height, channels, background: '#0f08' },
})

/** Valid arguments of every operation, including the limits of ranges. */
const good: { readonly [name: string]: readonly (readonly unknown[])[] } = {
  toFormat: [['webp'], ['jpg', { quality: 1 }], ['avif', { effort: 0 }]],
  jpeg: [[], [{ quality: 100, mozjpeg: true, chromaSubsampling: '4:4:4', quantisationTable: 8 }]],
  png: [[], [{ compressionLevel: 0, palette: true, colours: 2, effort: 1, dither: 0 }]],
  webp: [[], [{ quality: 1, alphaQuality: 0, effort: 0, preset: 'photo', nearLossless: true }]],
  tiff: [[], [{ compression: 'lzw', predictor: 'horizontal', xres: 0.001, resolutionUnit: 'cm' }]],
  avif: [[{ effort: 0 }], [{ quality: 100, effort: 1, bitdepth: 8, chromaSubsampling: '4:2:0', tune: 'ssim' }]],
  resize: [
    [10],
    [null, 10],
    [10, 20, { fit: 'fill', kernel: 'cubic' }],
    [{ width: 10, height: 10, position: 'entropy' }],
  ],
  extend: [[1], [{ top: 0, right: 1, background: '#f00', extendWith: 'copy' }]],
  extract: [[{ left: 0, top: 0, width: 1, height: 1 }]],
  trim: [[], [{ background: 'red', threshold: 0, lineArt: true, margin: 0 }]],
  rotate: [[], [90], [-12.5, { background: { r: 0, g: 0, b: 0, alpha: 0 } }]],
  autoOrient: [[]],
  affine: [
    [[1, 0, 0, 1]],
    [
      [
        [1, 0.3],
        [0.1, 0.7],
      ],
      { background: '#fff', idx: 1, idy: -1, odx: 0.5, ody: 0, interpolator: 'nohalo' },
    ],
  ],
  dilate: [[], [1], [30]],
  erode: [[], [1], [30]],
  unflatten: [[]],
  pipelineColourspace: [['srgb'], ['rgb16'], ['scrgb'], ['lab'], ['b-w'], ['grey16'], ['cmyk']],
  composite: [
    [[{ input: patch(9, 9) }]],
    [
      [
        { input: patch(40, 40, 3), blend: 'multiply' },
        { input: patch(1, 1), tile: true, gravity: 'southeast' },
      ],
    ],
    [[{ input: patch(5, 5), left: -2, top: 38, blend: 'color-burn', premultiplied: true }]],
  ],
  boolean: [
    [patch(40, 40, 3), 'and'],
    [patch(50, 50, 3), 'eor'],
  ],
  withMetadata: [
    [],
    [{ orientation: 8, density: 72, icc: 'p3', exif: { IFD0: { Copyright: 'x'.repeat(2000) }, IFD3: {} } }],
  ],
  flip: [[], [false]],
  flop: [[], [true]],
  sharpen: [[], [{ sigma: 0.000_001 }], [{ sigma: 10, m1: 0, m2: 1, x1: 2, y2: 3, y3: 4 }]],
  median: [[], [1], [5]],
  blur: [[], [true], [0.3], [{ sigma: 5, precision: 'approximate', minAmplitude: 0.5 }]],
  flatten: [[], [true], [{ background: 'rgb(1, 2, 3)' }]],
  gamma: [[], [1], [3, 1]],
  negate: [[], [false], [{ alpha: false }]],
  normalise: [[], [{ lower: 0, upper: 100 }]],
  normalize: [[{ lower: 5 }]],
  clahe: [[{ width: 1, height: 3, maxSlope: 100 }]],
  convolve: [[{ width: 3, height: 3, kernel: [-1, 0, 1, -2, 0, 2, -1, 0, 1], scale: 1, offset: 0 }]],
  threshold: [[], [0], [255, { greyscale: false }]],
  linear: [
    [1.5],
    [0.5, 10],
    [
      [1, 1, 0.5],
      [0, 0, 1],
    ],
  ],
  recomb: [
    [
      [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ],
    ],
  ],
  modulate: [[{ brightness: 0, saturation: 2, hue: 180, lightness: 5 }]],
  tint: [['#0f0'], [{ r: 1, g: 2, b: 3 }]],
  greyscale: [[], [true]],
  grayscale: [[false]],
  toColourspace: [['b-w'], ['srgb']],
  toColorspace: [['b-w']],
  removeAlpha: [[]],
  ensureAlpha: [[], [0], [1]],
  extractChannel: [['green'], [0]],
  bandbool: [['and'], ['eor']],
}

/** Invalid arguments, and the error for each. */
const bad: readonly (readonly [unknown, string])[] = [
  ['x', 'a list of lists'],
  [{ blur: 3 }, 'a list of lists'],
  [['blur'], 'a list that begins with a name for "transforms[0]"'],
  [[[]], 'a list that begins with a name'],
  [[[3]], 'a list that begins with a name'],
  [
    [['composite', []]],
    'a list of 1 to 100 values for "transforms[0][1]" but received [] (an argument of "composite")',
  ],
  [[['composite']], '1 to 1 arguments of composite'],
  [[['composite', [{ blend: 'over' }]]], 'a value for "transforms[0][1][0].input"'],
  [
    [['composite', [{ input: '/etc/passwd' }]]],
    'the id of a file or {"create": …} for "transforms[0][1][0].input" but received "/etc/passwd"',
  ],
  [[['composite', [{ input: 7 }]]], 'the id of a file'],
  [[['composite', [{ input: { text: { text: 'x' } } }]]], 'a value for "transforms[0][1][0].input.create"'],
  [[['composite', [{ input: patch(5, 5), animated: true }]]], 'only input, blend'],
  [[['composite', [{ input: patch(5, 5, 2) }]]], 'one of 3, 4 for "transforms[0][1][0].input.create.channels"'],
  [[['composite', [{ input: patch(0, 5) }]]], 'an integer from 1 to 65535'],
  [[['composite', [{ input: patch(5, 5), blend: 'sum' }]]], 'one of clear, source'],
  [[['composite', [{ input: patch(5, 5), gravity: 9 }]]], 'an integer from 0 to 8'],
  [[['composite', [{ input: patch(5, 5), gravity: 'up' }]]], 'one of centre'],
  [[['composite', [{ input: patch(5, 5), left: 1 }]]], 'a value beside the other offset for "transforms[0][1][0].top"'],
  [[['composite', Array.from({ length: 6 }, () => ({ input: patch(1, 1) }))]], 'at most 5 inputs'],
  [
    [
      ['composite', [{ input: patch(1, 1) }]],
      ['composite', [{ input: patch(1, 1) }]],
    ],
    'at most one "composite"',
  ],
  [[['boolean', patch(5, 5)]], '2 to 2 arguments of boolean'],
  [[['boolean', 'x.png', 'and']], 'the id of a file'],
  [[['boolean', patch(5, 5), 'nand']], 'one of and, or, eor for "transforms[0][2]"'],
  [[['affine']], '1 to 2 arguments of affine'],
  [[['affine', [1, 0, 0]]], 'a list of 4 values for "transforms[0][1]" but received [1,0,0] (an argument of "affine")'],
  [[['affine', [[1, 0, 0, 1], 5]]], 'a list of 2 values'],
  [[['affine', [1, 1, 1, 1]]], 'a matrix that can be inverted'],
  [[['affine', [1, 0, 0, '1']]], 'a number from'],
  [[['affine', [1, 0, 0, 1], { interpolator: 'best' }]], 'one of nearest, bilinear'],
  [[['affine', [1, 0, 0, 1], { background: 'javascript:alert(1)' }]], 'a colour'],
  [[['dilate', 0]], 'an integer from 1 to 1000 for "transforms[0][1]" but received 0 (an argument of "dilate")'],
  [[['erode', 1001]], 'an integer from 1 to 1000'],
  [[['dilate', 1.5]], 'an integer'],
  [[['unflatten', true]], '0 to 0 arguments'],
  [[['autoOrient', 90]], '0 to 0 arguments'],
  [[['pipelineColourspace', 'rgb']], 'one of srgb, rgb16'],
  [[['pipelineColorspace', 'x']], '(an argument of "pipelineColorspace")'],
  [[['pipelineColourspace', 'rgb16'], ['dilate']], 'srgb or b-w beside "dilate" for "transforms[0][1]"'],
  [[['withMetadata', { icc: '/etc/passwd' }]], 'one of srgb, p3, cmyk'],
  [[['withMetadata', { orientation: 9 }]], 'an integer from 1 to 8'],
  [[['withMetadata', { exif: { IFD0: { Copyright: 1 } } }]], 'a text of at most 2000 characters'],
  [[['withMetadata', { exif: { IFD9: {} } }]], 'only IFD0'],
  [[['withMetadata', { exif: { IFD0: { 'a b': 'x' } } }]], 'names of EXIF tags'],
  [[['toFile', '/tmp/x']], 'one of toFormat'],
  [[['constructor']], 'one of toFormat'],
  [[['__proto__']], 'one of toFormat'],
  [[['joinChannel', '/etc/passwd']], 'one of toFormat'],
  [[['toFormat', 'gif']], 'one of jpg, jpeg, png, webp, tiff, avif for "transforms[0][1]" but received "gif"'],
  [[['toFormat']], '1 to 2 arguments of toFormat'],
  [[['jpeg', { quality: 0 }]], 'an integer from 1 to 100 for "transforms[0][1].quality" but received 0'],
  [[['jpeg', { quality: 101 }]], 'from 1 to 100'],
  [[['toFormat', 'webp', { effort: 7 }]], 'an integer from 0 to 6'],
  [[['avif', { effort: 5 }]], 'an integer from 0 to 4'],
  [[['png', { effort: 0 }]], 'an integer from 1 to 10'],
  [[['tiff', { compression: 'zip' }]], 'one of none, jpeg'],
  [[['jpeg', { unknown: 1 }]], 'only quality, progressive'],
  [[['resize', 0]], 'an integer from 1 to'],
  [[['resize', 1.5]], 'an integer from 1 to'],
  [[['resize', 10, 10, { fit: 'stretch' }]], 'one of cover'],
  [[['resize', 1e9]], 'an integer'],
  [[['extend', { left: -1 }]], 'an integer from 0'],
  [[['extract', { left: 0, top: 0, width: 5 }]], 'a value for "transforms[0][1].height" but received nothing'],
  [[['rotate', 'left']], 'a number from'],
  [[['blur', 0.1]], 'a number from 0.3 to 1000'],
  [[['blur', 1001]], 'a number from 0.3 to 1000'],
  [[['blur', 'much']], 'a number or a boolean or an object'],
  [[['median', 0]], 'an integer from 1 to 1000'],
  [[['sharpen', { sigma: 11 }]], 'a number from 0.000001 to 10'],
  [[['sharpen', {}]], 'a value for "transforms[0][1].sigma"'],
  [[['gamma', 0.9]], 'a number from 1 to 3'],
  [[['gamma', 3.1]], 'a number from 1 to 3'],
  [[['normalise', { lower: 50, upper: 50 }]], 'less than "upper"'],
  [[['clahe', { width: 1, height: 1, maxSlope: 101 }]], 'an integer from 0 to 100'],
  [[['convolve', { width: 3, height: 3, kernel: [1, 2, 3] }]], 'a list of 9'],
  [[['threshold', 256]], 'an integer from 0 to 255'],
  [
    [
      [
        'recomb',
        [
          [1, 2],
          [3, 4],
        ],
      ],
    ],
    'a list of 3 values',
  ],
  [
    [['tint', 'javascript:alert(1)']],
    'a colour for "transforms[0][1]" but received "javascript:alert(1)" (an argument of "tint")',
  ],
  [[['tint', { r: 256, g: 0, b: 0 }]], 'a number from 0 to 255'],
  [[['ensureAlpha', 2]], 'a number from 0 to 1'],
  [[['extractChannel', 'key']], 'one of red, green, blue, alpha'],
  [[['bandbool', 'nand']], 'one of and, or, eor'],
  [[['flip', 1]], 'true or false'],
  [[['removeAlpha', 1]], '0 to 0 arguments'],
  [[['blur', null]], 'a number or a boolean or an object for "transforms[0][1]" but received null'],
  [Array.from({ length: 6 }, () => ['flip']), 'at most 5 operations'],
]

const images = await openTestImages()
const source = await noise(40, 40).png().toBuffer()
afterAll(() => images.close())

test('every operation has an example', () => {
  expect(Object.keys(good).toSorted()).toEqual(operationNames.toSorted())
})

const examples = Object.entries(good).flatMap(([name, calls]) => calls.map((args) => [name, ...args] as const))

test.each(examples.map((step) => [JSON.stringify(step), step] as const))('%s succeeds', async (_name, step) => {
  const { image } = await images.transform(source, { steps: [step] })
  expect((await image.metadata()).width).toBeGreaterThan(0)
})

test.each(bad.map(([steps, said]) => [JSON.stringify(steps).slice(0, 80), steps, said] as const))(
  '%s is refused',
  (_name, steps, said) => {
    expect.assertions(3)
    try {
      parseSteps(steps, 5)
    } catch (error) {
      const [failure] = (error as TandemError).failures
      expect(error).toBeInstanceOf(TandemError)
      expect(failure).toMatchObject({ kind: 'invalid-query', name: 'transforms' })
      expect((failure as { reason: string }).reason).toContain(said)
    }
  },
)

/** Arguments that the library accepts or ignores and we refuse. */
const stricter = [
  ['composite', [{ input: { text: { text: 'x' } } }]],
  ['composite', []],
  ['composite', [{ input: '/etc/passwd' }]],
  ['composite', [{ input: patch(5, 5), animated: true }]],
  ['composite', Array.from({ length: 6 }, () => ({ input: patch(1, 1) }))],
  ['boolean', 'x.png', 'and'],
  ['affine', [1, 1, 1, 1]],
  ['erode', 1001],
  ['unflatten', true],
  ['autoOrient', 90],
  ['pipelineColourspace', 'rgb'],
  ['withMetadata', { icc: '/etc/passwd' }],
  ['withMetadata', { exif: { IFD9: {} } }],
  ['withMetadata', { exif: { IFD0: { 'a b': 'x' } } }],
  ['avif', { effort: 5 }],
  ['jpeg', { unknown: 1 }],
  ['rotate', 'left'],
  ['flip', 1],
  ['removeAlpha', 1],
  ['toFormat', 'gif'],
  ['tint', { r: 256, g: 0, b: 0 }],
  ['blur', null],
]

const calls = bad
  .filter(([steps]) => Array.isArray(steps) && steps.length === 1)
  .map(([steps]) => (steps as unknown[][])[0])
  .filter((step): step is [string, ...unknown[]] => Array.isArray(step) && operationNames.includes(step[0] as string))
  .filter((step) => !stricter.some((each) => JSON.stringify(each) === JSON.stringify(step)))

test.each(calls.map((step) => [JSON.stringify(step), step] as const))('the library refuses %s too', (_name, step) => {
  const [name, ...args] = step
  const image = sharp({ create: { width: 9, height: 9, channels: 3, background: '#000' } })
  const call = (image as unknown as { readonly [name: string]: (...args: unknown[]) => Sharp })[name]
  expect(() => call?.apply(image, args)).toThrow()
})

test('an unknown color is refused by the library and reported', async () => {
  const refusal = await refusalOf(images.transform(source, { steps: [['tint', 'nocolour']] }))
  expect(refusal).toMatchObject({ kind: 'illegal-transformation' })
  expect(refusal.reason).toContain('nocolour')
})

test.each([
  ['extractChannel', 3],
  ['extractChannel', 'alpha'],
  ['median', 1000],
  ['clahe', { width: 1000, height: 3 }],
  ['linear', [1, 2], [3, 4]],
  ['linear', [1, 2, 3, 4], [1, 2, 3, 4]],
  [
    'recomb',
    [
      [1, 0, 0, 0],
      [0, 1, 0, 0],
      [0, 0, 1, 0],
      [0, 0, 0, 1],
    ],
  ],
  ['extract', { left: 5000, top: 0, width: 9, height: 9 }],
  ['tiff', { compression: 'ccittfax4' }],
  ['tiff', { tile: true, tileWidth: 15 }],
  ['affine', [0.001, 0, 0, 0.01]],
  ['composite', [{ input: patch(41, 5) }]],
  ['boolean', patch(40, 40, 4), 'or'],
])('the step %s that does not go with the image is named, and not the image', async (name, ...args) => {
  const { kind, reason } = await refusalOf(images.transform(source, { steps: [[name, ...args]] }))
  expect([kind, reason]).toEqual(['illegal-transformation', expect.stringMatching(new RegExp(`for "${name}"$`))])
})
