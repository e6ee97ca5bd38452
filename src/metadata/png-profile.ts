/** The ICC profile of a PNG, which is compressed there, and which the reader leaves alone. */
import { inflateSync } from 'node:zlib'

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** Bytes of a profile: those of printers have some hundred thousand. Strangers compress a thousand times as much. */
const mostBytes = 2_000_000

/** The same profile as a JPEG without a picture has it; null where there is none that can be read. */
export function profileOfPng(bytes: Uint8Array): Buffer | null {
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!png.subarray(0, signature.length).equals(signature)) return null
  const chunk = chunkOf(png, 'iCCP')
  if (chunk === null) return null
  try {
    // Its name, which ends in a zero, and a zero for the only way of compressing.
    const compressed = chunk.subarray(chunk.indexOf(0) + 2)
    return toJpeg(inflateSync(compressed, { maxOutputLength: mostBytes }))
  } catch {
    return null
  }
}

/** Chunks that say something stand before the pixels. */
function chunkOf(png: Buffer, wanted: string): Buffer | null {
  for (let at = signature.length; at + 12 <= png.length; ) {
    const length = png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    if (type === wanted) return png.subarray(at + 8, at + 8 + length)
    if (type === 'IDAT') return null
    at += 12 + length
  }
  return null
}

const mostInSegment = 65_519

function toJpeg(profile: Buffer): Buffer {
  const count = Math.ceil(profile.length / mostInSegment)
  const segments = Array.from({ length: count }, (_, at) => {
    const part = profile.subarray(at * mostInSegment, (at + 1) * mostInSegment)
    const head = Buffer.from('\xff\xe2__ICC_PROFILE\0__', 'latin1')
    head.writeUInt16BE(part.length + 16, 2)
    head.set([at + 1, count], 16)
    return Buffer.concat([head, part])
  })
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments, Buffer.from([0xff, 0xd9])])
}
