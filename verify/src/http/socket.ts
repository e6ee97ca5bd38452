/** WebSockets of the deployment under test. */
import { setTimeout } from 'node:timers/promises'

export type SocketMessage = { readonly [name: string]: unknown }

export type Socket = {
  readonly send: (message: object) => void
  /** The first message that was received and is meant, however long ago; null if none comes within `milliseconds`. */
  readonly find: (isMeant: (message: SocketMessage) => boolean, milliseconds?: number) => Promise<SocketMessage | null>
  readonly received: () => readonly SocketMessage[]
  readonly close: () => void
}

const nothing = (): void => undefined

/** What is spoken at the paths of sockets. */
const subprotocols = { '/websocket': [], '/graphql': ['graphql-transport-ws'] } as const
export type SocketPath = keyof typeof subprotocols

/** Null if the deployment opens no socket, or if this Node has none. `budget`: milliseconds for the connection, and for each message. */
export async function openSocket(url: string, path: SocketPath, budget: number): Promise<Socket | null> {
  if (typeof WebSocket === 'undefined') return null
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}${path}`, [...subprotocols[path]])
  const received: SocketMessage[] = []
  let wake = nothing
  socket.addEventListener('message', ({ data }) => {
    received.push(JSON.parse(String(data)) as SocketMessage)
    wake()
  })
  const opened = await new Promise<boolean>((resolve) => {
    socket.addEventListener('open', () => resolve(true))
    socket.addEventListener('error', () => resolve(false))
    void setTimeout(budget, null, { ref: false }).then(() => resolve(false))
  })
  if (!opened) {
    socket.close()
    return null
  }
  return {
    send: (message) => socket.send(JSON.stringify(message)),
    received: () => received,
    async find(isMeant, milliseconds = budget) {
      const end = Date.now() + milliseconds
      for (;;) {
        const message = received.find(isMeant)
        const left = end - Date.now()
        if (message !== undefined || left <= 0) return message ?? null
        await Promise.race([
          new Promise<void>((resolve) => {
            wake = resolve
          }),
          setTimeout(left, null, { ref: false }),
        ])
      }
    },
    close: () => socket.close(),
  }
}
