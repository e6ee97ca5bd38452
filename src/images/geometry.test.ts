import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { halves, openTestImages, pixel, refusalOf, sizeOf } from './test-images.ts'

const red = [255, 0, 0]
const blue = [0, 0, 255]

const images = await openTestImages()
const wide = await halves().png().toBuffer()
afterAll(() => images.close())

describe('width, height and fit', () => {
  test.each([
    ['cover', 100, 100, [100, 100]],
    ['contain', 100, 100, [100, 100]],
    ['inside', 100, 100, [100, 50]],
    ['outside', 100, 100, [200, 100]],
    ['cover', 100, null, [100, 50]],
    ['cover', null, 50, [100, 50]],
    ['cover', 800, 600, [800, 600]],
  ] as const)('%s in %s × %s', async (fit, width, height, size) => {
    const { image } = await images.transform(wide, { fit, width, height })
    expect(await sizeOf(image)).toEqual(size)
  })

  test('cover crops, contain adds bars', async () => {
    const cover = await images.transform(wide, { width: 100, height: 100 })
    expect([await pixel(cover.image, 5, 5), await pixel(cover.image, 95, 95)]).toEqual([red, blue])
    const contain = await images.transform(wide, { width: 100, height: 100, fit: 'contain' })
    expect([await pixel(contain.image, 5, 5), await pixel(contain.image, 5, 50)]).toEqual([[0, 0, 0], red])
  })

  test('withoutEnlargement keeps small pictures small', async () => {
    const wish = { width: 800, withoutEnlargement: true }
    expect(await sizeOf((await images.transform(wide, wish)).image)).toEqual([400, 200])
    expect(await sizeOf((await images.transform(wide, { width: 800 })).image)).toEqual([800, 400])
  })
})

describe('the focal point', () => {
  test.each([
    [{ x: 0, y: 0 }, red, red],
    [{ x: 399, y: 199 }, blue, blue],
    [{ x: 200, y: 100 }, red, blue],
  ])('%o', async (focalPoint, left, right) => {
    const { image } = await images.transform(wide, { width: 50, height: 50, focalPoint })
    expect(await sizeOf(image)).toEqual([50, 50])
    expect([await pixel(image, 10, 25), await pixel(image, 40, 25)]).toEqual([left, right])
  })

  test('respects withoutEnlargement', async () => {
    const wish = { width: 300, height: 300, focalPoint: { x: 0, y: 0 }, withoutEnlargement: true }
    expect(await sizeOf((await images.transform(wide, wish)).image)).toEqual([300, 200])
  })
})

describe('EXIF orientation', () => {
  test('images are rotated upright and described so', async () => {
    const turned = await halves().withMetadata({ orientation: 6 }).jpeg().toBuffer()
    expect(await images.describe(turned)).toMatchObject({ width: 200, height: 400, orientation: 6 })
    const { image } = await images.transform(turned, { width: 100 })
    expect(await sizeOf(image)).toEqual([100, 200])
    expect((await pixel(image, 50, 5))[0]).toBeGreaterThan(200)
    expect((await image.metadata()).orientation).toBeUndefined()
  })

  test('unless a rotation is requested', async () => {
    const turned = await halves().withMetadata({ orientation: 6 }).jpeg().toBuffer()
    expect(await sizeOf((await images.transform(turned, { steps: [['rotate', 90]] })).image)).toEqual([200, 400])
    expect(await sizeOf((await images.transform(turned, { steps: [['rotate', 180]] })).image)).toEqual([400, 200])
  })

  test('or both are requested', async () => {
    const turned = await halves().withMetadata({ orientation: 6 }).jpeg().toBuffer()
    for (const steps of [
      [['autoOrient'], ['rotate', 180]],
      [['rotate', 180], ['autoOrient']],
      [['rotate', 180], ['trim', { threshold: 1, background: '#fff' }], ['autoOrient']],
    ]) {
      const { image } = await images.transform(turned, { steps })
      expect(await sizeOf(image)).toEqual([200, 400])
      expect((await pixel(image, 100, 5))[2]).toBeGreaterThan(200)
    }
    expect(await sizeOf((await images.transform(turned, { steps: [['autoOrient']] })).image)).toEqual([200, 400])
  })

  test('the limit applies to an image that is not rotated', async () => {
    const source = sharp({ create: { width: 3, height: 3000, channels: 3, background: '#000' } })
    const turned = await source.withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const refusal = await refusalOf(images.transform(turned, { width: 100, steps: [['rotate', 180]] }))
    expect(refusal.reason).toMatch(/at most 6000 pixels/)
  })
})

