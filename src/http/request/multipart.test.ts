import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import type { Part } from '../../domain/ports/uploads.ts'
import { readParts } from './multipart.ts'

type Read = (parts: AsyncIterable<Part>) => Promise<unknown>

/** Starts a server that passes each request to a reader, and answers with its result. */
async function answerOf(read: Read, send: (url: string, port: number) => Promise<unknown>): Promise<unknown> {
  const done = Promise.withResolvers<unknown>()
  const server = createServer((req: IncomingMessage, res) => {
    read(readParts(req))
      .then(done.resolve, done.reject)
      .finally(() => res.end())
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    const sent = send(`http://127.0.0.1:${port}`, port).catch(() => undefined)
    const result = await done.promise
    await sent
    return result
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => void server.close(resolve))
  }
}

const all: Read = async (parts) => {
  const found: unknown[] = []
  for await (const part of parts) {
    if (part.kind === 'value') found.push([part.name, part.value])
    else found.push([part.name, part.filename, part.type, await text(part.stream)])
  }
  return found
}

const names: Read = async (parts) => {
  const found: string[] = []
  for await (const part of parts) found.push(part.name)
  return found
}

const first: Read = async (parts) => {
  for await (const part of parts) return part.name
  return null
}

const form =
  (...entries: readonly (readonly [string, string | File])[]) =>
  async (url: string) => {
    const body = new FormData()
    for (const [name, value] of entries) body.append(name, value)
    await (await fetch(url, { method: 'POST', body })).text()
  }

const raw =
  (body: string, boundary = 'b') =>
  async (url: string) => {
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
    await (await fetch(url, { method: 'POST', headers, body })).text()
  }

test('parts come in order, with names in UTF-8 and without folders', async () => {
  const send = form(
    ['title', 'Grüße'],
    ['file', new File(['a'], 'ä.txt', { type: 'text/plain' })],
    ['x', ''],
    ['file', new File(['b'], '../../b')],
  )
  expect(await answerOf(all, send)).toEqual([
    ['title', 'Grüße'],
    ['file', 'ä.txt', 'text/plain', 'a'],
    ['x', ''],
    ['file', 'b', 'application/octet-stream', 'b'],
  ])
})

test('an unread file is skipped', async () => {
  const send = form(['one', new File(['x'.repeat(3_000_000)], 'one')], ['two', 'value'])
  expect(await answerOf(names, send)).toEqual(['one', 'two'])
})

test('an abandoned reader releases the request', async () => {
  expect(await answerOf(first, form(['one', 'value'], ['two', new File(['x'.repeat(1_000_000)], 'two')]))).toBe('one')
})

test.each([
  ['no boundary', '', ''],
  ['nothing', '', 'b'],
  [
    'a body that ends in the middle',
    '--b\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\nabc',
    'b',
  ],
  ['something else', 'this is no form', 'b'],
])('%s is refused', async (_what, body, boundary) => {
  await expect(answerOf(all, raw(body, boundary))).rejects.toThrow('invalid-payload')
})

test('oversized values and endless parts are refused', async () => {
  await expect(answerOf(all, form(['a', 'x'.repeat(1_100_000)]))).rejects.toThrow('invalid-payload')
  const many = Array.from({ length: 1100 }, (_, at) => [`p${at}`, ''] as const)
  await expect(answerOf(all, form(...many))).rejects.toThrow('invalid-payload')
})

test('the stream of a file fails when the client goes away', async () => {
  const head =
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n'
  const part = `--b\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\n${'begun '.repeat(1000)}`
  const begun = Promise.withResolvers<void>()
  const reading: Read = async (parts) => {
    for await (const each of parts) if (each.kind === 'file') for await (const _ of each.stream) begun.resolve()
  }
  const cut = async (_url: string, port: number): Promise<void> => {
    const socket = connect(port, '127.0.0.1', () => socket.write(head + part))
    await begun.promise
    socket.destroy()
  }
  await expect(answerOf(reading, cut)).rejects.toThrow('invalid-payload')
})
