import { once } from 'node:events'
import { Agent, get, type IncomingMessage, type RequestListener } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { listen } from './listen.ts'

const open = async (handler: RequestListener) => {
  const { port, close } = await listen(handler, { host: '127.0.0.1', port: 0 })
  return { port, close, url: `http://127.0.0.1:${port}` }
}

async function ask(url: string, agent?: Agent): Promise<{ status: number | undefined; body: string }> {
  const [response] = (await once(get(url, agent === undefined ? {} : { agent }), 'response')) as [IncomingMessage]
  let body = ''
  for await (const chunk of response) body += String(chunk)
  return { status: response.statusCode, body }
}

test('closing waits for a running request, answers it, and takes no new one', async () => {
  const arrived = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const server = await open((_request, response) => {
    arrived.resolve()
    void release.promise.then(() => response.end('done'))
  })
  const running = ask(server.url)
  await arrived.promise
  const closing = server.close(10_000)
  await expect(ask(server.url)).rejects.toThrow('ECONNREFUSED')
  release.resolve()
  expect(await running).toEqual({ status: 200, body: 'done' })
  await closing
})

test('neither an idle connection nor one that becomes idle delays closing', async () => {
  const agent = new Agent({ keepAlive: true })
  const release = Promise.withResolvers<void>()
  const server = await open((request, response) => {
    if (request.url === '/slow') void release.promise.then(() => response.end('slow'))
    else response.end('ok')
  })
  const slow = ask(`${server.url}/slow`, agent)
  expect(await ask(server.url, agent)).toEqual({ status: 200, body: 'ok' })
  const closing = server.close(60_000)
  release.resolve()
  expect((await slow).body).toBe('slow')
  await closing
  agent.destroy()
})

test('a connection that never sent anything does not delay closing', async () => {
  const server = await open((_request, response) => response.end())
  const silent = connect(server.port, '127.0.0.1')
  await once(silent, 'connect')
  const closed = once(silent, 'close')
  silent.resume()
  await server.close(60_000)
  await closed
})

test('a request that never ends is cut off at the deadline', async () => {
  const arrived = Promise.withResolvers<void>()
  const server = await open(() => arrived.resolve())
  const cut = expect(ask(server.url)).rejects.toThrow('socket hang up')
  await arrived.promise
  await server.close(100)
  await cut
})

test('a port that is taken is an error', async () => {
  const first = await open(() => {})
  await expect(listen(() => {}, { host: '127.0.0.1', port: first.port })).rejects.toThrow('EADDRINUSE')
  await first.close(0)
})
