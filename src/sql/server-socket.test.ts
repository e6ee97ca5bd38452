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

test('everything arrives, and what came before is still there when the next piece comes', async () => {
  const socket = connect(createServerSocket())
  const seen: Buffer[] = []
  let last: Buffer | null = null
  let changed = 0
  const memory = new Set<ArrayBufferLike>()
  socket.on('data', (piece: Buffer) => {
    if (last !== null && !last.equals(seen.at(-1) as Buffer)) changed += 1
    last = piece
    memory.add(piece.buffer)
    seen.push(Buffer.from(piece))
  })
  await once(socket, 'close')
  expect(Buffer.concat(seen).equals(bytes)).toBe(true)
  expect(changed).toBe(0)
  expect(memory.size).toBe(2)
})

test('with encryption it is an ordinary socket', async () => {
  const socket = connect(createServerSocket({ ssl: { rejectUnauthorized: true } }))
  const memory = new Set<ArrayBufferLike>()
  socket.on('data', (piece: Buffer) => memory.add(piece.buffer))
  await once(socket, 'close')
  expect(memory.size).toBeGreaterThan(2)
})
