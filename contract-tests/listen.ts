/** Servers of HTTP that tests play. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Listening = { readonly url: string; readonly close: () => Promise<void> }

/** Listens on a free port of this machine. */
export async function listen(answer: RequestListener): Promise<Listening> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await server[Symbol.asyncDispose]()
    },
  }
}
