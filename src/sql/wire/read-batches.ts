/**
 * Reads that are asked for in the same turn of the event loop go to the database in one message: on both sides a
 * message of its own costs more than most reads. Who is alone in its turn is not held up by this.
 */
import type pg from 'pg'
import type { Asker, Rows, Statement } from '../../domain/ports/context.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import type { ConnectionPool } from './connection-pool.ts'
import { isBrokenConnection, isStaleStatement, toTandemError } from './errors.ts'
import type { Cancel } from './give-up.ts'
import { createPace, type Pace, startWatch } from './pace.ts'
import { type Question, queryPipelined } from './pipelined-query.ts'

export type ReadStatement = Statement & { readonly asker: Asker }

export type Reads = {
  /** Reads, unless nobody waits for it; tried once more where the connection or the prepared statement is to blame. */
  readonly read: (statement: ReadStatement) => Promise<Rows>
  /** Ends what runs for that asker, and nothing else. */
  readonly giveUp: (asker: Asker) => void
}

type Read = {
  readonly statement: ReadStatement
  readonly mayRetry: boolean
  readonly resolve: (rows: Rows) => void
  readonly reject: (error: unknown) => void
}

/** What is on its way on one connection. */
type Batch = {
  readonly client: pg.PoolClient
  /** Not answered yet, in order. */
  readonly open: Set<Read>
  /** Those of them for which somebody waits. */
  readonly wanted: Set<Read>
  /** That the server is told to end it; null = it is not. */
  told: Promise<void> | null
}

type State = {
  readonly connections: ConnectionPool
  readonly cancel: Cancel | null
  readonly pace: Pace
  readonly running: Set<Batch>
}

/**
 * Milliseconds that a read may be expected to wait for those before it in its batch. `beside` is about ten times what
 * a message of its own costs: what takes longer gains nothing from company, and on a connection of its own it runs
 * beside the others. While connections are waited for there is no such way, and company makes the queue shorter.
 */
const patience = { beside: 0.5, inQueue: 5 } as const

const patienceOf = ({ waiting }: ConnectionPool): number => (waiting() > 0 ? patience.inQueue : patience.beside)

/** Reads in a batch. */
const most = 16

/** Without `cancel`, what runs for nobody goes on to its end. */
export function batchReads(connections: ConnectionPool, cancel: Cancel | null, pace = createPace()): Reads {
  const state: State = { connections, cancel, pace, running: new Set() }
  let waiting: Read[] = []
  const sendWaiting = (): void => {
    const reads = waiting
    waiting = []
    for (const batch of inBatches(reads, pace, patienceOf(connections))) void send(state, batch)
  }
  return {
    read: (statement) =>
      new Promise((resolve, reject) => {
        const read: Read = { statement, mayRetry: true, resolve, reject }
        // Nothing goes with a slow one, so there is nothing to wait for.
        if (waiting.length === 0 && pace.expect(statement.name) > patienceOf(connections))
          return void send(state, [read])
        waiting.push(read)
        if (waiting.length === 1) setImmediate(sendWaiting)
      }),
    giveUp: (asker) => {
      for (const batch of state.running) giveUp(state, batch, asker)
    },
  }
}

/** One that is slow, or not known yet, is the last of its batch. */
function inBatches(reads: readonly Read[], pace: Pace, patience: number): readonly (readonly Read[])[] {
  const batches: Read[][] = []
  let expected = Number.POSITIVE_INFINITY
  for (const read of reads) {
    const last = batches.at(-1)
    if (last === undefined || expected > patience || last.length === most) {
      batches.push([read])
      expected = 0
    } else last.push(read)
    expected += pace.expect(read.statement.name)
  }
  return batches
}

async function send(state: State, reads: readonly Read[]): Promise<void> {
  let client: pg.PoolClient
  try {
    client = await state.connections.acquire()
  } catch (error) {
    for (const { reject } of reads) reject(error)
    return
  }
  const wanted = reads.filter(isWanted)
  const batch: Batch = { client, open: new Set(wanted), wanted: new Set(wanted), told: null }
  state.running.add(batch)
  const { again, isUseless } = await exchange(state, batch).catch((error: unknown) => {
    for (const { reject } of batch.open) reject(error)
    return { again: [], isUseless: true }
  })
  state.running.delete(batch)
  state.connections.release(client, isUseless || (batch.told !== null && !(await hasCome(batch.told))))
  for (const read of again) void send(state, [read])
}

/** Whoever is lent the connection next would be hit by a cancellation that is still on its way. */
const hasCome = (told: Promise<void>): Promise<boolean> =>
  told.then(
    () => true,
    () => false,
  )

function isWanted({ statement, reject }: Read): boolean {
  if (!statement.asker.isGone) return true
  const reason = 'Nobody waits for the answer'
  reject(new TandemError({ kind: 'unavailable', service: 'api', reason, retryAfter: 1 }))
  return false
}

type Exchanged = {
  /** Reads that failed for what is wrong with the connection. */
  readonly again: readonly Read[]
  readonly isUseless: boolean
}

/** Resolves when all are answered, or fail. */
async function exchange(state: State, batch: Batch): Promise<Exchanged> {
  const { open, wanted, client } = batch
  if (open.size === 0) return { again: [], isUseless: false }
  const ended = Promise.withResolvers<void>()
  const again: Read[] = []
  let isUseless = false
  const watch = startWatch()
  const settle = (read: Read): void => {
    open.delete(read)
    wanted.delete(read)
    state.pace.note(read.statement.name, watch())
    if (open.size === 0) ended.resolve()
    else endUnwanted(state, batch)
  }
  const fail = (read: Read, error: unknown): void => {
    settle(read)
    const isConnection = isBrokenConnection(error) || isStaleStatement(error)
    if (isConnection) isUseless = true
    if (isConnection && read.mayRetry) again.push(unprepared(read))
    else read.reject(toTandemError(error))
  }
  const toQuestion = (read: Read): Question => ({
    statement: read.statement,
    resolve: (rows) => {
      settle(read)
      read.resolve(rows)
    },
    reject: (error) => fail(read, error),
  })
  queryPipelined(client, [...open].map(toQuestion))
  await ended.promise
  return { again, isUseless }
}

/** What one connection had prepared before a schema change, another may have too: it is asked without a name. */
function unprepared(read: Read): Read {
  const { name: _name, ...statement } = read.statement
  return { ...read, statement, mayRetry: false }
}

function giveUp(state: State, batch: Batch, asker: Asker): void {
  for (const read of batch.wanted) if (read.statement.asker === asker) batch.wanted.delete(read)
  endUnwanted(state, batch)
}

/** Ends the one that runs, if nobody waits for any that is left. */
function endUnwanted({ cancel }: State, batch: Batch): void {
  if (cancel === null || batch.wanted.size > 0 || batch.open.size === 0) return
  batch.told = (batch.told ?? Promise.resolve()).then(() => cancel(batch.client))
  batch.told.catch(() => undefined)
}
