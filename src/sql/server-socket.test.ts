import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createServerSocket } from './server-socket.ts'

const bytes = Buffer.from(Uint8Array.from({ length: 2_000_000 }, (_, n) => (n * 31 + (n >> 8)) & 255))
const server = createServer((client) => client.end(bytes))

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())

const connect = (socket: Socket): Socket => socket.connect((server.address() as AddressInfo).port, '127.0.0.1')

test('everything arrives, in memory that is used again and again', async () => {
  const socket = connect(createServerSocket())
  const seen: Buffer[] = []
  const memory = new Set<ArrayBufferLike>()
  socket.on('data', (piece: Buffer) => {
    memory.add(piece.buffer)
    seen.push(Buffer.from(piece))
  })
  await once(socket, 'close')
  expect(Buffer.concat(seen).equals(bytes)).toBe(true)
  expect(memory.size).toBeLessThan(5)
})

const message = (size: number): Buffer => {
  const made = Buffer.alloc(size + 1, size)
  made.writeUInt32BE(size, 1)
  return made
}

test('a message that is not all there keeps its memory, whatever comes after it', async () => {
  const all = Buffer.concat([message(100), message(60), message(200), message(90)])
  // Whole messages, the beginning of one (its length cut in two), more of it, its end with the next, the last.
  const cuts = [101, 101 + 61 + 3, 101 + 61 + 50, 101 + 61 + 201, all.length]
  const parts = cuts.map((cut, index) => all.subarray(cuts[index - 1] ?? 0, cut))
  const sending = createServer((client) => {
    client.setNoDelay(true)
    client.write(parts[0] as Buffer)
    let sent = 1
    client.on('data', () => (sent < parts.length ? client.write(parts[sent++] as Buffer) : client.end()))
  })
  sending.listen(0, '127.0.0.1')
  await once(sending, 'listening')
  const socket = createServerSocket().connect((sending.address() as AddressInfo).port, '127.0.0.1')
  const seen: Buffer[] = []
  socket.on('data', (piece: Buffer) => {
    seen.push(piece)
    socket.write('next')
  })
  await once(socket, 'close')
  sending.close()
  expect(seen.map(({ length }) => length)).toEqual(parts.map(({ length }) => length))
  expect(seen[1]?.equals(parts[1] as Buffer)).toBe(true)
  const [first, within, ...rest] = seen.map(({ buffer }) => buffer)
  expect(within).not.toBe(first)
  expect(rest).toEqual([first, first, first])
})

test('with encryption it is an ordinary socket', async () => {
  const socket = connect(createServerSocket({ ssl: { rejectUnauthorized: true } }))
  const memory = new Set<ArrayBufferLike>()
  socket.on('data', (piece: Buffer) => memory.add(piece.buffer))
  await once(socket, 'close')
  expect(memory.size).toBeGreaterThan(2)
})
