import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import type { Stream } from './reply.ts'
import { respond } from './respond.ts'

let server: Server

afterEach(() => {
  server.closeAllConnections()
  server.close()
})

/** A server that answers with the stream, and what became of its last answer. */
async function serve(body: Stream, headers: { readonly [name: string]: string } = {}) {
  const answered: Promise<unknown>[] = []
  server = createServer((_req, res) => {
    const sent = respond(res, { status: 200, body, headers }, ['x-frame-options', 'DENY', 'vary', 'Nothing'])
    answered.push(Promise.resolve(sent).catch((error: unknown) => (res.destroy(), error)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, answered }
}

const endless = (): Readable =>
  new Readable({
    read() {
      this.push(Buffer.alloc(65_536))
    },
  })

/** A stream body that keeps the streams it has opened. */
const opened: Readable[] = []
const bodyOf = (make: () => Readable, size: number): Stream => ({
  kind: 'stream',
  size,
  type: 'text/plain',
  open: async () => {
    opened.push(make())
    return opened.at(-1) as Readable
  },
})

test('a stream is sent whole, and headers of the reply win over those of all answers', async () => {
  const { url } = await serve(
    bodyOf(() => Readable.from([Buffer.from('ab'), Buffer.from('c')]), 3),
    { vary: 'Origin' },
  )
  const answer = await fetch(url)
  expect(await answer.text()).toBe('abc')
  expect(['content-length', 'content-type', 'vary', 'x-frame-options'].map((name) => answer.headers.get(name))).toEqual(
    ['3', 'text/plain', 'Origin', 'DENY'],
  )
  expect(opened.at(-1)?.destroyed).toBe(true)
})

test('HEAD opens nothing', async () => {
  const before = opened.length
  const { url } = await serve(bodyOf(endless, 1e9))
  const answer = await fetch(url, { method: 'HEAD' })
  expect([answer.headers.get('content-length'), opened.length]).toEqual(['1000000000', before])
})

test('the stream of a client that has gone is closed, and that is no fault', async () => {
  const { url, answered } = await serve(bodyOf(endless, 1e9))
  const asked = request(url, (answer) => answer.once('data', () => asked.destroy()))
  asked.on('error', () => undefined)
  asked.end()
  await expect.poll(() => opened.at(-1)?.destroyed && answered.length).toBe(1)
  expect(await answered[0]).toBeUndefined()
})

const failing = () =>
  Readable.from(
    (async function* () {
      yield Buffer.from('a')
      throw new Error('the disk is gone')
    })(),
  )

test('a stream that fails ends the connection, so that nobody takes the part for the whole', async () => {
  const { url, answered } = await serve(bodyOf(failing, 10))
  await expect(fetch(url).then((answer) => answer.text())).rejects.toThrow()
  expect(await answered[0]).toMatchObject({ message: 'the disk is gone' })
})
