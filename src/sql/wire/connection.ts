/**
 * The `Database` port over a pool. Quick reads of one turn of the event loop are sent in one message, because a message
 * costs more than such a read on both sides. Other statements take a connection each, so that nobody waits for them.
 */
import type pg from 'pg'
import type { Asker, Database, Rows, Statement } from '../../domain/ports/context.ts'
import { repeated } from '../errors/conflicts.ts'
import { isBrokenConnection, isStaleStatement, toTandemError } from '../errors/errors.ts'
import { clientGone, databaseUnavailable } from '../errors/unavailable.ts'
import { isRead } from '../shapes/is-read.ts'
import type { Cancel } from './driver-internals.ts'
import { type Question, sendApart } from './send.ts'
import { inTransaction } from './transaction.ts'

export type ConnectionPool = {
  /** Rejects as `unavailable` if no connection becomes free in time, or none can be opened. */
  readonly acquire: () => Promise<pg.PoolClient>
  /** How long the first one that waits for a connection has waited, in milliseconds. */
  readonly waitingTime: () => number
}

export function createConnectionPool(pool: pg.Pool): ConnectionPool {
  // The pool handles errors of idle connections only, and an unhandled error would end the process. The statement on a
  // lost connection fails, and the pool closes the connection when it is released.
  pool.on('connect', (client: pg.PoolClient) => client.on('error', () => undefined))
  const line = createLine()
  return { acquire: () => line.wait(connect(pool)), waitingTime: line.waitingTime }
}

/** Measures how long the first one in a line has waited, in milliseconds. */
export function createLine(now = () => performance.now()) {
  const starts = new Set<{ readonly at: number }>()
  return {
    async wait<T>(connection: Promise<T>): Promise<T> {
      const start = { at: now() }
      starts.add(start)
      try {
        return await connection
      } finally {
        starts.delete(start)
      }
    },
    waitingTime: (): number => {
      const [first] = starts
      return first === undefined ? 0 : now() - first.at
    },
    length: () => starts.size,
  }
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (cause) {
    const waited = cause instanceof Error && cause.message.startsWith('timeout exceeded')
    throw databaseUnavailable(
      waited ? 'No connection to the database is free' : 'The database cannot be reached',
      cause,
    )
  }
}

/** `cancelReads`: cancels the reads of that client, and nothing else. */
type Connected = Database & { readonly cancelReads: (asker: Asker) => void }

/** A statement whose result is awaited. */
type Read = Question & { readonly mayRetry: boolean }

/** The reads in progress on one connection. */
type Batch = {
  readonly client: pg.PoolClient
  /** Reads without a result, in order. */
  readonly open: Set<Read>
  /** Reads that a client waits for. */
  readonly wanted: Set<Read>
  isUseless: boolean
  /** The cancellation in progress; null = none. */
  cancellation: Promise<void> | null
}

type State = {
  readonly connections: ConnectionPool
  readonly cancel: Cancel | null
  readonly running: Set<Batch>
}

/** Maximum number of reads in a batch. */
const mostReads = 16

/** Without `cancel`, the reads of disconnected clients run to their end. */
export function databaseOf(connections: ConnectionPool, dialect: string, cancel: Cancel | null): Connected {
  const state: State = { connections, cancel, running: new Set() }
  let waiting: Read[] = []
  const sendWaiting = (): void => {
    const reads = waiting
    waiting = []
    for (let at = 0; at < reads.length; at += mostReads) void send(state, reads.slice(at, at + mostReads))
  }
  const ask = (statement: Statement): Promise<Rows> =>
    new Promise((resolve, reject) => {
      const read: Read = { statement, mayRetry: true, resolve, reject }
      if (statement.isQuick !== true) return void send(state, [read])
      waiting.push(read)
      if (waiting.length === 1) setImmediate(sendWaiting)
    })
  const run: Database['run'] = (statement) => (isRead(statement) ? ask(statement) : repeated(() => ask(statement)))
  return {
    dialect,
    run,
    runLast: async (statement) => void (await run(statement)),
    transaction: (work) => inTransaction(connections.acquire, dialect, work),
    cancelReads: (asker) => {
      for (const batch of state.running) cancelBatch(state, batch, asker)
    },
  }
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
  const batch: Batch = { client, open: new Set(wanted), wanted: new Set(wanted), isUseless: false, cancellation: null }
  state.running.add(batch)
  if (wanted.length > 0) await exchange(state, batch)
  state.running.delete(batch)
  // A connection is not released before a pending cancellation has ended, which would hit the next user's statement.
  await batch.cancellation?.catch(() => {
    batch.isUseless = true
  })
  client.release(batch.isUseless)
}

function isWanted({ statement, reject }: Read): boolean {
  if (statement.asker?.isGone !== true) return true
  reject(clientGone())
  return false
}

/** Resolves when all reads have succeeded or failed. */
const exchange = (state: State, batch: Batch): Promise<void> =>
  new Promise((resolve) => {
    const settle = (read: Read): void => {
      batch.open.delete(read)
      batch.wanted.delete(read)
      if (batch.open.size === 0) resolve()
      else endUnwanted(state, batch)
    }
    const toQuestion = (read: Read): Question => ({
      statement: read.statement,
      resolve: (rows) => {
        settle(read)
        read.resolve(rows)
      },
      reject: (error) => {
        settle(read)
        const isStale = isStaleStatement(error)
        const isBroken = isBrokenConnection(error)
        if (isStale || isBroken) batch.isUseless = true
        // A write on a broken connection may have happened.
        if (read.mayRetry && (isStale || (isBroken && isRead(read.statement)))) void send(state, [unprepared(read)])
        else read.reject(toTandemError(error))
      },
    })
    const questions = [...batch.open].map(toQuestion)
    try {
      sendApart(batch.client, questions)
    } catch (error) {
      batch.isUseless = true
      for (const { reject } of questions) reject(error)
    }
  })

/** After a schema change another connection may have outdated prepared statements too, so the retry has no name. */
function unprepared(read: Read): Read {
  const { name: _name, ...statement } = read.statement
  return { ...read, statement, mayRetry: false }
}

function cancelBatch(state: State, batch: Batch, asker: Asker): void {
  for (const read of batch.wanted) if (read.statement.asker === asker) batch.wanted.delete(read)
  endUnwanted(state, batch)
}

/** Cancels the running read if no client waits for any remaining read. */
function endUnwanted({ cancel }: State, batch: Batch): void {
  if (cancel === null || batch.wanted.size > 0 || batch.open.size === 0) return
  batch.cancellation = (batch.cancellation ?? Promise.resolve()).then(() => cancel(batch.client))
  batch.cancellation.catch(() => undefined)
}
