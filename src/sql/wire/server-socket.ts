/**
 * The socket of a connection to a server. One of Node's own makes new memory for each read, and the driver makes more
 * for each message that comes in parts: outside of what the engine looks after, and each 64 MB of it make the engine
 * collect everything.
 */
import { Socket } from 'node:net'

/** Reads into memory of its own. With encryption it is a socket like any other, which is read by others. */
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

/** What a connection keeps. The system gives it pages only where something is written. */
const usualSize = 262_144

/** A byte for the kind of a message, then four for its length, which counts itself. */
const headSize = 5

/** Collects messages until they are whole: those the driver reads at once, and keeps nothing of their memory. */
class Inbox {
  #memory = Buffer.allocUnsafeSlow(usualSize)
  /** Where the first byte is that was not handed on, and where the next one goes. */
  #begin = 0
  #end = 0

  /** Where the next read goes. What `receive` has answered may be written over then. */
  room(): Uint8Array {
    if (this.#begin === this.#end) this.#clear()
    else if (this.#begin + this.#firstSize() > this.#memory.length) this.#makeRoom()
    return this.#end === 0 ? this.#memory : this.#memory.subarray(this.#end)
  }

  /** The messages that are whole with so many bytes more. */
  receive(length: number): Uint8Array {
    const begin = this.#begin
    this.#end += length
    while (this.#begin + this.#firstSize() <= this.#end) this.#begin += this.#firstSize()
    return this.#memory.subarray(begin, this.#begin)
  }

  /** Bytes of the first message, as far as it is known. */
  #firstSize(): number {
    if (this.#begin + headSize > this.#end) return headSize
    return Math.max(headSize, this.#memory.readUInt32BE(this.#begin + 1) + 1)
  }

  #clear(): void {
    this.#begin = 0
    this.#end = 0
    if (this.#memory.length > usualSize) this.#memory = Buffer.allocUnsafeSlow(usualSize)
  }

  /** Grows with what has come, not at once by what is announced. */
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
