import { EventEmitter } from 'node:events'
import type pg from 'pg'
import { expect, test } from 'vitest'
import type { Rows } from '../../domain/ports/context.ts'
import { type ConnectionPool, createConnectionPool, createLine, databaseOf } from './connection.ts'

type Sent = {
  submit(wire: object): unknown
  handleCommandComplete(message: { readonly text: string }): void
  handleReadyForQuery(): void
  handleError(error: unknown): void
}

/** A connection that records the names of its statements and how it was released, and responds when the test says so. */
type Client = { readonly names: string[]; readonly released: boolean[]; answer(error?: unknown): void }

const nothing = (): void => undefined
const raise = (error: Error): never => {
  throw error
}

function createClient(): Client {
  const names: string[] = []
  const released: boolean[] = []
  let active: Sent | null = null
  const wire = {
    stream: { cork: nothing, uncork: nothing },
    parsedStatements: {},
    submittedNamedStatements: {},
    parse: nothing,
    bind: ({ statement }: { readonly statement: string }) => void names.push(statement),
    execute: nothing,
    sync: nothing,
  }
  const client = {
    names,
    released,
    release: (isUseless: boolean): void => void released.push(isUseless),
    query: (sent: Sent): void => {
      active = sent
      sent.submit(wire)
    },
    answer: (error?: unknown): void => {
      const sent = active
      active = null
      if (error !== undefined) return sent?.handleError(error)
      sent?.handleCommandComplete({ text: 'SELECT 0' })
      sent?.handleReadyForQuery()
    },
  }
  return client
}

const poolOf = (acquire: () => Promise<Client>): ConnectionPool => ({ acquire }) as never

/** Each request gets another connection. Reads are quick but for those with `slow` in their name. */
function createReads() {
  const clients: Client[] = []
  const cancelled: Client[] = []
  const acquire = async (): Promise<Client> => {
    clients.push(createClient())
    return clients.at(-1) as Client
  }
  const cancel = async (client: pg.PoolClient): Promise<void> => void cancelled.push(client as never)
  const db = databaseOf(poolOf(acquire), 'postgres', cancel)
  const ask = (name: string, asker = { isGone: false }): Promise<Rows> =>
    db.run({ text: `select ${name}`, name, values: [], rows: 'array', asker, isQuick: !name.includes('slow') })
  return { ...db, ask, clients, cancelled, sent: () => clients.map(({ names }) => names) }
}

