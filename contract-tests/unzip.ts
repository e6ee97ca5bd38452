/** Reads ZIP archives for tests: by their directory, with a check of all sums. */
import { crc32, inflateRawSync } from 'node:zlib'

/** The texts of the files by their paths, in the order of the archive. */
export function unzip(archive: Buffer): { readonly [path: string]: string } {
  const end = archive.lastIndexOf(Buffer.from('PK\u0005\u0006'))
  let at = archive.readUInt32LE(end + 16)
  const found: [string, string][] = []
  for (let count = archive.readUInt16LE(end + 10); count > 0; count -= 1) {
    if (archive.readUInt32LE(at) !== 0x02014b50) throw new Error('Expected an entry of the directory')
    const [sum, packed, size] = [16, 20, 24].map((place) => archive.readUInt32LE(at + place)) as [
      number,
      number,
      number,
    ]
    const nameLength = archive.readUInt16LE(at + 28)
    const local = archive.readUInt32LE(at + 42)
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
    const contents = inflateRawSync(archive.subarray(start, start + packed))
    const path = archive.toString('utf8', at + 46, at + 46 + nameLength)
    if (contents.length !== size || crc32(contents) !== sum) throw new Error(`Expected other sums of "${path}"`)
    found.push([path, contents.toString()])
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return Object.fromEntries(found)
}
