/** A client of WebSockets for tests: messages in order, with the code of the end. */
import { WebSocket } from 'ws'

export type Message = { readonly [name: string]: unknown }

export type LiveSocket = {
  readonly send: (message: object | string) => void
  /** The next message that is no ping. */
  readonly next: () => Promise<Message>
  /** The code and reason of the end. */
  readonly ended: Promise<{ readonly code: number; readonly reason: string }>
  readonly close: () => void
  /** Takes nothing more from the connection, until `resume`. */
  readonly pause: () => void
  readonly resume: () => void
}

/** Rejects with the status of a request that is refused. */
export async function openSocket(url: string, headers: { readonly [name: string]: string } = {}, protocols?: string) {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), protocols, { headers })
  const waiting: ((message: Message) => void)[] = []
  const come: Message[] = []
  const ended = new Promise<{ readonly code: number; readonly reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }))
  })
  socket.on('message', (data) => {
    const message = JSON.parse((data as Buffer).toString()) as Message
    if (message['type'] === 'ping') return
    const first = waiting.shift()
    if (first === undefined) come.push(message)
    else first(message)
  })
  await new Promise<void>((resolve, reject) => {
    socket.on('open', resolve)
    socket.on('error', reject)
    socket.on('unexpected-response', (_request, response) => reject(new Error(String(response.statusCode))))
  })
  const live: LiveSocket = {
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    next: () => {
      const first = come.shift()
      return first === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(first)
    },
    ended,
    close: () => socket.close(),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
  }
  return live
}
