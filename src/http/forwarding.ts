/**
 * Where a request comes from and where it reached the server: as its connection tells it, or, if a trusted proxy has
 * passed it on, as the proxy does. Which proxies are trusted, and what they say, express knows.
 */
import type { IncomingMessage } from 'node:http'
import express, { type Request } from 'express'
import type { HttpSettings } from './settings.ts'

export type Forwarding = {
  /** The client's address. */
  readonly ip: (req: IncomingMessage) => string | null
  /** `https://example.com` */
  readonly origin: (req: IncomingMessage) => string
}

export const createForwarding = (trustProxy: HttpSettings['trustProxy']): Forwarding => {
  const app = express()
  app.set('trust proxy', trustProxy)
  // Express makes the message itself one of its own; on every request that costs more than all the rest of it.
  const asExpress = ({ headers, socket }: IncomingMessage): Request =>
    Object.create(express.request, { app: { value: app }, headers: { value: headers }, socket: { value: socket } })
  return {
    // Without the header there is nothing that a proxy could have said, whichever is trusted.
    ip: (req) => (req.headers['x-forwarded-for'] === undefined ? req.socket.remoteAddress : asExpress(req).ip) ?? null,
    origin: (req) => {
      const { protocol, host } = asExpress(req)
      return `${protocol}://${host}`
    },
  }
}
