/**
 * The socket of a server connection. A standard socket allocates memory for each read, and the driver allocates more
 * for each message that arrives in parts. This memory is outside of V8's heap, and every 64 MB of it trigger a full
 * garbage collection.
 */
import { Socket } from 'node:net'

/** Reads into a buffer of its own. An encrypted socket is read by the TLS layer. */
export function createServerSocket({ ssl }: { readonly ssl?: unknown } = {}): Socket {
  if (ssl !== undefined && ssl !== false) return new Socket()
  const inbox = new Inbox()
  const onread = {
    buffer: () => inbox.room(),
    callback: (length: number): boolean => {
      const messages = inbox.receive(length)
      if (messages.length > 0) socket.emit('data', messages)
      return true
    },
  }
  const socket: Socket = new Socket({ onread })
  return socket
}

/** Size of the buffer of a connection. The system allocates only the pages that are written. */
const usualSize = 262_144

/** One byte for the type of a message, then four for its length, which includes itself. */
const headSize = 5

/** Collects complete messages. The driver processes them at once and keeps no reference to their memory. */
class Inbox {
  #memory = Buffer.allocUnsafeSlow(usualSize)
  /** Offset of the first byte that was not passed on, and offset of the next read. */
  #begin = 0
  #end = 0

  /** The space for the next read. The result of `receive` may be overwritten then. */
  room(): Uint8Array {
    if (this.#begin === this.#end) this.#clear()
    else if (this.#begin + this.#firstSize() > this.#memory.length) this.#makeRoom()
    return this.#end === 0 ? this.#memory : this.#memory.subarray(this.#end)
  }

  /** The complete messages after so many more bytes. */
  receive(length: number): Uint8Array {
    const begin = this.#begin
    this.#end += length
    while (this.#begin + this.#firstSize() <= this.#end) this.#begin += this.#firstSize()
    return this.#memory.subarray(begin, this.#begin)
  }

  /** Length of the first message, if it is known. */
  #firstSize(): number {
    if (this.#begin + headSize > this.#end) return headSize
    return Math.max(headSize, this.#memory.readUInt32BE(this.#begin + 1) + 1)
  }

  #clear(): void {
    this.#begin = 0
    this.#end = 0
    if (this.#memory.length > usualSize) this.#memory = Buffer.allocUnsafeSlow(usualSize)
  }

  /** Grows with the received data, not at once to the announced length. */
  #makeRoom(): void {
    if (this.#begin === 0 && this.#end < this.#memory.length) return
    const isFull = this.#begin === 0
    const size = isFull ? Math.min(this.#firstSize(), this.#memory.length * 2) : this.#memory.length
    const memory = isFull ? Buffer.allocUnsafeSlow(size) : this.#memory
    this.#memory.copy(memory, 0, this.#begin, this.#end)
    this.#memory = memory
    this.#end -= this.#begin
    this.#begin = 0
  }
}
