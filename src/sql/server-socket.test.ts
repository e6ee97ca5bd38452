import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createServerSocket } from './server-socket.ts'

/** A message of the protocol: its kind, the length of the rest, the rest. */
function message(kind: string, ...parts: readonly Buffer[]): Buffer {
  const head = Buffer.from(`${kind}0000`)
  const body = Buffer.concat(parts)
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const int16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255])
const int32 = (value: number): Buffer => Buffer.concat([int16(value >>> 16), int16(value & 65_535)])
const row = (text: string): Buffer => message('D', int16(1), int32(text.length), Buffer.from(text))

const bytes = message('D', Buffer.from(Uint8Array.from({ length: 2_000_000 }, (_, n) => (n * 31 + (n >> 8)) & 255)))
const server = createServer((client) => client.end(bytes))

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())

const connect = (socket: Socket): Socket => socket.connect((server.address() as AddressInfo).port, '127.0.0.1')

test('everything arrives, read into the same memory but for the beginning of a message', async () => {
  const socket = connect(createServerSocket())
  const seen: Buffer[] = []
  const memory = new Set<ArrayBufferLike>()
  socket.on('data', (piece: Buffer) => {
    memory.add(piece.buffer)
    seen.push(Buffer.from(piece))
  })
  await once(socket, 'close')
  expect(Buffer.concat(seen).equals(bytes)).toBe(true)
  expect(memory.size).toBe(2)
})

test('with encryption it is an ordinary socket', async () => {
  const socket = connect(createServerSocket({ ssl: { rejectUnauthorized: true } }))
  const memory = new Set<ArrayBufferLike>()
  socket.on('data', (piece: Buffer) => memory.add(piece.buffer))
  await once(socket, 'close')
  expect(memory.size).toBeGreaterThan(2)
})

test('of messages that arrive in parts the driver loses nothing, though it goes on in the memory it was given', async () => {
  const texts = ['a'.repeat(3000), 'b'.repeat(50), 'c'.repeat(2000), 'd'.repeat(2000), 'e'.repeat(100_000), 'f']
  const column = message(
    'T',
    int16(1),
    Buffer.from('t\0'),
    int32(0),
    int16(0),
    int32(25),
    int16(-1),
    int32(-1),
    int16(0),
  )
  const rows = texts.map(row)
  const all = Buffer.concat([column, ...rows, message('C', Buffer.from('SELECT 6\0')), message('Z', Buffer.from('I'))])
  const ends = rows.map((_, at) => Buffer.concat([column, ...rows.slice(0, at + 1)]).length)
  // The second part ends in the head of a row, the third in the middle of another.
  const cuts = [
    0,
    (ends[0] ?? 0) + 10,
    (ends[1] ?? 0) + 3,
    (ends[2] ?? 0) + 1000,
    ends[3] ?? 0,
    (ends[3] ?? 0) + 70_000,
    all.length,
  ]
  const sendParts = async (socket: Socket): Promise<void> => {
    for (const [at, cut] of cuts.slice(1).entries()) {
      socket.write(all.subarray(cuts[at], cut))
      await sleep(20)
    }
  }
  const database = createServer({ noDelay: true }, (socket) => {
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', int32(0)), message('Z', Buffer.from('I'))]))
      socket.once('data', () => void sendParts(socket))
    })
  }).listen(0, '127.0.0.1')
  await once(database, 'listening')
  const { port } = database.address() as AddressInfo
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: 'u',
    database: 'd',
    ssl: false,
    stream: createServerSocket,
  })
  await client.connect()
  const answer = await client.query('select t')
  expect(answer.rows).toEqual(texts.map((t) => ({ t })))
  await client.end()
  database.close()
})