describe('steps that change the size', () => {
  test.each([
    [[['resize', 120]], [120, 60]],
    [[['resize', null, 120]], [240, 120]],
    [[['resize', 120, 120, { fit: 'fill' }]], [120, 120]],
    [[['resize', { width: 40, height: 40, position: 'left' }]], [40, 40]],
    [[['extend', 10]], [420, 220]],
    [[['extend', { top: 5, left: 7, background: '#00ff00' }]], [407, 205]],
    [[['expand', { right: 100, extendWith: 'mirror' }]], [500, 200]],
    [[['extract', { left: 10, top: 20, width: 30, height: 40 }]], [30, 40]],
    [[['rotate', 90]], [200, 400]],
    [[['affine', [1.5, 0, 0, 0.5]]], [600, 100]],
    [[['affine', [0, 1, 1, 0]]], [200, 400]],
    [[['affine', [1, 0.3, -0.1, 0.7], { odx: 500, idy: -3 }]], [460, 180]],
    [
      [
        ['affine', [2, 0, 0, 2]],
        ['resize', 100],
        ['extend', 5],
      ],
      [210, 110],
    ],
    [[['boolean', { create: { width: 500, height: 10, channels: 4, background: '#000' } }, 'or']], [500, 200]],
    [[['rotate', 45, { background: '#ffffff' }]], [424, 424]],
    [
      [['flip'], ['flop']],
      [400, 200],
    ],
    [
      [
        ['rotate', 90],
        ['resize', 50],
      ],
      [50, 100],
    ],
  ] as const)('%j', async (steps, size) => {
    expect(await sizeOf((await images.transform(wide, { steps })).image)).toEqual(size)
  })

  test('flop mirrors the image, and extract can take one side', async () => {
    expect(await pixel((await images.transform(wide, { steps: [['flop']] })).image, 5, 5)).toEqual(blue)
    const right = await images.transform(wide, { steps: [['extract', { left: 300, top: 0, width: 50, height: 50 }]] })
    expect(await pixel(right.image, 5, 5)).toEqual(blue)
  })

  test('trim runs first, and sizes refer to its result', async () => {
    const framed = await sharp(wide)
      .extend({ top: 50, bottom: 50, left: 50, right: 50, background: '#fff' })
      .png()
      .toBuffer()
    expect(await sizeOf((await images.transform(framed, { steps: [['trim']] })).image)).toEqual([400, 200])
    const { image } = await images.transform(framed, {
      width: 100,
      steps: [['trim', { threshold: 20 }]],
      format: 'webp',
    })
    expect(await sizeOf(image)).toEqual([100, 50])
  })
})

const thin = () =>
  sharp({ create: { width: 3, height: 3000, channels: 3, background: '#000' } })
    .png()
    .toBuffer()

describe('results beyond the limit', () => {
  test.each([
    { width: 6001 },
    { height: 60_000 },
    { width: 100 },
    { width: 3000, height: 100, fit: 'outside' },
    { steps: [['resize', 100]] },
    { steps: [['extend', 3000]] },
    { steps: [['affine', [1, 0, 0, 2.001]]] },
    { steps: [['affine', [1, 2, 2.001, 1]]] },
    { steps: [['affine', [1e6, 0, 0, 1]]] },
    { width: 6, steps: [['affine', [1001, 0, 0, 0.1]]] },
    { steps: [['boolean', { create: { width: 6001, height: 1, channels: 3, background: '#000' } }, 'or']] },
    { width: 5000, height: 5000, steps: [['extend', { left: 2000 }]] },
    { width: 1000, steps: [['trim', { background: '#fff' }]] },
  ] as const)('%j', async (wish) => {
    const refusal = await refusalOf(images.transform(await thin(), wish))
    expect(refusal.kind).toBe('illegal-transformation')
    expect(refusal.reason).toMatch(/at most 6000 pixels/)
  })
})
