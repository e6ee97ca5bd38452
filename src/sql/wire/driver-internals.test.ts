import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type OpenDatabase, openDatabase } from '../database.ts'
import { createServerSocket, toDriverParameter } from './driver-internals.ts'

const packageOf = (name: string): { readonly version: string } =>
  createRequire(import.meta.url)(`${name}/package.json`) as { readonly version: string }

test('the driver is the version whose private parts were read', () => {
  expect(packageOf('pg').version).toBe('8.23.1')
})

test('the private parts are there, before there is a connection', () => {
  const client = new Client({ host: 'localhost', port: 5432 }) as unknown as { readonly [name: string]: object }
  expect(client).toMatchObject({ host: 'localhost', port: 5432, processID: null })
  expect(client['connection']).toMatchObject({ parsedStatements: {}, submittedNamedStatements: {}, ssl: false })
  const methods = ['parse', 'bind', 'describe', 'execute', 'sync', 'connect', 'requestSsl', 'cancel']
  expect(methods.filter((name) => typeof Reflect.get(client['connection'] ?? {}, name) !== 'function')).toEqual([])
  expect(toDriverParameter(['a', 'b,c'])).toBe('{"a","b,c"}')
})

test('no other file reaches behind the types of the driver', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => /^[\w-]+\.ts$/.test(name))
  const found = files.filter((name) =>
    /as unknown as|as never/.test(readFileSync(`${import.meta.dirname}/${name}`, 'utf8')),
  )
  expect(found).toEqual(['driver-internals.ts'])
})

// A database that accepts connections and then never responds.
const letIn = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1')
const sockets = new Set<Socket>()
const frozen = createServer((socket) => {
  sockets.add(socket)
  socket.on('error', () => undefined)
  socket.once('data', () => socket.write(letIn))
})

beforeAll(async () => {
  frozen.listen(0, '127.0.0.1')
  await once(frozen, 'listening')
})
afterEach(() => void vi.useRealTimers())
afterAll(() => {
  for (const socket of sockets) socket.destroy()
  frozen.close()
})

const open = (statementTimeout: number): Promise<OpenDatabase> => {
  const { port } = frozen.address() as AddressInfo
  return openDatabase({ kind: 'pg', host: '127.0.0.1', port, statementTimeout, acquireTimeout: 1000 })
}

const unavailable = { failures: [{ kind: 'unavailable', service: 'database' }] }

test('reads, writes and transactions end when the server has been silent for twice the time of a statement', async () => {
  const db = await open(50)
  const statement = { text: 'select 1', values: [] }
  await Promise.all([
    expect(db.run(statement)).rejects.toMatchObject(unavailable),
    expect(db.run({ ...statement, rows: 'array', asker: { isGone: false } })).rejects.toMatchObject(unavailable),
    expect(db.run({ text: 'delete from notes', values: [] })).rejects.toMatchObject(unavailable),
    expect(db.transaction((inner) => inner.run(statement))).rejects.toMatchObject(unavailable),
    expect(db.listen('news', () => undefined)).rejects.toMatchObject(unavailable),
  ])
  await db.close()
})

test('a stop waits for a silent server no longer than it may', async () => {
  const before = sockets.size
  const db = await open(60_000)
  const running = expect(db.run({ text: 'delete from notes', values: [] })).rejects.toMatchObject(unavailable)
  await expect.poll(() => sockets.size).toBe(before + 1)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let isClosed = false
  const closing = db.close(200).then(() => (isClosed = true))
  await vi.advanceTimersByTimeAsync(199)
  expect(isClosed).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await Promise.all([closing, running])
})

/** A message of the protocol: its type, the length of the rest, the rest. */
function message(kind: string, ...parts: readonly Buffer[]): Buffer {
  const head = Buffer.from(`${kind}0000`)
  const body = Buffer.concat(parts)
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const int16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255])
const int32 = (value: number): Buffer => Buffer.concat([int16(value >>> 16), int16(value & 65_535)])
const row = (text: string): Buffer => message('D', int16(1), int32(text.length), Buffer.from(text))

/** Long and short messages: some longer than the buffer, some that end with a read. */
const sizes = Array.from({ length: 400 }, (_, n) => (n % 40 === 7 ? 300_000 + n * 1000 : (n * 7919) % 9000))
const messages = sizes.map((size) => message('D', Buffer.from(Uint8Array.from({ length: size }, (_, n) => n & 255))))
const bytes = Buffer.concat(messages)
const server = createServer((client) => client.end(bytes))

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())

const connect = (socket: Socket): Socket => socket.connect((server.address() as AddressInfo).port, '127.0.0.1')

const ends = new Set(messages.map((_, at) => messages.slice(0, at + 1).reduce((sum, { length }) => sum + length, 0)))

test('everything arrives, in whole messages', async () => {
  const socket = connect(createServerSocket())
  const seen: Buffer[] = []
  socket.on('data', (piece: Buffer) => {
    seen.push(Buffer.from(piece))
    expect(ends).toContain(seen.reduce((sum, { length }) => sum + length, 0))
  })
  await once(socket, 'close')
  expect(Buffer.concat(seen).equals(bytes)).toBe(true)
})

test('short messages are read into the same memory, however many there are', async () => {
  const short = Buffer.concat(messages.filter(({ length }) => length < 10_000))
  const { client, socket, close } = await pair()
  const memory = new Set<ArrayBufferLike>()
  socket.on('data', (piece: Buffer) => memory.add(piece.buffer))
  client.end(short)
  await once(socket, 'close')
  expect(memory.size).toBe(1)
  close()
})

test('a length that no message has does not hold up what is behind it', async () => {
  const { client, socket, close } = await pair()
  client.end(Buffer.concat([Buffer.from('E\0\0\0\0'), message('Z', Buffer.from('I'))]))
  const [first] = (await once(socket, 'data')) as [Buffer]
  expect(first.toString('latin1')).toBe('E\0\0\0\0Z\0\0\0\x05I')
  await once(socket, 'close')
  close()
})

async function pair(): Promise<{ client: Socket; socket: Socket; close: () => void }> {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const socket = createServerSocket().connect((other.address() as AddressInfo).port, '127.0.0.1')
  const [client] = (await once(other, 'connection')) as [Socket]
  return { client, socket, close: () => other.close() }
}

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
  const rowEnds = rows.map((_, at) => Buffer.concat([column, ...rows.slice(0, at + 1)]).length)
  // The second chunk ends in the header of a row, the third inside another row.
  const cuts = [
    0,
    (rowEnds[0] ?? 0) + 10,
    (rowEnds[1] ?? 0) + 3,
    (rowEnds[2] ?? 0) + 1000,
    rowEnds[3] ?? 0,
    (rowEnds[3] ?? 0) + 70_000,
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
