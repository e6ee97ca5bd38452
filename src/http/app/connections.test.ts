import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { countDescriptors, listen, mostConnections, type RunningServer } from './listen.ts'

let server: RunningServer
const clients: Socket[] = []

afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  await server.close(100)
})

const open = async (): Promise<Socket> => {
  const client = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true })
  client.on('error', () => {})
  clients.push(client)
  await once(client, 'connect')
  return client
}

const received = async (client: Socket): Promise<string> => String((await once(client, 'data'))[0])

const used = (): number => countDescriptors()?.used ?? 0

const isGone = (each: Socket): boolean => each.readableEnded || each.destroyed

const few = { host: '127.0.0.1', port: 0, mostConnections: 16 }

test('a refused connection is closed after the answer even if the client keeps its side open', async () => {
  server = await listen((_req, res) => res.end('ok'), { host: '127.0.0.1', port: 0 })
  const before = used()
  const refused = await Promise.all(Array.from({ length: 20 }, open))
  // Both ends of each connection are in this process.
  await expect.poll(used).toBeGreaterThanOrEqual(before + 40)
  for (const client of refused) client.write('nonsense\r\n\r\n')
  const answers = await Promise.all(refused.map(received))
  expect(new Set(answers)).toEqual(
    new Set(['HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n']),
  )
  await expect.poll(used, { timeout: 3_000 }).toBeLessThanOrEqual(before + 20)
})

test('a new connection replaces a silent one and never a request in progress', async () => {
  const answers: (() => void)[] = []
  server = await listen((_req, res) => answers.push(() => res.end('late')), few)
  const busy = await open()
  busy.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  const silent: Socket[] = []
  for (let count = 0; count < 40; count += 1) silent.push(await open())
  await expect.poll(() => silent.filter(isGone).length).toBe(25)
  expect(silent.slice(-15).some((each) => each.destroyed)).toBe(false)
  const answer = received(busy)
  for (const end of answers) end()
  expect(await answer).toContain('late')
})

test('idle connections are closed before new ones, slow uploads last', async () => {
  server = await listen((req, res) => {
    if (req.method === 'GET') res.end('ok')
  }, few)
  const dripping = await open()
  dripping.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nx')
  const idle = await open()
  idle.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await received(idle)
  const fresh: Socket[] = []
  for (let count = 0; count < 14; count += 1) fresh.push(await open())
  await open()
  await expect.poll(() => isGone(idle)).toBe(true)
  expect([dripping, ...fresh].filter(isGone)).toEqual([])
  const drip = async (): Promise<void> => {
    const client = await open()
    client.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nx')
    // Waits until its request has arrived, before the next connection opens.
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  for (let count = 0; count < 15; count += 1) await drip()
  await expect.poll(() => fresh.filter((each) => !isGone(each)).length).toBe(0)
  expect(isGone(dripping)).toBe(false)
  await drip()
  await expect.poll(() => isGone(dripping)).toBe(true)
})

test('shutdown does not wait for a request whose headers never end', async () => {
  server = await listen((_req, res) => res.end('ok'), { host: '127.0.0.1', port: 0 })
  const client = await open()
  client.write('GET / HTTP/1.1\r\nhost:')
  await new Promise((resolve) => setTimeout(resolve, 50))
  const begin = Date.now()
  await server.close(8_000)
  expect(Date.now() - begin).toBeLessThan(4_000)
})

test.each([
  [null, Number.POSITIVE_INFINITY],
  [{ allowed: 256, used: 250 }, 16],
  [{ allowed: 1024, used: 200 }, 618],
])('of the descriptors %o connections take at most %s', (descriptors, most) => {
  expect(mostConnections(descriptors)).toBe(most)
})
