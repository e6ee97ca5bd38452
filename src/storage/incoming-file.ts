/**
 * Writes incoming files to disk. Socket buffers are allocated outside the JavaScript heap, and the engine runs a full
 * garbage collection for every 64 MB of them, which is more than half of the cost of an upload. Releasing the buffers
 * at once avoids it.
 */
import type { FileHandle } from 'node:fs/promises'
import { type Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Bytes that are buffered while others are written. */
const waiting = 262_144

/** `owned`: the caller does not use a chunk after it is written, so its memory is released. */
export type Incoming = {
  readonly stream: Readable
  readonly signal?: AbortSignal | undefined
  readonly owned?: boolean
}

/** Writes the stream to the file and syncs it. Resolves with the size. Always closes the file. */
export async function receiveFile(file: FileHandle, { stream, signal, owned = false }: Incoming): Promise<number> {
  const written = owned ? createRelease() : ignore
  let size = 0
  const append = async (chunks: readonly Buffer[]): Promise<void> => {
    size += await writeAll(file, chunks)
    written(chunks)
  }
  const sink = new Writable({
    highWaterMark: waiting,
    write: (chunk: Buffer, _encoding, done) => void append([chunk]).then(() => done(), done),
    writev: (items, done) => void append(items.map(({ chunk }) => chunk as Buffer)).then(() => done(), done),
    final: (done) => void file.sync().then(() => done(), done),
  })
  try {
    await pipeline(stream, sink, signal === undefined ? {} : { signal })
  } finally {
    await file.close()
  }
  return size
}

/** Writes all chunks; the system may write fewer bytes than requested. */
async function writeAll(file: FileHandle, chunks: readonly Buffer[]): Promise<number> {
  const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  const { bytesWritten } = await file.writev(chunks)
  if (bytesWritten < size) await file.writeFile(Buffer.concat(chunks).subarray(bytesWritten))
  return size
}

/** Consecutive chunks share one allocation. It is released when a chunk of another allocation has been written. */
function createRelease(): (chunks: readonly Buffer[]) => void {
  let last: ArrayBuffer | null = null
  return (chunks) => {
    for (const { buffer, length } of chunks) {
      if (last !== buffer) {
        last?.transfer(0)
        last = null
      }
      if (length >= smallest && buffer instanceof ArrayBuffer) last = buffer
    }
  }
}

/** Small buffers may share Node's buffer pool, which must not be released. */
const smallest = Buffer.poolSize / 2

const ignore = (): void => {}
