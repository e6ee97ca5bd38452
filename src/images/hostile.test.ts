import { randomBytes } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { halves, noise, openTestImages, refusalOf, sizeOf, unchanged } from './test-images.ts'

const images = await openTestImages()
afterAll(() => images.close())

const chunk = (name: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

/** A small PNG whose header claims this size. */
const bomb = (width: number, height: number): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1000))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const svg = (more: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9">${more}</svg>`

const sources: { readonly [name: string]: () => Promise<Buffer | string> } = {
  'an empty file': async () => '',
  'a text': async () => 'I am a picture, believe me',
  'random bytes': async () => randomBytes(5000),
  'an SVG': async () => svg('<rect width="9" height="9"/>'),
  'an SVG that names a file': async () => svg('<image xlink:href="file:///etc/passwd" width="9" height="9"/>'),
  'a PDF': async () => '%PDF-1.4\n1 0 obj <<>> endobj\ntrailer <<>>\n%%EOF',
  'a PNG of 100,000 × 100,000': async () => bomb(100_000, 100_000),
  'a PNG of 6,001 × 1': async () => bomb(6001, 1),
  'a truncated PNG': async () => (await noise(100, 100).png().toBuffer()).subarray(0, 3000),
  'a truncated JPEG': async () => (await noise(200, 200).jpeg().toBuffer()).subarray(0, 3000),
  'a truncated WebP': async () => (await noise(200, 200).webp().toBuffer()).subarray(0, 3000),
  'a truncated AVIF': async () => (await noise(200, 200).avif({ effort: 0 }).toBuffer()).subarray(0, 3000),
  'a truncated TIFF': async () => (await noise(200, 200).tiff({ compression: 'none' }).toBuffer()).subarray(0, 3000),
  'the head of a JPEG': async () => (await noise(200, 200).jpeg().toBuffer()).subarray(0, 40),
}

test.each(Object.keys(sources))('%s is refused', async (name) => {
  const source = (await sources[name]?.()) ?? ''
  const refusal = await refusalOf(images.transform(source, { width: 10 }))
  expect(refusal.kind).toBe('illegal-transformation')
  expect(refusal.reason).toMatch(/^Expected an? (image|jpeg|result)/)
  expect(refusal.reason).not.toMatch(/\/|vips/i)
})

test('a good image is done after all of them', async () => {
  expect(await sizeOf((await images.transform(await halves().png().toBuffer(), { width: 20 })).image)).toEqual([20, 10])
})

test('an unreadable image has no description', async () => {
  for (const name of ['an empty file', 'a text', 'random bytes', 'an SVG', 'a PDF']) {
    expect(await images.describe((await sources[name]?.()) ?? ''), name).toBeNull()
  }
})

test('the claimed size is described without decoding', async () => {
  expect(await images.describe(bomb(100_000, 100_000))).toMatchObject({ width: 100_000, height: 100_000 })
})

test('damaged images are accepted if the settings allow it', async () => {
  const lenient = await openTestImages({ sensitivity: 'none' })
  const source = (await sources['a truncated JPEG']?.()) ?? ''
  expect(await sizeOf((await lenient.transform(source, { width: 50 })).image)).toEqual([50, 50])
  await lenient.close()
})

describe('endless work', () => {
  test('is killed, and the next task runs', async () => {
    const hasty = await openTestImages({ timeout: 400 })
    const photo = await noise(2500, 2500).jpeg().toBuffer()
    const endless = hasty.transform(photo, {
      steps: [
        ['median', 601],
        ['avif', { effort: 4, lossless: true }],
      ],
    })
    expect(await refusalOf(endless)).toMatchObject({ kind: 'unavailable', retryAfter: 1 })
    await expect.poll(() => hasty.describe(Buffer.from('x')).catch(() => 'busy')).toBeNull()
    await hasty.close()
  })

  const narrowed = [
    { maxConcurrent: 2, workers: 1, done: 2 },
    { maxConcurrent: 1, workers: 2, done: 1 },
  ]
  test.each(narrowed)('too many tasks are refused: $maxConcurrent with $workers workers', async (row) => {
    const narrow = await openTestImages({ maxConcurrent: row.maxConcurrent }, row.workers)
    const source = await narrow.put(await halves().png().toBuffer())
    const all = await Promise.allSettled(
      [1, 2, 3, 4].map((at) =>
        narrow.images.transform(
          { picture: source, inputs: {} },
          { folder: `${source}-${at}`, file: null },
          { ...unchanged, width: 10 },
        ),
      ),
    )
    expect(all.map(({ status }) => status)).toEqual(all.map((_, at) => (at < row.done ? 'fulfilled' : 'rejected')))
    expect(all[0]).toMatchObject({ value: { width: 10, content: expect.stringMatching(/^.{50,}/) } })
    await narrow.close()
  })

  test('waiting tasks fail when the service closes', async () => {
    const closing = await openTestImages()
    const source = await closing.put(await noise(1500, 1500).png().toBuffer())
    const work = [1, 2, 3].map((at) =>
      closing.images.transform(
        { picture: source, inputs: {} },
        { folder: `${source}-${at}`, file: null },
        { ...unchanged, width: 10 },
      ),
    )
    const settled = Promise.allSettled(work)
    await closing.close()
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(await refusalOf(closing.images.describe(source))).toMatchObject({ kind: 'unavailable' })
  })
})