/** The end of a turn of the event loop, and its consequences. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

const none = { rows: [], count: 0 }

test('quick reads of one turn go together, those of another turn apart', async () => {
  const { ask, sent } = createReads()
  void Promise.all([ask('a'), Promise.resolve().then(() => ask('b'))])
  await turn()
  void ask('c')
  await turn()
  expect(sent()).toEqual([['a', 'b'], ['c']])
})

test('a slow read delays no others and is not delayed', async () => {
  const { ask, sent } = createReads()
  void Promise.all(['a', 'slow', 'b', 'slower'].map((name) => ask(name)))
  await turn()
  expect(sent()).toEqual([['slow'], ['slower'], ['a', 'b']])
})

test('batches have at most 16 reads', async () => {
  const { ask, sent } = createReads()
  void Promise.all(Array.from({ length: 20 }, () => ask('b')))
  await turn()
  expect(sent().map(({ length }) => length)).toEqual([16, 4])
})

test.each(['insert into a default values', 'update a set b = 1'])(
  'a write that may have happened is not repeated: %s',
  async (text) => {
    const client = createClient()
    const db = databaseOf(
      poolOf(async () => client),
      'postgres',
      null,
    )
    const written = db.run({ text, values: [], rows: 'array' })
    await turn()
    client.answer(Object.assign(new Error('broken'), { code: 'ECONNRESET' }))
    await expect(written).rejects.toMatchObject({ failures: [{ kind: 'unavailable', service: 'database' }] })
    await turn()
    expect([client.names, client.released]).toEqual([[''], [true]])
  },
)

test('a connection that takes no statement is thrown away, and the caller told', async () => {
  const client = { ...createClient(), query: () => raise(new RangeError('cannot send')) }
  const db = databaseOf(
    poolOf(async () => client),
    'postgres',
    null,
  )
  await expect(db.run({ text: 'select 1', values: [], rows: 'array' })).rejects.toThrow('cannot send')
  await turn()
  expect(client.released).toEqual([true])
})

test('each is answered as soon as its own answer is there, and the connection is given back after the last', async () => {
  const { ask, clients } = createReads()
  const reads = [ask('a'), ask('b'), ask('a')]
  await turn()
  const [client] = clients as [Client]
  client.answer()
  expect(await reads[0]).toEqual(none)
  client.answer(new RangeError('only this one'))
  await expect(reads[1]).rejects.toThrow('only this one')
  expect(client.released).toEqual([])
  client.answer()
  expect(await reads[2]).toEqual(none)
  await turn()
  expect(client.released).toEqual([false])
})

test('one whose connection breaks is read once more, alone and unprepared, and its connection is thrown away', async () => {
  const { ask, clients, sent } = createReads()
  const reads = [ask('a'), ask('a')]
  await turn()
  const broken = Object.assign(new Error('broken'), { code: 'ECONNRESET' })
  for (const _ of reads) clients[0]?.answer(broken)
  await turn()
  expect([sent(), clients[0]?.released]).toEqual([[['a', 'a'], [''], ['']], [true]])
  clients[1]?.answer()
  clients[2]?.answer(broken)
  expect(await reads[0]).toEqual(none)
  await expect(reads[1]).rejects.toMatchObject({ failures: [{ kind: 'unavailable', service: 'database' }] })
  expect(clients).toHaveLength(3)
})

test('a running read is cancelled when no client waits for its batch', async () => {
  const [one, other] = [{ isGone: false }, { isGone: false }]
  const { ask, cancelReads, clients, cancelled } = createReads()
  const settled = Promise.allSettled([ask('a', one), ask('a', other), ask('a', one)])
  await turn()
  const [client] = clients as [Client]
  cancelReads(one)
  await turn()
  expect(cancelled).toEqual([])
  client.answer()
  await turn()
  expect(cancelled).toEqual([])
  cancelReads(other)
  await turn()
  expect(cancelled).toEqual([client])
  client.answer(new Error('cancelled'))
  await turn()
  expect(cancelled).toEqual([client, client])
  client.answer(new Error('cancelled'))
  expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
})

test('a connection for which a cancellation may still come is not lent to anybody', async () => {
  const asker = { isGone: false }
  const client = createClient()
  const end = Promise.withResolvers<void>()
  const db = databaseOf(
    poolOf(async () => client),
    'postgres',
    () => end.promise,
  )
  const answer = db.run({ text: 'select 1', values: [], rows: 'array', asker })
  await turn()
  db.cancelReads(asker)
  client.answer()
  expect(await answer).toEqual(none)
  await turn()
  expect(client.released).toEqual([])
  end.reject(new Error('nobody knows'))
  await turn()
  expect(client.released).toEqual([true])
})

/** A pool that makes a new connection for each request, and records the released ones. */
function createTested() {
  const released: [name: string, isClosed: boolean][] = []
  let requests = 0
  const pool = Object.assign(new EventEmitter(), {
    connect: async () => {
      requests += 1
      const name = `c${requests}`
      const release = (isClosed = false): void => void released.push([name, isClosed])
      const client = Object.assign(new EventEmitter(), { release })
      pool.emit('connect', client)
      return client
    },
  })
  return { released, connections: createConnectionPool(pool as never) }
}

test('connections come from the pool and go back to it, useless ones to be closed', async () => {
  const { released, connections } = createTested()
  const [first, second] = [await connections.acquire(), await connections.acquire()]
  first.release(true)
  second.release()
  expect(released).toEqual([
    ['c1', true],
    ['c2', false],
  ])
})

test('a connection lost while in use does not end the process', async () => {
  const { connections } = createTested()
  const client = (await connections.acquire()) as unknown as EventEmitter
  expect(() => client.emit('error', new Error('gone'))).not.toThrow()
})

const refusing = (message: string): pg.Pool =>
  Object.assign(new EventEmitter(), { connect: () => Promise.reject(new Error(message)) }) as never

const reasonOf = (message: string): Promise<unknown> =>
  createConnectionPool(refusing(message))
    .acquire()
    .catch((error: { failures: readonly { reason: string }[]; cause: Error }) => [
      error.failures[0]?.reason,
      error.cause.message,
    ])

test('the cause of a missing connection is logged and not sent to the client', async () => {
  const full = 'timeout exceeded when trying to connect'
  expect(await reasonOf(full)).toEqual(['No connection to the database is free', full])
  expect(await reasonOf('refused')).toEqual(['The database cannot be reached', 'refused'])
})

test('the wait is that of the first one in the line, however it ends', async () => {
  let time = 0
  const line = createLine(() => time)
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const waits = [line.wait(first.promise)]
  time = 30
  waits.push(line.wait(second.promise))
  time = 100
  expect([line.waitingTime(), line.length()]).toEqual([100, 2])
  first.reject(new Error('late'))
  await expect(waits[0]).rejects.toThrow('late')
  expect([line.waitingTime(), line.length()]).toEqual([70, 1])
  second.resolve()
  await waits[1]
  expect([line.waitingTime(), line.length()]).toEqual([0, 0])
})
