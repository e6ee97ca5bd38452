/**
 * The socket of a connection to a server. One of Node's own makes new memory for each read, outside of what the
 * engine looks after, and each 64 MB of it make the engine collect everything.
 */
import { Socket } from 'node:net'

const size = 65_536

/**
 * Reads into one piece of memory. The driver keeps what it is given, and moves messages about in it, while one is not
 * all there: that gets memory of its own, and what comes after it is copied there by the driver. With encryption it
 * is a socket like any other, which is read by others.
 */
export function createServerSocket({ ssl }: { readonly ssl?: unknown } = {}): Socket {
  if (ssl !== undefined && ssl !== false) return new Socket()
  const endsWithin = createMessages()
  let isWithin = false
  const onread = {
    buffer: Buffer.allocUnsafeSlow(size),
    callback: (length: number, piece: Uint8Array): boolean => {
      const bytes = (piece as Buffer).subarray(0, length)
      const wasWithin = isWithin
      isWithin = endsWithin(bytes)
      socket.emit('data', isWithin && !wasWithin ? Buffer.from(bytes) : bytes)
      return true
    },
  }
  const socket: Socket = new Socket({ onread })
  return socket
}

/** Tells of the next bytes whether they end within a message: a byte for its kind, then its length, which counts itself. */
function createMessages(): (bytes: Uint8Array) => boolean {
  let head = 0
  let length = 0
  let missing = 0
  return (bytes) => {
    for (let at = 0; at < bytes.length; ) {
      if (missing > 0) {
        const some = Math.min(missing, bytes.length - at)
        missing -= some
        at += some
        continue
      }
      if (head > 0) length = length * 256 + (bytes[at] as number)
      at += 1
      head += 1
      if (head < 5) continue
      missing = length - 4
      head = 0
      length = 0
    }
    return head > 0 || missing > 0
  }
}
