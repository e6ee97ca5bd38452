import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { countInputs, inputFiles } from './inputs.ts'
import { parseSteps } from './parse-steps.ts'
import { halves, noise, openTestImages, pixel, refusalOf, sizeOf } from './test-images.ts'

const id = '00000000-0000-4000-8000-00000000abcd'
const other = '00000000-0000-4000-8000-00000000abce'
const red = [255, 0, 0]
const blue = [0, 0, 255]
const green = [0, 255, 0]

const plain = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } })

const images = await openTestImages()
const source = await halves(40, 20).removeAlpha().png().toBuffer()
const patch = await plain(10, 4, '#00ff00').png().toBuffer()
afterAll(() => images.close())

test('the file ids of steps are collected once, ignoring case', () => {
  const steps = parseSteps(
    [
      [
        'composite',
        [
          { input: id.toUpperCase() },
          { input: id },
          { input: { create: { width: 1, height: 1, channels: 3, background: '#000' } } },
        ],
      ],
      ['boolean', other, 'and'],
    ],
    5,
  )
  expect([inputFiles(steps), countInputs(steps)]).toEqual([[id, other], 4])
})

describe('composite', () => {
  test('places files at their positions and in order', async () => {
    const layers = [
      { input: id, left: 5, top: 6 },
      { input: other, gravity: 'northwest' },
    ]
    const inputs = { [id]: patch, [other]: await plain(7, 8, '#ffffff').jpeg().toBuffer() }
    const { image } = await images.transform(source, { steps: [['composite', layers]], inputs })
    expect(await sizeOf(image)).toEqual([40, 20])
    expect(await pixel(image, 4, 9)).toEqual(red)
    expect(await pixel(image, 10, 9)).toEqual(green)
    expect(await pixel(image, 14, 10)).toEqual(red)
    expect(await pixel(image, 6, 7)).toEqual([255, 255, 255])
    expect(await pixel(image, 30, 9)).toEqual(blue)
  })

  test('finds files by ids, ignoring case', async () => {
    const steps = [['composite', [{ input: id.toUpperCase() }]]]
    const { image } = await images.transform(source, { steps, inputs: { [id]: patch } })
    expect([await pixel(image, 20, 10), await pixel(image, 20, 3)]).toEqual([green, blue])
  })

  test('respects transparency', async () => {
    const half = await sharp({ create: { width: 40, height: 20, channels: 4, background: '#00ff0080' } })
      .webp({ lossless: true })
      .toBuffer()
    const { image } = await images.transform(source, {
      steps: [['composite', [{ input: id }]]],
      inputs: { [id]: half },
    })
    const [r = 0, g = 0, b = 0] = await pixel(image, 3, 3)
    expect([Math.abs(r - 127) < 3, Math.abs(g - 128) < 3, b]).toEqual([true, true, 0])
  })

  test('runs at the requested size', async () => {
    const steps = [['composite', [{ input: id, left: 0, top: 0 }]]]
    const { image } = await images.transform(source, { width: 80, height: 40, steps, inputs: { [id]: patch } })
    expect(await sizeOf(image)).toEqual([80, 40])
    expect([await pixel(image, 9, 3), await pixel(image, 12, 3)]).toEqual([green, red])
    const small = images.transform(source, { width: 8, steps, inputs: { [id]: patch } })
    expect(await refusalOf(small)).toEqual({
      kind: 'illegal-transformation',
      reason: 'Expected inputs no larger than the image, once it has its size, for "composite"',
    })
  })

  test('rotates files upright', async () => {
    const turned = await halves(20, 10).withMetadata({ orientation: 6 }).jpeg({ quality: 100 }).toBuffer()
    const steps = [['composite', [{ input: id, left: 30, top: 0 }]]]
    const { image } = await images.transform(await plain(40, 20, '#ffffff').png().toBuffer(), {
      steps,
      inputs: { [id]: turned },
    })
    expect((await pixel(image, 35, 2))[0]).toBeGreaterThan(240)
    expect((await pixel(image, 35, 18))[2]).toBeGreaterThan(240)
    expect(await pixel(image, 25, 5)).toEqual([255, 255, 255])
  })
})

describe('boolean', () => {
  test.each([
    ['and', [0, 0, 0], [0, 0, 0]],
    ['or', [255, 255, 0], [0, 255, 255]],
    ['eor', [255, 255, 0], [0, 255, 255]],
  ])('%s joins the bits of both', async (operator, left, right) => {
    const inputs = { [id]: await plain(40, 20, '#00ff00').png().toBuffer() }
    const { image } = await images.transform(source, { steps: [['boolean', id, operator]], inputs })
    expect([await pixel(image, 3, 3), await pixel(image, 33, 3)]).toEqual([left, right])
  })

  test('images with 16 bits per channel are joined like others', async () => {
    const deep = await plain(40, 20, '#ff0000').toColourspace('rgb16').png().toBuffer()
    const inputs = { [id]: await plain(40, 20, '#00ff00').png().toBuffer() }
    const { image } = await images.transform(deep, { steps: [['boolean', id, 'or']], inputs })
    expect(await pixel(image, 3, 3)).toEqual([255, 255, 0])
  })

  test('a file larger than the image counts toward the limit of results', async () => {
    const narrow = await openTestImages({ maxOutputDimension: 50 })
    const steps = [['boolean', id, 'or']]
    const inputs = { [id]: await plain(60, 5, '#000000').png().toBuffer() }
    const refusal = await refusalOf(narrow.transform(source, { steps, inputs }))
    expect(refusal.reason).toBe('Expected a result of at most 50 pixels a side but received 60 × 20')
    expect(await sizeOf((await images.transform(source, { steps, inputs })).image)).toEqual([60, 20])
    await narrow.close()
  })
})

const refused: { readonly [name: string]: () => Promise<Buffer | string> } = {
  'a text': async () => 'I am a picture, believe me',
  'random bytes': async () => randomBytes(5000),
  'an SVG that names a file': async () =>
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9"><image xlink:href="file:///etc/passwd" width="9" height="9"/></svg>',
  'a picture of 6,001 × 1': async () => plain(6001, 1, '#000000').png().toBuffer(),
  'a truncated JPEG': async () => (await noise(40, 20).jpeg().toBuffer()).subarray(0, -300),
}

test.each(Object.keys(refused))('%s is refused as an input, and the next picture is done', async (name) => {
  const inputs = { [id]: (await refused[name]?.()) ?? '' }
  for (const step of [
    ['composite', [{ input: id }]],
    ['boolean', id, 'and'],
  ]) {
    const refusal = await refusalOf(images.transform(source, { steps: [step], inputs }))
    expect(refusal.kind).toBe('illegal-transformation')
    expect(refusal.reason).toMatch(name === 'a truncated JPEG' ? /^Expected an image/ : new RegExp(`the input ${id}`))
    expect(refusal.reason).not.toMatch(/\/|vips/i)
  }
  expect(await sizeOf((await images.transform(source, { width: 20 })).image)).toEqual([20, 10])
})
