/** Extracts the compressed ICC profile of a PNG, which the metadata reader does not support. */
import { inflateSync } from 'node:zlib'

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** Limit in bytes of an unpacked profile, against decompression bombs. Profiles of printers have some hundred thousand bytes. */
const mostBytes = 2_000_000

/** The profile wrapped as a JPEG without pixels, which the reader accepts; null if there is no valid profile. */
export function profileOfPng(bytes: Uint8Array): Buffer | null {
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!png.subarray(0, signature.length).equals(signature)) return null
  const chunk = chunkOf(png, 'iCCP')
  if (chunk === null) return null
  try {
    // The profile name ends in a zero byte. A second zero byte is the compression method.
    const compressed = chunk.subarray(chunk.indexOf(0) + 2)
    return toJpeg(inflateSync(compressed, { maxOutputLength: mostBytes }))
  } catch {
    return null
  }
}

/** The chunks before the pixel data. */
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
