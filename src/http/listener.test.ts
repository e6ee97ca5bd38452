import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { createListener } from './listener.ts'

async function ask(url: string, agent?: Agent): Promise<{ status: number | undefined; body: string }> {
  const [response] = (await once(get(url, agent === undefined ? {} : { agent }), 'response')) as [IncomingMessage]
  let body = ''
  for await (const chunk of response) body += String(chunk)
  return { status: response.statusCode, body }
}

test('closing waits for a running request, answers it, and takes no new one', async () => {
  const arrived = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const listener = createListener((_request, response) => {
    arrived.resolve()
    void release.promise.then(() => response.end('done'))
  })
  const url = await listener.listen('127.0.0.1', 0)
  const running = ask(url)
  await arrived.promise
  const closing = listener.close(10_000)
  await expect(ask(url)).rejects.toThrow('ECONNREFUSED')
  release.resolve()
  expect(await running).toEqual({ status: 200, body: 'done' })
  await closing
})

test('an idle keep-alive connection does not delay closing', async () => {
  const agent = new Agent({ keepAlive: true })
  const listener = createListener((_request, response) => response.end('ok'))
  const url = await listener.listen('127.0.0.1', 0)
  expect(await ask(url, agent)).toEqual({ status: 200, body: 'ok' })
  await listener.close(60_000)
  agent.destroy()
})

test('a request that never ends is cut off at the deadline', async () => {
  const arrived = Promise.withResolvers<void>()
  const listener = createListener(() => arrived.resolve())
  const url = await listener.listen('127.0.0.1', 0)
  const cut = expect(ask(url)).rejects.toThrow('socket hang up')
  await arrived.promise
  await listener.close(100)
  await cut
})

test('a port that is taken is an error', async () => {
  const first = createListener(() => {})
  const url = await first.listen('127.0.0.1', 0)
  await expect(createListener(() => {}).listen('127.0.0.1', Number(new URL(url).port))).rejects.toThrow('EADDRINUSE')
  await first.close(0)
})
