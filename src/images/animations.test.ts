import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { openTestImages, refusalOf } from './test-images.ts'

const images = await openTestImages()
afterAll(() => images.close())

const colours = ['#ff0000', '#00ff00', '#0000ff', '#ffff00', '#00ffff']

/** Five frames of 40 × 30 pixels, each of one colour. */
async function moving(
  format: 'webp' | 'gif',
  [width, height]: readonly [number, number] = [40, 30],
  count = 5,
): Promise<Buffer> {
  const frames = await Promise.all(
    colours.slice(0, count).map((background) =>
      sharp({ create: { width, height, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
  const joined = sharp(frames, { join: { animated: true } })
  return (format === 'webp' ? joined.webp({ lossless: true, delay: 100 }) : joined.gif({ delay: 100 })).toBuffer()
}

const seen = async (bytes: Buffer) => {
  const { format, pages = 1, width, pageHeight, height, delay } = await sharp(bytes, { animated: true }).metadata()
  return { format, pages, size: [width, pageHeight ?? height], delay: delay?.[0] }
}

/** The colour in the middle of a frame. */
async function colourOf(bytes: Buffer, page: number): Promise<readonly number[]> {
  const { data, info } = await sharp(bytes, { page }).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * info.channels
  return [...data.subarray(at, at + 3)].map((value) => (value > 127 ? 255 : 0))
}

const shown = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 0],
  [0, 255, 255],
]

describe.each(['webp', 'gif'] as const)('an animated %s', (format) => {
  test.each(['webp', 'gif'] as const)('keeps its frames as %s', async (to) => {
    const { bytes } = await images.transform(await moving(format), { width: 20, format: to })
    expect(await seen(bytes)).toEqual({ format: to, pages: 5, size: [20, 15], delay: 100 })
    for (const [page, colour] of shown.entries()) expect(await colourOf(bytes, page)).toEqual(colour)
  })

  test.each([
    ['cover', [10, 20]],
    ['contain', [10, 20]],
    ['inside', [10, 8]],
  ] as const)('keeps its frames with fit %s', async (fit, size) => {
    const { bytes } = await images.transform(await moving(format), { width: 10, height: 20, fit })
    expect(await seen(bytes)).toMatchObject({ format, pages: 5, size })
    for (const [page, colour] of shown.entries()) expect(await colourOf(bytes, page)).toEqual(colour)
  })

  test('has its colours changed in all frames', async () => {
    const { bytes } = await images.transform(await moving(format), { width: 20, steps: [['negate', { alpha: false }]] })
    for (const [page, colour] of shown.entries())
      expect(await colourOf(bytes, page)).toEqual(colour.map((value) => 255 - value))
  })

  test.each([
    ['another format', { format: 'jpeg' }],
    ['an operation that moves pixels', { steps: [['rotate', 90]] }],
    ['animated false', { animated: false }],
  ] as const)('is its first frame with %s', async (_name, transform) => {
    const { bytes } = await images.transform(await moving(format), { width: 20, ...transform })
    expect(await seen(bytes)).toMatchObject({ pages: 1 })
    expect(await colourOf(bytes, 0)).toEqual([255, 0, 0])
  })

  test('has a limit for all frames together', async () => {
    const source = await moving(format, [900, 900], 5)
    const narrow = await openTestImages({ maxDimension: 1000, maxOutputDimension: 1000 })
    expect(JSON.stringify(await refusalOf(narrow.transform(source, { width: 20 })))).toContain('frames')
    const still = await narrow.transform(source, { width: 20, animated: false })
    expect(await seen(still.bytes)).toMatchObject({ pages: 1 })
    await narrow.close()
  })
})

test('transparent pixels become white in a JPEG, also as the compression of a TIFF, unless there is a background', async () => {
  const clear = { width: 20, height: 20, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } as const
  const source = await sharp({ create: clear }).png().toBuffer()
  const colour = async (transform: object) => colourOf((await images.transform(source, transform)).bytes, 0)
  expect(await colour({ format: 'jpeg' })).toEqual([255, 255, 255])
  expect(await colour({ steps: [['jpeg']] })).toEqual([255, 255, 255])
  for (const transform of [
    { format: 'tiff' },
    { steps: [['tiff']] },
    { steps: [['toFormat', 'tiff', { compression: 'jpeg' }]] },
  ])
    expect(await colour(transform)).toEqual([255, 255, 255])
  const whole = await images.transform(source, { format: 'tiff', steps: [['tiff', { compression: 'lzw' }]] })
  expect((await sharp(whole.bytes).metadata()).hasAlpha).toBe(true)
  expect(await colour({ format: 'jpeg', steps: [['flatten', { background: '#ff0000' }]] })).toEqual([255, 0, 0])
  expect((await sharp((await images.transform(source, { format: 'png' })).bytes).metadata()).hasAlpha).toBe(true)
})
