/** Sends files to clients through reused buffers, so that a chunk needs no allocation. */
import { closeSync, constants, fstatSync, open as openCallback, read as readCallback } from 'node:fs'
import type { Writable } from 'node:stream'
import { promisify } from 'node:util'
import type { ByteRange, Outgoing } from '../domain/ports/storage.ts'

const open = promisify(openCallback)
const readInto = promisify(readCallback)

/** Size of one read, and number of buffers that are kept for reuse. */
const piece = 262_144
const maxPooledBuffers = 16

const buffers: Buffer[] = []

/** Opens a file. Null if it is not a regular file; rejects with the system's error if it cannot be opened. */
export async function openOutgoing(path: string, range?: ByteRange): Promise<Outgoing | null> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  // Non-blocking: opening a pipe without a writer would block.
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  // `fstat` on an open file does not access the disk, so the synchronous calls do not block.
  const facts = fstatSync(file)
  if (!facts.isFile()) {
    closeSync(file)
    return null
  }
  const { start, end } = range ?? { start: 0, end: facts.size - 1 }
  return {
    destroy: () => closeSync(file),
    sendTo: (sink) => sendPart({ file, start, end }, sink).finally(() => closeSync(file)),
  }
}

async function sendPart({ file, start, end }: ByteRange & { readonly file: number }, sink: Writable): Promise<void> {
  if (start > end) return void sink.end()
  const buffer = buffers.pop() ?? Buffer.allocUnsafeSlow(piece)
  for (let at = start; at <= end; ) {
    const { bytesRead } = await readInto(file, buffer, 0, Math.min(piece, end - at + 1), at)
    if (bytesRead === 0) throw new Error('The file has become shorter')
    at += bytesRead
    const isTaken = await writeChunk(sink, buffer.subarray(0, bytesRead), at > end)
    // After a disconnect the socket may still use the buffer, so the buffer is not reused.
    if (!isTaken) return
  }
  if (buffers.length < maxPooledBuffers) buffers.push(buffer)
}

/** Resolves with true when the system has taken the bytes, with false when the sink is closed. */
function writeChunk(sink: Writable, bytes: Buffer, isLast: boolean): Promise<boolean> {
  return new Promise((resolve) => {
    const gone = (): void => resolve(false)
    const onWritten = (error?: Error | null): void => {
      sink.off('close', gone)
      resolve(error == null)
    }
    sink.once('close', gone)
    if (isLast) sink.end(bytes, onWritten)
    else sink.write(bytes, onWritten)
  })
}
