import { readFile, stat } from 'node:fs/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { imageFormats } from '../domain/images.ts'
import { halves, noise, openTestImages, refusalOf, sizeOf, type TestImages, unchanged } from './test-images.ts'

let images: TestImages
let photo: Buffer

beforeAll(async () => {
  images = await openTestImages()
  photo = await noise(200, 150).jpeg({ quality: 95 }).toBuffer()
})
afterAll(() => images.close())

const formatOf = async (bytes: Buffer): Promise<string> => {
  const { format, compression } = await sharp(bytes).metadata()
  return format === 'heif' && compression === 'av1' ? 'avif' : format
}

describe.each(imageFormats)('%s', (format) => {
  test('is written', async () => {
    const { bytes, image } = await images.transform(photo, { format, width: 60 })
    expect([await formatOf(bytes), await sizeOf(image)]).toEqual([format, [60, 45]])
  })

  test('is read, and kept where no other is asked for', async () => {
    const source = await noise(60, 60).toFormat(format).toBuffer()
    expect(await images.describe(source)).toEqual({
      format,
      width: 60,
      height: 60,
      orientation: 1,
      pages: 1,
      hasAlpha: false,
    })
    expect(await formatOf((await images.transform(source, { width: 30 })).bytes)).toBe(format)
  })

  test('is smaller where the quality is lower', async () => {
    // A PNG has qualities where it has a palette, TIFF where it is compressed as JPEG (as it is by default).
    const sizes = await Promise.all(
      [5, 90].map(async (quality) => (await images.transform(photo, { format, quality })).bytes.length),
    )
    expect(sizes[0]).toBeLessThan(sizes[1] as number)
  })
})

describe('the format of a step', () => {
  test.each([
    [[['toFormat', 'webp', { quality: 10 }]], 'webp'],
    [[['toFormat', 'jpg']], 'jpeg'],
    [[['png', { compressionLevel: 9 }]], 'png'],
    [[['webp'], ['tiff']], 'tiff'],
    [[['avif', { effort: 0, quality: 20 }]], 'avif'],
  ] as const)('%j', async (steps, format) => {
    expect(await formatOf((await images.transform(photo, { steps })).bytes)).toBe(format)
  })

  test('its options are kept where only the size changes, and a stated format wins', async () => {
    const low = await images.transform(photo, { width: 100, steps: [['webp', { quality: 1 }]] })
    const high = await images.transform(photo, { width: 100, steps: [['webp', { quality: 100 }]] })
    expect(low.bytes.length * 3).toBeLessThan(high.bytes.length)
    expect(await formatOf((await images.transform(photo, { format: 'png', steps: [['webp']] })).bytes)).toBe('png')
  })
})

test('a result of any size goes to the file that is named for it, which must not be there yet', async () => {
  const source = await images.put(await noise(1200, 1200).jpeg().toBuffer())
  for (const width of [20, 600, 1200]) {
    const target = { folder: `${source}-folder`, file: `${source}-${width}` }
    const { content, size } = await images.images.transform(source, target, { ...unchanged, width })
    const bytes = await readFile(target.file)
    expect([bytes.length, (await sharp(bytes).metadata()).width]).toEqual([size, width])
    expect(content === null || content === bytes.toString('base64')).toBe(true)
    expect((await stat(target.file)).mode & 0o777).toBe(0o600)
    expect(await refusalOf(images.images.transform(source, target, { ...unchanged, width }))).toMatchObject({
      kind: 'illegal-transformation',
    })
  }
  await expect(stat(`${source}-folder`)).rejects.toThrow('ENOENT')
})

test('metadata of the source does not reach the result', async () => {
  const source = await halves()
    .withExif({ IFD0: { Copyright: 'secret place' } })
    .jpeg()
    .toBuffer()
  expect(source.includes('secret place')).toBe(true)
  const { bytes } = await images.transform(source, { width: 100 })
  expect(bytes.includes('secret place')).toBe(false)
  expect((await sharp(bytes).metadata()).exif).toBeUndefined()
})

test('of an animation the first picture is transformed', async () => {
  const frames = await sharp([await halves(40, 40).png().toBuffer(), await noise(40, 40).png().toBuffer()], {
    join: { animated: true },
  })
    .webp()
    .toBuffer()
  expect(await images.describe(frames)).toMatchObject({ width: 40, height: 40, pages: 2 })
  const { image } = await images.transform(frames, { width: 20 })
  expect([await sizeOf(image), (await image.metadata()).pages ?? 1]).toEqual([[20, 20], 1])
})

test('GIFs are described', async () => {
  const source = await halves(40, 30).gif().toBuffer()
  expect(await images.describe(source)).toMatchObject({ format: 'gif', width: 40, height: 30 })
})
