/** A database that accepts connections and then never responds. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type OpenDatabase, openDatabase } from '../database.ts'

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
