/** Files on their way to a client: read into buffers that are used again and again, so that nothing has to be made for a piece. */
import { closeSync, constants, fstatSync, open as openCallback, read as readCallback } from 'node:fs'
import type { Writable } from 'node:stream'
import { promisify } from 'node:util'
import type { ByteRange, Outgoing } from '../domain/storage.ts'

const open = promisify(openCallback)
const readInto = promisify(readCallback)

/** Bytes that are read at once, and buffers that are kept for the next file. */
const piece = 262_144
const kept = 16

const buffers: Buffer[] = []

/** What is no regular file, but a link, a folder or a pipe, is null; what cannot be opened is an error of the system. */
export async function openOutgoing(path: string, range?: ByteRange): Promise<Outgoing | null> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  // Without waiting: to open a pipe would take as long as nobody writes to it.
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  // Of an open file both are answered without a look at the disk.
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

type Part = ByteRange & { readonly file: number }

async function sendPart({ file, start, end }: Part, sink: Writable): Promise<void> {
  if (start > end) return void sink.end()
  const buffer = buffers.pop() ?? Buffer.allocUnsafeSlow(piece)
  for (let at = start; at <= end; ) {
    const { bytesRead } = await readInto(file, buffer, 0, Math.min(piece, end - at + 1), at)
    if (bytesRead === 0) throw new Error('The file is shorter than it was')
    at += bytesRead
    const isTaken = await hand(sink, buffer.subarray(0, bytesRead), at > end)
    // Who has gone may have left the buffer in use, so that it is not used again.
    if (!isTaken) return
  }
  if (buffers.length < kept) buffers.push(buffer)
}

/** Resolves when the system has the bytes, or with false when nobody wants them any more. */
function hand(sink: Writable, bytes: Buffer, isLast: boolean): Promise<boolean> {
  return new Promise((resolve) => {
    const gone = (): void => resolve(false)
    const taken = (error?: Error | null): void => {
      sink.off('close', gone)
      resolve(error == null)
    }
    sink.once('close', gone)
    if (isLast) sink.end(bytes, taken)
    else sink.write(bytes, taken)
  })
}
