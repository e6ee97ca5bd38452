/** The received file of an import: a temporary file without a name, read as often as needed. */
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { invalidPayload, TandemError } from '../../domain/rights/errors.ts'
import { FileFault } from '../../exchange/file-text.ts'
import { type ReadableFormat, readableFormats } from '../../exchange/read-rows.ts'

/** Limit of rows per file. */
export const mostRows = 2_000_000

/** A temporary file without a name: it disappears when the process ends. */
export async function openUnnamed(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'tandem-import-'))
  try {
    return await open(join(folder, 'rows'), 'wx+', 0o600)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Writes to the open file. A stream of the file itself would keep it open until pending writes finish. */
export const writeTo = (file: FileHandle): Writable =>
  new Writable({
    write: (bytes: Buffer, _encoding, done) => void file.writeFile(bytes).then(() => done(), done),
  })

/** Reads the file from the beginning without closing it. */
export function readAll(file: FileHandle): Readable {
  async function* pieces(): AsyncGenerator<Buffer, void> {
    for (let position = 0; ; ) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(pieceSize), 0, pieceSize, position)
      if (bytesRead === 0) return
      position += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  }
  return Readable.from(pieces(), { objectMode: false })
}

const pieceSize = 65_536

/** A pass-through stream that fails after too many bytes. */
export const within = (limit: number) =>
  async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
    let size = 0
    for await (const chunk of source) {
      size += chunk.length
      if (size > limit) throw new TandemError({ kind: 'content-too-large', limit })
      yield chunk
    }
  }

/** Counts the rows of a long file before any is written. */
export async function assertFewRows(file: Readable, format: ReadableFormat): Promise<void> {
  let number = 0
  try {
    for await (const _row of readableFormats[format](file)) {
      number += 1
      if (number > mostRows) throw new FileFault(0, `Expected at most ${mostRows} rows but received more`)
    }
  } catch (error) {
    throw error instanceof FileFault ? toFailure(error) : error
  } finally {
    file.destroy()
  }
}

export function toFailure(fault: FileFault): TandemError {
  const name = fault.row === 0 ? 'file' : `rows.${fault.row}`
  return invalidPayload(name, fault.message, fault.cause)
}
