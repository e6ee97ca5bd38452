/**
 * The socket of a connection to a server. One of Node's own makes new memory for each read, outside of what the
 * engine looks after, and each 64 MB of it make the engine collect everything.
 */
import { Socket } from 'node:net'

const size = 65_536

/**
 * Reads into two pieces of memory in turn: of a message that is not all there yet the driver keeps the piece, and
 * copies it when the next one comes. With encryption it is a socket like any other, which is read by others.
 */
export function createServerSocket({ ssl }: { readonly ssl?: unknown } = {}): Socket {
  if (ssl !== undefined && ssl !== false) return new Socket()
  const pieces = [Buffer.allocUnsafeSlow(size), Buffer.allocUnsafeSlow(size)] as const
  let turn = 0
  const onread = {
    buffer: (): Buffer => pieces[(turn += 1) % 2] as Buffer,
    callback: (length: number, piece: Uint8Array): boolean => {
      socket.emit('data', (piece as Buffer).subarray(0, length))
      return true
    },
  }
  const socket: Socket = new Socket({ onread })
  return socket
}
