import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { halves, openTestImages, pixel } from './test-images.ts'

/** A plain color as another image. */
const patch = (width: number, height: number, channels = 4) => ({
  create: { width, height, channels, background: '#0f08' },
})

const images = await openTestImages()
afterAll(() => images.close())

const after = async (steps: readonly unknown[], left = 5, top = 5): Promise<readonly number[]> =>
  pixel((await images.transform(await halves(40, 40).png().toBuffer(), { steps })).image, left, top)

describe('what steps do to pixels', () => {
  test.each([
    [[['negate']], [0, 255, 255]],
    [[['extractChannel', 'green']], [0, 0, 0]],
    [[['linear', 0, 100]], [100, 100, 100]],
    [[['threshold', 200]], [0, 0, 0]],
    [
      [
        [
          'recomb',
          [
            [0, 0, 1],
            [0, 1, 0],
            [1, 0, 0],
          ],
        ],
      ],
      [0, 0, 255],
    ],
    [
      [['negate'], ['flop']],
      [255, 255, 0],
    ],
    [[['affine', [-1, 0, 0, 1]]], [0, 0, 255]],
    [[['affine', [1, 0, 0, 1], { odx: 30, background: '#0f0' }]], [0, 255, 0]],
    [[['boolean', { create: { width: 40, height: 40, channels: 4, background: '#0f0' } }, 'or']], [255, 255, 0]],
    [[['boolean', { create: { width: 40, height: 40, channels: 4, background: '#f0f' } }, 'eor']], [0, 0, 255]],
    [[['composite', [{ input: patch(1, 1), tile: true }]]], [118, 136, 0]],
    [[['composite', [{ input: patch(9, 9, 3), blend: 'add', left: 0, top: 0 }]]], [255, 255, 0]],
    [[['composite', [{ input: patch(9, 9), gravity: 'southeast' }]]], [255, 0, 0]],
    [[['pipelineColourspace', 'b-w']], [127, 127, 127]],
    [
      [['pipelineColourspace', 'lab'], ['negate']],
      [0, 255, 255],
    ],
  ] as const)('%j', async (steps, colour) => {
    expect(await after(steps)).toEqual(colour)
  })

  test('grey is equal in all channels', async () => {
    const [r, g, b] = await after([['greyscale']])
    expect([g, b]).toEqual([r, r])
  })

  test('blur mixes the halves at their border', async () => {
    const [r = 0, , b = 0] = await after([['blur', 5]], 20, 20)
    expect(Math.min(r, b)).toBeGreaterThan(60)
  })

  test('flatten gives the transparent a colour', async () => {
    const clear = await sharp({ create: { width: 9, height: 9, channels: 4, background: '#0000' } })
      .png()
      .toBuffer()
    const { image } = await images.transform(clear, { steps: [['flatten', { background: '#00ff00' }]] })
    expect([await pixel(image, 4, 4), (await image.metadata()).hasAlpha]).toEqual([[0, 255, 0], false])
  })
  test('dilate makes what is dark wider, erode what is light', async () => {
    const dots = await sharp({ create: { width: 21, height: 9, channels: 3, background: '#fff' } })
      .composite([{ input: { create: { width: 1, height: 9, channels: 3, background: '#000' } }, left: 10, top: 0 }])
      .png()
      .toBuffer()
    const darkOf = async (steps: readonly unknown[]): Promise<number> => {
      const { image } = await images.transform(dots, { steps })
      const row = await image.extract({ left: 0, top: 4, width: 21, height: 1 }).extractChannel(0).raw().toBuffer()
      return row.filter((value) => value < 128).length
    }
    expect(await darkOf([])).toBe(1)
    expect(await darkOf([['dilate']])).toBe(3)
    expect(await darkOf([['dilate', 3]])).toBe(7)
    expect(await darkOf([['erode']])).toBe(0)
    expect(
      await darkOf([
        ['dilate', 3],
        ['erode', 2],
      ]),
    ).toBe(3)
  })

  test('unflatten makes the white transparent, and nothing else', async () => {
    const source = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } })
      .composite([{ input: { create: { width: 4, height: 9, channels: 3, background: '#f00' } }, left: 0, top: 0 }])
      .png()
      .toBuffer()
    const { image } = await images.transform(source, { steps: [['unflatten']] })
    const { data } = await image.raw().toBuffer({ resolveWithObject: true })
    expect([[...data.subarray(0, 4)], [...data.subarray(32, 36)]]).toEqual([
      [255, 0, 0, 255],
      [255, 255, 255, 0],
    ])
  })
})
