/** `node:zlib` in the bundle: checksums only. */

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1
  return rest
})

/** The CRC-32 of data that follows data with the sum `before`. */
export function crc32(data: string | Uint8Array, before = 0): number {
  const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data
  let rest = ~before
  for (const byte of bytes) rest = (rest >>> 8) ^ (table[(rest ^ byte) & 255] as number)
  return ~rest >>> 0
}
