/** Audio and video for tests, byte by byte. */

type Picture = { readonly width: number; readonly height: number }

const bytes = (...values: readonly number[]): Buffer => Buffer.from(values)
const short = (value: number): Buffer => bytes(value >> 8, value & 255)
const long = (value: number): Buffer => bytes(value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255)
const longLittle = (value: number): Buffer => Buffer.from(long(value).toReversed())
const text = (value: string): Buffer => Buffer.from(value, 'latin1')

/** Silence of 8,000 samples a second. `says`: the length of the samples that the header tells. */
export function wavOf(seconds: number, says = seconds * 8_000): Buffer {
  const format = Buffer.concat([bytes(1, 0, 1, 0), longLittle(8_000), longLittle(8_000), bytes(1, 0, 8, 0)])
  const head = [text('WAVEfmt '), longLittle(16), format, text('data'), longLittle(says)]
  return Buffer.concat([text('RIFF'), longLittle(36 + says), ...head, Buffer.alloc(seconds * 8_000, 128)])
}

const box = (name: string, ...parts: readonly Buffer[]): Buffer => {
  const inside = Buffer.concat(parts)
  return Buffer.concat([long(inside.length + 8), text(name), inside])
}

const nothing = (length: number): Buffer => Buffer.alloc(length)

/** A film without sound, which says at its end what it is, as cameras write them: behind `media` bytes. */
export function mp4Of(seconds: number, { width, height }: Picture, media = 100): Buffer {
  const times = Buffer.concat([nothing(12), long(1_000), long(seconds * 1_000)])
  const picture = Buffer.concat([nothing(6), short(1), nothing(16), short(width), short(height), nothing(50)])
  const samples = [
    box('stsd', nothing(4), long(1), box('avc1', picture)),
    box('stts', nothing(4), long(1), long(1), long(seconds * 1_000)),
    box('stsc', nothing(8)),
    box('stsz', nothing(4), long(media), long(1)),
    box('stco', nothing(8)),
  ]
  const handler = box('hdlr', nothing(8), text('vide'), nothing(13))
  const track = box(
    'trak',
    box('tkhd', bytes(0, 0, 0, 1), nothing(8), long(1), nothing(68)),
    box('mdia', box('mdhd', times, nothing(4)), handler, box('minf', box('stbl', ...samples))),
  )
  const movie = box('moov', box('mvhd', times, nothing(80)), track)
  return Buffer.concat([box('ftyp', text('isom'), long(512), text('isommp42')), box('mdat', nothing(media)), movie])
}

/** Hexadecimal ids of EBML, and sizes of four bytes. */
const element = (id: string, ...parts: readonly Buffer[]): Buffer => {
  const inside = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(id, 'hex'), long(0x10000000 + inside.length), inside])
}

/** A film without sound and without pictures, as browsers record them. */
export function webmOf(seconds: number, { width, height }: Picture): Buffer {
  const duration = Buffer.alloc(8)
  duration.writeDoubleBE(seconds * 1_000)
  const head = element('1a45dfa3', element('4282', text('webm')))
  const facts = element('1549a966', element('2ad7b1', bytes(0x0f, 0x42, 0x40)), element('4489', duration))
  const video = element('e0', element('b0', short(width)), element('ba', short(height)))
  const track = element('ae', element('d7', bytes(1)), element('83', bytes(1)), element('86', text('V_VP8')), video)
  const cluster = element('1f43b675', element('e7', bytes(0)), nothing(0))
  return Buffer.concat([head, element('18538067', facts, element('1654ae6b', track), cluster)])
}

/** Sound of Opus, of which the last page alone says how long it is: behind `pages` pages of 50 kB. */
export function opusOf(seconds: number, pages = 0): Buffer {
  const page = (kind: number, sequence: number, samples: number, inside: Buffer): Buffer => {
    const segments = Math.floor(inside.length / 255)
    const sizes = Buffer.concat([Buffer.alloc(segments, 255), bytes(inside.length % 255)])
    const numbers = [longLittle(samples), nothing(4), longLittle(7), longLittle(sequence), nothing(4)]
    return Buffer.concat([text('OggS'), bytes(0, kind), ...numbers, bytes(sizes.length), sizes, inside])
  }
  const head = Buffer.concat([text('OpusHead'), bytes(1, 1, 0, 0), longLittle(48_000), nothing(3)])
  const tags = Buffer.concat([text('OpusTags'), longLittle(4), text('test'), nothing(4)])
  const middle = Array.from({ length: pages }, (_, n) => page(0, n + 2, n * 48_000, nothing(50_000)))
  const last = page(4, pages + 2, seconds * 48_000, nothing(200))
  return Buffer.concat([page(2, 0, 0, head), page(0, 1, 0, tags), ...middle, last])
}

/** MP3 of so many frames (1,152 samples, 44,100 a second) whose rates change and which no header counts. */
export function mp3Of(frames: number): Buffer {
  const kilobits = [128, 160, 192, 224, 256]
  const frame = (n: number): Buffer => {
    const rate = n % kilobits.length
    const size = Math.floor((144 * (kilobits[rate] as number)) / 44.1)
    return Buffer.concat([bytes(0xff, 0xfb, (9 + rate) << 4, 0), nothing(size - 4)])
  }
  return Buffer.concat(Array.from({ length: frames }, (_, n) => frame(n)))
}

/** AAC of so many frames (1,024 samples, 44,100 a second). */
export function aacOf(frames: number): Buffer {
  const frame = Buffer.concat([bytes(0xff, 0xf1, 0x50, 0x80, 300 >> 3, ((300 & 7) << 5) | 31, 0xfc), nothing(293)])
  return Buffer.concat(Array.from({ length: frames }, () => frame))
}
