/**
 * ZIP archives, written while they are sent. Contents are not compressed: most files already are. They are still in the
 * form of deflated data, because readers that cannot seek need to see their end.
 */
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'

/** `name`: a path with slashes. Contents are opened when it is their turn. */
export type ZipEntry = { readonly name: string; readonly modified: Date; readonly open: () => Promise<Readable> }

/** The form has four bytes for sizes and places, and two for the number of entries. */
export const zipBounds = { size: 0xffff_0000 - 0x1000_0000, entries: 10_000 } as const

type Written = { readonly head: Buffer; readonly name: Buffer; readonly at: number }

/** Writes the archive. An entry that cannot be opened rejects. */
export async function writeZip(
  entries: readonly ZipEntry[],
  write: (piece: Uint8Array) => Promise<void>,
): Promise<void> {
  const written: Written[] = []
  let at = 0
  const put = async (piece: Uint8Array): Promise<void> => {
    at += piece.length
    await write(piece)
  }
  for (const { name: path, modified, open } of entries) {
    const contents = await open()
    const name = Buffer.from(path)
    const start = at
    await put(Buffer.concat([signature(0x04034b50), fixedPart(modified, noSums), lengths(name), name]))
    const sums = await putContents(contents, put)
    await put(Buffer.concat([signature(0x08074b50), sums]))
    written.push({ head: fixedPart(modified, sums), name, at: start })
  }
  const start = at
  for (const each of written) await put(directoryEntry(each))
  await put(ending(written.length, { start, size: at - start }))
}

/** Passes the contents on; returns their checksum and sizes. */
async function putContents(contents: Readable, put: (piece: Uint8Array) => Promise<void>): Promise<Buffer> {
  let [sum, size, packed] = [0, 0, 0]
  await pipeline(
    contents,
    async function* count(source: AsyncIterable<Uint8Array>) {
      for await (const chunk of source) {
        sum = crc32(chunk, sum)
        size += chunk.length
        yield chunk
      }
    },
    createDeflateRaw({ level: 0 }),
    async (source: AsyncIterable<Uint8Array>) => {
      for await (const chunk of source) {
        packed += chunk.length
        await put(chunk)
      }
    },
  )
  return words(sum, packed, size)
}

const noSums = Buffer.alloc(12)

/** Version 2.0, sums behind the contents, names in UTF-8, deflated. */
const fixedPart = (modified: Date, sums: Buffer): Buffer =>
  Buffer.concat([halves(20, 0x0808, 8, timeOf(modified), dayOf(modified)), sums])

const lengths = (name: Buffer): Buffer => halves(name.length, 0)

const directoryEntry = ({ head, name, at }: Written): Buffer =>
  Buffer.concat([signature(0x02014b50), halves(20), head, lengths(name), halves(0, 0, 0), words(0, at), name])

const ending = (count: number, { start, size }: { readonly start: number; readonly size: number }): Buffer =>
  Buffer.concat([signature(0x06054b50), halves(0, 0, count, count), words(size, start), halves(0)])

const signature = (value: number): Buffer => words(value)

function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, index * 4)
  return bytes
}

function halves(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, index * 2)
  return bytes
}

/** Seconds are stored by twos, and years from 1980. */
const timeOf = (date: Date): number =>
  (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1)

const dayOf = (date: Date): number =>
  (Math.min(Math.max(date.getUTCFullYear() - 1980, 0), 127) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate()
