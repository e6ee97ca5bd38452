/** An address that leads to one server at a time, as a virtual address or a proxy of the database does. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export type Switch = {
  readonly url: string
  /** From now on it leads to this port. Open connections end. */
  readonly leadTo: (port: number) => void
  readonly close: () => void
}

export async function openSwitch(first: number): Promise<Switch> {
  let port = first
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const inner = connect(port, '127.0.0.1')
    for (const [one, other] of [
      [socket, inner],
      [inner, socket],
    ] as const) {
      sockets.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `postgres://postgres@127.0.0.1:${(server.address() as { readonly port: number }).port}/postgres`,
    leadTo(next) {
      port = next
      cut()
    },
    close() {
      server.close()
      cut()
    },
  }
}
