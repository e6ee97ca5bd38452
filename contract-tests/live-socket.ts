/** A client of WebSockets for tests: messages in order, with the code of the end. Pings are answered. */
import { WebSocket } from 'ws'

export type Message = { readonly [name: string]: unknown }

export type LiveSocket = {
  readonly send: (message: object | string) => void
  /** The next message that is no ping. Rejects when the socket has ended and nothing is left. */
  readonly next: () => Promise<Message>
  readonly ended: Promise<{ readonly code: number; readonly reason: string }>
  readonly close: () => void
  /** Answers no pings any more. */
  readonly fallSilent: () => void
  /** Takes nothing more from the connection, until `resume`. */
  readonly pause: () => void
  readonly resume: () => void
}

type Waiting = { readonly resolve: (message: Message) => void; readonly reject: (error: Error) => void }

/** Rejects with the status of a request that is refused. */
export async function openSocket(url: string, headers: { readonly [name: string]: string } = {}, protocols?: string) {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), protocols, { headers })
  const waiting: Waiting[] = []
  const come: Message[] = []
  let end: Error | null = null
  let isSilent = false
  const ended = new Promise<{ readonly code: number; readonly reason: string }>((resolve) => {
    socket.on('close', (code, reason) => {
      end = new Error(`The socket has ended: ${code} ${String(reason)}`)
      for (const { reject } of waiting) reject(end)
      resolve({ code, reason: String(reason) })
    })
  })
  socket.on('message', (data) => {
    const message = JSON.parse((data as Buffer).toString()) as Message
    if (message['type'] === 'ping') {
      if (!isSilent) socket.send('{"type":"pong"}')
      return
    }
    const first = waiting.shift()
    if (first === undefined) come.push(message)
    else first.resolve(message)
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
      if (first !== undefined) return Promise.resolve(first)
      if (end !== null) return Promise.reject(end)
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }))
    },
    ended,
    close: () => socket.close(),
    fallSilent: () => {
      isSilent = true
    },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
  }
  return live
}
