import { readFile, stat } from 'node:fs/promises'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { imageFormats } from '../domain/ports/images.ts'
import { halves, noise, openTestImages, pixel, refusalOf, sizeOf, unchanged } from './test-images.ts'

const images = await openTestImages()
const photo = await noise(200, 150).jpeg({ quality: 95 }).toBuffer()
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

  test('is read, and kept unless another is requested', async () => {
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

  test('is smaller with lower quality', async () => {
    // PNG has a quality only with a palette, TIFF only with JPEG compression (the default).
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

  test('its options stay when only the size changes, and an explicit format wins', async () => {
    const low = await images.transform(photo, { width: 100, steps: [['webp', { quality: 1 }]] })
    const high = await images.transform(photo, { width: 100, steps: [['webp', { quality: 100 }]] })
    expect(low.bytes.length * 3).toBeLessThan(high.bytes.length)
    expect(await formatOf((await images.transform(photo, { format: 'png', steps: [['webp']] })).bytes)).toBe('png')
  })
})

test('a result of any size goes to the file that is named for it, which must not be there yet', async () => {
  const source = await images.put(await noise(1200, 1200).jpeg().toBuffer())
  const sources = { picture: source, inputs: {} }
  for (const width of [20, 600, 1200]) {
    const target = { folder: `${source}-folder`, file: `${source}-${width}` }
    const { content, size } = await images.images.transform(sources, target, { ...unchanged, width })
    const bytes = await readFile(target.file)
    expect([bytes.length, (await sharp(bytes).metadata()).width]).toEqual([size, width])
    expect(content === null || content === bytes.toString('base64')).toBe(true)
    expect((await stat(target.file)).mode & 0o777).toBe(0o600)
    expect(await refusalOf(images.images.transform(sources, target, { ...unchanged, width }))).toMatchObject({
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

describe('withMetadata', () => {
  const place = { IFD0: { Copyright: 'known owner' }, IFD3: { GPSLatitudeRef: 'N' } }

  test.each([
    { width: 100 },
    { width: 100, format: 'webp' },
    { steps: [['trim', { background: '#fff' }]] },
    {
      steps: [
        ['rotate', 180],
        ['trim', { background: '#fff' }],
      ],
    },
  ] as const)('keeps what the source says of itself: %j', async ({ steps = [], ...wish }) => {
    const source = await halves().withExif(place).jpeg().toBuffer()
    const { bytes } = await images.transform(source, { ...wish, steps: [...steps, ['withMetadata']] })
    const { exif, hasProfile, orientation = 1 } = await sharp(bytes).metadata()
    expect([exif?.includes('known owner'), hasProfile, orientation]).toEqual([true, true, 1])
  })

  test('adds the given metadata, and rotates nothing twice', async () => {
    const source = await halves().withExif(place).withMetadata({ orientation: 6, exif: place }).jpeg().toBuffer()
    const added = { density: 300, icc: 'p3', exif: { IFD0: { Artist: 'somebody' } } }
    const { image } = await images.transform(source, { width: 100, steps: [['withMetadata', added]] })
    const { exif, density, orientation = 1, width, height } = await image.metadata()
    expect([exif?.includes('known owner'), exif?.includes('somebody')]).toEqual([true, true])
    expect([density, orientation, width, height]).toEqual([300, 1, 100, 200])
    const turned = await images.transform(source, { width: 100, steps: [['withMetadata', { orientation: 8 }]] })
    expect((await turned.image.metadata()).orientation).toBe(8)
  })

  test('a rotated source that is rotated and trimmed is rotated once', async () => {
    const source = await halves(40, 20).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const steps = [['rotate', 180], ['trim', { background: '#fff' }], ['withMetadata']]
    const { image } = await images.transform(source, { steps })
    expect(await sizeOf(image)).toEqual([40, 20])
    expect((await image.metadata()).orientation ?? 1).toBe(1)
  })
})

describe('pipelineColourspace', () => {
  const brown = sharp({ create: { width: 40, height: 20, channels: 3, background: '#804020' } })

  test.each(['srgb', 'rgb16', 'scrgb', 'lab'])(
    'colours stay what they are in %s, whatever the profile',
    async (space) => {
      const sources = {
        plain: await brown.clone().png().toBuffer(),
        wide: await brown.clone().withIccProfile('p3').png().toBuffer(),
        deep: await brown.clone().toColourspace('rgb16').png().toBuffer(),
        grey: await brown.clone().greyscale().withIccProfile('srgb').png().toBuffer(),
        ink: await brown.clone().withIccProfile('cmyk').jpeg({ quality: 100 }).toBuffer(),
      }
      for (const [name, source] of Object.entries(sources)) {
        const before = await pixel((await images.transform(source, { format: 'png' })).image, 5, 5)
        const { image } = await images.transform(source, {
          width: 10,
          format: 'png',
          steps: [['pipelineColourspace', space]],
        })
        const after = await pixel(image, 5, 2)
        expect(Math.max(...after.map((value, at) => Math.abs(value - (before[at] ?? 0)))), name).toBeLessThanOrEqual(2)
      }
    },
  )

  test('steps in a color space use its values', async () => {
    const gradient = await images.transform(await halves(40, 20).removeAlpha().png().toBuffer(), {
      steps: [
        ['pipelineColourspace', 'scrgb'],
        ['resize', 20, 10],
        ['blur', 5],
      ],
      format: 'png',
    })
    const plain = await images.transform(await halves(40, 20).removeAlpha().png().toBuffer(), {
      steps: [
        ['resize', 20, 10],
        ['blur', 5],
      ],
      format: 'png',
    })
    // In linear light, half the intensity is more than half the encoded value.
    const [linear = 0] = await pixel(gradient.image, 10, 5)
    const [stored = 0] = await pixel(plain.image, 10, 5)
    expect(linear - stored).toBeGreaterThan(30)
  })

  test('in its American spelling, and before an explicit turn', async () => {
    const { image } = await images.transform(await halves(40, 20).withIccProfile('srgb').jpeg().toBuffer(), {
      steps: [
        ['pipelineColorspace', 'b-w'],
        ['extract', { left: 0, top: 0, width: 10, height: 20 }],
        ['rotate', 90],
      ],
    })
    expect(await sizeOf(image)).toEqual([20, 10])
    const [r = 0, g, b] = await pixel(image, 5, 5)
    expect([g, b, r > 120]).toEqual([r, r, true])
  })

  test.each(['dilate', 'erode', 'unflatten'])(
    '%s keeps the colours of pictures of 16 bits and of ink',
    async (name) => {
      for (const source of [
        await brown.clone().toColourspace('rgb16').png().toBuffer(),
        await brown.clone().withIccProfile('cmyk').jpeg({ quality: 100 }).toBuffer(),
      ]) {
        const before = await pixel((await images.transform(source, { format: 'png' })).image, 5, 5)
        const { image } = await images.transform(source, { format: 'png', steps: [[name]] })
        const after = await pixel(image, 5, 5)
        expect(Math.max(...after.map((value, at) => Math.abs(value - (before[at] ?? 0))))).toBeLessThanOrEqual(2)
      }
    },
  )
})

test('all frames of an animation are transformed', async () => {
  const frames = await sharp([await halves(40, 40).png().toBuffer(), await noise(40, 40).png().toBuffer()], {
    join: { animated: true },
  })
    .webp()
    .toBuffer()
  expect(await images.describe(frames)).toMatchObject({ width: 40, height: 40, pages: 2 })
  const { image } = await images.transform(frames, { width: 20 })
  expect([await sizeOf(image), (await image.metadata()).pages ?? 1]).toEqual([[20, 20], 2])
})

test('GIFs are described', async () => {
  const source = await halves(40, 30).gif().toBuffer()
  expect(await images.describe(source)).toMatchObject({ format: 'gif', width: 40, height: 30 })
})
