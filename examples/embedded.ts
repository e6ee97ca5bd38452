/**
 * Tandem inside an Express application, mounted under `/data`, with the application's own middleware before and routes
 * after it. Run it with `npx node examples/embedded.ts`.
 */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import { createTandem } from 'tandem'

const folder = await mkdtemp(join(tmpdir(), 'tandem-example-'))
const token = crypto.randomUUID()
const tandem = await createTandem({ DATA_DIR: folder, ADMIN_TOKEN: token, LOG_LEVEL: 'warn' })

const app = express()
app.use((req, res, next) => {
  if (req.path.startsWith('/data/users') && req.get('x-team') === undefined) {
    res.status(403).json({ errors: [{ message: 'Send the header X-Team' }] })
    return
  }
  next()
})
app.use('/data', tandem.app)
app.get('/data/hello', (_req, res) => void res.json({ hello: 'a route of our own' }))

const server = app.listen(0, '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const ask = async (path: string, headers: Record<string, string> = {}): Promise<unknown> => {
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}`, ...headers } })
  return [response.status, ((await response.text()) || '').slice(0, 80)]
}
try {
  console.log('Without a team:', await ask('/data/users/me'))
  console.log('With a team:', await ask('/data/users/me?fields=email', { 'x-team': 'blue' }))
  console.log('A route of our own:', await ask('/data/hello'))
  console.log('Nobody answers:', await ask('/data/nothing/here'))
} finally {
  server.close()
  server.closeAllConnections()
  await tandem.close()
  await rm(folder, { recursive: true, force: true })
}
