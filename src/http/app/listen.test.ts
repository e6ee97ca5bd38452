import { existsSync, readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { listen } from './listen.ts'

const talk = (port: number, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.on('data', (chunk) => {
      received += String(chunk)
    })
    socket.on('close', () => resolve(received))
    socket.on('error', reject)
  })

test('input that is not HTTP is answered with 400 and the server keeps running', async () => {
  const server = await listen((_req, res) => res.end('ok'), { host: '127.0.0.1', port: 0 })
  expect(await talk(server.port, 'nonsense\r\n\r\n')).toBe(
    'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
  )
  expect(await talk(server.port, `GET /${'a'.repeat(70_000)} HTTP/1.1\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 /)
  expect(await (await fetch(`http://127.0.0.1:${server.port}/`)).text()).toBe('ok')
  await server.close(1_000)
})

test('shutdown waits for the running request and accepts no other', async () => {
  const started = Promise.withResolvers<ServerResponse>()
  const server = await listen((_req, res) => started.resolve(res), { host: '127.0.0.1', port: 0 })
  const running = fetch(`http://127.0.0.1:${server.port}/`).then((response) => response.text())
  const res = await started.promise
  const closed = server.close(10_000)
  await expect(fetch(`http://127.0.0.1:${server.port}/`)).rejects.toThrow('fetch failed')
  res.end('done')
  expect(await running).toBe('done')
  await closed
})

test('shutdown aborts requests that run beyond the deadline', async () => {
  const started = Promise.withResolvers<void>()
  const server = await listen(() => started.resolve(), { host: '127.0.0.1', port: 0 })
  const running = fetch(`http://127.0.0.1:${server.port}/`)
  const cut = expect(running).rejects.toThrow('fetch failed')
  await started.promise
  await server.close(50)
  await cut
})

test('a port in use is reported', async () => {
  const server = await listen(() => undefined, { host: '127.0.0.1', port: 0 })
  await expect(listen(() => undefined, { host: '127.0.0.1', port: server.port })).rejects.toThrow('EADDRINUSE')
  await server.close(100)
})

/** Opens so many connections from a thread of its own, and counts them. */
const knocking = `
  const { connect } = require('node:net')
  const { port, times, count } = require('node:worker_threads').workerData
  const numbers = new Int32Array(count)
  for (let at = 0; at < times; at += 1)
    connect(port, '127.0.0.1', () => {
      Atomics.add(numbers, 0, 1)
      Atomics.notify(numbers, 0)
    }).unref()
`

test('connections that arrive while the process is busy wait in the backlog', async () => {
  const server = await listen((_req, res) => res.end('ok'), { host: '127.0.0.1', port: 0 })
  const limit = '/proc/sys/net/core/somaxconn'
  const times = Math.min(existsSync(limit) ? Number(readFileSync(limit, 'utf8')) : 100, 1_000)
  const count = new SharedArrayBuffer(4)
  const connected = new Int32Array(count)
  const crowd = new Worker(knocking, { eval: true, workerData: { port: server.port, times, count } })
  const end = Date.now() + 10_000
  // Blocks the event loop: nothing is accepted meanwhile.
  for (let seen = 0; seen < times && Date.now() < end; seen = Atomics.load(connected, 0))
    Atomics.wait(connected, 0, seen, 100)
  expect(Atomics.load(connected, 0)).toBe(times)
  await crowd.terminate()
  await server.close(100)
})
