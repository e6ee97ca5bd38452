/** Limit of files: the static middleware of Express 5, and a minimal server that writes bodies to files and syncs them. */
import { createWriteStream } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import express from 'express'

const folder = process.env.FOLDER ?? '.'
const app = express()
app.disable('x-powered-by')
app.use(express.static(folder, { maxAge: '30d' }))

let uploads = 0

async function store(request: IncomingMessage): Promise<void> {
  await pipeline(request, createWriteStream(join(folder, `upload-${uploads++}`), { flush: true }))
}

const server = createServer((request, response) => {
  if (request.method !== 'POST') {
    app(request, response)
    return
  }
  store(request).then(
    () => response.writeHead(204).end(),
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
})

server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as { port: number }).port }))
process.on('SIGTERM', () => process.exit(0))
