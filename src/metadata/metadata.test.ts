import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { array, assert, constantFrom, integer, nat, property, tuple } from 'fast-check'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { readImage } from './image-metadata.ts'
import { charsetOf, detectType, isAllowedType } from './media-type.ts'
import { readInSideProcess } from './side-process.ts'

const formats = ['jpeg', 'png', 'webp', 'tiff', 'avif'] as const

const picture = (format: (typeof formats)[number] | 'gif', orientation = 1): Promise<Buffer> =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: 'red' } })
    .withExif({
      IFD0: { Make: 'Acme', Orientation: String(orientation) },
      IFD2: { FNumber: '28/10' },
      IFD3: { GPSLatitudeRef: 'N' },
    })
    .withIccProfile('p3')
    .toFormat(format)
    .toBuffer()

test.each(formats)('a %s tells of itself what is asked for', async (format) => {
  const { metadata } = readImage(await picture(format), ['icc.colorSpace', 'ifd0', 'exif.FNumber'])
  expect(metadata['icc']).toEqual({ colorSpace: 'RGB' })
  if (format === 'tiff') return
  expect(metadata).toMatchObject({ ifd0: { Make: 'Acme' }, exif: { FNumber: 2.8 } })
  expect(metadata['gps']).toBeUndefined()
})

test.each(['jpeg', 'png', 'gif'] as const)('the size of a %s', async (format) => {
  expect(readImage(await picture(format), [])).toEqual({ width: 60, height: 40, metadata: {} })
})

test('a picture that lies on its side is measured as it is shown', async () => {
  const lying = await sharp(await picture('jpeg'))
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  expect(readImage(lying, [])).toMatchObject({ width: 40, height: 60 })
})

/** A PNG that says nothing but its profile, compressed. */
const pngWith = (profile: Buffer): Buffer => {
  const data = Buffer.concat([Buffer.from('a name\0\0', 'latin1'), deflateSync(profile)])
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.length)
  head.write('iCCP', 4, 'latin1')
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), head, data, Buffer.alloc(4)])
}

test('a profile of a png is read whole, and one that unpacks to more than profiles have is not', async () => {
  const { icc } = await sharp(await picture('jpeg')).metadata()
  const long = Buffer.concat([icc as Buffer, Buffer.alloc(1_000_000)])
  // A profile begins with its length.
  long.writeUInt32BE(long.length)
  expect(readImage(pngWith(long), ['icc.colorSpace']).metadata).toEqual({ icc: { colorSpace: 'RGB' } })
  const bomb = pngWith(Buffer.concat([icc as Buffer, Buffer.alloc(100_000_000)]))
  expect(readImage(bomb, ['icc']).metadata).toEqual({})
})

test('damaged images never do more than tell less, and nothing that a database cannot store', async () => {
  const sources = await Promise.all([...formats, 'gif' as const].map((format) => picture(format)))
  const damage = array(tuple(nat(), integer({ min: 0, max: 255 })), { maxLength: 20 })
  assert(
    property(constantFrom(...sources), damage, nat(), (source, changes, end) => {
      const bytes = Buffer.from(source.subarray(0, (end % source.length) + 1))
      for (const [at, byte] of changes) bytes[at % bytes.length] = byte
      const { metadata } = readImage(bytes, ['*'])
      expect(JSON.stringify(metadata)).not.toMatch(/\\u00(?:0[0-8bcef]|1)|\\ud[89a-f]/)
    }),
    { numRuns: 500 },
  )
})

test.each([
  ['a picture, whatever it is called', 'text/html', 'png', 'image/png'],
  ['text called a picture', 'image/png', 'just text', 'text/plain'],
  ['bytes called a picture', 'image/jpeg', '\u0001\u0002', 'application/octet-stream'],
  ['text', 'text/csv', 'a,b', 'text/csv'],
  ['a drawing', 'image/svg+xml', '<?xml version="1.0"?><svg xmlns="a"/>', 'image/svg+xml'],
  ['text called a drawing', 'image/svg+xml', 'no drawing', 'text/plain'],
  ['no type', 'nonsense', 'x', 'application/octet-stream'],
  ['nothing', 'application/pdf', '', 'text/plain'],
] as const)('%s', async (_what, declared, contents, expected) => {
  const head = contents === 'png' ? await picture('png') : Buffer.from(contents)
  expect(await detectType(head, declared)).toBe(expected)
})

