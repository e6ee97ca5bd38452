import type pg from 'pg'
import { expect, test } from 'vitest'
import type { Rows } from '../../domain/ports/context.ts'
import type { ConnectionPool } from './connection-pool.ts'
import { batchReads, createLatencyEstimates, type Reads, startWatch } from './read-batches.ts'

type Sent = {
  submit(wire: object): unknown
  handleCommandComplete(message: { readonly text: string }): void
  handleReadyForQuery(): void
  handleError(error: unknown): void
}

/** A connection that records the names of its statements, and responds when the test says so. */
type Client = { readonly names: string[]; readonly released: boolean[]; answer(error?: unknown): void }

const nothing = (): void => undefined

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

/** Records in the connection how it was released. */
const release = ({ released }: Client, isUseless: boolean): void => void released.push(isUseless)

const poolOf = (acquire: () => Promise<Client>, waiting = 0): ConnectionPool =>
  ({ acquire, release, waiting: () => waiting }) as never

/**
 * Each request gets another connection. `times`: expected durations of reads in ms. `waiting`: number of requests that
 * wait for a connection.
 */
function createReads(times: { readonly [name: string]: number } = {}, waiting = 0) {
  const clients: Client[] = []
  const cancelled: Client[] = []
  const acquire = async (): Promise<Client> => {
    clients.push(createClient())
    return clients.at(-1) as Client
  }
  const cancel = async (client: pg.PoolClient): Promise<void> => void cancelled.push(client as never)
  const estimates = { expect: (name = ''): number => times[name] ?? Number.POSITIVE_INFINITY, note: nothing }
  const reads = batchReads(poolOf(acquire, waiting), cancel, estimates)
  const ask = (name: string, asker = { isGone: false }): Promise<Rows> =>
    reads.read({ text: name, name, values: [], rows: 'array', asker })
  return { ...reads, ask, clients, cancelled, sent: () => clients.map(({ names }) => names) }
}

/** The end of a turn of the event loop, and its consequences. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

const none = { rows: [], count: 0 }

test('quick reads of one turn go together, those of another turn apart', async () => {
  const { ask, sent } = createReads({ a: 0.1, b: 0.1, c: 0.1 })
  void Promise.all([ask('a'), Promise.resolve().then(() => ask('b'))])
  await turn()
  void ask('c')
  await turn()
  expect(sent()).toEqual([['a', 'b'], ['c']])
})

test('one that is slow, or not known, holds up nobody', async () => {
  const { ask, sent } = createReads({ a: 0.1, b: 0.1, slow: 0.6 })
  void Promise.all(['a', 'slow', 'b', 'unknown', 'other', 'a'].map((name) => ask(name)))
  await turn()
  expect(sent()).toEqual([['a', 'slow'], ['b', 'unknown'], ['other'], ['a']])
})

test('nobody waits long for others, nor for many', async () => {
  const { ask, sent } = createReads({ a: 0.2, b: 0.01 })
  void Promise.all(Array.from({ length: 6 }, () => ask('a')))
  await turn()
  void Promise.all(Array.from({ length: 20 }, () => ask('b')))
  await turn()
  expect(sent().map(({ length }) => length)).toEqual([3, 3, 16, 4])
})

test('while connections are waited for, more go together', async () => {
  const { ask, sent } = createReads({ a: 2, slow: 6 }, 1)
  void Promise.all(['a', 'a', 'a', 'a', 'slow', 'a'].map((name) => ask(name)))
  await turn()
  expect(sent()).toEqual([['a', 'a', 'a'], ['a', 'slow'], ['a']])
})

test('each is answered as soon as its own answer is there, and the connection is given back after the last', async () => {
  const { ask, clients } = createReads({ a: 0.1, b: 0.1 })
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
  const { ask, clients, sent } = createReads({ a: 0.1 })
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

test('what runs is ended when nobody waits for any of its batch, each that is left in its turn', async () => {
  const [one, other] = [{ isGone: false }, { isGone: false }]
  const { ask, cancelReads, clients, cancelled } = createReads({ a: 0.1 })
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
  const reads: Reads = batchReads(
    poolOf(async () => client),
    () => end.promise,
  )
  const answer = reads.read({ text: 'a', values: [], rows: 'array', asker })
  await turn()
  reads.cancelReads(asker)
  client.answer()
  expect(await answer).toEqual(none)
  await turn()
  expect(client.released).toEqual([])
  end.reject(new Error('nobody knows'))
  await turn()
  expect(client.released).toEqual([true])
})

test('a name that is not known takes forever, and one that is known the mean of its last times', () => {
  const estimates = createLatencyEstimates()
  expect([estimates.expect('a'), estimates.expect(undefined)]).toEqual([Infinity, Infinity])
  estimates.note('a', 8)
  estimates.note('a', 0)
  estimates.note(undefined, 1)
  expect([estimates.expect('a'), estimates.expect('b'), estimates.expect(undefined)]).toEqual([7, Infinity, Infinity])
})

test('the oldest names are forgotten when there are too many', () => {
  const estimates = createLatencyEstimates()
  for (let n = 0; n < 10_001; n += 1) estimates.note(String(n), 1)
  expect([estimates.expect('0'), estimates.expect('1'), estimates.expect('10000')]).toEqual([Infinity, 1, 1])
})

test('waiting counts, being busy hardly', () => {
  let [time, idle] = [1_000, 400]
  const watch = startWatch({ now: () => time, idle: () => idle })
  time += 160
  expect(watch()).toBe(10)
  time += 160
  idle += 50
  expect(watch()).toBe(50)
  expect(watch()).toBe(0)
})

test('the clock of the process begins with the watch', () => {
  const watch = startWatch()
  expect(watch()).toBeGreaterThanOrEqual(0)
  expect(watch()).toBeLessThan(performance.now())
})
