import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import type { Body, Stream } from './reply.ts'
import { respond } from './respond.ts'

let server: Server

afterEach(() => {
  server.closeAllConnections()
  server.close()
})

/** Starts a server that answers with the body; `answered` settles when the answer is sent. */
async function serve(made: Body | (() => Body), headers: { readonly [name: string]: string } = {}) {
  const answered: Promise<unknown>[] = []
  server = createServer((_req, res) => {
    const body = typeof made === 'function' ? made() : made
    res.setHeader('X-Frame-Options', 'DENY').setHeader('Vary', 'Nothing')
    const sent = respond(res, { status: 200, body, headers })
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

/** A stream body that records the streams it opened. */
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

test('a stream is sent whole, and headers of the reply win over those that middleware has set', async () => {
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

test('the stream of a disconnected client is closed without an error', async () => {
  const { url, answered } = await serve(bodyOf(endless, 1e9))
  const sent = request(url, (answer) => answer.once('data', () => sent.destroy()))
  sent.on('error', () => undefined)
  sent.end()
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

test('a failing stream aborts the connection, so that a partial answer is not taken as complete', async () => {
  const { url, answered } = await serve(bodyOf(failing, 10))
  await expect(fetch(url).then((answer) => answer.text())).rejects.toThrow()
  expect(await answered[0]).toMatchObject({ message: 'the disk is gone' })
})

test('the buffer of a pending answer is not reused for others', async () => {
  let made = 0
  const { url } = await serve(() => {
    made += 1
    return { kind: 'json-text', text: made === 1 ? ['x'.repeat(50_000_000)] : String(made % 10).repeat(30_000) }
  })
  const slow = connect(Number(new URL(url).port), '127.0.0.1').pause()
  // The first answer exceeds the socket's buffer, so the second one waits in the server.
  slow.write('GET / HTTP/1.1\r\nhost: x\r\n\r\nGET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  await expect.poll(() => made).toBe(2)
  for (let n = 3; n < 8; n += 1) expect(await (await fetch(url)).text()).toBe(String(n).repeat(30_000))
  const all = await buffer(slow)
  expect(String(all.subarray(-30_000))).toBe('2'.repeat(30_000))
})

test.each([1, 20_000, 300_000])(
  'a tag that the client has already costs no answer, and its memory serves the next: %i',
  async (size) => {
    const answers = ['é', 'é', 'é', 'è'].map((last) => ['"', 'é'.repeat(size - 1), last, '"'])
    const { url } = await serve(() => ({ kind: 'json-text', text: answers.shift() as string[] }))
    const first = await fetch(url)
    expect(await first.json()).toBe('é'.repeat(size))
    const headers = { 'if-none-match': first.headers.get('etag') as string }
    expect((await fetch(url, { headers })).status).toBe(304)
    expect(await (await fetch(url)).json()).toBe('é'.repeat(size))
    const other = await fetch(url, { headers })
    expect([other.status, await other.json()]).toEqual([200, `${'é'.repeat(size - 1)}è`])
  },
)