test.each(['lzw', 'jpeg', 'none'] as const)('a TIFF (%s) is one wherever its directory stands', async (compression) => {
  const pixels = { width: 200, height: 200, channels: 3 } as const
  const noise = randomBytes(pixels.width * pixels.height * 3)
  const bytes = await sharp(noise, { raw: pixels }).tiff({ compression }).toBuffer()
  expect(bytes.readUInt32LE(4)).toBeGreaterThan(4100)
  const swapped = Buffer.concat([Buffer.from('MM\0*'), bytes.subarray(4, 8).toReversed(), bytes.subarray(8)])
  for (const head of [bytes, bytes.subarray(0, 4100), bytes.subarray(0, 65_536), swapped.subarray(0, 4100)]) {
    expect(await detectType(head, 'application/octet-stream')).toBe('image/tiff')
  }
  // What is all there has its directory, or is none.
  expect(await detectType(bytes.subarray(0, 4000), 'image/tiff')).toBe('application/octet-stream')
})

test('patterns of types', () => {
  expect(isAllowedType('image/png', ['text/*', 'IMAGE/*'])).toBe(true)
  expect(isAllowedType('image/png', ['image/jpeg'])).toBe(false)
  expect(isAllowedType('image/png', ['*/*'])).toBe(true)
  expect(isAllowedType('image/png', [])).toBe(false)
})

/** A PNG with one text in it, of a kind that holds XMP. */
function withText(png: Buffer, text: string): Buffer {
  const data = Buffer.from(`iTXtXML:com.adobe.xmp\0\0\0\0\0${text}`)
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length - 4)
  sum.writeUInt32BE(crc32(data))
  return Buffer.concat([png.subarray(0, 33), length, data, sum, png.subarray(33)])
}

const xmp = (inside: string): string =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">${inside}</rdf:Description></rdf:RDF></x:xmpmeta>`

describe('images are read aside', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-metadata-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const put = (name: string, bytes: Buffer): string => {
    writeFileSync(join(folder, name), bytes)
    return join(folder, name)
  }

  test('and while one says endlessly much, everything else goes on', async () => {
    const png = await picture('png')
    const few = put('few', withText(png, xmp('<dc:title>Sea</dc:title>')))
    const items = '<rdf:li>x</rdf:li>'.repeat(400_000)
    const endless = put('endless', withText(png, xmp(`<dc:subject><rdf:Bag>${items}</rdf:Bag></dc:subject>`)))
    let ticks = 0
    const clock = setInterval(() => (ticks += 1), 5)
    const [, said] = await Promise.all(
      [endless, few].map((path) => readInSideProcess({ path, type: 'image/png', allow: ['xmp'] })),
    )
    clearInterval(clock)
    expect(said).toEqual({ width: 60, height: 40, duration: null, metadata: { xmp: { title: 'Sea' } } })
    expect(ticks).toBeGreaterThan(10)
  })

  test('and one that ends the reader says nothing, but the next one does', async () => {
    const png = await picture('png')
    const deep = put('deep', withText(png, xmp('<dc:a>'.repeat(600_000))))
    expect(await readInSideProcess({ path: deep, type: 'image/png', allow: ['xmp'] })).toMatchObject({ metadata: {} })
    expect(await readInSideProcess({ path: put('plain', png), type: 'image/png', allow: [] })).toMatchObject({
      width: 60,
    })
  })
})

test.each([
  ['plain text\n', 'us-ascii'],
  ['señor', 'utf-8'],
  ['se\u00f1or', 'binary', 'latin1'],
  ['a\u0000b', 'binary'],
  ['', 'binary'],
] as const)('%j reads as %s', (text, charset, encoding: BufferEncoding = 'utf8') => {
  expect(charsetOf(Buffer.from(text, encoding))).toBe(charset)
})
