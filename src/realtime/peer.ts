/** The client of a socket. The amount of unsent data is limited; a close frame gives the reason of a disconnection. */
import type { WebSocket } from 'ws'

export type Peer = {
  readonly send: (text: string) => void
  readonly close: (code: number, reason: string) => void
  readonly isOpen: () => boolean
}

/** Codes by which a connection ends (RFC 6455, section 7.4.1, the registry of IANA; from 4000 on, `graphql-transport-ws`). */
export const closing = {
  normal: 1000,
  goingAway: 1001,
  notText: 1003,
  policy: 1008,
  tryAgain: 1013,
  forbidden: 4403,
  initTimeout: 4408,
  failed: 4500,
} as const

/** How long a client may take to answer the end of the connection. */
const closeTimeout = 2_000

export function createPeer(socket: WebSocket, maxBacklog: number): Peer {
  const close = (code: number, reason: string): void => {
    if (socket.readyState === socket.CLOSED) return
    socket.close(code, reason)
    setTimeout(() => socket.terminate(), closeTimeout).unref()
  }
  return {
    send(text) {
      if (socket.readyState !== socket.OPEN) return
      if (socket.bufferedAmount > maxBacklog) close(closing.tryAgain, 'Too slow: messages were not taken in time')
      else socket.send(text)
    },
    close,
    isOpen: () => socket.readyState === socket.OPEN,
  }
}
