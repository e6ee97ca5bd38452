import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type Pieces, pieces } from './reply.ts'
import { respond } from './respond.ts'

const closings: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closings.splice(0)) await close()
})

/** Starts a server that answers with what `produce` writes; `done` settles with the first answer. */
async function serve(produce: Pieces['produce']) {
  const done = Promise.withResolvers<unknown>()
  const server = createServer((_, res) => {
    res.setHeader('x-a', '1')
    Promise.resolve(respond(res, pieces('text/plain', produce))).then(
      () => done.resolve('answered'),
      (error: unknown) => {
        done.resolve(error)
        res.destroy()
      },
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closings.push(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const { port } = server.address() as AddressInfo
  return { port, url: `http://127.0.0.1:${port}/`, done: done.promise }
}

test('pieces form one answer with the usual headers', async () => {
  const { url } = await serve(async (write) => {
    await write('a')
    await write(new Uint8Array([98]))
  })
  const answer = await fetch(url)
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('x-a'), await answer.text()]).toEqual([
    200,
    'text/plain',
    '1',
    'ab',
  ])
})

test('nothing written is an empty answer', async () => {
  const { url } = await serve(async () => undefined)
  const answer = await fetch(url)
  expect([answer.status, await answer.text()]).toEqual([200, ''])
})

test('HEAD produces nothing', async () => {
  let made = 0
  const { url } = await serve(async () => void (made += 1))
  const answer = await fetch(url, { method: 'HEAD' })
  expect([answer.status, answer.headers.get('content-type'), made]).toEqual([200, 'text/plain', 0])
})

test('an error reaches the caller, and aborts an answer that has begun', async () => {
  const failure = new Error('broken')
  const { url, done } = await serve(async (write) => {
    await write('a')
    throw failure
  })
  await expect(fetch(url).then((answer) => answer.text())).rejects.toThrow()
  expect(await done).toBe(failure)
})

test('writing waits for the client and ends when it disconnects', async () => {
  const megabyte = 'x'.repeat(1_000_000)
  let written = 0
  const stopped = Promise.withResolvers<unknown>()
  const { port, done } = await serve(async (write) => {
    try {
      for (; written < 1000; written += 1) await write(megabyte)
    } catch (error) {
      stopped.resolve(error)
      throw error
    }
  })
  const socket = connect(port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await once(socket, 'readable')
  // The client stops reading, so nothing beyond the socket buffers is written.
  socket.destroy()
  expect(await stopped.promise).toBeInstanceOf(Error)
  expect(await done).toBe('answered')
  expect(written).toBeLessThan(100)
})
