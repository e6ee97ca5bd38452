/**
 * The socket of a connection to a server. One of Node's own makes new memory for each read, outside of what the
 * engine looks after, and each 64 MB of it make the engine collect everything.
 */
import { Socket } from 'node:net'

const size = 65_536

/**
 * Reads into one piece of memory again and again. Of a message that begins in what was read and does not end there
 * the driver keeps the memory and writes into it what comes next, so it gets that part as memory of its own.
 * With encryption it is a socket like any other, which is read by others.
 */
export function createServerSocket({ ssl }: { readonly ssl?: unknown } = {}): Socket {
  if (ssl !== undefined && ssl !== false) return new Socket()
  const findEnd = createFraming()
  const onread = {
    buffer: Buffer.allocUnsafeSlow(size),
    callback: (length: number, memory: Uint8Array): boolean => {
      const piece = (memory as Buffer).subarray(0, length)
      const end = findEnd(piece)
      if (end > 0) socket.emit('data', piece.subarray(0, end))
      if (end < length) socket.emit('data', Buffer.from(piece.subarray(end)))
      return true
    },
  }
  const socket: Socket = new Socket({ onread })
  return socket
}

/** Bytes in front of a message: its kind, and the length of what follows, these four included. */
const headLength = 5

/** Tells of each piece where the last message that is whole by then ends; all of it belongs to one that began before: its end. */
function createFraming(): (piece: Buffer) => number {
  const head = Buffer.alloc(headLength)
  let known = 0
  let missing = 0
  return (piece) => {
    // The driver copies what continues a message into memory that it has for it.
    if (missing > piece.length) {
      missing -= piece.length
      return piece.length
    }
    let at = missing
    let end = missing
    missing = 0
    while (at < piece.length) {
      const copied = piece.copy(head, known, at, Math.min(piece.length, at + headLength - known))
      at += copied
      known += copied
      if (known < headLength) return end
      known = 0
      at += head.readUInt32BE(1) - 4
      if (at <= piece.length) end = at
    }
    missing = at - piece.length
    return end
  }
}
