/** A listening socket that can be closed without cutting off anybody who is being answered. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Listener = {
  /** Resolves to the address, such as `http://localhost:8055`. */
  listen(host: string, port: number): Promise<string>
  /** Accepts nobody new; resolves when the last running request is answered, at the latest after `deadline` ms. */
  close(deadline: number): Promise<void>
}

/** Headers that drip in are cut off after 30 s, bodies after 60 s; idle connections stay 65 s, longer than load balancers keep theirs. */
const timeouts = {
  headersTimeout: 30_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5000,
}

/** Wraps a request handler. */
export function createListener(handler: RequestListener): Listener {
  const server = createServer(timeouts, handler)
  return {
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => {
          server.off('error', reject)
          resolve(toUrl(host, (server.address() as AddressInfo).port))
        })
      }),
    close: async (deadline) => {
      if (!server.listening) return
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      // A connection becomes idle when its answer is sent: then it goes too.
      const sweep = setInterval(() => server.closeIdleConnections(), 20)
      const cut = setTimeout(() => server.closeAllConnections(), deadline)
      await closed
      clearInterval(sweep)
      clearTimeout(cut)
    },
  }
}

function toUrl(host: string, port: number): string {
  const anywhere = host === '0.0.0.0' || host === '::'
  return `http://${anywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`
}
