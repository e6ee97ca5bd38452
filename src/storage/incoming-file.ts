/**
 * Files as they come in. What a socket brings lies outside the engine's own memory, and each 64 MB of it make the
 * engine collect everything: more than half of what an upload costs a server. Memory given back at once costs nothing.
 */
import type { FileHandle } from 'node:fs/promises'
import { type Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Bytes that wait while others are written. */
const waiting = 262_144

/** `owned`: nobody looks at a chunk again once it is written, so its memory is given back. */
export type Incoming = {
  readonly stream: Readable
  readonly signal?: AbortSignal | undefined
  readonly owned?: boolean
}

/** Writes all of the stream; resolves with its size when it is on the disk. Closes the file in any case. */
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

/** The system may take less than all at once. */
async function writeAll(file: FileHandle, chunks: readonly Buffer[]): Promise<number> {
  const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  const { bytesWritten } = await file.writev(chunks)
  if (bytesWritten < size) await file.writeFile(Buffer.concat(chunks).subarray(bytesWritten))
  return size
}

/** Chunks of one piece of memory follow each other, so it is free when a chunk of another one has been written. */
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

/** Whatever is shorter may be part of the pool that all small buffers share. */
const smallest = Buffer.poolSize / 2

const ignore = (): void => {}
